"""Short descriptions of elements and of their old state, for the comments of a diff."""

from __future__ import annotations

import json
import re
from collections import Counter
from difflib import SequenceMatcher
from itertools import starmap, takewhile
from typing import Final

from viewpoint_mcp.accessibility.diff.equality import Content
from viewpoint_mcp.accessibility.printing.inline_content import is_closed_list, selected_options
from viewpoint_mcp.accessibility.printing.printed_snapshot_lines import PART_SEPARATOR
from viewpoint_mcp.accessibility.printing.snapshot_yaml import render_content_on_line, render_label
from viewpoint_mcp.accessibility.tree import Node, Properties, children_and_value_of

MAX_QUOTE_LENGTH: Final = 40
"""Maximum number of characters of page text that a comment or an unmarked line quotes."""

_MAX_WHOLE_LENGTH: Final = 20  # characters of an old text that is quoted whole
_MIN_ELIDED: Final = 8  # characters that are left out of a quote as "…"
_MAX_PARTS: Final = 4  # changed parts of a line whose old texts are quoted
_CONTROL_ROLES: Final = frozenset({"button", "checkbox", "img", "radio", "switch"})
_END_OF_WORD: Final = re.compile(r"\S*")
_BEGINNING_OF_WORD: Final = re.compile(r"\S*\Z")

_quote = json.JSONEncoder(ensure_ascii=False).encode


def shorten_text(text: str) -> str:
    """Return a text cut to `MAX_QUOTE_LENGTH` characters, with "…" at the end if it is cut."""
    return text if len(text) <= MAX_QUOTE_LENGTH else f"{text[: MAX_QUOTE_LENGTH - 1].rstrip()}…"


def quote_text(text: str) -> str:
    """Return a text of the page for a comment: cut, quoted, and on one line."""
    return _quote(shorten_text(text))


def quote_difference(old: str, new: str) -> str:
    """Return the part of an old text that differs from the new one, for a comment.

    The common beginning and end are replaced by "…" if they are long. Words are never cut.
    """
    if len(old) <= _MAX_WHOLE_LENGTH:
        return _quote(old)
    start = _count_equal(old, new)
    end = len(old) - _count_equal(old[start:][::-1], new[start:][::-1])
    if start >= end:  # Only new words were inserted.
        if len(old) <= MAX_QUOTE_LENGTH:
            return _quote(old)
        start = end = max(end - 1, 0)
    start -= len(_BEGINNING_OF_WORD.search(old[:start]).group())  # type: ignore[union-attr]
    end += len(_END_OF_WORD.match(old[end:]).group())  # type: ignore[union-attr]
    start = start if start >= _MIN_ELIDED else 0
    end = end if len(old) - end >= _MIN_ELIDED else len(old)
    text = shorten_text(old[start:end].strip())
    beginning = "…" if start else ""
    return _quote(f"{beginning}{text}{'…' if end < len(old) and not text.endswith('…') else ''}")


