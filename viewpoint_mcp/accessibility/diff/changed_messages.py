"""Changed messages and dialogs at the top of a diff, where an agent sees them."""

from __future__ import annotations

from typing import Final

from viewpoint_mcp.accessibility.diff.diff_lines import DiffLine, iterate_descendants
from viewpoint_mcp.accessibility.printing.messages_first import MESSAGE_ROLES
from viewpoint_mcp.accessibility.tree import Node

_ROLES: Final = MESSAGE_ROLES | {"log"}


def move_messages_to_top(top: DiffLine) -> None:
    """Move the outermost messages and dialogs that changed to the top, in their order.

    Those of a frame stay in it.
    """
    lines = list(iterate_descendants(top))
    messages = {line for line in lines if _is_changed_message(line)}
    for line in lines:  # from the last one to the first one
        ancestor = line.parent
        while ancestor is not None and ancestor not in messages and not _is_frame(ancestor):
            ancestor = ancestor.parent
        if line not in messages or ancestor is not None or line.parent is None:
            continue
        line.parent.children.remove(line)
        _hide_empty_ancestors(line.parent)
        line.parent, line.preceding, line.above = top, (), None
        line.is_shown = True
        if line.old is None:
            line.mark = "added"
        top.children.insert(0, line)


def _is_changed_message(line: DiffLine) -> bool:
    is_message = isinstance(line.node, Node) and line.node.role in _ROLES
    if not is_message or line.removed:
        return False
    return line.is_visible or any(each.mark for each in iterate_descendants(line))


def _is_frame(line: DiffLine) -> bool:
    return isinstance(line.node, Node) and line.node.role == "iframe"


def _hide_empty_ancestors(line: DiffLine | None) -> None:
    """Hide the lines that only showed the place of a line that was moved."""
    while line is not None and not line.mark and line.old is not None:
        if any(each.is_visible and not each.is_repeated for each in iterate_descendants(line)):
            return
        line.is_shown = False
        line = line.parent
