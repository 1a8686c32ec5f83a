"""Detection of recycled rows.

In a recycled row, the DOM element is the same, but its row, list item or card represents another
item than when it was printed.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from viewpoint_mcp.accessibility.tree import Node

GROUPS: Final = frozenset(
    {"row", "listitem", "treeitem", "option", "article", "group", "radiogroup", "figure"}
)
"""Roles of groups, equal to `GROUP_ROLES` in `inpage/snapshot/group.js` (see `groupAround`)."""

_PROPERTIES: Final = ("url", "value", "placeholder", "hint")
_WORD: Final = re.compile(r"[^\W\d_]+")
_TOKEN: Final = re.compile(r"[^\W_]+(?:[-/][^\W_]+)*")
_MANY_DIGITS: Final = 5
_SOME_DIGITS: Final = 3


@dataclass(frozen=True, slots=True, eq=False)
class Printed:
    """The tree in which a ref was last printed.

    Attributes:
        nodes: The top nodes of the frame.
        changes: The number of changes of the document until then.
    """

    nodes: Sequence[Node]
    changes: int


@dataclass(frozen=True, slots=True)
class Change:
    """A change of the group around an element.

    Attributes:
        was: The distinguishing texts that the group lost.
        now: The new texts of the group.
    """

    was: Sequence[str]
    now: Sequence[str]


@dataclass(frozen=True, slots=True)
class _Part:
    """One text, name, value or URL in a group.

    Attributes:
        kind: "text", "name", or the name of the property.
        text: The text, with normalized white space.
        node: The node with the name or property, or the parent of the text; None if unknown.
    """

    kind: str
    text: str
    node: Node | None

    @property
    def is_telling(self) -> bool:
        """Whether the part can identify a row. A number alone cannot, as it may be a quantity."""
        if self.kind == "url":
            return True
        return bool(_WORD.search(self.text)) or bool(_identifiers(self.text))

    def is_of(self, number: int) -> bool:
        """Return whether the part belongs to the element with this number."""
        return self.node is not None and self.node.properties.get("ref") == number

    def identifies(self, number: int) -> bool:
        """Return whether the part may distinguish the group of the element with this number.

        The element's own name and properties do not distinguish its group.
        """
        return bool(self.text) and (self.kind == "text" or not self.is_of(number))


def find_change(printed: Sequence[Node], number: int, group: Sequence[Node]) -> Change | None:
    """Compare an element's group with the group in which the element was printed.

    Only texts that occur once in the printed tree count, because they distinguish the group from
    other groups. The group has changed if fewer than half of these texts remain. Numbers beside
    words may differ.

    Args:
        printed: The nodes of the frame when the ref was printed.
        number: The `e` component of the element's ref.
        group: The present nodes of the element's row, list item, card or fieldset.

    Returns:
        The change; None if the group is the same, or if no text distinguished it.
    """
    now = list(_parts(group))
    was = [part for part in _former_group(printed, now, group, number) if part.identifies(number)]
    if {part.text for part in was} <= {part.text for part in now}:
        return None  # The common case, without counting all texts of the page.
    counts = Counter(part.text for part in _parts(printed))
    own = [part for part in was if counts[part.text] == 1]
    own = [part for part in own if part.is_telling] or own
    lost = [part for part in own if not any(_is_kept(part, other) for other in now)]
    if 2 * len(lost) <= len(own):
        return None
    fresh = [part for part in now if part.identifies(number) and part.text not in counts]
    return Change(_shown(lost), _shown(fresh))


def distinguishing(printed: Sequence[Node], number: int) -> Sequence[str]:
    """Return the texts of an element's row, list item or card that occur nowhere else in a tree.

    Args:
        printed: The nodes of the frame.
        number: The `e` component of the element's ref.
    """
    group = _closest(printed, number, *GROUPS)
    if group is None:
        return ()
    counts = Counter(part.text for part in _parts(printed))
    own = [part for part in _parts([group]) if part.identifies(number)]
    return _shown([part for part in own if counts[part.text] == 1 and part.is_telling])


def texts_of(group: Node) -> set[str]:
    """Return all texts, names, values and URLs in a group."""
    return {part.text for part in _parts([group])}


def _shown(parts: Sequence[_Part]) -> Sequence[str]:
    """Return the texts of the parts that are not URLs, or the URLs if all parts are URLs."""
    return [part.text for part in parts if part.kind != "url"] or [part.text for part in parts]


def _former_group(
    printed: Sequence[Node], now: Sequence[_Part], group: Sequence[Node], number: int
) -> Sequence[_Part]:
    """Return the parts of the group as it was printed; empty if the element was not printed."""
    if len(group) == 1 and group[0].role in GROUPS:
        around = _closest(printed, number, group[0].role)
        if around is not None:
            return list(_parts([around]))
    # A group without a role has no node. It is estimated as the same number of parts around the
    # element, up to the next element with the same role and name.
    before = list(_parts(printed))
    places = [index for index, part in enumerate(before) if part.is_of(number)]
    there = [index for index, part in enumerate(now) if part.is_of(number)]
    if not places or not there:
        return ()
    target = before[places[0]].node
    first = _limit(before, range(places[0] - 1, places[0] - there[0] - 1, -1), target)
    last = _limit(before, range(places[-1] + 1, places[-1] + len(now) - there[-1]), target)
    return [*reversed(first), *before[places[0] : places[-1] + 1], *last]


def _limit(parts: Sequence[_Part], places: range, target: Node | None) -> list[_Part]:
    """Return the parts at these places, up to an element with the role and name of the target."""
    found = []
    for index in places:
        if not 0 <= index < len(parts) or _is_twin(parts[index].node, target):
            break
        found.append(parts[index])
    return found


def _is_twin(node: Node | None, target: Node | None) -> bool:
    if node is None or target is None or node is target:
        return False
    return (node.role, node.name) == (target.role, target.name) and "ref" in node.properties


def _closest(nodes: Sequence[Node], number: int, *roles: str) -> Node | None:
    """Return the innermost node with one of these roles that is or contains the element."""
    pending: list[tuple[Node, Node | None]] = [(node, None) for node in nodes]
    while pending:
        node, around = pending.pop()
        if node.role in roles:
            around = node
        if node.properties.get("ref") == number:
            return around
        pending += [(child, around) for child in _children(node) if isinstance(child, Node)]
    return None


def _parts(nodes: Sequence[Node | str], inside: Node | None = None) -> Iterator[_Part]:
    """Yield the parts of the nodes in reading order."""
    pending: list[tuple[Node | str, Node | None]] = [(node, inside) for node in reversed(nodes)]
    while pending:
        node, around = pending.pop()
        if isinstance(node, str):
            yield _Part("text", _folded(node), around)
            continue
        yield _Part("name", _folded(node.name), node)
        for name in _PROPERTIES:
            if text := node.properties.get(name):
                yield _Part(name, _folded(str(text)), node)
        pending += [(child, node) for child in reversed(_children(node))]


def _children(node: Node) -> Sequence[Node | str]:
    """Return the children of a node. Return none for an iframe: its numbers are another frame's."""
    return [] if node.role == "iframe" or "frame" in node.properties else node.children


