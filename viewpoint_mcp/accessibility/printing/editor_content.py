r"""The content of editors: lines of text, and lines with formatting.

    - textbox "Note" [multiline] [ref=e4]: "First line\n  second line"
    - textbox "Text" [multiline] [ref=e5]: Ready on strong "Friday", see link "terms" [ref=e6].

A line with formatting, links or images in it is running text: its elements stand where they are in
the text. A text of the page that could be read as an element, or that touches one, is quoted.
"""

from __future__ import annotations

import json.encoder
import re
from collections.abc import Callable, Sequence
from typing import Final

from viewpoint_mcp.accessibility.printing.long_names import has_cut_name
from viewpoint_mcp.accessibility.printing.printed_snapshot_lines import MAX_ROW_LENGTH
from viewpoint_mcp.accessibility.tree import Node, Remark, children_and_value_of

_FORMATS: Final = frozenset(
    {
        *("code", "deletion", "emphasis", "insertion", "mark", "strong", "subscript"),
        *("superscript", "underline"),
    }
)
_TEXT_NEEDS_QUOTES: Final = re.compile(r'["\n\t]|[|;\[]|->')
_ENDS_LIKE_ROLE: Final = re.compile(r"[\w-]$")

_quote = json.encoder.encode_basestring


def printed_content_of(node: Node) -> Sequence[Node | str]:
    """Return the printed content of a node; of an editor, adjacent lines are one text."""
    content = children_and_value_of(node)
    return join_lines(content) if "multiline" in node.properties else content


def join_lines(content: Sequence[Node | str]) -> Sequence[Node | str]:
    """Return the content with one text, with line breaks, for adjacent lines of text."""
    joined: list[Node | str] = []
    for item in content:
        last = joined[-1] if joined else None
        if _is_text(item) and _is_text(last):
            joined[-1] = f"{last}\n{item}"
        else:
            joined.append(item)
    return joined


def _is_text(item: Node | str | None) -> bool:
    return isinstance(item, str) and not isinstance(item, Remark)


def render_running_text(
    content: Sequence[Node | str], render_label: Callable[[Node], str]
) -> str | None:
    """Return a line of an editor with its elements in the text.

    Args:
        content: The texts and inline elements of the line.
        render_label: Returns the line of an element without its content.

    Returns:
        The text; None if it is too long, or if an element has more than one text in it.
    """
    parts: list[str] = []
    for index, item in enumerate(content):
        is_last = index + 1 == len(content)
        part = (
            _render_text(item, is_before_element=not is_last)
            if isinstance(item, str)
            else _render_element(item, render_label)
        )
        if part is None:
            return None
        parts.append(part)
    for index, item in enumerate(content[:-1]):
        if isinstance(item, str):
            continue
        url = item.properties.get("url", "")
        if url and parts[index].endswith(f" -> {url}") and not parts[index + 1].startswith(" "):
            parts[index] = parts[index].removesuffix(url) + _quote(url)
        if not isinstance(content[index + 1], str):
            parts[index] += " "
    line = "".join(parts)
    return line if len(line) <= MAX_ROW_LENGTH else None


def _render_text(text: str, *, is_before_element: bool) -> str:
    could_touch = is_before_element and _ENDS_LIKE_ROLE.search(text)
    return _quote(text) if could_touch or _TEXT_NEEDS_QUOTES.search(text) else text


def _render_element(node: Node, render_label: Callable[[Node], str]) -> str | None:
    content = children_and_value_of(node)
    if set(node.role.split("-")) <= _FORMATS and not node.name and len(content) == 1:
        text = content[0]
        return f"{node.role} {_quote(text)}" if isinstance(text, str) else None
    if content or not (node.name or node.ref) or node.role == "iframe" or has_cut_name(node):
        return None
    return render_label(node)
