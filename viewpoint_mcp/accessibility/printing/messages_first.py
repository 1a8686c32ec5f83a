"""Messages, dialogs and invalid fields at the top of a printed tree, where an agent sees them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from viewpoint_mcp.accessibility.printing.long_names import cut_name
from viewpoint_mcp.accessibility.printing.printed_snapshot_lines import format_count
from viewpoint_mcp.accessibility.printing.snapshot_yaml import render_label
from viewpoint_mcp.accessibility.tree import Node, children_and_value_of

MESSAGE_ROLES: Final = frozenset({"alert", "alertdialog", "dialog", "status"})
"""Roles of messages and dialogs."""

_MAX_INVALID_FIELDS: Final = 10  # invalid fields that a list of them names


def lead_with_messages(nodes: Sequence[Node | str]) -> Sequence[Node | str]:
    """Return a tree with its messages and dialogs at the top. The given nodes do not change.

    Messages without content, hidden ones and those of a frame stay where they are.
    """
    if not any(node.role in MESSAGE_ROLES for node in _list_nodes(nodes)):
        return nodes
    messages: list[Node] = []
    containers: set[int] = set()  # ids of all nodes around messages
    root = Node("", children=[*nodes])
    parents: dict[int, Node] = {}
    to_visit = [root]
    while to_visit:
        node = to_visit.pop()
        if node.role in MESSAGE_ROLES and children_and_value_of(node):
            messages.append(node)
            continue
        for child in reversed(node.children):
            if isinstance(child, Node) and _can_have_message(child):
                parents[id(child)] = node
                to_visit.append(child)
    for message in messages:
        parent = parents[id(message)]
        while id(parent) not in containers:
            containers.add(id(parent))
            parent = parents.get(id(parent), parent)
    return [*messages, *_copy_without(root, messages, containers)] if messages else nodes


def _list_nodes(nodes: Sequence[Node | str]) -> list[Node]:
    """Return all nodes of a tree, in reading order."""
    found: list[Node] = []
    pending = [*reversed(nodes)]
    while pending:
        node = pending.pop()
        if isinstance(node, Node):
            found.append(node)
            if node.children:
                pending += node.children[::-1]
    return found


def _can_have_message(node: Node) -> bool:
    return node.role != "iframe" and not node.properties.keys() & {"hidden", "aria-hidden"}


def _copy_without(
    root: Node, messages: Sequence[Node], containers: Collection[int]
) -> list[Node | str]:
    """Return the children of the root without the messages, and without containers of them only.

    Args:
        containers: The ids of all nodes around messages.
    """
    moved = {id(message) for message in messages}
    copies = [(_copy_node(root), root)]
    for copy, _ in copies:
        content, copy.children = copy.children, []
        for child in content:
            if id(child) in moved:
                continue
            if isinstance(child, Node) and id(child) in containers:
                child = _copy_node(child)
                copies.append((child, copy))
            copy.children.append(child)
    for copy, parent in reversed(copies):
        if not (copy.children or copy.name or copy.properties or copy is parent):
            parent.children = [child for child in parent.children if child is not copy]
    return copies[0][0].children


def _copy_node(node: Node) -> Node:
    return Node(node.role, node.name, node.properties, node.children, node.ref)


def describe_invalid_fields(nodes: Sequence[Node | str]) -> str:
    """Return a YAML comment that names the invalid fields of a tree; "" for none."""
    fields = [node for node in _list_nodes(nodes) if node.ref and node.properties.get("invalid")]
    if not fields:
        return ""
    labels = [
        render_label(Node(field.role, cut_name(field.name), {"ref": field.ref}, None, field.ref))
        for field in fields[:_MAX_INVALID_FIELDS]
    ]
    return f"# {format_count(len(fields), 'invalid field')}: {', '.join(labels)}"
