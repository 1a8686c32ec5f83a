"""Equality of two parts of trees, in linear time for a whole comparison."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from typing import Final, TypeAlias

from viewpoint_mcp.accessibility.tree import Node

Content: TypeAlias = Node | str

_PATIENCE: Final = 300_000
"""Limit of pairwise comparisons of elements. After it, all elements get a number, equal for equal
elements, and the numbers are compared. This is slower for usual pages, but linear for all."""


def content_of(node: Node) -> Sequence[Content]:
    """Return the printed content of an element: its children and its value."""
    value = node.properties.get("value")
    return [*node.children, value] if value else node.children


def nodes_of(content: Iterable[Content]) -> Iterator[Node]:
    """Yield all elements in the content, at any depth, in reading order."""
    pending = [item for item in content if isinstance(item, Node)]
    pending.reverse()
    while pending:
        node = pending.pop()
        yield node
        if node.children:
            pending.extend(child for child in reversed(node.children) if isinstance(child, Node))


def first_ref(node: Node) -> str:
    """Return the first ref of an element and its descendants; "" for none."""
    return next((each.ref for each in nodes_of((node,)) if each.ref), "")


class Likeness:
    """Compares parts of two trees, and caches where they differ."""

    def __init__(self) -> None:
        self._steps = 0
        self._kinds: dict[int, int] = {}
        self._kind_of: dict[Hashable, int] = {}
        # For two elements that differ only in their children: the number of equal first children.
        self._alike_before: dict[tuple[int, int], int] = {}

    def alike(self, old: Content, new: Content) -> bool:
        """Return whether two elements or texts are equal, including all descendants."""
        if isinstance(old, str) or isinstance(new, str):
            return old == new
        if old is new:
            return True
        if not _same_head(old, new) or (id(old), id(new)) in self._alike_before:
            return False
        if not old.children:
            return True
        if self._steps > _PATIENCE:
            return self.kind(old) == self.kind(new)
        return self._children_alike(old, new)

    def count_alike(self, old: Iterable[Content], new: Iterable[Content]) -> int:
        """Return the length of the equal beginning of two contents."""
        count = 0
        for before, after in zip(old, new, strict=False):
            if not self.alike(before, after):
                break
            count += 1
        return count

    def known_alike(self, old: Node, new: Node) -> int:
        """Return how many first children of two different elements are known to be equal."""
        return self._alike_before.get((id(old), id(new)), 0)

    def kind(self, item: Content) -> Hashable:
        """Return a key that is the same for equal elements or texts, and only for these."""
        if isinstance(item, str):
            return item
        kinds = self._kinds
        if id(item) not in kinds:
            for node in reversed(list(nodes_of((item,)))):
                if id(node) not in kinds:
                    kinds[id(node)] = self._number(node)
        return kinds[id(item)]

    def _number(self, node: Node) -> int:
        children = tuple(
            child if isinstance(child, str) else self._kinds[id(child)] for child in node.children
        )
        known = self._kind_of
        properties = node.properties
        key = (node.role, node.name, node.ref, children)
        try:
            return known.setdefault((*key, frozenset(properties.items())), len(known))
        except TypeError:  # A property is a list, which cannot be hashed.
            return known.setdefault((*key, repr(sorted(properties.items()))), len(known))

    def _children_alike(self, old: Node, new: Node) -> bool:
        path = [(old, new, 0)]
        while path:
            old, new, start = path.pop()
            self._steps += len(old.children) - start
            for position in range(start, len(old.children)):
                before, after = old.children[position], new.children[position]
                if isinstance(before, str) or isinstance(after, str):
                    if before != after:
                        return self._unlike(path, old, new, position)
                elif not _same_head(before, after):
                    return self._unlike(path, old, new, position)
                elif before.children:
                    path += ((old, new, position + 1), (before, after, 0))
                    break
        return True

    def _unlike(
        self, path: list[tuple[Node, Node, int]], old: Node, new: Node, position: int
    ) -> bool:
        self._alike_before[id(old), id(new)] = position
        for above, beside, after in path:
            self._alike_before[id(above), id(beside)] = after - 1
        return False


def _same_head(old: Node, new: Node) -> bool:
    return (
        old.role == new.role
        and old.name == new.name
        and old.ref == new.ref
        and old.properties == new.properties
        and len(old.children) == len(new.children)
    )
