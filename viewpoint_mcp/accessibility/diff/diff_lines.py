"""The lines of a diff: which parts of a page it prints, and with which marks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import Final

from viewpoint_mcp.accessibility.diff.diff_labels import (
    data_without_content,
    has_name_or_ref,
    has_only_text,
)
from viewpoint_mcp.accessibility.diff.equality import (
    Content,
    EqualityChecker,
    are_equal_except_refs,
    find_first_refs,
    iterate_nodes_at_any_depth,
    without_aria_hidden,
)
from viewpoint_mcp.accessibility.diff.tree_comparison import (
    AddedItem,
    DiffItem,
    MatchedItem,
    RemovedItem,
    UnchangedItems,
)
from viewpoint_mcp.accessibility.printing.inline_content import is_closed_list
from viewpoint_mcp.accessibility.recycled_list_rows import may_name_same_element
from viewpoint_mcp.accessibility.tree import Node, Properties, children_and_value_of

ITEM_ROLES: Final = frozenset(
    {
        *("article", "cell", "columnheader", "gridcell", "listitem", "option", "row", "rowheader"),
        "treeitem",
    }
)
_LANDMARK_ROLES: Final = frozenset(
    {
        *("banner", "complementary", "contentinfo", "dialog", "alertdialog", "form", "main"),
        *("navigation", "region", "search"),
    }
)
_MAX_ANCESTORS: Final = 2  # maximum number of ancestors printed above a change, besides frames
_MAX_PRECEDING: Final = 5  # preceding siblings that can describe the place of a change
_MIN_MOVED: Final = 2  # moved siblings from which on the new order of all is printed
_MIN_MOVED_SHARE: Final = 0.1  # the same, as a part of all siblings of the role


@dataclass(slots=True, eq=False)
class DiffLine:
    """A line of the diff: an element or text of the new tree, or removed siblings of the old tree.

    Attributes:
        node: The element or text; of removed or sorted siblings the first one.
        parent: The line of the parent; None for the top.
        children: The lines of the content.
        mark: "added", "changed", "moved", "removed", "replaced", or "" if only its content may be
            marked.
        is_shown: Whether to print the line even without a mark.
        is_whole: Whether to print the whole content.
        old: The old state; None for added and removed content.
        preceding: The nearest siblings before it, in order.
        above: The line before it in the same parent; None for the first.
        removed: The removed siblings; empty for other lines.
        replaced: The content that was at the place of added content; None for none.
        order: The siblings in their new order; empty for other lines.
        is_from_same_parent: Whether the element was in the same parent.
        position: The position among its siblings.
        is_repeated: Whether the text has changed in the last replies as well.
        is_rendered_again: Whether the content is equal, apart from its refs.
    """

    node: Content
    parent: DiffLine | None = None
    children: list[DiffLine] = field(default_factory=list)
    mark: str = ""
    is_shown: bool = False
    is_whole: bool = False
    old: Content | None = None
    preceding: Sequence[Content] = ()
    above: DiffLine | None = None
    removed: Sequence[Content] = ()
    replaced: Content | None = None
    order: Sequence[Content] = ()
    is_from_same_parent: bool = False
    position: int = 0
    is_repeated: bool = False
    is_rendered_again: bool = False

    @property
    def is_visible(self) -> bool:
        """Whether the line is printed."""
        return bool(self.mark) or self.is_shown


def make_diff_lines(items: Sequence[DiffItem], new_tree: Sequence[Content]) -> DiffLine:
    """Return the lines of a diff, below a line that is not printed.

    Args:
        items: The result of `compare_trees`.
        new_tree: The top of the new tree.
    """
    top = DiffLine("")
    pending: list[tuple[DiffLine, Sequence[DiffItem], Sequence[Content]]] = [(top, items, new_tree)]
    while pending:
        parent, items, new = pending.pop()
        for line, item in _make_lines_of_siblings(parent, items, new):
            is_printed = line.is_whole or line.is_rendered_again or is_one_line(line)
            if item.items and isinstance(item.new, Node) and not is_printed:
                pending.append((line, item.items, children_and_value_of(item.new)))
        _fold_removed_lines(parent)
        _fold_moved_lines(parent, new)
    _unmark_lines_that_only_lost_focus(list(iterate_descendants(top)))
    return top


def _make_lines_of_siblings(
    parent: DiffLine, items: Sequence[DiffItem], new: Sequence[Content]
) -> Iterator[tuple[DiffLine, MatchedItem | AddedItem]]:
    """Add the lines of siblings to their parent; yield each with the item that has its content."""
    position = 0
    removed: list[Content] = []
    for item, next_item in zip_longest(items, items[1:]):
        if isinstance(item, RemovedItem):
            removed.append(item.old)
            continue
        if isinstance(item, UnchangedItems):
            position += item.count
        else:
            line = _make_line(item, parent)
            line.position = position
            line.preceding = new[max(position - _MAX_PRECEDING, 0) : position]
            position += 1
            is_only_added = isinstance(item, AddedItem) and not isinstance(next_item, AddedItem)
            if is_only_added and len(removed) == 1 and _may_take_the_place(line, removed[0]):
                line.replaced = removed.pop()
        _add_removed_lines(parent, removed)
        removed.clear()
        if not isinstance(item, UnchangedItems):
            line.above = parent.children[-1] if parent.children else None
            parent.children.append(line)
            yield line, item
    _add_removed_lines(parent, removed)


def _may_take_the_place(line: DiffLine, removed: Content) -> bool:
    """Return whether an added element and a removed one at its place are of the same kind."""
    if not line.mark or isinstance(line.node, str) or isinstance(removed, str):
        return False
    return line.node.role == removed.role != "generic"


def _add_removed_lines(parent: DiffLine, removed: Sequence[Content]) -> None:
    parent.children.extend(
        DiffLine(each, parent, mark="removed", removed=[each]) for each in removed
    )


def _make_line(item: MatchedItem | AddedItem, parent: DiffLine) -> DiffLine:
    line = DiffLine(item.new, parent)
    if isinstance(item, AddedItem):
        # Content of an added element needs no mark.
        is_inside = parent.is_shown or parent.mark == "added"
        line.mark = "" if is_inside else "added"
        line.is_shown = True
        line.is_whole = item.items is None
        return line
    line.old = item.old
    line.is_from_same_parent = item.old_index is not None
    if _is_used_for_something_else(item.old, item.new):
        line.mark, line.is_shown, line.is_whole = "added", True, True
        line.old, line.replaced = None, item.old
    elif item.is_moved:
        line.mark = "moved"
    elif item.items and _is_rendered_again(item.old, item.new):
        line.mark, line.is_rendered_again = "changed", True
    elif _is_changed_running_text(item):
        line.mark, line.is_whole = "changed", True
    elif _has_changed_itself(item.old, item.new) or (item.items and is_one_line(line)):
        line.mark = "changed"
    return line


def _is_used_for_something_else(old: Content, new: Content) -> bool:
    """Return whether the page uses an element again, as an element of another kind."""
    if isinstance(old, str) or isinstance(new, str) or old.role == new.role:
        return False
    return bool(old.name and new.name) and not may_name_same_element(old.name, new.name)


def _is_changed_running_text(item: MatchedItem) -> bool:
    """Return whether a line of an editor has changed, which has elements in its text."""
    if isinstance(item.old, str) or isinstance(item.new, str) or not item.items:
        return False
    return "flow" in item.old.properties or "flow" in item.new.properties


def _is_rendered_again(old: Content, new: Content) -> bool:
    """Return whether two elements differ only in their refs, which are several and all new."""
    if isinstance(old, str) or isinstance(new, str):
        return False
    first = find_first_refs(old, 2)
    if not first[1:] or not set(first).isdisjoint(find_first_refs(new, 2)):
        return False
    nodes = list(iterate_nodes_at_any_depth((new,)))
    refs = {node.ref for node in iterate_nodes_at_any_depth((old,)) if node.ref}
    if not refs.isdisjoint(node.ref for node in nodes):
        return False
    # The refs of a frame are not in one range with the others.
    has_frame = any(node.role == "iframe" for node in nodes)
    return not has_frame and are_equal_except_refs(old, new)


def _has_changed_itself(old: Content, new: Content) -> bool:
    """Return whether the lines of two elements or texts differ, apart from their content."""
    if isinstance(old, str) or isinstance(new, str):
        return True
    return _data_to_compare(old) != _data_to_compare(new)


def _data_to_compare(node: Node) -> tuple[str, str, str, Properties]:
    role, name, ref, properties = data_without_content(node)
    return role, name, ref, without_aria_hidden(properties)


def is_one_line(line: DiffLine) -> bool:
    """Return whether the element prints as one line, before and now, with its text on it."""
    if not isinstance(line.node, Node) or not isinstance(line.old, Node):
        return False
    if is_closed_list(line.node) and is_closed_list(line.old):
        return True
    return has_only_text(line.node) and has_only_text(line.old)


def _fold_removed_lines(parent: DiffLine) -> None:
    """Put all removed siblings on one line, at the place of the first one."""
    lines = [line for line in parent.children if line.removed]
    if len(lines) > 1:
        lines[0].removed = [each for line in lines for each in line.removed]
        parent.children = [line for line in parent.children if not line.removed or line is lines[0]]


def _fold_moved_lines(parent: DiffLine, new: Sequence[Content]) -> None:
    """Replace the lines of siblings that changed their order by one line with the new order."""
    moved: dict[str, list[DiffLine]] = {}
    for line in parent.children:
        if line.mark == "moved" and line.is_from_same_parent and isinstance(line.node, Node):
            moved.setdefault(line.node.role, []).append(line)
    for role, lines in moved.items():
        # What precedes the first one, such as the header of a table, has kept its place.
        first = min(line.position for line in lines)
        order = [each for each in new[first:] if isinstance(each, Node) and each.role == role]
        if len(lines) < max(_MIN_MOVED, len(order) * _MIN_MOVED_SHARE):
            continue
        position = parent.children.index(lines[0])
        parent.children.insert(position, DiffLine(order[0], parent, mark="moved", order=order))
        for line in lines:
            assert line.old is not None
            is_changed = _has_changed_itself(line.old, line.node) or _has_changed_text(line)
            line.mark = "changed" if is_changed else ""


def _has_changed_text(line: DiffLine) -> bool:
    """Return whether an element on one line has another text or other options than before."""
    if not is_one_line(line) or isinstance(line.old, str | None) or isinstance(line.node, str):
        return False
    before, after = children_and_value_of(line.old), children_and_value_of(line.node)
    return EqualityChecker().count_equal_beginning(before, after) < max(len(before), len(after))


def is_landmark(item: Content) -> bool:
    """Return whether an element is a part of the page that its role identifies."""
    return isinstance(item, Node) and item.role in _LANDMARK_ROLES


def iterate_descendants(top: DiffLine) -> Iterator[DiffLine]:
    """Yield all lines below a line, at any depth."""
    pending = list(top.children)
    while pending:
        line = pending.pop()
        yield line
        pending.extend(line.children)


def _unmark_lines_that_only_lost_focus(lines: list[DiffLine]) -> None:
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
        if data_without_content(before) == data_without_content(new) and not _has_changed_text(
            line
        ):
            line.mark = ""


def _has_focus(line: DiffLine) -> bool:
    if isinstance(line.node, str) or line.mark == "removed":
        return False
    nodes = iterate_nodes_at_any_depth((line.node,)) if line.is_whole else (line.node,)
    return any("active" in node.properties for node in nodes)


def _had_focus(line: DiffLine) -> bool:
    return isinstance(line.old, Node) and "active" in line.old.properties


def show_ancestors_of_marked_lines(top: DiffLine) -> None:
    """Show the nearest descriptive ancestors of each marked line, and all frames around it.

    The agent knows the place of an element with a ref that it has seen. One ancestor suffices for
    it.
    """
    for line in iterate_descendants(top):
        if not line.mark or line.is_repeated:
            continue
        is_known = isinstance(line.node, Node) and line.node.ref and line.mark != "added"
        remaining = 1 if is_known else _MAX_ANCESTORS
        ancestor = line.parent
        while ancestor is not None and isinstance(ancestor.node, Node):
            node = ancestor.node
            if node.role == "iframe":
                ancestor.is_shown = True
            elif remaining and (
                has_name_or_ref(node) or is_landmark(node) or node.role in ITEM_ROLES
            ):
                ancestor.is_shown = True
                remaining -= 1
            ancestor = ancestor.parent
