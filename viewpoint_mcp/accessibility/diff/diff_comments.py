"""The comments of a diff: the old state of an element, its place, and what was removed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from viewpoint_mcp.accessibility.diff.diff_labels import (
    copy_with_role_name_and_ref,
    describe_changed_parts,
    describe_item,
    describe_lost_values,
    has_name_or_ref,
    has_only_text,
)
from viewpoint_mcp.accessibility.diff.diff_lines import ITEM_ROLES, DiffLine, is_landmark
from viewpoint_mcp.accessibility.diff.equality import Content, iterate_nodes_at_any_depth
from viewpoint_mcp.accessibility.known.folding import render_ref_ranges
from viewpoint_mcp.accessibility.printing.snapshot_yaml import render_label
from viewpoint_mcp.accessibility.tree import Node

_MAX_REMOVED: Final = 5  # removed siblings that a comment names
_MAX_ORDER: Final = 20  # siblings that a comment about their order names
_MAX_SIBLINGS: Final = 10  # siblings among which a reader finds a line by its old words
_WORD: Final = re.compile(r"[^\W\d_]{3}")


def make_comment(line: DiffLine) -> str:
    """Return the comment after a line; "" for none."""
    if line.is_repeated:
        return ", ".join(filter(None, ["changed again", _describe_preceding_sibling(line)]))
    if line.is_rendered_again and isinstance(line.node, Node):
        refs = render_ref_ranges(iterate_nodes_at_any_depth([line.node]))
        return f"same as before, refs are now {refs}"
    if line.removed:
        return _describe_removed(line.removed)
    if line.order:
        return f"now in the order {_list_items(line.order, _MAX_ORDER)}"
    if line.mark == "added" and line.replaced is not None:
        return f"instead of {_describe_replaced(line.replaced, line.node)}"
    if line.is_whole and line.mark == "changed" and isinstance(line.old, Node):
        assert isinstance(line.node, Node)
        return describe_changed_parts(line.old, line.node)
    parts = []
    if isinstance(line.node, Node) and line.old is not None and line.node.role in ITEM_ROLES:
        is_known = isinstance(line.old, Node) and line.old.ref == line.node.ref != ""
        is_identified = is_known or line.node.name or has_only_text(line.node) or line.is_whole
        parts.append("" if is_identified else describe_item(line.node))
    was = ""
    if line.mark and line.old is not None:
        was = describe_lost_values(line.old, line.node)
        parts.append(was)
    if line.mark == "moved" and not line.preceding:
        parts.append("now first")
    elif line.mark in ("added", "moved") or (
        line.mark == "changed" and not is_landmark(line.node) and not _is_place_clear(line, was)
    ):
        parts.append(_describe_preceding_sibling(line))
    return ", ".join(filter(None, parts))


def _is_place_clear(line: DiffLine, was: str) -> bool:
    """Return whether a line names its element, or its old words are found among few siblings."""
    parent = line.parent.node if line.parent else ""
    if has_name_or_ref(line.node):
        return True
    has_few_siblings = isinstance(parent, Node) and len(parent.children) <= _MAX_SIBLINGS
    return has_few_siblings and _WORD.search(was.removeprefix("was:")) is not None


def _describe_preceding_sibling(line: DiffLine) -> str:
    """Return the place of a line after the nearest sibling that a reader recognises."""
    if not line.preceding or (line.mark != "moved" and _is_printed_above(line)):
        return ""
    nearest = line.preceding[-1]
    if (
        line.mark == "added"
        and isinstance(nearest, Node)
        and isinstance(line.node, Node)
        and nearest.role == line.node.role
    ):
        return ""
    now = "now " if line.mark == "moved" else ""
    for each in reversed(line.preceding):
        if _is_recognisable(each) and (description := describe_item(each)):
            return f"{now}after {description}"
    return ""


def _is_recognisable(item: Content) -> bool:
    """Return whether a sibling prints as few words, unlike a container."""
    if isinstance(item, str) or has_name_or_ref(item) or has_only_text(item):
        return True
    return item.role in ITEM_ROLES


def _is_printed_above(line: DiffLine) -> bool:
    """Return whether the nearest preceding sibling is on the line above, with a mark."""
    above = line.above
    return above is not None and bool(above.mark) and above.node is line.preceding[-1]


def _describe_removed(removed: Sequence[Content]) -> str:
    if len(removed) > 1:
        return _list_items(removed, _MAX_REMOVED)
    old = removed[0]
    if has_name_or_ref(old) or isinstance(old, str) or has_only_text(old):
        return ""
    return describe_item(old)


def _describe_replaced(old: Content, new: Content) -> str:
    if isinstance(old, Node) and isinstance(new, Node) and has_name_or_ref(old):
        label = copy_with_role_name_and_ref(old)
        return render_label(label if old.ref != new.ref else Node(old.role, label.name))
    return describe_item(old) or (old.role if isinstance(old, Node) else "")


def _list_items(items: Sequence[Content], limit: int) -> str:
    """Return short descriptions of siblings, separated by commas, and the number of the others."""
    described = [text for each in items[:limit] if (text := describe_item(each))]
    role = items[0].role if isinstance(items[0], Node) else ""
    if role and all(isinstance(each, Node) and each.role == role for each in items):
        described = [text.removeprefix(f"{role} ") for text in described]
    more = len(items) - len(described)
    return ", ".join([*described, *([f"{more} more"] if more and described else [])])
