"""Locators: elements named by role and name, in the words of a snapshot.

button "Save"                       the button with this name
button "Delete" in row "Anna"       the one in the row that contains this text
checkbox in listitem "Print"        without a name, if the part after `in` has one
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Final

from viewpoint_mcp.accessibility.recycled_list_rows import GROUP_ROLES, collect_texts
from viewpoint_mcp.accessibility.refs import describe_element
from viewpoint_mcp.accessibility.similar_elements import MAX_RESULTS, find_similar_elements
from viewpoint_mcp.accessibility.tree import Node

_PART: Final = re.compile(
    r"""(?P<role>[a-z]+)(?:\s+(?:"(?P<double>(?:[^"\\]|\\.)*)"|'(?P<single>(?:[^'\\]|\\.)*)'))?"""
    r"""(?:\s*\[[^\]"]*\])*"""  # the states that a snapshot prints after the name
)
_SEPARATOR: Final = re.compile(r"\s+in\s+")
_ESCAPE: Final = re.compile(r"\\(.)")
_MIN_RATIO: Final = 0.5  # similarity of two names, as difflib computes it
_MIN_RATIO_OF_OTHER_ROLES: Final = 0.8
_MAX_TEXT_LENGTH: Final = 60  # characters of a text that distinguishes elements
_CONTAINER_ROLES: Final = GROUP_ROLES | {"dialog", "alertdialog", "form", "region", "table", "list"}


@dataclass(frozen=True, slots=True)
class LocatorPart:
    """A role, and a name or text; None for any name."""

    role: str
    name: str | None

    def __str__(self) -> str:
        return self.role if self.name is None else f'{self.role} "{self.name}"'

    def names(self, node: Node, *, ignores_case: bool) -> bool:
        """Return whether a node has this role and name.

        The hint of a node without a name counts as its name. A row, list item or card without both
        needs the text in its content.
        """
        if node.role != self.role:
            return False
        if self.name is None:
            return True
        name = _normalize_text(node.name or str(node.properties.get("hint", "")))
        if not name and node.role in GROUP_ROLES:
            return self.contains(node)
        wanted = self.name
        if ignores_case:
            name, wanted = name.casefold(), wanted.casefold()
        return name.startswith(wanted[:-1]) if wanted.endswith("…") else name == wanted

    def contains(self, node: Node) -> bool:
        """Return whether a node has this role, and the text in its name or content."""
        if node.role != self.role:
            return False
        if self.name is None:
            return True
        wanted = self.name.removesuffix("…").casefold()
        return any(wanted in text.casefold() for text in collect_texts(node))


@dataclass(frozen=True, slots=True)
class Match:
    """An element that a locator names, and the nodes around it from the inside outwards."""

    node: Node
    ancestors: Sequence[Node]


@dataclass(frozen=True, slots=True)
class Locator:
    """An element, and the elements around it from the inside outwards."""

    element: LocatorPart
    containers: Sequence[LocatorPart] = ()

    def __str__(self) -> str:
        return " in ".join(map(str, (self.element, *self.containers)))

    def find_matches(self, nodes: Sequence[Node]) -> list[Match]:
        """Return the visible elements with a ref that match, in the order of the page.

        If no name matches in its exact case, case is ignored.
        """
        matches = [
            match
            for match in _iterate_elements(nodes)
            if self.element.names(match.node, ignores_case=True) and self._is_contained(match)
        ]
        exact = [each for each in matches if self.element.names(each.node, ignores_case=False)]
        return exact or matches

    def find_similar(self, nodes: Sequence[Node]) -> list[Node]:
        """Return elements that the locator may mean, the most similar first.

        If no name is similar, these are the elements of its role, unless there are many.
        """
        role, name = self.element.role, self.element.name or ""
        similar = find_similar_elements(nodes, role, name)
        others = [each.node for each in _iterate_elements(nodes) if each.node not in similar]
        same_role = [node for node in others if node.role == role]
        for group, cutoff in ((same_role, _MIN_RATIO), (others, _MIN_RATIO_OF_OTHER_ROLES)):
            left = [node for node in group if node not in similar]
            names = {node.name.casefold() for node in left}
            for close in get_close_matches(name.casefold(), names, n=MAX_RESULTS, cutoff=cutoff):
                similar += [node for node in left if node.name.casefold() == close]
        if not similar and len(same_role) <= MAX_RESULTS:
            return same_role
        return similar[:MAX_RESULTS]

    def distinguish(self, match: Match, matches: Sequence[Match]) -> LocatorPart | None:
        """Return a container that only this one of the matches is in; None if there is none."""
        for node in match.ancestors:
            if node.role not in _CONTAINER_ROLES and not node.name:
                continue
            for text in _texts_of(node, match.node):
                part = LocatorPart(node.role, text)
                if sum(any(map(part.contains, each.ancestors)) for each in matches) == 1:
                    return part
        return None

    def _is_contained(self, match: Match) -> bool:
        ancestors = iter(match.ancestors)
        return all(any(map(part.contains, ancestors)) for part in self.containers)


