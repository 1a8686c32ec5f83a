"""Short descriptions of elements and of their old state, for the comments of a diff."""

from __future__ import annotations

import json
from typing import Final

from viewpoint_mcp.accessibility.diff.equality import Content, content_of
from viewpoint_mcp.accessibility.render import label
from viewpoint_mcp.accessibility.tree import Node, Properties

SHORT: Final = 40
"""Maximum number of characters of page text that a comment or an unmarked line quotes."""

_quote = json.JSONEncoder(ensure_ascii=False).encode


def cut(text: str) -> str:
    """Return a text cut to `SHORT` characters, with "…" at the end if it is cut."""
    return text if len(text) <= SHORT else f"{text[: SHORT - 1].rstrip()}…"


def quoted(text: str) -> str:
    """Return a text of the page for a comment: cut, quoted, and on one line."""
    return _quote(cut(text))


def is_known(item: Content) -> bool:
    """Return whether the line of an element identifies it: it has a name or a ref."""
    return isinstance(item, Node) and bool(item.name or item.ref)


def only_text(node: Node) -> bool:
    """Return whether an element is empty or contains only a text, and so prints as one line."""
    content = content_of(node)
    return not content or (len(content) == 1 and isinstance(content[0], str))


def bare(node: Node) -> Node:
    """Return a copy of an element with only its role, its cut name and its ref."""
    properties = {"ref": node.properties["ref"]} if "ref" in node.properties else {}
    return Node(node.role, cut(node.name), properties, None, node.ref)


def gist(item: Content) -> str:
    """Return a description that identifies an element or text.

    The description is the first text, or the first element with a name or a ref, at or inside the
    item; "" if it contains neither.
    """
    pending = [item]
    while pending:
        item = pending.pop()
        if isinstance(item, str):
            return quoted(item)
        if is_known(item):
            return label(bare(item))
        pending.extend(reversed(content_of(item)))
    return ""


def was(old: Content, new: Content) -> str:
    """Return a comment with the old values that the line of an element or text no longer has.

    Return "" if the line lost nothing.
    """
    if isinstance(old, str) or isinstance(new, str):
        return f"was: {quoted(old)}" if isinstance(old, str) else ""
    parts = [old.role] if old.role != new.role else []
    if old.name != new.name:
        parts.append(quoted(old.name) if old.name else "without a name")
    lost = {
        name: value
        for name, value in old.properties.items()
        if name not in {"ref", "value", "box"} and new.properties.get(name) != value
    }
    parts += [
        f"/{name}: {quoted(str(lost.pop(name)))}" for name in ("url", "placeholder") if name in lost
    ]
    if lost or (old.ref and old.ref != new.ref):
        parts.append(_attributes(lost, old.ref if old.ref != new.ref else ""))
    if only_text(old) and only_text(new) and content_of(old) != content_of(new):
        parts.append(quoted("".join(map(str, content_of(old)))) if content_of(old) else "empty")
    return f"was: {' '.join(parts)}" if parts else ""


def head(node: Node) -> tuple[str, str, str, Properties]:
    """Return the printed data of an element without its content: role, name, ref, properties."""
    properties = node.properties
    if "value" in properties:
        properties = {name: value for name, value in properties.items() if name != "value"}
    return node.role, node.name, node.ref, properties


def _attributes(properties: Properties, ref: str) -> str:
    return label(Node("", "", properties or {"ref": 0}, None, ref)).strip()
