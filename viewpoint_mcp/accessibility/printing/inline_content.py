"""The content of an element on the line of the element: rows, list items, and closed lists.

    - row: checkbox "Select TT-1" [ref=e3] | link "TT-1" [ref=e4] -> /orders/1/ | Paid
    - combobox "Size" [ref=e7]: S | M [selected] | L

` | ` separates the cells of a row, and the parts of other elements; ` ; ` separates the parts of
one cell. A text of the page that could be read as one of these, or as an element, is quoted.
"""

from __future__ import annotations

import json.encoder
import re
from collections.abc import Callable, Sequence
from typing import Final

from viewpoint_mcp.accessibility.printing.editor_content import printed_content_of
from viewpoint_mcp.accessibility.printing.long_names import has_cut_name
from viewpoint_mcp.accessibility.printing.printed_snapshot_lines import (
    MAX_INLINE_LENGTH,
    MAX_ROW_LENGTH,
    PART_SEPARATOR,
)
from viewpoint_mcp.accessibility.tree import Comment, Node, Remark, children_and_value_of

RenderLabel = Callable[[Node], str]
"""Returns the line of an element without its content."""

_CELL_PART_SEPARATOR: Final = " ; "
_MAX_OPTIONS: Final = 20  # printed options of a closed list
_MAX_DEPTH: Final = 4  # maximum depth of content on one line
_CELL_ROLES: Final = frozenset({"cell", "columnheader", "gridcell", "rowheader"})
# Containers that a line could describe, but whose content is easier to read on lines of its own.
_BLOCK_ROLES: Final = frozenset(
    {
        *("alertdialog", "application", "dialog", "document", "form", "grid", "iframe", "listbox"),
        *("main", "menu", "menubar", "region", "rowgroup", "search", "tabpanel", "table", "tree"),
        *("treegrid",),
    }
)
_TRANSPARENT_ROLES: Final = frozenset(
    {"definition", "generic", "group", "list", "paragraph", "term"}
)
# Matches a text that could be read as several parts.
_HAS_PARTS: Final = re.compile(r"(?:^|\s)[|;](?:\s|$)")
# Matches a text that could be read as a quoted text, an element, or a remark.
_STARTS_LIKE_ELEMENT: Final = re.compile(r'"|[\w-]+ ["\[]|same as before\b')
_PART_NEEDS_QUOTES: Final = re.compile(
    r"""["\n\t]|(?:^|\s)[|;](?:\s|$)|^[\w-]+ \[|^\s|\s$|^$|^same as before\b"""
)
_OPTION_NEEDS_QUOTES: Final = re.compile(r"""["\n\t\[]|(?:^|\s)[|;](?:\s|$)|^…|^\s|\s$|^$""")
_URL_NEEDS_QUOTES: Final = re.compile(r"[\s\"'\[\]|#]|^$|:$")

_quote = json.encoder.encode_basestring


def render_inline(
    node: Node, content: Sequence[Node | str], render_label: RenderLabel
) -> str | None:
    """Return the content of an element as one line; None if it needs lines of its own.

    Args:
        node: The element. Its role may follow the mark of a diff.
        content: Its printed content: children, and the value.
        render_label: Returns the line of an element in the content.
    """
    role = node.role.rpartition(" ")[2]
    if role == "combobox":
        return _render_options(content)
    if role in _BLOCK_ROLES:
        return None
    max_length = MAX_ROW_LENGTH if role == "row" else MAX_INLINE_LENGTH
    parts = _LineWriter(render_label, max_length).render_parts(content)
    if not parts:
        return None
    line = PART_SEPARATOR.join(parts)
    return line if len(line) <= max_length else None


def is_closed_list(node: Node) -> bool:
    """Return whether an element is a closed list, whose options are printed on its line."""
    is_combobox = node.role.rpartition(" ")[2] == "combobox"
    return is_combobox and _render_options(children_and_value_of(node)) is not None


def selected_options(node: Node) -> str:
    """Return the selected options of a closed list, as they are printed."""
    return PART_SEPARATOR.join(
        _render_option(Node("option", child.name))
        for child in node.children
        if isinstance(child, Node) and child.properties.get("selected")
    )