def parse_locator(text: str) -> Locator | None:
    """Parse a locator; return None for any other text, such as a CSS selector.

    No CSS selector has a quoted text outside brackets. So a locator must have one.
    """
    parts: list[LocatorPart] = []
    rest = text.strip().removeprefix("- ")
    while True:
        found = _PART.match(rest)
        if found is None:
            return None
        quoted = found["double"] if found["double"] is not None else found["single"]
        name = None if quoted is None else _normalize_text(_ESCAPE.sub(r"\1", quoted))
        parts.append(LocatorPart(found["role"], name))
        rest = rest[found.end() :]
        if not rest.strip():
            break
        separator = _SEPARATOR.match(rest)
        if separator is None:
            return None
        rest = rest[separator.end() :]
    has_name = any(part.name for part in parts)
    return Locator(parts[0], parts[1:]) if has_name else None


def describe_matches(locator: Locator, matches: Sequence[Match], limit: int) -> tuple[str, str]:
    """Return a list of several matches, one a line, and a hint that selects one of them.

    Args:
        limit: Maximum number of listed matches.
    """
    lines = []
    example = ""
    for match in matches[:limit]:
        container = locator.distinguish(match, matches)
        place = f" in {container}" if container else ""
        label = describe_element(match.node.role, match.node.name)
        lines.append(f"- {label} [ref={match.node.ref}]{place}")
        if container and not example:
            example = f", or name what contains it: {locator.element}{place}"
    if len(matches) > limit:
        lines.append(f"- and {len(matches) - limit} more")
    return "\n".join(lines), f"Use the ref of one of them{example}."


def _iterate_elements(nodes: Sequence[Node]) -> Iterator[Match]:
    """Yield each visible element with a ref, in the order of the page."""
    pending: list[tuple[Node | str, tuple[Node, ...]]] = [(node, ()) for node in reversed(nodes)]
    while pending:
        node, ancestors = pending.pop()
        if isinstance(node, str):
            continue
        if node.ref and not node.properties.get("hidden"):
            yield Match(node, ancestors)
        inner = (node, *ancestors)
        pending.extend((child, inner) for child in reversed(node.children))


def _texts_of(container: Node, element: Node) -> Iterator[str]:
    """Yield the texts that may distinguish a container: its name, then those of a group."""
    if container.name:
        yield _normalize_text(container.name)[:_MAX_TEXT_LENGTH].strip()
    if container.role not in GROUP_ROLES:
        return
    pending: list[Node | str] = list(reversed(container.children))
    while pending:
        item = pending.pop()
        text = _normalize_text(item if isinstance(item, str) else item.name)
        if item is not element and any(map(str.isalpha, text)):
            yield text[:_MAX_TEXT_LENGTH].strip()
        if isinstance(item, Node):
            pending.extend(reversed(item.children))


def _normalize_text(text: str) -> str:
    return " ".join(text.split())
