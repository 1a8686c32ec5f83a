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

GROUP_ROLES: Final = frozenset(
    {"row", "listitem", "treeitem", "option", "article", "group", "radiogroup", "figure"}
)
"""Roles of groups, equal to `GROUP_ROLES` in `inpage/snapshot/group.js` (see `groupAround`)."""

_TEXT_PROPERTIES: Final = ("url", "value", "placeholder")
_WORD: Final = re.compile(r"[^\W\d_]+")
_TOKEN: Final = re.compile(r"[^\W_]+(?:[-/][^\W_]+)*")
_MIN_DIGITS_OF_NUMBER: Final = 5
_MIN_DIGITS_WITH_LETTERS: Final = 3


@dataclass(frozen=True, slots=True, eq=False)
class PrintedTree:
    """The tree in which a ref was last printed.

    Attributes:
        nodes: The top nodes of the frame.
        change_count: The number of changes of the document until then.
    """

    nodes: Sequence[Node]
    change_count: int


@dataclass(frozen=True, slots=True)
class GroupChange:
    """A change of the group around an element.

    Attributes:
        lost_texts: The distinguishing texts that the group lost.
        new_texts: The new texts of the group.
    """

    lost_texts: Sequence[str]
    new_texts: Sequence[str]


@dataclass(frozen=True, slots=True)
class _NodeText:
    """One text, name, value or URL in a tree.

    Attributes:
        kind: "text", "name", or the name of the property.
        text: The text, with normalized white space.
        node: The node with the name or property, or the parent of the text; None if unknown.
        is_hidden: Whether it is in a hidden element.
    """

    kind: str
    text: str
    node: Node | None
    is_hidden: bool = False

    @property
    def can_identify_row(self) -> bool:
        """Whether the text can identify a row. A number alone cannot, as it may be a quantity."""
        if self.kind == "url":
            return True
        return bool(_WORD.search(self.text)) or bool(_find_identifiers(self.text))

    @property
    def element_number(self) -> object:
        """The number of the element that the text belongs to; None if it has no ref."""
        return None if self.node is None else self.node.properties.get("ref")

    def belongs_to_element(self, element_number: int) -> bool:
        """Return whether the text belongs to the element with this number."""
        return self.element_number == element_number

    def can_distinguish_group_of(self, element_number: int) -> bool:
        """Return whether the text may distinguish the group of the element with this number.

        The element's own name and properties do not distinguish its group.
        """
        return bool(self.text) and (
            self.kind == "text" or not self.belongs_to_element(element_number)
        )


def find_group_change(
    printed_nodes: Sequence[Node], element_number: int, present_group: Sequence[Node]
) -> GroupChange | None:
    """Compare an element's group with the group in which the element was printed.

    Only texts that occur once in the printed tree count, because they distinguish the group from
    other groups. The group has changed if fewer than half of these texts remain. Numbers beside
    words may differ.

    Args:
        printed_nodes: The nodes of the frame when the ref was printed.
        element_number: The `e` component of the element's ref.
        present_group: The present nodes of the element's row, list item, card or fieldset.

    Returns:
        The change; None if the group is the same, or if no text distinguished it.
    """
    new_texts = list(_iterate_node_texts(present_group))
    old_texts = [
        node_text
        for node_text in _find_group_texts_when_printed(
            printed_nodes, new_texts, present_group, element_number
        )
        if node_text.can_distinguish_group_of(element_number)
    ]
    if {node_text.text for node_text in old_texts} <= {node_text.text for node_text in new_texts}:
        return None  # The common case, without counting all texts of the page.
    counts = Counter(node_text.text for node_text in _iterate_node_texts(printed_nodes))
    unique = [node_text for node_text in old_texts if counts[node_text.text] == 1]
    unique = [node_text for node_text in unique if node_text.can_identify_row] or unique
    lost = [
        node_text
        for node_text in unique
        if not any(_may_belong_to_same_element(node_text, each) for each in new_texts)
    ]
    if 2 * len(lost) <= len(unique):
        return None
    added = [
        node_text
        for node_text in new_texts
        if node_text.can_distinguish_group_of(element_number) and node_text.text not in counts
    ]
    return GroupChange(_prefer_texts_to_urls(lost), _prefer_texts_to_urls(added))


