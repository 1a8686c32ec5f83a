"""Short descriptions of elements and of their old state, for the comments of a diff."""

from __future__ import annotations

import json
from typing import Final

from viewpoint_mcp.accessibility.diff.equality import Content
from viewpoint_mcp.accessibility.printing.inline_content import is_closed_list, selected_options
from viewpoint_mcp.accessibility.printing.snapshot_yaml import render_label
from viewpoint_mcp.accessibility.tree import Node, Properties, children_and_value_of

MAX_QUOTE_LENGTH: Final = 40
"""Maximum number of characters of page text that a comment or an unmarked line quotes."""

_quote = json.JSONEncoder(ensure_ascii=False).encode


def shorten_text(text: str) -> str:
    """Return a text cut to `MAX_QUOTE_LENGTH` characters, with "…" at the end if it is cut."""
    return text if len(text) <= MAX_QUOTE_LENGTH else f"{text[: MAX_QUOTE_LENGTH - 1].rstrip()}…"


def quote_text(text: str) -> str:
    """Return a text of the page for a comment: cut, quoted, and on one line."""
    return _quote(shorten_text(text))


def has_name_or_ref(item: Content) -> bool:
    """Return whether the line of an element identifies it: it has a name or a ref."""
    return isinstance(item, Node) and bool(item.name or item.ref)


def has_only_text(node: Node) -> bool:
    """Return whether an element is empty or contains only a text, and so prints as one line."""
    content = children_and_value_of(node)
    return not content or (len(content) == 1 and isinstance(content[0], str))


def copy_with_role_name_and_ref(node: Node) -> Node:
    """Return a copy of an element with only its role, its cut name and its ref."""
    properties = {"ref": node.properties["ref"]} if "ref" in node.properties else {}
    return Node(node.role, shorten_text(node.name), properties, None, node.ref)


def describe_briefly(item: Content) -> str:
    """Return a description that identifies an element or text.

    The description is the first text, or the first element with a name or a ref, at or inside the
    item; "" if it contains neither.
    """
    pending = [item]
    while pending:
        item = pending.pop()
        if isinstance(item, str):
            return quote_text(item)
        if has_name_or_ref(item):
            return render_label(copy_with_role_name_and_ref(item))
        pending.extend(reversed(children_and_value_of(item)))
    return ""


def describe_lost_values(old: Content, new: Content) -> str:
    """Return a comment with the old values that the line of an element or text no longer has.

    Return "" if the line lost nothing.
    """
    if isinstance(old, str) or isinstance(new, str):
        return f"was: {quote_text(old)}" if isinstance(old, str) else ""
    parts = [old.role] if old.role != new.role else []
    if old.name != new.name:
        parts.append(quote_text(old.name) if old.name else "without a name")
    lost = {
        name: value
        for name, value in old.properties.items()
        if name not in {"ref", "value", "box"} and new.properties.get(name) != value
    }
    if url := lost.pop("url", ""):
        parts.append(f"-> {quote_text(url)}")
    if lost or (old.ref and old.ref != new.ref):
        parts.append(_render_attributes(lost, old.ref if old.ref != new.ref else ""))
    if (
        has_only_text(old)
        and has_only_text(new)
        and children_and_value_of(old) != children_and_value_of(new)
    ):
        parts.append(
            quote_text("".join(map(str, children_and_value_of(old))))
            if children_and_value_of(old)
            else "empty"
        )
    if is_closed_list(old) and is_closed_list(new):
        was_selected = selected_options(old)
        if was_selected != selected_options(new):
            parts.append(quote_text(was_selected) if was_selected else "nothing selected")
    return f"was: {' '.join(parts)}" if parts else ""


def data_without_content(node: Node) -> tuple[str, str, str, Properties]:
    """Return the printed data of an element without its content: role, name, ref, properties."""
    properties = node.properties
    if "value" in properties:
        properties = {name: value for name, value in properties.items() if name != "value"}
    return node.role, node.name, node.ref, properties


def _render_attributes(properties: Properties, ref: str) -> str:
    return render_label(Node("", "", properties or {"ref": 0}, None, ref)).strip()
