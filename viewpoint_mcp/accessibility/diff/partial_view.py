"""Update of a tree with a newer view of one of its parts."""

from __future__ import annotations

from collections.abc import Sequence

from viewpoint_mcp.accessibility.diff.equality import iterate_nodes_at_any_depth
from viewpoint_mcp.accessibility.tree import Node


def replace_part(tree: Sequence[Node], part: Sequence[Node]) -> Sequence[Node] | None:
    """Return a tree in which an element has the state of a newer view.

    Args:
        tree: The tree. Its nodes stay as they are.
        part: The view: one element with its content.

    Returns:
        The new tree; None if the element is not in the tree. An element without a ref is found by
        its role and name if no other element has both.
    """
    if len(part) != 1:
        return None
    root = part[0]
    found = [node for node in iterate_nodes_at_any_depth(tree) if _is_same_element(node, root)]
    if len(found) != 1:
        return None
    return _replace_node(tree, found[0], root)


def _is_same_element(node: Node, other: Node) -> bool:
    if node.ref or other.ref:
        return node.ref == other.ref
    return (node.role, node.name) == (other.role, other.name)


def _replace_node(tree: Sequence[Node], former: Node, new: Node) -> Sequence[Node]:
    parents: dict[int, Node] = {}
    pending = [*tree]
    while pending:
        node = pending.pop()
        for child in node.children:
            if isinstance(child, Node):
                parents[id(child)] = node
                pending.append(child)
    while (parent := parents.get(id(former))) is not None:
        children = [new if child is former else child for child in parent.children]
        new = Node(parent.role, parent.name, parent.properties, children, parent.ref)
        former = parent
    return [new if item is former else item for item in tree]
