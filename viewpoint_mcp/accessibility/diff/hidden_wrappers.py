"""Removal of wrappers that only carry the mark `aria-hidden` or `hidden`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from viewpoint_mcp.accessibility.diff.equality import Content, iterate_nodes_at_any_depth
from viewpoint_mcp.accessibility.tree import Node, Properties

_MARKS: Final = frozenset({"aria-hidden", "hidden"})


def unwrap_hidden(content: Sequence[Content]) -> Sequence[Content]:
    """Return content in which the elements in a hidden wrapper have its mark themselves.

    The walker puts aria-hidden parts of a page, and parts that fade in, into a nameless wrapper.
    While a menu is open, libraries mark the rest of the page. Without the wrapper, the elements in
    it are at their old place in the tree. Wrappers of texts stay, because a text cannot have a
    mark.
    """
    if not any(map(_is_wrapper, iterate_nodes_at_any_depth(content))):
        return content
    changed: dict[int, list[Content]] = {}
    top = Node("", "", None, list(content))
    nodes = [top]
    for node in nodes:
        nodes.extend(child for child in node.children if isinstance(child, Node))
    for node in reversed(nodes):
        children = [each for child in node.children for each in _unwrap(child, changed)]
        if len(children) != len(node.children) or any(
            new is not old for new, old in zip(children, node.children, strict=True)
        ):
            changed[id(node)] = children
    return changed.get(id(top), content)


def _unwrap(item: Content, changed: dict[int, list[Content]]) -> list[Content]:
    if isinstance(item, str):
        return [item]
    children = changed.get(id(item), item.children)
    if _is_wrapper(item) and children and all(isinstance(child, Node) for child in children):
        return [
            _copy_with_marks(child, item.properties)
            for child in children
            if isinstance(child, Node)
        ]
    if id(item) in changed:
        return [Node(item.role, item.name, item.properties, children, item.ref)]
    return [item]


def _is_wrapper(node: Node) -> bool:
    if node.role != "generic" or node.name or not node.properties:
        return False
    return node.properties.keys() <= _MARKS


def _copy_with_marks(node: Node, marks: Properties) -> Node:
    return Node(node.role, node.name, {**node.properties, **marks}, node.children, node.ref)
