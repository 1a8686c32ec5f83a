"""Comparison of two trees of a page: what was added, changed, moved and removed.

`render_changes` prints the result. Elements with a ref are matched by their ref, anywhere in the
tree. Other content is matched within matched parents. Equal content is matched first, then
containers with the same first ref. Between matched siblings, elements are then matched by role and
name, or by role only.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from viewpoint_mcp.accessibility.diff.equality import Content, Likeness, content_of, nodes_of
from viewpoint_mcp.accessibility.diff.siblings import Siblings
from viewpoint_mcp.accessibility.tree import Node


@dataclass(slots=True)
class Same:
    """Consecutive siblings that did not change.

    Attributes:
        start: The index of the first sibling in the old parent's content.
        count: The number of siblings.
    """

    start: int
    count: int


@dataclass(slots=True)
class Kept:
    """An element or text that is in both trees. It may have changed or moved.

    Attributes:
        old: The element or text in the old tree.
        new: The element or text in the new tree.
        source: The index in the old parent's content; None if the element had another parent and
            was found by its ref.
        moved: Whether the parent or the order among the siblings changed.
        items: The comparison of its content; None for a text and for unchanged content.
    """

    old: Content
    new: Content
    source: int | None
    moved: bool
    items: list[Item] | None = None


@dataclass(slots=True)
class Added:
    """An element or text that is only in the new tree.

    Attributes:
        new: The element or text.
        items: The comparison of its content, if a part of it was in the old tree; None if all
            of it is new.
    """

    new: Content
    items: list[Item] | None = None


@dataclass(slots=True)
class Removed:
    """An element or text that is only in the old tree.

    Content of the element that is still in the new tree has an item at its new place.

    Attributes:
        old: The element or text.
        inside: The number of elements and texts in it that were removed, too.
    """

    old: Content
    inside: int


Item: TypeAlias = Same | Kept | Added | Removed


def compare(old: Sequence[Content], new: Sequence[Content]) -> list[Item]:
    """Compare two trees.

    The time is linear in their size, and n log n for lists that changed their order.

    Args:
        old: The top of the old tree.
        new: The top of the new tree.

    Returns:
        The items of the top level, in the order of the new tree. A `Removed` item is at its old
        place. If nothing changed, the list is empty or contains a single `Same`.
    """
    return _Comparison(old, new).run()


class _Comparison:
    def __init__(self, old: Sequence[Content], new: Sequence[Content]) -> None:
        self._old, self._new = old, new
        self._likeness = Likeness()
        self._old_by_ref: dict[str, Node] | None = None
        self._new_refs: set[str] | None = None
        # Pairs of contents to compare: old, new, the length of the known equal beginning, and the
        # list that receives the items.
        self._pending: list[tuple[Sequence[Content], Sequence[Content], int, list[Item]]] = []

    def run(self) -> list[Item]:
        top: list[Item] = []
        self._pending.append((self._old, self._new, 0, top))
        while self._pending:
            self._compare(*self._pending.pop())
        return top

    def _compare(
        self, old: Sequence[Content], new: Sequence[Content], alike: int, items: list[Item]
    ) -> None:
        count = self._likeness.count_alike
        head = alike + count(old[alike:], new[alike:])
        tail = count(reversed(old[head:]), reversed(new[head:]))
        _add_same(items, 0, head)
        self._compare_middle(old[head : len(old) - tail], new[head : len(new) - tail], head, items)
        _add_same(items, len(old) - tail, tail)

    def _compare_middle(
        self, old: Sequence[Content], new: Sequence[Content], offset: int, items: list[Item]
    ) -> None:
        siblings = Siblings(
            old,
            new,
            came=lambda item: self._before(item) is not None,
            left=self._lives_on,
            likeness=self._likeness,
        )
        arrived: list[int] = []
        reached = 0
        for position in range(len(new) + 1):
            is_end = position == len(new)
            if not is_end and position not in siblings.anchors:
                arrived.append(position)
                continue
            source = len(old) if is_end else siblings.sources[position]
            gone = (each for each in range(reached, source) if each not in siblings.used)
            items.extend(self._removed(old[each] for each in gone))
            items.extend(self._arrived(siblings, each, offset) for each in arrived)
            arrived.clear()
            if not is_end and self._likeness.alike(old[source], new[position]):
                _add_same(items, source + offset, 1)
            elif not is_end:
                items.append(self._kept(siblings, position, offset, moved=False))
            reached = source + 1

    def _kept(self, siblings: Siblings, position: int, offset: int, *, moved: bool) -> Kept:
        source = siblings.sources[position]
        kept = Kept(siblings.old[source], siblings.new[position], source + offset, moved)
        return self._changed(kept)

    def _changed(self, kept: Kept) -> Kept:
        """Schedule the comparison of a kept element's content if it changed; return the item."""
        old, new = kept.old, kept.new
        if isinstance(old, Node) and isinstance(new, Node) and not self._likeness.alike(old, new):
            kept.items = []
            alike = self._likeness.known_alike(old, new)
            self._pending.append((content_of(old), content_of(new), alike, kept.items))
        return kept

    def _arrived(self, siblings: Siblings, position: int, offset: int) -> Item:
        if siblings.sources[position] >= 0:
            return self._kept(siblings, position, offset, moved=True)
        new = siblings.new[position]
        before = self._before(new)
        if before is not None:
            return self._changed(Kept(before, new, None, moved=True))
        added = Added(new)
        if isinstance(new, Node) and any(map(self._before, nodes_of(new.children))):
            added.items = []
            self._pending.append(((), content_of(new), 0, added.items))
        return added

    def _removed(self, content: Iterable[Content]) -> Iterator[Removed]:
        for item in content:
            if not self._lives_on(item):
                yield Removed(item, self._count(item) - 1)

    def _count(self, item: Content) -> int:
        count = 0
        pending = [item]
        while pending:
            item = pending.pop()
            if self._lives_on(item):
                continue
            count += 1
            if isinstance(item, Node):
                pending.extend(content_of(item))
        return count

    def _before(self, item: Content) -> Node | None:
        """Return the node of the old tree with the same ref; None without a ref or a match."""
        if isinstance(item, str) or not item.ref:
            return None
        if self._old_by_ref is None:
            self._old_by_ref = {node.ref: node for node in nodes_of(self._old) if node.ref}
        return self._old_by_ref.get(item.ref)

    def _lives_on(self, item: Content) -> bool:
        """Return whether the ref of old content is anywhere in the new tree."""
        if isinstance(item, str) or not item.ref:
            return False
        if self._new_refs is None:
            self._new_refs = {node.ref for node in nodes_of(self._new) if node.ref}
        return item.ref in self._new_refs


def _add_same(items: list[Item], start: int, count: int) -> None:
    last = items[-1] if items else None
    if isinstance(last, Same) and last.start + last.count == start:
        last.count += count
    elif count:
        items.append(Same(start, count))
