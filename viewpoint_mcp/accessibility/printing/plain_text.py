"""Rendering of a tree as plain text, for content that is only read.

    # Orders
    Number | Customer | State
    1000 | Ada Lovelace | Paid
    - invoice.pdf 84 KB [Delete]
    Name: Ada

Headings, lists and quotations have the marks of Markdown, the cells of a row stand on one line, a
link is its text, and a button is in brackets. Preserved line breaks stay. What no person sees yet
has the mark `[hidden]`, as in the tree.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from viewpoint_mcp.accessibility.printing.editor_content import printed_content_of
from viewpoint_mcp.accessibility.printing.inline_content import is_closed_list, selected_options
from viewpoint_mcp.accessibility.printing.long_names import is_contained_in_content
from viewpoint_mcp.accessibility.printing.printed_snapshot_lines import PART_SEPARATOR
from viewpoint_mcp.accessibility.tree import Node, children_and_value_of

_INLINE_ROLES: Final = frozenset(
    {
        *("button", "checkbox", "code", "combobox", "deletion", "emphasis", "generic", "img"),
        *("insertion", "link", "mark", "menuitem", "menuitemcheckbox", "menuitemradio", "meter"),
        *("progressbar", "radio", "searchbox", "separator", "slider", "spinbutton"),
        *("strong", "subscript", "superscript", "switch", "tab", "textbox", "time"),
    }
)
# Elements whose content is one line, if none of it starts a line.
_LINE_ROLES: Final = frozenset(
    {
        *("alert", "blockquote", "caption", "definition", "heading", "listitem", "note", "option"),
        *("paragraph", "row", "status", "term", "text", "treeitem"),
    }
)
_TITLED_ROLES: Final = frozenset(
    {"alertdialog", "dialog", "figure", "group", "radiogroup", "table"}
)
_ITEM_ROLES: Final = frozenset({"listitem", "option", "treeitem"})
_CHECK_ROLES: Final = frozenset(
    {"checkbox", "menuitemcheckbox", "menuitemradio", "radio", "switch"}
)
_CHECK_MARKS: Final = {True: "[x]", "mixed": "[-]"}
_FIELD_ROLES: Final = frozenset(
    {
        *("combobox", "meter", "progressbar", "searchbox", "slider", "spinbutton"),
        "textbox",
    }
)
_CONTROL_ROLES: Final = _CHECK_ROLES | _FIELD_ROLES | {"button"}
_NAMED_BY_CONTENT_ROLES: Final = frozenset(
    {"cell", "columnheader", "gridcell", "heading", "link", "menuitem", "row", "rowheader", "tab"}
)
_HIDDEN_MARK: Final = "[hidden] "
_CLOSING_CHARACTERS: Final = ",.;:!?)]}"
_OPENING_CHARACTERS: Final = "([{"

_Line = Sequence[Node | str]


class _Word(NamedTuple):
    """A text on a line.

    Attributes:
        is_element: Whether it is the text of an element such as a link or a button.
    """

    text: str
    is_element: bool


def render_plain_text(nodes: Sequence[Node | str]) -> str:
    """Return the readable content of nodes as lines of text; "" for none."""
    lines: list[str] = []
    lead = ""  # the mark of a list item whose first line is not written yet
    pending: list[tuple[Node | _Line, str]] = [(part, "") for part in _divide(nodes)[::-1]]
    while pending:
        part, indent = pending.pop()
        mark = ""
        if isinstance(part, Node):
            mark = _mark_of(part)
            if not _is_line(part):
                lead = lead or (indent + mark if part.role in _ITEM_ROLES else "")
                inner = indent + (" " * len(mark) if part.role in _ITEM_ROLES else mark)
                parts = [*_title_of(part), *_divide(children_and_value_of(part))]
                pending += [(each, inner) for each in reversed(parts)]
                continue
            part = [part]
        words = [word for item in part for word in _iterate_words(item)]
        # Without empty lines before the first, which has the mark.
        first, *others = "\n".join(_join_words(words)).lstrip("\n").split("\n")
        if first:
            lines.append((lead or indent) + mark + first)
            lead = ""
        lines += [indent + " " * len(mark) + line for line in others]
    return "\n".join(lines)


def _mark_of(node: Node) -> str:
    return (_HIDDEN_MARK if _is_hidden(node) else "") + _mark_of_role(node)


def _mark_of_role(node: Node) -> str:
    if node.role == "heading":
        return "#" * min(int(node.properties.get("level", 2)), 6) + " "
    return "- " if node.role in _ITEM_ROLES else "> " if node.role == "blockquote" else ""


def _is_hidden(node: Node) -> bool:
    """Return whether no person sees an element. The elements in it do not repeat the mark."""
    return node.properties.get("hidden") is True


def _title_of(node: Node) -> list[_Line]:
    """Return the name of a group as a line, unless its content repeats it."""
    is_title = node.name and node.role in _TITLED_ROLES | _FIELD_ROLES
    return [[f"{node.name}:"]] if is_title and not is_contained_in_content(node.name, node) else []


def _is_line(node: Node) -> bool:
    """Return whether an element is one line, or a part of one."""
    if node.role == "row":
        return True
    return node.role in _INLINE_ROLES | _LINE_ROLES and not _has_blocks(node)


def _has_blocks(node: Node) -> bool:
    """Return whether an element has content that starts a line of its own."""
    if _is_leaf(node):
        return False
    pending = list(node.children)
    while pending:
        item = pending.pop()
        if isinstance(item, Node):
            if item.role not in _INLINE_ROLES or _is_hidden(item):
                return True
            pending += [] if _is_leaf(item) else item.children
    return False


def _is_leaf(node: Node) -> bool:
    """Return whether the content of a control is not read."""
    return node.role in _CHECK_ROLES or node.role == "button" or is_closed_list(node)


def _divide(content: Sequence[Node | str]) -> list[Node | _Line]:
    """Return the parts of a container: elements on lines of their own, and runs of others.

    Two texts that follow one another are on different lines of the page. A text after a control
    usually is, too.
    """
    parts: list[Node | _Line] = []
    run: list[Node | str] = []
    for item in content:
        is_block = isinstance(item, Node) and _is_block(item)
        if run and (is_block or (isinstance(item, str) and _ends_line(run[-1]))):
            parts.append(run)
            run = []
        if isinstance(item, Node) and is_block:
            parts.append(item)
        else:
            run.append(item)
    return [*parts, run] if run else parts


def _is_block(node: Node) -> bool:
    return node.role not in _INLINE_ROLES or _is_hidden(node) or _has_blocks(node)


def _ends_line(item: Node | str) -> bool:
    return isinstance(item, str) or item.role in _CONTROL_ROLES


def _iterate_words(item: Node | str) -> Iterator[_Word]:
    """Yield the texts of an item that is on one line."""
    pending: list[Node | str | _Word] = [item]
    while pending:
        item_or_word = pending.pop()
        if isinstance(item_or_word, _Word):
            yield item_or_word
        elif isinstance(item_or_word, str):
            yield _Word(_escape_mark(item_or_word), is_element=False)
        elif item_or_word.role == "row":
            cells = [_join_words(list(_iterate_cell(cell))) for cell in item_or_word.children]
            yield _Word(PART_SEPARATOR.join(" ".join(lines) for lines in cells), is_element=False)
        else:
            pending += _divide_element(item_or_word)[::-1]
            if _is_hidden(item_or_word) and item_or_word is not item:
                pending.append(_Word(_HIDDEN_MARK.strip(), is_element=False))


def _iterate_cell(cell: Node | str) -> Iterator[_Word]:
    if isinstance(cell, Node) and _is_hidden(cell):
        yield _Word(_HIDDEN_MARK.strip(), is_element=False)
    if isinstance(cell, Node) and cell.name and not cell.children:
        yield _Word(_escape_mark(cell.name), is_element=False)
    else:
        yield from _iterate_words(cell)


def _divide_element(node: Node) -> Sequence[Node | str | _Word]:
    """Return the text of a control, or the content of another element."""
    role, name, properties = node.role, _escape_mark(node.name), node.properties
    if role in _CHECK_ROLES:
        mark = _CHECK_MARKS.get(properties.get("checked", False), "[ ]")
        return [_Word(f"{mark} {name}".rstrip(), is_element=True)]
    if role == "button":
        return [_Word(f"[{name}]", is_element=True)] if name else node.children
    if role in _FIELD_ROLES:
        value = _escape_mark(str(properties.get("value", "")) or selected_options(node))
        label = f"{name.removesuffix(':')}:" if name else ""
        content = printed_content_of(node)
        if value or not content:
            return [_Word(f"{label} {value}".strip(), is_element=True)]
        return [_Word(label, is_element=True)] if is_closed_list(node) else [label, *content]
    if name and (not node.children or role in _NAMED_BY_CONTENT_ROLES):
        return [_Word(name, is_element=role != "img")]
    return children_and_value_of(node)


def _escape_mark(text: str) -> str:
    """Return a text of the page in which nothing looks like the mark of hidden elements."""
    mark = _HIDDEN_MARK.strip()
    return text.replace(mark, f"\\{mark}")


def _join_words(words: Sequence[_Word]) -> list[str]:
    """Return words as lines: one, or more if a word has preserved line breaks."""
    text = ""
    previous = _Word("", is_element=False)
    for word in words:
        if not word.text:
            continue
        separator = PART_SEPARATOR if previous.is_element and word.is_element else " "
        if not text or word.text[0] in _CLOSING_CHARACTERS or text[-1] in _OPENING_CHARACTERS:
            separator = ""
        elif "\n" in word.text or "\n" in previous.text:
            separator = "\n"
        text += separator + word.text
        previous = word
    return text.split("\n")