def find_distinguishing_texts(printed_nodes: Sequence[Node], element_number: int) -> Sequence[str]:
    """Return the texts of an element's row, list item or card that occur nowhere else in a tree.

    Args:
        printed_nodes: The nodes of the frame.
        element_number: The `e` component of the element's ref.
    """
    group = _find_innermost_container(printed_nodes, element_number, *GROUP_ROLES)
    if group is None:
        return ()
    counts = Counter(node_text.text for node_text in _iterate_node_texts(printed_nodes))
    node_texts = [
        node_text
        for node_text in _iterate_node_texts([group])
        if node_text.can_distinguish_group_of(element_number)
    ]
    return _prefer_texts_to_urls(
        [
            node_text
            for node_text in node_texts
            if counts[node_text.text] == 1 and node_text.can_identify_row
        ]
    )


def collect_texts(group: Node) -> set[str]:
    """Return all texts, names, values and URLs in a group."""
    return {node_text.text for node_text in _iterate_node_texts([group])}


def _prefer_texts_to_urls(node_texts: Sequence[_NodeText]) -> Sequence[str]:
    """Return the texts that are not URLs, or the URLs if all of them are URLs."""
    return [node_text.text for node_text in node_texts if node_text.kind != "url"] or [
        node_text.text for node_text in node_texts
    ]


def _find_group_texts_when_printed(
    printed_nodes: Sequence[Node],
    new_texts: Sequence[_NodeText],
    present_group: Sequence[Node],
    element_number: int,
) -> Sequence[_NodeText]:
    """Return the texts of the group as it was printed; empty if the element was not printed."""
    if len(present_group) == 1 and present_group[0].role in GROUP_ROLES:
        old_group = _find_innermost_container(printed_nodes, element_number, present_group[0].role)
        if old_group is not None:
            return list(_iterate_node_texts([old_group]))
    # A group without a role has no node. It is estimated as the same number of texts around the
    # element, up to the next element with the same role and name.
    old_texts = list(_iterate_node_texts(printed_nodes))
    # A snapshot leaves most hidden elements out; the present group has them.
    printed_texts = {node_text.text for node_text in old_texts} - {""}
    new_texts = [each for each in new_texts if not each.is_hidden or each.text in printed_texts]
    old_positions = [
        index
        for index, node_text in enumerate(old_texts)
        if node_text.belongs_to_element(element_number)
    ]
    new_positions = [
        index
        for index, node_text in enumerate(new_texts)
        if node_text.belongs_to_element(element_number)
    ]
    if not old_positions or not new_positions:
        return ()
    target = old_texts[old_positions[0]].node
    first = _take_texts_until_similar_element(
        old_texts, range(old_positions[0] - 1, old_positions[0] - new_positions[0] - 1, -1), target
    )
    last = _take_texts_until_similar_element(
        old_texts,
        range(old_positions[-1] + 1, old_positions[-1] + len(new_texts) - new_positions[-1]),
        target,
    )
    around = [*reversed(first), *old_texts[old_positions[0] : old_positions[-1] + 1], *last]
    return _without_elements_outside(around, new_texts, element_number)


def _without_elements_outside(
    old_texts: Sequence[_NodeText], new_texts: Sequence[_NodeText], element_number: int
) -> Sequence[_NodeText]:
    """Leave out the texts of elements beside the group, which an estimate may include.

    A group that still has one of its other elements, has all that it had: where elements were
    replaced, none would be left. So those that are not in the present group never were.
    """
    old_numbers, new_numbers = _collect_refs(old_texts), _collect_refs(new_texts)
    if not old_numbers & new_numbers - {element_number}:
        return old_texts
    outside = old_numbers - new_numbers
    return [each for each in old_texts if each.element_number not in outside]


