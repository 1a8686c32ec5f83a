"""Comparison of two trees of a page: what was added, changed, moved and removed.

`diff_yaml` renders the result. Elements with a ref are matched by their ref, anywhere in the
tree. Other content is matched within matched parents. Equal content is matched first, then
containers with the same first ref. Between matched siblings, elements are then matched by role and
name, or by role only.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from viewpoint_mcp.accessibility.diff.equality import (
    Content,
    EqualityChecker,
    iterate_nodes_at_any_depth,
)
from viewpoint_mcp.accessibility.diff.sibling_matcher import SiblingMatcher
from viewpoint_mcp.accessibility.tree import Node, children_and_value_of


@dataclass(slots=True)
class UnchangedItems:
    """Consecutive siblings that did not change.

    Attributes:
        old_start: The index of the first sibling in the old parent's content.
        count: The number of siblings.
    """

    old_start: int
    count: int


@dataclass(slots=True)
class MatchedItem:
    """An element or text that is in both trees. It may have changed or moved.

    Attributes:
        old: The element or text in the old tree.
        new: The element or text in the new tree.
        old_index: The index in the old parent's content; None if the element had another parent and
            was found by its ref.
        is_moved: Whether the parent or the order among the siblings changed.
        items: The comparison of its content; None for a text and for unchanged content.
    """

    old: Content
    new: Content
    old_index: int | None
    is_moved: bool
    items: list[DiffItem] | None = None


@dataclass(slots=True)
class AddedItem:
    """An element or text that is only in the new tree.

    Attributes:
        new: The element or text.
        items: The comparison of its content, if a part of it was in the old tree; None if all
            of it is new.
    """

    new: Content
    items: list[DiffItem] | None = None


@dataclass(slots=True)
class RemovedItem:
    """An element or text that is only in the old tree.

    Content of the element that is still in the new tree has an item at its new place.

    Attributes:
        old: The element or text.
        inner_count: The number of elements and texts in it that were removed, too.
    """

    old: Content
    inner_count: int


DiffItem: TypeAlias = UnchangedItems | MatchedItem | AddedItem | RemovedItem


def compare_trees(old_tree: Sequence[Content], new_tree: Sequence[Content]) -> list[DiffItem]:
    """Compare two trees.

    The time is linear in their size, and n log n for lists that changed their order.

    Args:
        old_tree: The top of the old tree.
        new_tree: The top of the new tree.

    Returns:
        The items of the top level, in the order of the new tree. A `Removed` item is at its old
        place. If nothing changed, the list is empty or contains a single `Same`.
    """
    return _TreeComparison(old_tree, new_tree).run()


class _TreeComparison:
    def __init__(self, old: Sequence[Content], new: Sequence[Content]) -> None:
        self._old, self._new = old, new
        self._equality = EqualityChecker()
        self._equality_except_refs = EqualityChecker(ignores_refs=True)
        self._old_by_ref: dict[str, Node] | None = None
        self._new_refs: set[str] | None = None
        # Pairs of contents to compare: old, new, the length of the known equal beginning, and the
        # list that receives the items.
        self._pending: list[tuple[Sequence[Content], Sequence[Content], int, list[DiffItem]]] = []

    def run(self) -> list[DiffItem]:
        top: list[DiffItem] = []
        self._pending.append((self._old, self._new, 0, top))
        while self._pending:
            self._compare_siblings(*self._pending.pop())
        return top

    def _compare_siblings(
        self,
        old: Sequence[Content],
        new: Sequence[Content],
        known_equal: int,
        items: list[DiffItem],
    ) -> None:
        count = self._equality.count_equal_beginning
        head = known_equal + count(old[known_equal:], new[known_equal:])
        tail = count(reversed(old[head:]), reversed(new[head:]))
        _add_unchanged_items(items, 0, head)
        self._compare_changed_range(
            old[head : len(old) - tail], new[head : len(new) - tail], head, items
        )
        _add_unchanged_items(items, len(old) - tail, tail)

    def _compare_changed_range(
        self, old: Sequence[Content], new: Sequence[Content], offset: int, items: list[DiffItem]
    ) -> None:
        siblings = SiblingMatcher(
            old,
            new,
            is_in_old_tree=lambda item: self._find_old_node_by_ref(item) is not None,
            is_in_new_tree=self._is_in_new_tree,
            equality=self._equality,
            equality_except_refs=self._equality_except_refs,
        )
        arrived: list[int] = []
        reached = 0
        for position in range(len(new) + 1):
            is_end = position == len(new)
            if not is_end and position not in siblings.anchors:
                arrived.append(position)
                continue
            source = len(old) if is_end else siblings.old_positions[position]
            unmatched = (
                each
                for each in range(reached, source)
                if each not in siblings.matched_old_positions
            )
            items.extend(self._make_removed_items(old[each] for each in unmatched))
            items.extend(self._make_moved_or_added(siblings, each, offset) for each in arrived)
            arrived.clear()
            if not is_end and self._equality.are_equal(old[source], new[position]):
                _add_unchanged_items(items, source + offset, 1)
            elif not is_end:
                items.append(self._make_matched(siblings, position, offset, is_moved=False))
            reached = source + 1

    def _make_matched(
        self, siblings: SiblingMatcher, position: int, offset: int, *, is_moved: bool
    ) -> MatchedItem:
        source = siblings.old_positions[position]
        matched = MatchedItem(
            siblings.old[source], siblings.new[position], source + offset, is_moved
        )
        return self._schedule_content_comparison(matched)

    def _schedule_content_comparison(self, matched: MatchedItem) -> MatchedItem:
        """Schedule the comparison of a matched element's content if it changed; return the item."""
        old, new = matched.old, matched.new
        if (
            isinstance(old, Node)
            and isinstance(new, Node)
            and not self._equality.are_equal(old, new)
        ):
            matched.items = []
            known_equal = self._equality.count_known_equal_children(old, new)
            self._pending.append(
                (children_and_value_of(old), children_and_value_of(new), known_equal, matched.items)
            )
        return matched

    def _make_moved_or_added(
        self, siblings: SiblingMatcher, position: int, offset: int
    ) -> DiffItem:
        if siblings.old_positions[position] >= 0:
            return self._make_matched(siblings, position, offset, is_moved=True)
        new = siblings.new[position]
        before = self._find_old_node_by_ref(new)
        if before is not None:
            return self._schedule_content_comparison(MatchedItem(before, new, None, is_moved=True))
        added = AddedItem(new)
        if isinstance(new, Node) and any(
            map(self._find_old_node_by_ref, iterate_nodes_at_any_depth(new.children))
        ):
            added.items = []
            self._pending.append(((), children_and_value_of(new), 0, added.items))
        return added

    def _make_removed_items(self, content: Iterable[Content]) -> Iterator[RemovedItem]:
        for item in content:
            if not self._is_in_new_tree(item):
                yield RemovedItem(item, self._count_nodes_not_in_new_tree(item) - 1)

    def _count_nodes_not_in_new_tree(self, item: Content) -> int:
        count = 0
        pending = [item]
        while pending:
            item = pending.pop()
            if self._is_in_new_tree(item):
                continue
            count += 1
            if isinstance(item, Node):
                pending.extend(children_and_value_of(item))
        return count

    def _find_old_node_by_ref(self, item: Content) -> Node | None:
        """Return the node of the old tree with the same ref; None without a ref or a match."""
        if isinstance(item, str) or not item.ref:
            return None
        if self._old_by_ref is None:
            self._old_by_ref = {
                node.ref: node for node in iterate_nodes_at_any_depth(self._old) if node.ref
            }
        return self._old_by_ref.get(item.ref)

    def _is_in_new_tree(self, item: Content) -> bool:
        """Return whether the ref of old content is anywhere in the new tree."""
        if isinstance(item, str) or not item.ref:
            return False
        if self._new_refs is None:
            self._new_refs = {
                node.ref for node in iterate_nodes_at_any_depth(self._new) if node.ref
            }
        return item.ref in self._new_refs


def _add_unchanged_items(items: list[DiffItem], start: int, count: int) -> None:
    last = items[-1] if items else None
    if isinstance(last, UnchangedItems) and last.old_start + last.count == start:
        last.count += count
    elif count:
        items.append(UnchangedItems(start, count))
