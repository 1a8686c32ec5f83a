"""Search for the parts of a tree that the agent knows from earlier trees.

A part is a region that equals a region anywhere in an earlier tree, or a run: parts that follow one
another in the same element of both trees.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from viewpoint_mcp.accessibility.diff.sibling_alignment import (
    Pair,
    longest_increasing_pairs,
    pair_by_key,
)
from viewpoint_mcp.accessibility.known.tree_index import (
    MIN_FOLDED_LENGTH,
    Item,
    TreeIndex,
    iterate_node_pairs,
)
from viewpoint_mcp.accessibility.tree import Node

# Parts of a site that stay the same from page to page, so that equal items are the same items.
_SITE_ROLES: Final = frozenset(
    {
        *("banner", "complementary", "contentinfo", "menu", "menubar", "navigation", "search"),
        *("tablist", "toolbar", "tree"),
    }
)
# Elements whose items are known by their own content, whatever became of the other items.
_LIST_ROLES: Final = frozenset({"grid", "list", "listbox", "rowgroup", "table", "tree", "treegrid"})
# Elements that their content identifies. If it differs, they are others, except in parts of a site.
_ITEM_ROLES: Final = frozenset(
    {"alertdialog", "article", "dialog", "listitem", "option", "row", "treeitem"}
)
_MIN_SIMILARITY: Final = 0.8  # part of an element elsewhere that must be equal for runs in it


@dataclass(frozen=True, slots=True)
class KnownRun:
    """Items that follow one another in an element, and did so in an earlier tree.

    Attributes:
        start: The position of the first item among the children of the element.
        former: The equal items of the earlier tree.
    """

    start: int
    former: Sequence[Item]


@dataclass(frozen=True, slots=True)
class KnownParts:
    """The known parts of a tree.

    Attributes:
        regions: The equal region of an earlier tree, by the `id` of the node of the region.
        runs: The runs in an element, by the `id` of its node; 0 for the top of the tree.
    """

    regions: dict[int, Node] = field(default_factory=dict)
    runs: dict[int, Sequence[KnownRun]] = field(default_factory=dict)


def find_known_parts(tree: TreeIndex, shown: Sequence[TreeIndex]) -> KnownParts:
    """Return the parts of a tree that equal parts of earlier trees.

    A region or item that occurs twice is not known, because its twin may be meant.

    Args:
        shown: The trees that the agent was shown, the newest first.
    """
    regions = dict(_find_equal_regions(tree, shown))
    best: dict[int, Sequence[KnownRun]] = {}
    best_length = 0
    for former in shown:
        runs = _RunFinder(former, tree, regions.keys()).find_runs()
        length = sum(former.length_of(each) for run in _flatten(runs) for each in run.former)
        if length > best_length:
            best, best_length = runs, length
    return KnownParts(regions, best)


def find_parts_rendered_again(tree: TreeIndex, former: TreeIndex) -> KnownParts:
    """Return the parts of a tree that equal parts of an earlier tree of the same document.

    A page may replace the elements of a list when one item changes. So each item of a list that
    equals exactly one item of the same list is known, too.

    Args:
        former: The earlier tree.
    """
    regions = dict(_find_equal_regions(tree, (former,)))
    finder = _RunFinder(former, tree, regions.keys(), is_same_document=True)
    return KnownParts(regions, finder.find_runs())


def iterate_equal_nodes(nodes: Sequence[Node], known: KnownParts) -> Iterator[tuple[Node, Node]]:
    """Yield each node of the known parts in reading order, after the equal node of before.

    Args:
        nodes: The top nodes of the tree.
    """
    pending: list[tuple[int, Sequence[Item]]] = [(0, nodes)]
    while pending:
        key, items = pending.pop()
        covered: set[int] = set()
        for run in known.runs.get(key, ()):
            for position, former in enumerate(run.former, run.start):
                covered.add(position)
                new = items[position]
                if isinstance(former, Node) and isinstance(new, Node):
                    yield from iterate_node_pairs(former, new)
        for position, item in enumerate(items):
            if position in covered or isinstance(item, str):
                continue
            region = known.regions.get(id(item))
            if region is not None:
                yield from iterate_node_pairs(region, item)
            else:
                pending.append((id(item), item.children))


def is_part_of_site(nodes: Sequence[Node], ref: str) -> bool:
    """Return whether an element is in a part that stays the same from page to page.

    Args:
        nodes: The top nodes of the tree.
        ref: The ref of the element.
    """
    pending = [(node, False) for node in nodes]
    while pending:
        node, is_around = pending.pop()
        is_site = node.role != "main" and (is_around or node.role in _SITE_ROLES)
        if node.ref == ref:
            return is_site
        pending += [(child, is_site) for child in node.children if isinstance(child, Node)]
    return False


def _flatten(runs: dict[int, Sequence[KnownRun]]) -> Iterable[KnownRun]:
    return (run for each in runs.values() for run in each)


def _find_equal_regions(tree: TreeIndex, shown: Sequence[TreeIndex]) -> Iterator[tuple[int, Node]]:
    """Yield each outermost region that is in an earlier tree, by its `id`, with the earlier one."""
    pending = list(reversed(tree.nodes))
    while pending:
        node = pending.pop()
        former = _find_equal_region(node, tree, shown)
        if former is not None:
            yield id(node), former
        else:
            pending.extend(each for each in reversed(node.children) if isinstance(each, Node))


def _find_equal_region(node: Node, tree: TreeIndex, shown: Sequence[TreeIndex]) -> Node | None:
    key = tree.region_key_of(node)
    if key is None:
        return None
    for index in shown:
        former = index.get_unique_region(key)
        if former is not None:
            return former
    return None


class _RunFinder:
    """Finds the runs of a tree that are in one earlier tree, from the top down."""

    def __init__(
        self,
        former: TreeIndex,
        tree: TreeIndex,
        regions: Container[int],
        *,
        is_same_document: bool = False,
    ) -> None:
        self._former, self._tree, self._regions = former, tree, regions
        self._is_same_document = is_same_document
        self._min_count = 1 if is_same_document else 2

    def find_runs(self) -> dict[int, Sequence[KnownRun]]:
        """Return the runs by the `id` of their element; 0 for the top of the tree."""
        runs: dict[int, Sequence[KnownRun]] = {}
        pending: list[tuple[int, Sequence[Item], Sequence[Item], bool, bool]] = [
            (0, self._former.nodes, self._tree.nodes, False, False)
        ]
        while pending:
            key, old, new, is_site, is_list = pending.pop()
            pairs = self._pair_equal_items(old, new)
            if is_site or is_list or self._are_similar(old, new, pairs):
                runs[key] = [
                    KnownRun(run[0][1], [old[position] for position, _ in run])
                    for run in _split_into_runs(
                        [pair for pair in pairs if not self._has_line_of_its_own(new[pair[1]])]
                    )
                    if len(run) >= self._min_count
                ]
            for before, after in _pair_elements_of_same_name(old, new, pairs):
                is_part_of_site = (is_site or after.role in _SITE_ROLES) and after.role != "main"
                if is_part_of_site or after.role not in _ITEM_ROLES:
                    is_known_by_items = self._is_same_document and after.role in _LIST_ROLES
                    content = before.children, after.children
                    pending.append((id(after), *content, is_part_of_site, is_known_by_items))
        return runs

    def _has_line_of_its_own(self, item: Item) -> bool:
        """Return whether an item is an equal region that is printed with its role and name."""
        return id(item) in self._regions and self._tree.length_of(item) >= MIN_FOLDED_LENGTH

    def _pair_equal_items(self, old: Sequence[Item], new: Sequence[Item]) -> list[Pair]:
        """Return pairs of equal items in the same order."""
        old_keys = self._unambiguous_keys(self._former, old)
        new_keys = self._unambiguous_keys(self._tree, new)
        pairs = pair_by_key(enumerate(old_keys), enumerate(new_keys))
        return sorted(longest_increasing_pairs(pairs))

    @staticmethod
    def _unambiguous_keys(tree: TreeIndex, items: Sequence[Item]) -> list[int | None]:
        """Return the keys of items; None for items with refs that are equal to another item."""
        keys = [tree.key_of(item) for item in items]
        counts = Counter(keys)
        return [
            key if counts[key] == 1 or not tree.has_ref(item) else None
            for key, item in zip(keys, items, strict=True)
        ]

    def _are_similar(self, old: Sequence[Item], new: Sequence[Item], pairs: Sequence[Pair]) -> bool:
        equal = sum(self._tree.length_of(new[position]) for _, position in pairs)
        total = sum(map(self._former.length_of, old)) + sum(map(self._tree.length_of, new))
        return 2 * equal >= _MIN_SIMILARITY * total


def _split_into_runs(pairs: Sequence[Pair]) -> Iterator[Sequence[Pair]]:
    """Yield the sequences of pairs that follow one another in both lists."""
    start = 0
    for end in range(1, len(pairs) + 1):
        if end == len(pairs) or pairs[end] != (pairs[end - 1][0] + 1, pairs[end - 1][1] + 1):
            yield pairs[start:end]
            start = end


def _pair_elements_of_same_name(
    old: Sequence[Item], new: Sequence[Item], equal: Sequence[Pair]
) -> Iterator[tuple[Node, Node]]:
    """Yield pairs of unequal elements whose role and name occur once on each side."""
    old_equal, new_equal = {each for each, _ in equal}, {each for _, each in equal}
    before = _elements_by_role_and_name(old, old_equal)
    after = _elements_by_role_and_name(new, new_equal)
    for key, node in after.items():
        former = before.get(key)
        if former is not None and node is not None:
            yield former, node


def _elements_by_role_and_name(
    items: Sequence[Item], excluded: set[int]
) -> dict[tuple[str, str], Node | None]:
    """Return the elements by role and name; None for a role and name of several elements."""
    found: dict[tuple[str, str], Node | None] = {}
    for position, item in enumerate(items):
        if isinstance(item, Node) and position not in excluded:
            key = item.role, item.name
            found[key] = None if key in found else item
    return found