def _collect_refs(node_texts: Sequence[_NodeText]) -> set[object]:
    return {each.element_number for each in node_texts} - {None}


def _take_texts_until_similar_element(
    node_texts: Sequence[_NodeText], positions: range, target: Node | None
) -> list[_NodeText]:
    """Return the texts at the positions, up to an element with the role and name of the target."""
    found = []
    for index in positions:
        if not 0 <= index < len(node_texts) or _is_other_element_of_same_name(
            node_texts[index].node, target
        ):
            break
        found.append(node_texts[index])
    return found


def _is_other_element_of_same_name(node: Node | None, target: Node | None) -> bool:
    if node is None or target is None or node is target:
        return False
    return (node.role, node.name) == (target.role, target.name) and "ref" in node.properties


def _find_innermost_container(
    nodes: Sequence[Node], element_number: int, *roles: str
) -> Node | None:
    """Return the innermost node with one of these roles that is or contains the element."""
    pending: list[tuple[Node, Node | None]] = [(node, None) for node in nodes]
    while pending:
        node, around = pending.pop()
        if node.role in roles:
            around = node
        if node.properties.get("ref") == element_number:
            return around
        pending += [
            (child, around) for child in _children_unless_iframe(node) if isinstance(child, Node)
        ]
    return None


def _iterate_node_texts(
    nodes: Sequence[Node | str], parent: Node | None = None
) -> Iterator[_NodeText]:
    """Yield the texts of the nodes in reading order."""
    pending: list[tuple[Node | str, Node | None, bool]] = [
        (node, parent, False) for node in reversed(nodes)
    ]
    while pending:
        node, around, is_hidden = pending.pop()
        if isinstance(node, str):
            yield _NodeText("text", _normalize_text(node), around, is_hidden)
            continue
        is_hidden = is_hidden or "hidden" in node.properties
        yield _NodeText("name", _normalize_text(node.name), node, is_hidden)
        for name in _TEXT_PROPERTIES:
            if text := node.properties.get(name):
                yield _NodeText(name, _normalize_text(str(text)), node, is_hidden)
        pending += [(child, node, is_hidden) for child in reversed(_children_unless_iframe(node))]


def _children_unless_iframe(node: Node) -> Sequence[Node | str]:
    """Return the children of a node. Return none for an iframe: its numbers are another frame's."""
    return [] if node.role == "iframe" or "frame" in node.properties else node.children


def _normalize_text(text: str) -> str:
    return " ".join(text.split()).removesuffix("…")


def _may_belong_to_same_element(old_text: _NodeText, new_text: _NodeText) -> bool:
    if "url" in (old_text.kind, new_text.kind):
        return old_text.text == new_text.text
    return bool(new_text.text) and may_name_same_element(old_text.text, new_text.text)


def may_name_same_element(old_text: str, new_text: str) -> bool:
    """Return whether two texts may belong to the same element.

    A name that grew, shrank or changed in part belongs to the same element. Numbers beside words
    may differ. Numbers without words and identifiers such as TT-10254 must be equal.
    """
    if old_text == new_text or not old_text or not new_text:
        return True
    if _find_identifiers(old_text) != _find_identifiers(new_text):
        return False
    if (old_text in new_text or new_text in old_text) and not (
        old_text.isdigit() and new_text.isdigit()
    ):
        return True
    before, after = set(_WORD.findall(old_text.lower())), set(_WORD.findall(new_text.lower()))
    if not before or not after:
        return False
    return before <= after or after <= before or 2 * len(before & after) > len(before | after)


def _find_identifiers(text: str) -> set[str]:
    """Return the words with enough digits to be identifiers."""
    found = set()
    for token in _TOKEN.findall(text):
        digits = sum(character.isdigit() for character in token)
        has_letters = any(character.isalpha() for character in token)
        if digits >= _MIN_DIGITS_OF_NUMBER or (digits >= _MIN_DIGITS_WITH_LETTERS and has_letters):
            found.add(token)
    return found
