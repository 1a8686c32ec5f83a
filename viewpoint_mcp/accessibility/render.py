"""Prints a tree as the YAML of a snapshot, which a YAML parser reads back. Knows no budget."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any, Final

from viewpoint_mcp.accessibility.scrub import scrub
from viewpoint_mcp.accessibility.tree import Node

LONGEST_NAME: Final = 100
"""Characters of a name that are printed."""

BLANK: Final = "- document"
"""What is printed of a page that has no accessible content."""

_ATTRIBUTES: Final = (
    *("checked", "disabled", "expanded", "active", "invalid", "level", "pressed", "selected"),
    *("readonly", "required", "multiline", "type", "hidden"),
)
_LINES: Final = ("url", "placeholder")

# A plain scalar that a YAML parser could take for something else than the text it is: an indicator
# in front, a comment or a mapping inside, a line break, or a number, date, boolean or null as a
# whole.
_NOT_PLAIN: Final = re.compile(
    r"""[-?:,\[\]{}#&*!|>'"%@`.~=<+\s]|.*(?::\s|\s\#|[\n\t])|.*[:\s]\Z
    |(?=.*\d)[\d.,_:+\-/eExXoOa-fA-FtTzZ\ ]+\Z|(?:y|n|yes|no|true|false|on|off|null)\Z|\Z""",
    re.IGNORECASE | re.VERBOSE | re.DOTALL,
)
_KEY_NEEDS_QUOTES: Final = re.compile(r":\s|\s#|:\Z")

_quote = json.JSONEncoder(ensure_ascii=False).encode


def render(nodes: Sequence[Node | str], *, depth: int | None = None) -> str:
    """Print the nodes, one line each.

    Args:
        depth: Levels below the top ones that are printed; None for all. A node's only text is
            printed with it.
    """
    lines: list[str] = []
    pending: list[tuple[Node | str, int]] = [(node, 0) for node in reversed(nodes)]
    while pending:
        node, level = pending.pop()
        indent = "  " * level
        if isinstance(node, str):
            lines.append(f"{indent}- text: {_value(node)}")
            continue
        key = _key(node)
        below = _properties(node.properties)
        children: Sequence[Node | str] = _content(node)
        if not below and len(children) == 1 and isinstance(children[0], str):
            lines.append(f"{indent}- {key}: {_value(children[0])}")
            continue
        if depth is not None and level >= depth:
            children = ()
        lines.append(f"{indent}- {key}:" if below or children else f"{indent}- {key}")
        lines.extend(f"{indent}  - {line}" for line in below)
        pending.extend((child, level + 1) for child in reversed(children))
    return "\n".join(lines) or BLANK


def label(node: Node) -> str:
    """Return the line of one node without its children, as `button "Save" [ref=e1]`."""
    return _label(node)


def _key(node: Node) -> str:
    key = _label(node)
    if _KEY_NEEDS_QUOTES.search(key):
        return "'" + key.replace("'", "''") + "'"
    return key


def _label(node: Node) -> str:
    parts = [node.role]
    name = scrub(node.name)
    if name:
        if len(name) > LONGEST_NAME:
            name = name[: LONGEST_NAME - 1].rstrip() + "…"
        parts.append(_quote(name))
    if node.properties:
        _add_attributes(parts, node.properties, node.ref)
    return " ".join(parts)


def _add_attributes(parts: list[str], properties: dict[str, Any], ref: str) -> None:
    hint = properties.get("hint")
    if hint:
        parts.append(f"[hint={_quote(scrub(hint))}]")
    for name in _ATTRIBUTES:
        value = properties.get(name)
        if value is None:
            continue
        if value is True:
            parts.append(f"[{name}]")
        elif value is False:
            parts.append(f"[{name}=false]")
        else:
            parts.append(f"[{name}={value}]")
    if ref:
        parts.append(f"[ref={ref}]")
    if properties.get("cursor"):
        parts.append("[cursor=pointer]")
    box = properties.get("box")
    if box:
        parts.append("[box={},{},{},{}]".format(*box))


def _content(node: Node) -> list[Node | str]:
    value = node.properties.get("value")
    return [*node.children, value] if value else node.children


def _properties(properties: dict[str, Any]) -> list[str]:
    return [f"/{name}: {_value(properties[name])}" for name in _LINES if name in properties]


def _value(text: str) -> str:
    text = scrub(text)
    return _quote(text) if _NOT_PLAIN.match(text) else text
