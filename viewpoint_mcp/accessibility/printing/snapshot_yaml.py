"""Rendering of a tree as the YAML of a snapshot, valid for YAML parsers, without a budget."""

from __future__ import annotations

import json.encoder
import re
from collections.abc import Sequence
from typing import Final, Literal, TypeAlias

from viewpoint_mcp.accessibility.printing.editor_content import (
    printed_content_of,
    render_running_text,
)
from viewpoint_mcp.accessibility.printing.inline_content import (
    needs_quotes,
    quote_part,
    quote_url,
    render_inline,
)
from viewpoint_mcp.accessibility.printing.long_names import (
    cut_name,
    has_cut_name,
    is_contained_in_content,
    rest_of_name,
)
from viewpoint_mcp.accessibility.printing.printed_snapshot_lines import PART_SEPARATOR
from viewpoint_mcp.accessibility.tree import (
    Comment,
    Node,
    Properties,
    Remark,
)

NameStyle: TypeAlias = Literal["cut", "short", "whole"]
"""How to print long names.

"cut": cut, with the rest as text below. "short": the same, but without the rest if the element has
a ref, with which an agent can read the whole name. "whole": not cut."""

BLANK_SNAPSHOT: Final = "- document"
"""The snapshot of a page without accessible content."""

_ATTRIBUTES: Final = (
    *("hint", "checked", "disabled", "expanded", "active", "invalid", "level", "pressed"),
    *(
        "selected",
        "sort",
        "rows",
        "items",
        "readonly",
        "required",
        "multiline",
        "lines",
        "type",
        "aria-hidden",
        "hidden",
    ),
    *("crashed", "loading", "unresponsive", "placeholder"),
)
_MIN_OMITTED_LENGTH: Final = 20  # characters of a name that is omitted if the content repeats it
_MAX_JOINED_LENGTH: Final = 100  # characters of adjacent texts on one line
_ATTRIBUTE_ORDER: Final = {name: index for index, name in enumerate(_ATTRIBUTES)}
_QUOTED_ATTRIBUTES: Final = frozenset({"hint", "placeholder"})

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
        nodes: The nodes and texts. If empty, the result is `BLANK_SNAPSHOT`.
        name_style: How to print long names.
    """
    lines: list[str] = []
    pending = [("", iter(nodes))]
    while pending:
        indent, items = pending[-1]
        for item in items:
            if isinstance(item, Node):
                line, content = _render_element(item, name_style)
                lines.append(f"{indent}- {line}")
                if content:
                    pending.append((f"{indent}  ", iter(content)))
                    break
            elif isinstance(item, Comment):
                lines.append(f"{indent}# {item}")
            else:
                lines.append(f"{indent}- text: {_render_text(item)}")
        else:
            pending.pop()
    return "\n".join(lines) or BLANK_SNAPSHOT


def _render_element(node: Node, name_style: NameStyle) -> tuple[str, Sequence[Node | str]]:
    """Return the line of an element, and the content that follows it on lines of its own."""
    has_whole_name = name_style == "whole" or not has_cut_name(node)
    key = _render_key(node, has_whole_name)
    content = printed_content_of(node)
    if (
        not has_whole_name
        and not (name_style == "short" and node.ref)
        and (rest := rest_of_name(node))
    ):
        content = [rest, *content]
    if not content:
        return key, ()
    first = content[0]
    if len(content) == 1 and isinstance(first, str) and not isinstance(first, Comment):
        return f"{key}: {_render_text(first)}", ()
    if (line := _render_content(node, content)) is not None:
        if len(node.name) >= _MIN_OMITTED_LENGTH and is_contained_in_content(node.name, node):
            key = _render_key(_copy_without_name(node), has_whole_name)
        return f"{key}: {_render_inline_scalar(line)}", ()
    return f"{key}:", content if "multiline" in node.properties else join_texts(content)


def render_label(node: Node) -> str:
    """Return the line of one node without its children, as `button "Save" [ref=e1]`."""
    return _render_label(node, not has_cut_name(node))


def _copy_without_name(node: Node) -> Node:
    return Node(node.role, "", node.properties, None, node.ref)


def _render_line_label(node: Node) -> str:
    """Return the label, with the address of a link."""
    label = _render_label(node, not has_cut_name(node))
    url = node.properties.get("url")
    return f"{label} -> {quote_url(url)}" if url and url != node.name else label


def render_content_on_line(node: Node) -> str | None:
    """Return the content of a node as printed on its line; None if it has lines of its own."""
    return _render_content(node, printed_content_of(node))


def _render_content(node: Node, content: Sequence[Node | str]) -> str | None:
    if "flow" in node.properties:
        return render_running_text(content, _render_line_label)
    return render_inline(node, content, _render_line_label)


def _render_key(node: Node, has_whole_name: bool) -> str:
    key = _render_label(node, has_whole_name)
    if (url := node.properties.get("url")) and url != node.name:
        key += f" -> {quote_url(url)}"
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
    if not _ATTRIBUTE_ORDER.keys().isdisjoint(properties):
        names = [name for name in properties if name in _ATTRIBUTE_ORDER]
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
    if name in _QUOTED_ATTRIBUTES:
        return f" [{name}={_quote(cut_name(str(value)))}]"
    return f" [{name}={str(value).lower() if value is False else value}]"


class TextLine(str):
    """Several adjacent texts, as the parts of one line.

    Attributes:
        parts: The texts.
    """

    __slots__ = ("parts",)
    parts: Sequence[str]


def join_texts(content: Sequence[Node | str]) -> Sequence[Node | str]:
    """Return the content, with short texts that follow one another as one line."""
    joined: list[Node | str] = []
    run: list[str] = []
    run_length = 0
    for item in content:
        length = len(item) if isinstance(item, str) else _MAX_JOINED_LENGTH
        if run and run_length + length > _MAX_JOINED_LENGTH:
            joined.append(_join_run(run))
            run, run_length = [], 0
        if isinstance(item, str) and not isinstance(item, Remark):
            run.append(item)
            run_length += length + len(PART_SEPARATOR)
        else:
            joined.append(item)
    return [*joined, _join_run(run)] if run else joined


def _join_run(run: Sequence[str]) -> str:
    if len(run) == 1:
        return run[0]
    line = TextLine(PART_SEPARATOR.join(map(quote_part, run)))
    line.parts = run
    return line


def _render_inline_scalar(line: str) -> str:
    """Return content on one line as a YAML scalar. Single quotes need no escapes in it."""
    if not _NEEDS_QUOTES.match(line):
        return line
    return "'" + line.replace("'", "''") + "'"


def _render_text(text: str) -> str:
    """Return a text that is the whole content of an element as a YAML scalar."""
    if isinstance(text, Remark):
        return text
    if isinstance(text, TextLine):
        return _render_inline_scalar(text)
    return _render_inline_scalar(_quote(text)) if needs_quotes(text) else _render_scalar(text)


def _render_scalar(text: str) -> str:
    if _NEEDS_NO_QUOTES.match(text) or not _NEEDS_QUOTES.match(text):
        return text
    return _quote(text)
