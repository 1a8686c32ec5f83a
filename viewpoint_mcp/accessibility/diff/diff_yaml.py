"""Rendering of a diff as the YAML of a snapshot, reduced to the changed lines.

    - main:
      - list "Cart":
        - <changed> textbox "Amount" [ref=e4]: "3"  # was: "2"
        - <added> listitem:
          - link "Green tea" [ref=e12]
        - <removed> listitem  # link "Black tea" [ref=e7] and 2 more in it
        - <moved> button "Pay" [ref=e9]  # now after link "Green tea" [ref=e12]

A line without a mark only locates the lines below it. A marked line shows the present state of the
element. Below it are the changed parts of its content; of an added element, the whole content.
A mark has the place of a role, which pages cannot choose. Comments quote all text of the page, so
no page can imitate a mark or a comment.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from viewpoint_mcp.accessibility.diff.diff_labels import (
    copy_with_role_name_and_ref,
    data_without_content,
    describe_briefly,
    describe_lost_values,
    has_name_or_ref,
    has_only_text,
    quote_text,
    shorten_text,
)
from viewpoint_mcp.accessibility.diff.equality import Content, iterate_nodes_at_any_depth
from viewpoint_mcp.accessibility.diff.tree_comparison import (
    AddedItem,
    DiffItem,
    MatchedItem,
    RemovedItem,
    UnchangedItems,
)
from viewpoint_mcp.accessibility.printing.inline_content import is_closed_list
from viewpoint_mcp.accessibility.printing.long_names import cut_name
from viewpoint_mcp.accessibility.printing.snapshot_yaml import (
    render_content_on_line,
    render_label,
    render_tree,
)
from viewpoint_mcp.accessibility.tree import Node, children_and_value_of

_MAX_ANCESTORS: Final = 3  # maximum number of ancestors printed above a change, besides frames
_MAX_PRECEDING: Final = 5  # preceding siblings that can describe the place of a change
_MIN_CHANGED_PARTS: Final = 2  # changed parts of a row from which on the whole row is printed
_MIN_RUN_LENGTH: Final = 4  # minimum number of adjacent removed siblings that share one line
_LANDMARK_ROLES: Final = frozenset(
    {
        *("banner", "complementary", "contentinfo", "dialog", "alertdialog", "form", "main"),
        *("navigation", "region", "search"),
    }
)
_ITEM_ROLES: Final = frozenset({"article", "gridcell", "listitem", "option", "row", "treeitem"})


def render_changes(items: Sequence[DiffItem], new_tree: Sequence[Content]) -> str:
    """Return the changes of a tree as YAML, or "" if nothing changed.

    Args:
        items: The result of `compare_trees`.
        new_tree: The top of the new tree.
    """
    top = _DiffLine("")
    _add_lines(top, items, new_tree)
    lines = list(_iterate_descendants(top))
    _unmark_lines_that_only_lost_focus(lines)
    for line in lines:
        if line.mark:
            _show_ancestors(line)
    rendered: list[str] = []
    pending = [(line, 0) for line in reversed(top.children)]
    while pending:
        line, level = pending.pop()
        if line.mark or line.is_shown:
            rendered.extend("  " * level + text for text in _render_line_without_child_lines(line))
            level += 1
        pending.extend((each, level) for each in reversed(line.children))
    return "\n".join(rendered)


@dataclass(slots=True, eq=False)
class _DiffLine:
    """A line of the diff: an element or text of the new tree, or removed siblings of the old tree.

    Attributes:
        node: The element or text; of removed siblings the first one.
        parent: The line of the parent; None for the top.
        children: The lines of the content.
        mark: "added", "changed", "moved", "removed", or "" if only its content may be marked.
        is_shown: Whether to print the line even without a mark.
        is_whole: Whether to print the whole content.
        old: The old state; None for added and removed content.
        preceding: The nearest siblings before it, in order.
        removed: The removed siblings; empty for other lines.
    """

    node: Content
    parent: _DiffLine | None = None
    children: list[_DiffLine] = field(default_factory=list)
    mark: str = ""
    is_shown: bool = False
    is_whole: bool = False
    old: Content | None = None
    preceding: Sequence[Content] = ()
    removed: Sequence[RemovedItem] = ()


def _add_lines(top: _DiffLine, items: Sequence[DiffItem], new: Sequence[Content]) -> None:
    """Add a line to `top` for each item that is not `Same`, and for the items inside it."""
    pending = [(top, items, new)]
    while pending:
        parent, items, new = pending.pop()
        position = 0
        run: list[RemovedItem] = []
        for item in items:
            if isinstance(item, RemovedItem):
                run.append(item)
                continue
            _add_removed_lines(parent, run)
            run = []
            if isinstance(item, UnchangedItems):
                position += item.count
                continue
            line = _make_line(item, parent)
            line.preceding = new[max(position - _MAX_PRECEDING, 0) : position]
            parent.children.append(line)
            position += 1
            is_printed = line.is_whole or _is_one_line(line)
            if item.items and isinstance(item.new, Node) and not is_printed:
                pending.append((line, item.items, children_and_value_of(item.new)))
        _add_removed_lines(parent, run)


def _add_removed_lines(parent: _DiffLine, removed: list[RemovedItem]) -> None:
    runs = [removed] if len(removed) >= _MIN_RUN_LENGTH else [[each] for each in removed]
    parent.children.extend(
        _DiffLine(run[0].old, parent, mark="removed", removed=run) for run in runs
    )


def _make_line(item: MatchedItem | AddedItem, parent: _DiffLine) -> _DiffLine:
    line = _DiffLine(item.new, parent)
    if isinstance(item, AddedItem):
        # Content of an added element needs no mark.
        is_inside = parent.is_shown or parent.mark == "added"
        line.mark = "" if is_inside else "added"
        line.is_shown = True
        line.is_whole = item.items is None
        return line
    line.old = item.old
    if item.is_moved:
        line.mark = "moved"
    elif _is_line_with_several_changes(item):
        line.mark = "changed"
        line.is_whole = True
    elif _has_changed_itself(item.old, item.new) or (item.items and _is_one_line(line)):
        line.mark = "changed"
    return line


def _is_line_with_several_changes(item: MatchedItem) -> bool:
    """Return whether a row or list item has changed in several parts, and prints as one line."""
    if isinstance(item.old, str) or isinstance(item.new, str) or item.new.role not in _ITEM_ROLES:
        return False
    if (
        sum(not isinstance(inner, UnchangedItems) for inner in item.items or ())
        < _MIN_CHANGED_PARTS
    ):
        return False
    return all(render_content_on_line(node) is not None for node in (item.old, item.new))


def _has_changed_itself(old: Content, new: Content) -> bool:
    """Return whether the lines of two elements or texts differ, apart from their content."""
    return (
        isinstance(old, str)
        or isinstance(new, str)
        or data_without_content(old) != data_without_content(new)
    )


def _is_one_line(line: _DiffLine) -> bool:
    """Return whether the element prints as one line, before and now, with its text on it."""
    if not isinstance(line.node, Node) or not isinstance(line.old, Node):
        return False
    if is_closed_list(line.node) and is_closed_list(line.old):
        return True
    return has_only_text(line.node) and has_only_text(line.old)


def _iterate_descendants(top: _DiffLine) -> Iterator[_DiffLine]:
    pending = list(top.children)
    while pending:
        line = pending.pop()
        yield line
        pending.extend(line.children)


def _unmark_lines_that_only_lost_focus(lines: list[_DiffLine]) -> None:
    """Unmark elements that only lost the focus, if another marked element received it."""
    if not any(_has_focus(line) and not _had_focus(line) for line in lines if line.mark):
        return
    for line in lines:
        if line.mark != "changed" or not _had_focus(line) or _has_focus(line):
            continue
        old, new = line.old, line.node
        assert isinstance(old, Node)
        assert isinstance(new, Node)
        properties = {name: value for name, value in old.properties.items() if name != "active"}
        before = Node(old.role, old.name, properties, None, old.ref)
        is_text_kept = not _is_one_line(line) or children_and_value_of(
            old
        ) == children_and_value_of(new)
        if data_without_content(before) == data_without_content(new) and is_text_kept:
            line.mark = ""


def _has_focus(line: _DiffLine) -> bool:
    if isinstance(line.node, str) or line.mark == "removed":
        return False
    nodes = iterate_nodes_at_any_depth((line.node,)) if line.is_whole else (line.node,)
    return any("active" in node.properties for node in nodes)


def _had_focus(line: _DiffLine) -> bool:
    return isinstance(line.old, Node) and "active" in line.old.properties


def _show_ancestors(line: _DiffLine) -> None:
    """Show the nearest descriptive ancestors of a marked line, and all frames around it."""
    remaining = _MAX_ANCESTORS
    ancestor = line.parent
    while ancestor is not None and isinstance(ancestor.node, Node):
        node = ancestor.node
        if node.role == "iframe":
            ancestor.is_shown = True
        elif remaining and (
            has_name_or_ref(node) or node.role in _LANDMARK_ROLES or node.role in _ITEM_ROLES
        ):
            ancestor.is_shown = True
            remaining -= 1
        ancestor = ancestor.parent


def _render_line_without_child_lines(line: _DiffLine) -> list[str]:
    lines = render_tree([_make_printed_node(line)]).split("\n")
    if line.children and len(lines) == 1:
        lines[0] += ":"
    if comment := _make_comment(line):
        lines[0] += f"  # {comment}"
    return lines


def _make_printed_node(line: _DiffLine) -> Content:
    """Return the node or text from which `render_tree` prints the line and its content."""
    node, mark = line.node, f"<{line.mark}> " if line.mark else ""
    if isinstance(node, str):
        return Node(f"{mark}text", children=[shorten_text(node) if line.removed else node])
    if len(line.removed) > 1:
        roles = {each.old.role if isinstance(each.old, Node) else "text" for each in line.removed}
        role = roles.pop() if len(roles) == 1 else "element"
        return Node(f"{mark}{len(line.removed)} × {role}")
    if line.is_whole:
        return Node(mark + node.role, node.name, node.properties, node.children, node.ref)
    if line.removed:
        stripped = copy_with_role_name_and_ref(node)
        stripped.role = mark + node.role
        stripped.children = (
            [shorten_text(str(text)) for text in children_and_value_of(node)]
            if has_only_text(node)
            else []
        )
        return stripped
    if not line.mark and line.old is not None:
        return copy_with_role_name_and_ref(node)
    if _is_one_line(line) and is_closed_list(node):
        return Node(mark + node.role, node.name, node.properties, node.children, node.ref)
    return _make_marked_node_without_content(
        node, mark, with_text=has_only_text(node) and not line.children
    )


def _make_marked_node_without_content(node: Node, diff_mark: str, *, with_text: bool) -> Node:
    role, _, _, properties = data_without_content(node)
    text = [str(each) for each in children_and_value_of(node)] if with_text else None
    name = node.name if with_text else cut_name(node.name)
    return Node(f"{diff_mark}{role}", name, properties, [*text] if text else None, node.ref)


def _make_comment(line: _DiffLine) -> str:
    """Return the comment after a line; "" for none."""
    if line.removed:
        return _describe_removed(line.removed)
    if line.is_whole and isinstance(line.old, Node):
        return f"was: {quote_text(render_content_on_line(line.old) or '')}"
    parts = []
    if isinstance(line.node, Node) and line.old is not None and line.node.role in _ITEM_ROLES:
        is_identified = has_name_or_ref(line.node) or has_only_text(line.node)
        parts.append("" if is_identified else describe_briefly(line.node))
    if line.mark and line.old is not None:
        parts.append(describe_lost_values(line.old, line.node))
    if line.mark == "moved" and not line.preceding:
        parts.append("now first")
    elif (
        line.mark == "added"
        or line.mark == "moved"
        or (line.mark and not has_name_or_ref(line.node))
    ):
        parts.append(_describe_preceding_sibling(line))
    return ", ".join(filter(None, parts))


def _describe_preceding_sibling(line: _DiffLine) -> str:
    nearest = line.preceding[-1] if line.preceding else ""
    if (
        line.mark == "added"
        and isinstance(nearest, Node)
        and isinstance(line.node, Node)
        and nearest.role == line.node.role
    ):
        return ""
    for each in reversed(line.preceding):
        if isinstance(each, Node) and has_name_or_ref(each):
            now = "now " if line.mark == "moved" else ""
            return f"{now}after {render_label(copy_with_role_name_and_ref(each))}"
    return ""


def _describe_removed(removed: Sequence[RemovedItem]) -> str:
    inside = sum(each.inner_count for each in removed)
    if len(removed) > 1:
        ends = [describe_briefly(each.old) for each in (removed[0], removed[-1])]
        both_ends = " to ".join(ends) if all(ends) else ""
        return ", ".join(filter(None, [both_ends, f"{inside} more in them" if inside else ""]))
    old = removed[0].old
    if isinstance(old, str) or has_only_text(old) or not inside:
        return ""
    if has_name_or_ref(old):
        return f"with {inside} in it"
    more = f" and {inside - 1} more" if inside > 1 else ""
    return f"{describe_briefly(old)}{more} in it"
