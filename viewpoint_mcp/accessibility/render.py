"""Prints a tree as the YAML of a snapshot, which a YAML parser reads back. Knows no budget."""

from __future__ import annotations

import json.encoder
import re
from collections.abc import Sequence
from typing import Final, Literal, TypeAlias

from viewpoint_mcp.accessibility.long_names import cut_name, is_cut, rest_of
from viewpoint_mcp.accessibility.tree import Node, Properties

Names: TypeAlias = Literal["cut", "short", "whole"]
"""How long names are printed: cut with the rest as text below, cut without the rest where a ref
reads it, or not cut."""

BLANK: Final = "- document"
"""What is printed of a page that has no accessible content."""

_ATTRIBUTES: Final = (
    *("hint", "checked", "disabled", "expanded", "active", "invalid", "level", "pressed"),
    *("selected", "readonly", "required", "multiline", "type", "aria-hidden", "hidden"),
    *("crashed", "loading", "unresponsive"),
)
_ORDER: Final = {name: index for index, name in enumerate(_ATTRIBUTES)}
_LINES: Final = ("url", "placeholder")

# A plain scalar that a YAML parser could take for something else than the text it is: an indicator
# in front, a comment or a mapping inside, a line break, or a number, date, boolean or null as a
# whole.
_NOT_PLAIN: Final = re.compile(
    r"""[-?:,\[\]{}#&*!|>'"%@`.~=<+\s]|.*(?::\s|\s\#|[\n\t])|.*[:\s]\Z
    |(?=.*\d)[\d.,_:+\-/eExXoOa-fA-FtTzZ\ ]+\Z|(?:y|n|yes|no|true|false|on|off|null)\Z|\Z""",
    re.IGNORECASE | re.VERBOSE | re.DOTALL,
)
# Most texts are words, seen at a glance to be plain: a letter in front, no mark of those above, and
# somewhere a letter that no number, date or keyword has.
_PLAINLY_PLAIN: Final = re.compile(
    r"[A-Za-z](?=[^:#\n\t]*[g-nG-Np-sP-Su-wU-WyY])[^:#\n\t]{5,}(?<!\s)\Z"
)
_KEY_NEEDS_QUOTES: Final = re.compile(r":\s|\s#|:\Z")

_quote = json.encoder.encode_basestring


def render(nodes: Sequence[Node | str], names: Names = "cut") -> str:
    """Print the nodes, one line each, and what stands in them below."""
    lines: list[str] = []
    pending: list[tuple[Node | str, int]] = [(node, 0) for node in reversed(nodes)]
    while pending:
        node, level = pending.pop()
        indent = "  " * level
        if isinstance(node, str):
            lines.append(f"{indent}- text: {_value(node)}")
            continue
        is_whole = names == "whole" or not is_cut(node)
        key = _key(node, is_whole)
        children: Sequence[Node | str] = node.children
        below: Sequence[str] = ()
        if node.properties:
            children, below = _content(node), _lines(node.properties)
        if not is_whole and not (names == "short" and node.ref) and (rest := rest_of(node)):
            children = [rest, *children]
        if not children and not below:
            lines.append(f"{indent}- {key}")
            continue
        if not below and len(children) == 1 and isinstance(children[0], str):
            lines.append(f"{indent}- {key}: {_value(children[0])}")
            continue
        lines.append(f"{indent}- {key}:" if below or children else f"{indent}- {key}")
        lines.extend(f"{indent}  - {line}" for line in below)
        level += 1
        pending.extend([(child, level) for child in reversed(children)])
    return "\n".join(lines) or BLANK


def label(node: Node) -> str:
    """Return the line of one node without its children, as `button "Save" [ref=e1]`."""
    return _label(node, not is_cut(node))


def _key(node: Node, is_whole: bool) -> str:
    key = _label(node, is_whole)
    if (":" in key or "#" in key) and _KEY_NEEDS_QUOTES.search(key):
        return "'" + key.replace("'", "''") + "'"
    return key


def _label(node: Node, is_whole: bool) -> str:
    label = node.role
    if node.name:
        label += f" {_quote(node.name if is_whole else cut_name(node.name))}"
    if node.properties:
        label += _attributes(node.properties, node.ref)
    return label


def _attributes(properties: Properties, ref: str) -> str:
    """The attributes in their order, a space before each."""
    text = ""
    names = [name for name in properties if name in _ORDER]
    if names:
        names.sort(key=_ORDER.__getitem__)
        text = "".join([_attribute(name, properties[name]) for name in names])
    if ref:
        text += f" [ref={ref}]"
    if "cursor" in properties:
        text += " [cursor=pointer]"
    if "box" in properties:
        text += " [box={},{},{},{}]".format(*properties["box"])
    return text


def _attribute(name: str, value: object) -> str:
    if value is True:
        return f" [{name}]"
    if name == "hint":
        return f" [hint={_quote(str(value))}]"
    return f" [{name}={str(value).lower() if value is False else value}]"


def _content(node: Node) -> list[Node | str]:
    value = node.properties.get("value")
    return [*node.children, value] if value else node.children


def _lines(properties: Properties) -> list[str]:
    return [f"/{name}: {_value(properties[name])}" for name in _LINES if name in properties]


def _value(text: str) -> str:
    if _PLAINLY_PLAIN.match(text) or not _NOT_PLAIN.match(text):
        return text
    return _quote(text)