def quote_url(url: str) -> str:
    """Return an address for the line of a link, quoted if it could be read as something else."""
    return _quote(url) if _URL_NEEDS_QUOTES.search(url) else url


def _render_options(content: Sequence[Node | str]) -> str | None:
    """Return the options of a closed list on one line, the first ones and a count."""
    if not content or not all(_is_plain_option(item) for item in content):
        return None
    options = [item for item in content if isinstance(item, Node)]
    printed = [_render_option(node) for node in options[:_MAX_OPTIONS]]
    printed += [
        _render_option(node) for node in options[_MAX_OPTIONS:] if "selected" in node.properties
    ]
    if len(printed) < len(options):
        printed.append(f"… {len(options) - len(printed)} more")
    return PART_SEPARATOR.join(printed)


def _is_plain_option(item: Node | str) -> bool:
    return (
        isinstance(item, Node)
        and item.role == "option"
        and not item.children
        and not item.properties.keys() - {"ref", "selected", "disabled"}
    )


def _render_option(node: Node) -> str:
    states = [f" [{name}]" for name in ("disabled", "selected") if node.properties.get(name)]
    text = _quote(node.name) if _OPTION_NEEDS_QUOTES.search(node.name) else node.name
    return text + "".join(states)


def needs_quotes(text: str) -> bool:
    """Return whether a text that is the whole content of an element could be read as parts."""
    has_parts = ("|" in text or ";" in text) and _HAS_PARTS.search(text)
    return bool(has_parts or _STARTS_LIKE_ELEMENT.match(text))


def quote_part(text: str) -> str:
    """Return a text of the page as a part of a line, quoted if necessary."""
    if isinstance(text, Remark):
        return text
    return _quote(text) if _PART_NEEDS_QUOTES.search(text) else text


def _has_states(node: Node) -> bool:
    """Return whether a node has properties besides its value."""
    properties = node.properties
    return bool(properties) and (len(properties) > 1 or "value" not in properties)


class _LineWriter:
    """Renders content as the parts of one line, while it is short and flat enough."""

    def __init__(self, render_label: RenderLabel, max_length: int) -> None:
        self._render_label = render_label
        self._remaining = max_length

    def render_parts(self, content: Sequence[Node | str], depth: int = 0) -> list[str] | None:
        """Return the parts; None if the content needs lines of its own."""
        parts: list[str] = []
        for item in content:
            inner = self._render_item(item, depth)
            if inner is None:
                return None
            parts += inner
        return parts

    def _render_item(self, item: Node | str, depth: int) -> list[str] | None:
        if isinstance(item, Comment):
            return None
        if isinstance(item, Node) and depth < _MAX_DEPTH and not _has_states(item):
            content = children_and_value_of(item)
            if item.role in _CELL_ROLES and not (item.name and content):
                return self._render_cell(content or [item.name], depth)
            if item.role == "listitem" and not item.name:
                return self._render_cell(content or [""], depth)
            is_known = content and isinstance(content[0], Remark)
            if item.role in _TRANSPARENT_ROLES and not item.name and not is_known:
                return self.render_parts(content, depth + 1)
        part = quote_part(item) if isinstance(item, str) else self._render_element(item)
        self._remaining -= len(part or "")
        return None if part is None or self._remaining < 0 else [part]

    def _render_cell(self, content: Sequence[Node | str], depth: int) -> list[str] | None:
        parts = self.render_parts(content, depth + 1)
        return None if parts is None else [_CELL_PART_SEPARATOR.join(parts)]

    def _render_element(self, node: Node) -> str | None:
        """Return an element with at most one text in it."""
        if not (node.name or node.ref) or node.role == "iframe" or has_cut_name(node):
            return None
        label = self._render_label(node)
        content = printed_content_of(node)
        if not content:
            return label
        # Text of several lines is easier to read outside the quotes of a line.
        if len(content) == 1 and isinstance(content[0], str) and "\n" not in content[0]:
            return f"{label}: {quote_part(content[0])}"
        return None
