"""Equality of two parts of trees, in linear time for a whole comparison."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from itertools import islice
from typing import Final, TypeAlias

from viewpoint_mcp.accessibility.tree import Node, Properties

Content: TypeAlias = Node | str

_MAX_COMPARISONS: Final = 300_000
"""Limit of pairwise comparisons of elements. After it, all elements get a number, equal for equal
elements, and the numbers are compared. This is slower for usual pages, but linear for all."""


def iterate_nodes_at_any_depth(content: Iterable[Content]) -> Iterator[Node]:
    """Yield all elements in the content, at any depth, in reading order."""
    pending = [item for item in content if isinstance(item, Node)]
    pending.reverse()
    while pending:
        node = pending.pop()
        yield node
        if node.children:
            pending.extend(child for child in reversed(node.children) if isinstance(child, Node))


def find_first_refs(node: Node, limit: int) -> list[str]:
    """Return the first refs of an element and its descendants, at most `limit`."""
    return list(
        islice((each.ref for each in iterate_nodes_at_any_depth((node,)) if each.ref), limit)
    )


def are_equal_except_refs(old: Node, new: Node) -> bool:
    """Return whether two elements are equal, including all descendants, apart from their refs."""
    pending = [(old, new)]
    while pending:
        old, new = pending.pop()
        if (
            old.role != new.role
            or old.name != new.name
            or len(old.children) != len(new.children)
            or _properties_except_ref(old) != _properties_except_ref(new)
        ):
            return False
        for before, after in zip(old.children, new.children, strict=True):
            if isinstance(before, Node) and isinstance(after, Node):
                pending.append((before, after))
            elif before != after:
                return False
    return True


def without_aria_hidden(properties: Properties) -> Properties:
    """Return the properties without `aria-hidden`.

    Libraries set it on the rest of the page while a menu is open. What a person sees does not
    change.
    """
    if "aria-hidden" not in properties:
        return properties
    return {name: value for name, value in properties.items() if name != "aria-hidden"}


def _properties_except_ref(node: Node) -> Properties:
    return {name: value for name, value in node.properties.items() if name != "ref"}


class EqualityChecker:
    """Compares parts of two trees, and caches where they differ.

    Args:
        ignores_refs: Whether the keys of elements are the same if only their refs differ.
    """

    def __init__(self, *, ignores_refs: bool = False) -> None:
        self._ignores_refs = ignores_refs
        self._comparison_count = 0
        self._number_of_node: dict[int, int] = {}
        self._number_of_key: dict[Hashable, int] = {}
        # For two elements that differ only in their children: the number of equal leading children.
        self._equal_children: dict[tuple[int, int], int] = {}

    def are_equal(self, old: Content, new: Content) -> bool:
        """Return whether two elements or texts are equal, including all descendants."""
        if isinstance(old, str) or isinstance(new, str):
            return old == new
        if old is new:
            return True
        if not _are_equal_without_children(old, new) or (id(old), id(new)) in self._equal_children:
            return False
        if not old.children:
            return True
        if self._comparison_count > _MAX_COMPARISONS:
            return self.equality_key(old) == self.equality_key(new)
        return self._are_children_equal(old, new)

    def count_equal_beginning(self, old: Iterable[Content], new: Iterable[Content]) -> int:
        """Return the length of the equal beginning of two contents."""
        count = 0
        for before, after in zip(old, new, strict=False):
            if not self.are_equal(before, after):
                break
            count += 1
        return count

    def count_known_equal_children(self, old: Node, new: Node) -> int:
        """Return how many leading children are equal in two elements with unequal children.

        0 unless `are_equal` has compared the two elements.
        """
        return self._equal_children.get((id(old), id(new)), 0)

    def equality_key(self, item: Content) -> Hashable:
        """Return a key that is the same for equal elements or texts, and only for these."""
        if isinstance(item, str):
            return item
        kinds = self._number_of_node
        if id(item) not in kinds:
            for node in reversed(list(iterate_nodes_at_any_depth((item,)))):
                if id(node) not in kinds:
                    kinds[id(node)] = self._number_shared_by_equal_nodes(node)
        return kinds[id(item)]

    def _number_shared_by_equal_nodes(self, node: Node) -> int:
        children = tuple(
            child if isinstance(child, str) else self._number_of_node[id(child)]
            for child in node.children
        )
        numbers = self._number_of_key
        key = (node.role, node.name, "" if self._ignores_refs else node.ref, children)
        properties = _properties_except_ref(node) if self._ignores_refs else node.properties
        properties = without_aria_hidden(properties)
        try:
            return numbers.setdefault((*key, frozenset(properties.items())), len(numbers))
        except TypeError:  # A property is a list, which cannot be hashed.
            return numbers.setdefault((*key, repr(sorted(properties.items()))), len(numbers))

    def _are_children_equal(self, old: Node, new: Node) -> bool:
        path = [(old, new, 0)]
        while path:
            old, new, start = path.pop()
            self._comparison_count += len(old.children) - start
            for position in range(start, len(old.children)):
                before, after = old.children[position], new.children[position]
                if isinstance(before, str) or isinstance(after, str):
                    is_equal = before == after
                else:
                    is_equal = _are_equal_without_children(before, after)
                if not is_equal:
                    self._record_first_difference(path, old, new, position)
                    return False
                if isinstance(before, Node) and isinstance(after, Node) and before.children:
                    path += ((old, new, position + 1), (before, after, 0))
                    break
        return True

    def _record_first_difference(
        self, path: list[tuple[Node, Node, int]], old: Node, new: Node, position: int
    ) -> None:
        self._equal_children[id(old), id(new)] = position
        for above, beside, after in path:
            self._equal_children[id(above), id(beside)] = after - 1


def _are_equal_without_children(old: Node, new: Node) -> bool:
    return (
        old.role == new.role
        and old.name == new.name
        and old.ref == new.ref
        and (
            old.properties == new.properties
            or without_aria_hidden(old.properties) == without_aria_hidden(new.properties)
        )
        and len(old.children) == len(new.children)
    )
