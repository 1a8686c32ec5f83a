"""Rendering of a tree as the YAML of a snapshot, valid for YAML parsers, without a budget."""

from __future__ import annotations

import json.encoder
import re
from collections.abc import Sequence
from typing import Final, Literal, TypeAlias

from viewpoint_mcp.accessibility.long_names import cut_name, is_cut, rest_of
from viewpoint_mcp.accessibility.tree import Node, Properties

Names: TypeAlias = Literal["cut", "short", "whole"]
"""How to print long names.

"cut": cut, with the rest as text below. "short": the same, but without the rest if the element has
a ref, with which an agent can read the whole name. "whole": not cut."""

BLANK: Final = "- document"
"""The snapshot of a page without accessible content."""

_ATTRIBUTES: Final = (
    *("hint", "checked", "disabled", "expanded", "active", "invalid", "level", "pressed"),
    *("selected", "readonly", "required", "multiline", "type", "aria-hidden", "hidden"),
    *("crashed", "loading", "unresponsive"),
)
_ORDER: Final = {name: index for index, name in enumerate(_ATTRIBUTES)}
_LINES: Final = ("url", "placeholder")

# Matches a text that a YAML parser would not read back as the same plain scalar. Such a text starts
# with an indicator, contains a comment, a mapping or a line break, or is a number, date, boolean or
# null as a whole.
_NOT_PLAIN: Final = re.compile(
    r"""[-?:,\[\]{}#&*!|>'"%@`.~=<+\s]|.*(?::\s|\s\#|[\n\t])|.*[:\s]\Z
    |(?=.*\d)[\d.,_:+\-/eExXoOa-fA-FtTzZ\ ]+\Z|(?:y|n|yes|no|true|false|on|off|null)\Z|\Z""",
    re.IGNORECASE | re.VERBOSE | re.DOTALL,
)
# Fast check for the common case: a text of words is plain. It starts with a letter, contains none
# of the characters above, and contains a letter that no number, date or keyword has.
_PLAINLY_PLAIN: Final = re.compile(
    r"[A-Za-z](?=[^:#\n\t]*[g-nG-Np-sP-Su-wU-WyY])[^:#\n\t]{5,}(?<!\s)\Z"
)
_KEY_NEEDS_QUOTES: Final = re.compile(r":\s|\s#|:\Z")

_quote = json.encoder.encode_basestring


def render(nodes: Sequence[Node | str], names: Names = "cut") -> str:
    """Return nodes as YAML: one line for each, followed by its content, indented.

    Args:
        nodes: The nodes and texts. If empty, the result is `BLANK`.
        names: How to print long names.
    """
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
    """Return the attributes in their fixed order, with a space before each."""
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
