"""Locators: elements named by role and name, in the words of a snapshot.

button "Save"                       the button with this name
button "Delete" in row "Anna"       the one in the row that contains this text
checkbox in listitem "Print"        without a name, if the part after `in` has one
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Final

from viewpoint_mcp.accessibility.recycled_list_rows import GROUP_ROLES, collect_texts
from viewpoint_mcp.accessibility.search.candidate_list import find_containers
from viewpoint_mcp.accessibility.search.found_elements import FoundElement, quote
from viewpoint_mcp.accessibility.search.playwright_locator import Step
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


@dataclass(frozen=True, slots=True)
class LocatorPart:
    """A role, and a name or text; None for any name."""

    role: str
    name: str | None

    def __str__(self) -> str:
        return self.role if self.name is None else f"{self.role} {quote(self.name)}"

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
class Locator:
    """An element, and the elements around it from the inside outwards."""

    element: LocatorPart
    containers: Sequence[LocatorPart] = ()

    def __str__(self) -> str:
        return " in ".join(map(str, (self.element, *self.containers)))

    def find_matches(self, elements: Sequence[FoundElement]) -> list[FoundElement]:
        """Return the visible elements that match, in the order of the page.

        If no name matches in its exact case, case is ignored.
        """
        matches = [
            each
            for each in elements
            if self.element.names(each.node, ignores_case=True)
            and not each.is_hidden
            and self._is_contained(each)
        ]
        exact = [each for each in matches if self.element.names(each.node, ignores_case=False)]
        return exact or matches

    def find_similar(self, elements: Sequence[FoundElement]) -> list[FoundElement]:
        """Return elements that the locator may mean, the most similar first.

        If no name is similar, these are the elements of its role, unless there are many.
        """
        role, name = self.element.role, self.element.name or ""
        similar = find_similar_elements(elements, role, name)
        others = [each for each in elements if not each.is_hidden and each not in similar]
        same_role = [each for each in others if each.node.role == role]
        for group, cutoff in ((same_role, _MIN_RATIO), (others, _MIN_RATIO_OF_OTHER_ROLES)):
            left = [each for each in group if each not in similar]
            names = {each.node.name.casefold() for each in left}
            for close in get_close_matches(name.casefold(), names, n=MAX_RESULTS, cutoff=cutoff):
                similar += [each for each in left if each.node.name.casefold() == close]
        if not similar and len(same_role) <= MAX_RESULTS:
            return same_role
        return similar[:MAX_RESULTS]

    def narrow(self, matches: Sequence[FoundElement]) -> Locator | None:
        """Return a locator with a container that only one of the matches is in; None for none.

        Args:
            matches: The elements that this locator matches.
        """
        for container in find_containers(matches):
            if container is not None:
                part = LocatorPart(container.role, container.text)
                if sum(any(map(part.contains, each.ancestors)) for each in matches) == 1:
                    return Locator(self.element, (part, *self.containers))
        return None

    def _is_contained(self, found: FoundElement) -> bool:
        ancestors = iter(found.ancestors)
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


def describe_steps(steps: Sequence[Step]) -> Locator | None:
    """Return a locator in the words of a snapshot for what a Playwright locator describes.

    Return None if it names no text. The role is "" if it names none.
    """
    for step in reversed(steps):
        text = step.get("text", {}).get("text")
        if text and step["kind"] in ("role", "text", "label", "attribute"):
            return Locator(LocatorPart(step.get("role", ""), text))
    return None


def _normalize_text(text: str) -> str:
    return " ".join(text.split())
