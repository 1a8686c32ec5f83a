"""The accessibility tree: nodes decoded from the walker's JSON, without invisible characters."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from viewpoint_mcp.accessibility.printing.invisible_characters import remove_invisible

Properties = dict[str, Any]
"""The properties of a node by name, in the walker's format; see `inpage/snapshot/nodes.js`."""


class Node:
    """An element of the tree, or a text at the top of a document (role `text`).

    Attributes:
        role: The role.
        name: The accessible name; "" for none.
        properties: States, value, url, box and others; see `inpage/snapshot/nodes.js`. `ref` is
            the number of the element in its frame.
        children: The child nodes and texts, in reading order.
        ref: The ref as it is printed; "" for none.
    """

    __slots__ = ("children", "name", "properties", "ref", "role")

    def __init__(
        self,
        role: str,
        name: str = "",
        properties: Properties | None = None,
        children: list[Node | str] | None = None,
        ref: str = "",
    ) -> None:
        self.role = role
        self.name = name
        self.properties: Properties = {} if properties is None else properties
        self.children: list[Node | str] = [] if children is None else children
        self.ref = ref

    def __repr__(self) -> str:
        return (
            f"Node({self.role!r}, {self.name!r}, ref={self.ref!r}, children={len(self.children)})"
        )


class Remark(str):
    """A remark of this server in the place of an element's content. No text of a page is one."""

    __slots__ = ()


class Comment(Remark):
    """A remark in the place of several children of an element, printed as a YAML comment."""

    __slots__ = ()


def children_and_value_of(node: Node) -> list[Node | str]:
    """Return the content of a node: its children, and after them its value as a text.

    The value of a field with several lines is one text for each line.
    """
    value = node.properties.get("value")
    if not value:
        return node.children
    lines = value.split("\n") if "multiline" in node.properties else [value]
    return [*node.children, *lines]


def decode_tree(
    items: Sequence[Any],
    prefix: str = "",
    *,
    nodes_with_ref: list[Node] | None = None,
    is_clean: bool = False,
) -> list[Node]:
    """Build nodes from the walker's lists, without invisible characters in their texts.

    Args:
        items: The items. Each is a list `[role, name, properties or null, children]`, or a text.
        prefix: The part before `e{number}` in the refs of this frame.
        nodes_with_ref: A list to which the nodes with a ref are appended.
        is_clean: Whether the texts contain no invisible characters, so that `remove_invisible`
            is not needed.
    """
    refs: list[Node] = [] if nodes_with_ref is None else nodes_with_ref
    clean_text = _return_unchanged if is_clean else remove_invisible
    top: list[Node | str] = []
    pending: list[tuple[list[Node | str], Sequence[Any]]] = [(top, items)]
    while pending:
        children, items = pending.pop()
        for item in items:
            if isinstance(item, str):
                children.append(clean_text(item))
                continue
            role, name, properties, inner = item
            node = Node(role, clean_text(name))
            children.append(node)
            if properties is not None:
                node.properties = properties if is_clean else _clean_properties(properties)
                if "ref" in properties:
                    node.ref = f"{prefix}e{properties['ref']}"
                    refs.append(node)
            if inner:
                pending.append((node.children, inner))
    return [Node("text", children=[each]) if isinstance(each, str) else each for each in top]


def _return_unchanged(text: str) -> str:
    return text


def _clean_properties(properties: Properties) -> Properties:
    return {
        name: remove_invisible(value) if isinstance(value, str) else value
        for name, value in properties.items()
    }