def _folded(text: str) -> str:
    return " ".join(text.split()).removesuffix("…")


def _is_kept(part: _Part, other: _Part) -> bool:
    if "url" in (part.kind, other.kind):
        return part.text == other.text
    return bool(other.text) and are_alike(part.text, other.text)


def are_alike(was: str, now: str) -> bool:
    """Return whether two texts may belong to the same element.

    A name that grew, shrank or changed in part belongs to the same element. Numbers beside words
    may differ. Numbers without words and identifiers such as TT-10254 must be equal.
    """
    if was == now or not was or not now:
        return True
    if _identifiers(was) != _identifiers(now):
        return False
    if (was in now or now in was) and not (was.isdigit() and now.isdigit()):
        return True
    before, after = set(_WORD.findall(was.lower())), set(_WORD.findall(now.lower()))
    if not before or not after:
        return False
    return before <= after or after <= before or 2 * len(before & after) > len(before | after)


def _identifiers(text: str) -> set[str]:
    """Return the words with enough digits to be identifiers."""
    found = set()
    for token in _TOKEN.findall(text):
        digits = sum(character.isdigit() for character in token)
        has_letters = any(character.isalpha() for character in token)
        if digits >= _MANY_DIGITS or (digits >= _SOME_DIGITS and has_letters):
            found.add(token)
    return found
