"""Folding of the parts of a tree that the agent knows: one remark instead of each.

- navigation "Sidebar": same as before (e4-e30)
- list:
  # same as before: e40-e52
  - listitem: ...
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from viewpoint_mcp.accessibility.known.known_parts import KnownParts, KnownRun
from viewpoint_mcp.accessibility.known.tree_index import (
    MIN_FOLDED_LENGTH,
    Item,
    TreeIndex,
    iterate_node_pairs,
)
from viewpoint_mcp.accessibility.tree import Comment, Node, Remark


def fold_known_parts(tree: TreeIndex, known: KnownParts) -> Sequence[Item]:
    """Return the nodes of a tree, with a remark in the place of each part that the agent knows.

    A part is folded only if its refs are the ones that the agent was shown, and if it does not
    contain the focus. The nodes of the tree itself stay as they are.

    Args:
        known: The parts of the tree that are known.
    """
    if not known.regions and not known.runs:
        return tree.nodes
    return _Folder(tree, known).fold()


class _Folder:
    def __init__(self, tree: TreeIndex, known: KnownParts) -> None:
        self._tree, self._known = tree, known

    def fold(self) -> Sequence[Item]:
        """Return the nodes of the tree, with remarks."""
        top = Node("", children=list(self._tree.nodes))
        pending = [(0, top)]
        while pending:
            key, parent = pending.pop()
            if "multiline" not in parent.properties:  # Lines of one text are not distinguished.
                parent.children = self._fold_runs(key, parent.children)
            for position, child in enumerate(parent.children):
                if isinstance(child, Node):
                    remark = self._make_region_remark(child)
                    copy = parent.children[position] = _copy(child, remark)
                    if remark is None:
                        pending.append((id(child), copy))
        return top.children

    def _fold_runs(self, key: int, items: Sequence[Item]) -> list[Item]:
        """Return the items of an element, with a comment in the place of each known run."""
        folded: list[Item] = []
        position = 0
        for run in self._known.runs.get(key, ()):
            end = run.start + len(run.former)
            folded += items[position : run.start]
            folded += self._fold_run(run, items[run.start : end])
            position = end
        return [*folded, *items[position:]]

    def _fold_run(self, run: KnownRun, items: Sequence[Item]) -> Sequence[Item]:
        if sum(map(self._tree.length_of, items)) < MIN_FOLDED_LENGTH:
            return items
        pairs = [
            pair
            for old, new in zip(run.former, items, strict=True)
            if isinstance(old, Node) and isinstance(new, Node)
            for pair in iterate_node_pairs(old, new)
        ]
        if not _has_known_refs(pairs):
            return items
        refs = render_ref_ranges(new for _, new in pairs)
        what = refs or f"{len(items)} texts and elements"
        return [Comment(f"same as before: {what}")]

    def _make_region_remark(self, node: Node) -> Remark | None:
        former = self._known.regions.get(id(node))
        if former is None or self._tree.length_of(node) < MIN_FOLDED_LENGTH:
            return None
        pairs = list(iterate_node_pairs(former, node))
        if not _has_known_refs(pairs):
            return None
        refs = render_ref_ranges(new for _, new in pairs)
        return Remark(f"same as before ({refs})" if refs else "same as before")


def _has_known_refs(pairs: Iterable[tuple[Node, Node]]) -> bool:
    return all(old.ref == new.ref and "active" not in new.properties for old, new in pairs)


def render_ref_ranges(nodes: Iterable[Node]) -> str:
    """Return the refs of nodes as ranges, each of one frame: `e5, e54-e77, f1e2-f1e4`."""
    ranges: list[list[Node]] = []
    for node in sorted((each for each in nodes if each.ref), key=_split_ref):
        prefix, number = _split_ref(node)
        if ranges and _split_ref(ranges[-1][-1]) == (prefix, number - 1):
            ranges[-1][1:] = [node]
        else:
            ranges.append([node])
    return ", ".join("-".join(node.ref for node in each) for each in ranges)


def _split_ref(node: Node) -> tuple[str, int]:
    """Return the part of a ref that names the frame, and the number of the element in it."""
    return node.ref.rpartition("e")[0], int(node.properties["ref"])


def _copy(node: Node, remark: Remark | None) -> Node:
    if remark is None:
        return Node(node.role, node.name, node.properties, list(node.children), node.ref)
    properties = {name: value for name, value in node.properties.items() if name != "value"}
    return Node(node.role, node.name, properties, [remark], node.ref)
