"""The accessibility tree as plain values: what the walker sent, with the refs spelled out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


class Node:
    """One element of the tree, or a text of the document itself (role `text`).

    Attributes:
        properties: What holds of it: states, value, url, box ... (see `inpage/nodes.js`); `ref` is
            the element's number in its own frame.
        children: Nodes and texts in reading order.
        ref: As it is printed, "" for none.
    """

    __slots__ = ("children", "name", "properties", "ref", "role")

    def __init__(
        self,
        role: str,
        name: str = "",
        properties: dict[str, Any] | None = None,
        children: list[Node | str] | None = None,
        ref: str = "",
    ) -> None:
        self.role = role
        self.name = name
        self.properties: dict[str, Any] = {} if properties is None else properties
        self.children: list[Node | str] = [] if children is None else children
        self.ref = ref

    def __repr__(self) -> str:
        return (
            f"Node({self.role!r}, {self.name!r}, ref={self.ref!r}, children={len(self.children)})"
        )


def decode(raw: Sequence[Any], prefix: str = "") -> list[Node]:
    """Make nodes of the walker's lists.

    Args:
        raw: `[role, name, properties or null, children]` each, or a text.
        prefix: What stands before `e{number}` in the refs of this frame.
    """
    top: list[Node] = []
    pending: list[tuple[list[Any], Any]] = []
    for item in raw:
        if isinstance(item, str):
            top.append(Node("text", children=[item]))
        else:
            top.append(_decode_one(item, prefix, pending))
    while pending:
        children, items = pending.pop()
        for item in items:
            children.append(item if isinstance(item, str) else _decode_one(item, prefix, pending))
    return top


def _decode_one(item: Any, prefix: str, pending: list[tuple[list[Any], Any]]) -> Node:
    role, name, properties, items = item
    node = Node(role, name, properties)
    if items:
        pending.append((node.children, items))
    if properties and "ref" in properties:
        node.ref = f"{prefix}e{properties['ref']}"
    return node
