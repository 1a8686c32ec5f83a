"""Pairing of siblings that are not equal, but plausibly the same element before and after."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Final

from viewpoint_mcp.accessibility.diff.equality import (
    Content,
    are_equal_except_refs,
    find_first_refs,
    iterate_nodes_at_any_depth,
)
from viewpoint_mcp.accessibility.diff.sibling_alignment import Pair, pair_by_key
from viewpoint_mcp.accessibility.recycled_list_rows import GROUP_ROLES, may_name_same_element
from viewpoint_mcp.accessibility.tree import Node, children_and_value_of

_MAX_REFS: Final = 16  # refs in an element that are searched in the other tree
_MAX_REPLACED: Final = 4  # siblings of a gap in which a lone role counts as the same element
_CONTAINER_ROLES: Final = frozenset(
    {
        *("banner", "complementary", "contentinfo", "feed", "form", "grid", "list", "listbox"),
        *("main", "menu", "menubar", "navigation", "radiogroup", "region", "rowgroup", "search"),
        *("table", "tablist", "tabpanel", "toolbar", "tree", "treegrid"),
    }
)
"""Roles of elements that keep their place when an item moves from one to another."""


@dataclass(frozen=True, slots=True)
class Candidates:
    """Unmatched siblings of the old and the new tree, with their positions.

    Attributes:
        is_in_old_tree: Return whether new content was in the old tree, by its ref.
        is_in_new_tree: Return whether old content is in the new tree, by its ref.
    """

    old: Sequence[tuple[int, Content]]
    new: Sequence[tuple[int, Content]]
    is_in_old_tree: Callable[[Content], bool]
    is_in_new_tree: Callable[[Content], bool]

    def without_kept_refs(self) -> Candidates:
        """Return the content whose ref is in one of the trees only."""
        return Candidates(
            [each for each in self.old if not self.is_in_new_tree(each[1])],
            [each for each in self.new if not self.is_in_old_tree(each[1])],
            self.is_in_old_tree,
            self.is_in_new_tree,
        )


def is_container(item: Content) -> bool:
    """Return whether content is a list, table, region or the like, without a ref."""
    return isinstance(item, Node) and not item.ref and item.role in _CONTAINER_ROLES


def pair_lone_containers(candidates: Candidates) -> list[Pair]:
    """Pair containers that are the only ones of their role and name on both sides."""
    before, after = (
        [(position, _role_and_name(item)) for position, item in side if is_container(item)]
        for side in (candidates.old, candidates.new)
    )
    counts = [Counter(key for _, key in side) for side in (before, after)]
    alone = {key for key, count in counts[0].items() if count == counts[1][key] == 1}
    return pair_by_key((each for each in before if each[1] in alone), after)


def pair_by_refs_inside(candidates: Candidates) -> list[Pair]:
    """Pair elements that contain the same elements, those with the most common refs first."""
    candidates = candidates.without_kept_refs()
    place: dict[str, tuple[int, Node]] = {}
    for position, item in candidates.new:
        if isinstance(item, Node):
            place.update((ref, (position, item)) for ref in find_first_refs(item, _MAX_REFS))
    votes: Counter[Pair] = Counter()
    for source, item in candidates.old if place else ():
        for ref in find_first_refs(item, _MAX_REFS) if isinstance(item, Node) else ():
            if ref in place and _may_be_same(item, place[ref][1]):
                votes[source, place[ref][0]] += 1
    pairs: list[Pair] = []
    sources, positions = set(), set()
    for source, position in sorted(
        votes, key=lambda pair: (-votes[pair], abs(pair[0] - pair[1]), pair)
    ):
        if source not in sources and position not in positions:
            sources.add(source)
            positions.add(position)
            pairs.append((source, position))
    return pairs


def pair_by_role_and_name(candidates: Candidates) -> list[Pair]:
    """Pair elements of the same role and name, in order.

    Elements with different refs, or with different refs inside, are paired if no other has the
    name, or if they are equal except for the refs: the page has rendered them again.
    """
    candidates = candidates.without_kept_refs()
    old, new = dict(candidates.old), dict(candidates.new)
    before, after = (
        [(position, _role_and_name(item)) for position, item in side]
        for side in (candidates.old, candidates.new)
    )
    counts = [Counter(key for _, key in side) for side in (before, after)]

    def may_pair(source: int, position: int) -> bool:
        item, other = old[source], new[position]
        assert isinstance(item, Node)
        assert isinstance(other, Node)
        if find_first_refs(item, 1) and find_first_refs(other, 1):
            is_alone = all(count[_role_and_name(item)] == 1 for count in counts)
            return (bool(item.name) and is_alone) or are_equal_except_refs(item, other)
        return bool(item.name)

    return [pair for pair in pair_by_key(before, after) if may_pair(*pair)]


def pair_replaced_in_place(candidates: Candidates) -> list[Pair]:
    """Pair content that has the same role as the content at its place before.

    That is all content if the roles are the same, one after the other. Otherwise it is content
    with a similar name or text, and the only element of its role among few others. Rows and items
    of a list need a similar text, because another one may have taken their place.
    """
    candidates = candidates.without_kept_refs()
    old, new = dict(candidates.old), dict(candidates.new)
    roles, new_roles = map(list, (map(_role, old.values()), map(_role, new.values())))
    is_small = max(len(roles), len(new_roles)) <= _MAX_REPLACED
    before, after = (
        [(position, None if _has_ref(item) else _role(item)) for position, item in side.items()]
        for side in (old, new)
    )
    counts = [Counter(role for _, role in side) for side in (before, after)]
    pairs = pair_by_key(before, after)

    def may_pair(source: int, position: int) -> bool:
        item, other = old[source], new[position]
        is_alone = all(count[_role(item)] == 1 for count in counts)
        if not is_alone and _contains_refs(item) and _contains_refs(other):
            return False  # Of several similar rows, two with different refs are different.
        is_item = isinstance(item, Node) and item.role in GROUP_ROLES
        if not is_item and (roles == new_roles or (is_alone and is_small)):
            return True
        text, other_text = _find_text(item), _find_text(other)
        return bool(text and other_text) and may_name_same_element(text, other_text)

    return [pair for pair in pairs if may_pair(*pair)]


def _may_be_same(old: Content, new: Content) -> bool:
    if isinstance(old, str) or isinstance(new, str) or old.role != new.role:
        return False
    return not (old.ref and new.ref) and may_name_same_element(old.name, new.name)


def _role(item: Content) -> str:
    return "" if isinstance(item, str) else item.role


def _role_and_name(item: Content) -> Hashable:
    return None if isinstance(item, str) else (item.role, item.name)


def _has_ref(item: Content) -> bool:
    return isinstance(item, Node) and bool(item.ref)


def _contains_refs(item: Content) -> bool:
    return isinstance(item, Node) and bool(find_first_refs(item, 1))


def _find_text(item: Content) -> str:
    """Return a text, or the first name or text at or in an element; "" for none."""
    if isinstance(item, str):
        return item
    for node in iterate_nodes_at_any_depth((item,)):
        if node.name:
            return node.name
        for each in children_and_value_of(node):
            if isinstance(each, str):
                return each
    return ""
