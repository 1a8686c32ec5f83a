"""Removal of wrappers that only carry the mark `aria-hidden`."""

from __future__ import annotations

from collections.abc import Sequence

from viewpoint_mcp.accessibility.diff.equality import Content
from viewpoint_mcp.accessibility.tree import Node


def unwrap_aria_hidden(content: Sequence[Content]) -> Sequence[Content]:
    """Return content in which elements of `aria-hidden` wrappers have the mark themselves.

    The walker puts aria-hidden parts of a page into a nameless wrapper. While a menu is open,
    libraries mark the rest of the page. Without the wrapper, the elements in it are at their old
    place in the tree. Wrappers of texts stay, because a text cannot have a mark.
    """
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
    is_wrapper = item.role == "generic" and not item.name and [*item.properties] == ["aria-hidden"]
    if is_wrapper and children and all(isinstance(child, Node) for child in children):
        return [_copy_as_hidden(child) for child in children if isinstance(child, Node)]
    if id(item) in changed:
        return [Node(item.role, item.name, item.properties, children, item.ref)]
    return [item]


def _copy_as_hidden(node: Node) -> Node:
    properties = {**node.properties, "aria-hidden": True}
    return Node(node.role, node.name, properties, node.children, node.ref)