def _count_equal(old: str, new: str) -> int:
    """Return the length of the common beginning of two texts."""
    pairs = zip(old, new, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def has_name_or_ref(item: Content) -> bool:
    """Return whether the line of an element identifies it: it has a name or a ref."""
    return isinstance(item, Node) and bool(item.name or item.ref)


def has_only_text(node: Node) -> bool:
    """Return whether an element is empty or contains only a text, and so prints as one line."""
    content = children_and_value_of(node)
    return not content or (len(content) == 1 and isinstance(content[0], str))


def copy_with_role_name_and_ref(node: Node) -> Node:
    """Return a copy of an element with only its role, its cut name and its ref."""
    properties = {"ref": node.properties["ref"]} if "ref" in node.properties else {}
    return Node(node.role, shorten_text(node.name), properties, None, node.ref)


def describe_briefly(item: Content) -> str:
    """Return a description that identifies an element or text.

    The description is the first text, or the first element with a name or a ref, at or inside the
    item; "" if it contains neither.
    """
    pending = [item]
    while pending:
        item = pending.pop()
        if isinstance(item, str):
            return quote_text(item)
        if has_name_or_ref(item):
            return render_label(copy_with_role_name_and_ref(item))
        pending.extend(reversed(children_and_value_of(item)))
    return ""


def describe_item(item: Content) -> str:
    """Return a description that identifies a row, list item or other sibling.

    The description is the name, or the first text or name in it that is not the one of a button or
    checkbox, because these are often equal in all rows. An element without any text is described
    by its role and ref.
    """
    if isinstance(item, str):
        return quote_text(item)
    if item.name:
        return render_label(copy_with_role_name_and_ref(item))
    pending: list[Content] = [*reversed(children_and_value_of(item))]
    while pending:
        inner = pending.pop()
        if isinstance(inner, str):
            return quote_text(inner)
        if inner.name and inner.role not in _CONTROL_ROLES:
            return quote_text(inner.name)
        pending.extend(reversed(children_and_value_of(inner)))
    return describe_briefly(item)


def describe_changed_parts(old: Node, new: Node) -> str:
    """Return a comment with what an element and its content on one line no longer have.

    If only the order differs, the comment says so.
    """
    if not (children_and_value_of(old) or old.name != new.name):
        return "was: empty"
    own, new_own = (
        Node(role, name, properties, None, ref)
        for role, name, ref, properties in map(data_without_content, (old, new))
    )
    lost = [text for text in [describe_lost_values(own, new_own).removeprefix("was: ")] if text]
    parts, new_parts = _split_line(old), _split_line(new)
    changes = [
        (parts[start:end], new_parts[new_start:new_end])
        for kind, start, end, new_start, new_end in SequenceMatcher(
            None, parts, new_parts, autojunk=False
        ).get_opcodes()
        if kind != "equal"
    ]
    moved = Counter(part for _, gained in changes for part in gained)
    moved &= Counter(part for gone, _ in changes for part in gone)
    if moved and not lost and sorted(parts) == sorted(new_parts):
        return "reordered"
    for gone, gained in changes:
        if len(gone) == len(gained):
            lost += starmap(quote_difference, zip(gone, gained, strict=True))
            continue
        for part in gone:
            if moved[part] > 0:
                moved[part] -= 1
            else:
                lost.append(quote_text(part))
    if len(lost) > _MAX_PARTS:
        lost[_MAX_PARTS:] = ["…"]
    return f"was: {', '.join(lost)}" if lost else ""


def _split_line(node: Node) -> list[str]:
    return (render_content_on_line(node) or "").split(PART_SEPARATOR)


def describe_lost_values(old: Content, new: Content) -> str:
    """Return a comment with the old values that the line of an element or text no longer has.

    Return "" if the line lost nothing.
    """
    if isinstance(old, str) or isinstance(new, str):
        return f"was: {quote_difference(old, str(new))}" if isinstance(old, str) else ""
    parts = [old.role] if old.role != new.role else []
    if old.name != new.name:
        parts.append(quote_difference(old.name, new.name) if old.name else "without a name")
    lost = {
        name: value
        for name, value in old.properties.items()
        if name not in {"ref", "value", "box", "aria-hidden", "flow"}
        and new.properties.get(name) != value
    }
    if url := lost.pop("url", ""):
        parts.append(f"-> {quote_text(url)}")
    if lost or (old.ref and old.ref != new.ref):
        parts.append(_render_attributes(lost, old.ref if old.ref != new.ref else ""))
    if (
        has_only_text(old)
        and has_only_text(new)
        and children_and_value_of(old) != children_and_value_of(new)
    ):
        parts.append(
            quote_difference(
                *("".join(map(str, children_and_value_of(node))) for node in (old, new))
            )
            if children_and_value_of(old)
            else "empty"
        )
    if is_closed_list(old) and is_closed_list(new):
        was_selected = selected_options(old)
        if was_selected != selected_options(new):
            parts.append(quote_text(was_selected) if was_selected else "nothing selected")
    return f"was: {' '.join(parts)}" if parts else ""


def data_without_content(node: Node) -> tuple[str, str, str, Properties]:
    """Return the printed data of an element without its content: role, name, ref, properties."""
    properties = node.properties
    if "value" in properties:
        properties = {name: value for name, value in properties.items() if name != "value"}
    return node.role, node.name, node.ref, properties


def _render_attributes(properties: Properties, ref: str) -> str:
    return render_label(Node("", "", properties or {"ref": 0}, None, ref)).strip()
