"""Rendering of a tree as the YAML of a snapshot, valid for YAML parsers, without a budget."""

from __future__ import annotations

import json.encoder
import re
from collections.abc import Sequence
from typing import Final, Literal, TypeAlias

from viewpoint_mcp.accessibility.long_names import cut_name, has_cut_name, rest_of_name
from viewpoint_mcp.accessibility.tree import Node, Properties

NameStyle: TypeAlias = Literal["cut", "short", "whole"]
"""How to print long names.

"cut": cut, with the rest as text below. "short": the same, but without the rest if the element has
a ref, with which an agent can read the whole name. "whole": not cut."""

BLANK_SNAPSHOT: Final = "- document"
"""The snapshot of a page without accessible content."""

_ATTRIBUTES: Final = (
    *("hint", "checked", "disabled", "expanded", "active", "invalid", "level", "pressed"),
    *("selected", "readonly", "required", "multiline", "type", "aria-hidden", "hidden"),
    *("crashed", "loading", "unresponsive"),
)
_ATTRIBUTE_ORDER: Final = {name: index for index, name in enumerate(_ATTRIBUTES)}
_LINE_PROPERTIES: Final = ("url", "placeholder")

# Matches a text that a YAML parser would not read back as the same plain scalar. Such a text starts
# with an indicator, contains a comment, a mapping or a line break, or is a number, date, boolean or
# null as a whole.
_NEEDS_QUOTES: Final = re.compile(
    r"""[-?:,\[\]{}#&*!|>'"%@`.~=<+\s]|.*(?::\s|\s\#|[\n\t])|.*[:\s]\Z
    |(?=.*\d)[\d.,_:+\-/eExXoOa-fA-FtTzZ\ ]+\Z|(?:y|n|yes|no|true|false|on|off|null)\Z|\Z""",
    re.IGNORECASE | re.VERBOSE | re.DOTALL,
)
# Fast check for the common case: a text of words is plain. It starts with a letter, contains none
# of the characters above, and contains a letter that no number, date or keyword has.
_NEEDS_NO_QUOTES: Final = re.compile(
    r"[A-Za-z](?=[^:#\n\t]*[g-nG-Np-sP-Su-wU-WyY])[^:#\n\t]{5,}(?<!\s)\Z"
)
_KEY_NEEDS_QUOTES: Final = re.compile(r":\s|\s#|:\Z")

_quote = json.encoder.encode_basestring


def render_tree(nodes: Sequence[Node | str], name_style: NameStyle = "cut") -> str:
    """Return nodes as YAML: one line for each, followed by its content, indented.

    Args:
        nodes: The nodes and texts. If empty, the result is `BLANK`.
        name_style: How to print long names.
    """
    lines: list[str] = []
    pending: list[tuple[Node | str, int]] = [(node, 0) for node in reversed(nodes)]
    while pending:
        node, level = pending.pop()
        indent = "  " * level
        if isinstance(node, str):
            lines.append(f"{indent}- text: {_render_scalar(node)}")
            continue
        has_whole_name = name_style == "whole" or not has_cut_name(node)
        key = _render_key(node, has_whole_name)
        children: Sequence[Node | str] = node.children
        below: Sequence[str] = ()
        if node.properties:
            children, below = _printed_content(node), _render_property_lines(node.properties)
        if (
            not has_whole_name
            and not (name_style == "short" and node.ref)
            and (rest := rest_of_name(node))
        ):
            children = [rest, *children]
        if not children and not below:
            lines.append(f"{indent}- {key}")
            continue
        if not below and len(children) == 1 and isinstance(children[0], str):
            lines.append(f"{indent}- {key}: {_render_scalar(children[0])}")
            continue
        lines.append(f"{indent}- {key}:" if below or children else f"{indent}- {key}")
        lines.extend(f"{indent}  - {line}" for line in below)
        level += 1
        pending.extend([(child, level) for child in reversed(children)])
    return "\n".join(lines) or BLANK_SNAPSHOT


def render_label(node: Node) -> str:
    """Return the line of one node without its children, as `button "Save" [ref=e1]`."""
    return _render_label(node, not has_cut_name(node))


def _render_key(node: Node, has_whole_name: bool) -> str:
    key = _render_label(node, has_whole_name)
    if (":" in key or "#" in key) and _KEY_NEEDS_QUOTES.search(key):
        return "'" + key.replace("'", "''") + "'"
    return key


def _render_label(node: Node, has_whole_name: bool) -> str:
    label = node.role
    if node.name:
        label += f" {_quote(node.name if has_whole_name else cut_name(node.name))}"
    if node.properties:
        label += _render_attributes(node.properties, node.ref)
    return label


def _render_attributes(properties: Properties, ref: str) -> str:
    """Return the attributes in their fixed order, with a space before each."""
    text = ""
    names = [name for name in properties if name in _ATTRIBUTE_ORDER]
    if names:
        names.sort(key=_ATTRIBUTE_ORDER.__getitem__)
        text = "".join([_render_attribute(name, properties[name]) for name in names])
    if ref:
        text += f" [ref={ref}]"
    if "cursor" in properties:
        text += " [cursor=pointer]"
    if "box" in properties:
        text += " [box={},{},{},{}]".format(*properties["box"])
    return text


def _render_attribute(name: str, value: object) -> str:
    if value is True:
        return f" [{name}]"
    if name == "hint":
        return f" [hint={_quote(str(value))}]"
    return f" [{name}={str(value).lower() if value is False else value}]"


def _printed_content(node: Node) -> list[Node | str]:
    value = node.properties.get("value")
    return [*node.children, value] if value else node.children


def _render_property_lines(properties: Properties) -> list[str]:
    return [
        f"/{name}: {_render_scalar(properties[name])}"
        for name in _LINE_PROPERTIES
        if name in properties
    ]


def _render_scalar(text: str) -> str:
    if _NEEDS_NO_QUOTES.match(text) or not _NEEDS_QUOTES.match(text):
        return text
    return _quote(text)
