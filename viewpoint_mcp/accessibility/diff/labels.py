"""Says in a few words which element is meant and what it was, for the comments of a diff."""

from __future__ import annotations

import json
from typing import Final

from viewpoint_mcp.accessibility.diff.equality import Content, content_of
from viewpoint_mcp.accessibility.render import label
from viewpoint_mcp.accessibility.tree import Node, Properties

SHORT: Final = 40
"""Characters of a page's text that a comment or a line of a path quotes."""

_quote = json.JSONEncoder(ensure_ascii=False).encode


def cut(text: str) -> str:
    """Return a text at the length in which it is quoted."""
    return text if len(text) <= SHORT else f"{text[: SHORT - 1].rstrip()}…"


def quoted(text: str) -> str:
    """Return a text of the page's as it may stand in a comment: short, in quotes, on one line."""
    return _quote(cut(text))


def is_known(item: Content) -> bool:
    """Whether an element can be told from its like by its own line."""
    return isinstance(item, Node) and bool(item.name or item.ref)


def only_text(node: Node) -> bool:
    """Whether an element has nothing in it but a text, or nothing, and so prints as one line."""
    content = content_of(node)
    return not content or (len(content) == 1 and isinstance(content[0], str))


def bare(node: Node) -> Node:
    """Return an element with nothing but role, name and ref, as it names itself."""
    properties = {"ref": node.properties["ref"]} if "ref" in node.properties else {}
    return Node(node.role, cut(node.name), properties, None, node.ref)


def gist(item: Content) -> str:
    """Return what tells an element from its like: itself, or the first in it that says something;
    "" for nothing.
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
    """Return in which points the line of an element or text was another; "" when it only gained."""
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
    """Return what an element prints on its own lines, apart from its content."""
    properties = node.properties
    if "value" in properties:
        properties = {name: value for name, value in properties.items() if name != "value"}
    return node.role, node.name, node.ref, properties


def _attributes(properties: Properties, ref: str) -> str:
    return label(Node("", "", properties or {"ref": 0}, None, ref)).strip()
