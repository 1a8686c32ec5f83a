"""Rendering of a diff as the YAML of a snapshot, reduced to the changed lines.

    - main:
      - list "Cart":
        - <changed> textbox "Amount" [ref=e4]: "3"  # was: "2"
        - <added> listitem: link "Green tea" [ref=e12] | 3 pieces
        - <removed> listitem  # link "Black tea" [ref=e7]
      - <moved> button "Pay" [ref=e9]  # now after link "Green tea" [ref=e12]
      - <replaced> tabpanel "Delivery": textbox "Street" [ref=e14] | textbox "Town" [ref=e15]

A line without a mark only locates the lines below it. A marked line shows the present state of the
element. Below it are the changed parts of its content; of an added or replaced element, and of one
whose content is on its line, the whole content. A mark has the place of a role, which pages cannot
choose. Comments quote all text of the page, so no page can imitate a mark or a comment.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from viewpoint_mcp.accessibility.diff.changed_messages import move_messages_to_top
from viewpoint_mcp.accessibility.diff.diff_comments import make_comment
from viewpoint_mcp.accessibility.diff.diff_labels import (
    copy_with_role_name_and_ref,
    data_without_content,
    has_only_text,
    shorten_text,
)
from viewpoint_mcp.accessibility.diff.diff_lines import (
    DiffLine,
    is_one_line,
    make_diff_lines,
    show_ancestors_of_marked_lines,
)
from viewpoint_mcp.accessibility.diff.equality import Content, iterate_nodes_at_any_depth
from viewpoint_mcp.accessibility.diff.repeated_texts import RepeatedTexts
from viewpoint_mcp.accessibility.diff.tree_comparison import DiffItem
from viewpoint_mcp.accessibility.printing.inline_content import is_closed_list
from viewpoint_mcp.accessibility.printing.long_names import cut_name
from viewpoint_mcp.accessibility.printing.snapshot_yaml import render_content_on_line, render_tree
from viewpoint_mcp.accessibility.tree import Node, children_and_value_of

_MIN_REF_LENGTH: Final = 8  # characters of a printed ref
_MIN_REPLACED: Final = 3  # marked lines in an element that is printed whole instead


def render_changes(
    items: Sequence[DiffItem],
    new_tree: Sequence[Content],
    repeated_texts: RepeatedTexts | None = None,
) -> str:
    """Return the changes of a tree as YAML, or "" if nothing changed.

    Args:
        items: The result of `compare_trees`.
        new_tree: The top of the new tree.
        repeated_texts: The texts that changed in the last replies, which are printed shortly.
    """
    top = make_diff_lines(items, new_tree)
    if repeated_texts is not None:
        repeated_texts.mark_repeated_lines(top)
    show_ancestors_of_marked_lines(top)
    _print_whole_where_shorter(top)
    move_messages_to_top(top)
    show_ancestors_of_marked_lines(top)
    rendered: list[str] = []
    pending = [(line, 0) for line in reversed(top.children)]
    while pending:
        line, level = pending.pop()
        if line.is_visible:
            rendered.extend("  " * level + text for text in _render_line(line))
            level += 1
        pending.extend((each, level) for each in reversed(line.children))
    return "\n".join(rendered)


def is_shorter_than_snapshot(length: int, nodes: Sequence[Content]) -> bool:
    """Return whether a text is shorter than the rendered nodes.

    Render the nodes only if an estimate of their minimum length does not decide.

    Args:
        length: The length of the text in characters.
    """
    minimum = 0
    for node in iterate_nodes_at_any_depth(nodes):
        if node.ref and node.role != "option":
            minimum += _MIN_REF_LENGTH
        minimum += sum(len(each) for each in node.children if isinstance(each, str))
        if minimum > length:
            return True
    return length < len(render_tree(nodes))


def _print_whole_where_shorter(top: DiffLine) -> None:
    """Print an element whole if that is shorter than its changed parts."""
    lines = [top]
    for line in lines:
        lines.extend(line.children)
    sizes: dict[int, _Size] = {}
    for line in reversed(lines):
        own = _measure(_render_line(line), int(bool(line.mark))) if line.is_visible else _Size()
        size = own.enclosing([sizes[id(each)] for each in line.children])
        whole = _copy_as_whole(line, size) if line.children and line.parent else None
        if whole is not None:
            whole_size = _measure(_render_line(whole), 1)
            if whole_size.characters < size.characters:
                line.mark, line.is_whole, line.children = whole.mark, True, []
                size = whole_size
        sizes[id(line)] = size


class _Size(NamedTuple):
    """The size of a part of the diff: its characters, its lines, and those with a mark."""

    characters: int = 0
    lines: int = 0
    marked: int = 0

    def enclosing(self, below: Sequence[_Size]) -> _Size:
        """Return the size with the sizes of the content, which is indented if this is printed."""
        characters, lines, marked = (sum(each) for each in zip(self, *below, strict=True))
        indentation = 2 * (lines - self.lines) if self.lines else 0
        return _Size(characters + indentation, lines, marked)


def _measure(lines: Sequence[str], marked: int) -> _Size:
    return _Size(sum(len(line) + 1 for line in lines), len(lines), marked)


def _copy_as_whole(line: DiffLine, size: _Size) -> DiffLine | None:
    """Return a copy of the line that prints the whole content; None if it is surely longer."""
    if not isinstance(line.node, Node) or line.mark == "moved":
        return None
    mark = line.mark
    if isinstance(line.old, Node):
        is_on_line = all(_is_on_line(each) for each in (line.old, line.node))
        mark = "changed" if is_on_line else "replaced"
    if mark == "replaced" and size.marked < _MIN_REPLACED:
        return None
    if is_shorter_than_snapshot(size.characters, [line.node]):
        return None
    return replace(line, mark=mark, is_whole=True, children=[])


def _is_on_line(node: Node) -> bool:
    is_empty_editor = "multiline" in node.properties and not children_and_value_of(node)
    return is_empty_editor or render_content_on_line(node) is not None


def _render_line(line: DiffLine) -> list[str]:
    """Return the text of a line, with its whole content if it is printed, without child lines."""
    lines = render_tree([_make_printed_node(line)]).split("\n")
    if line.children and len(lines) == 1:
        lines[0] += ":"
    if comment := make_comment(line):
        lines[0] += f"  # {comment}"
    return lines


def _make_printed_node(line: DiffLine) -> Content:
    """Return the node or text from which `render_tree` prints the line and its content."""
    node, mark = line.node, f"<{line.mark}> " if line.mark else ""
    if len(line.removed) > 1 or line.order:
        items = line.removed or line.order
        roles = {each.role if isinstance(each, Node) else "text" for each in items}
        role = roles.pop() if len(roles) == 1 else "element"
        return Node(f"{mark}{len(items)} × {role}")
    if isinstance(node, str):
        return Node(f"{mark}text", children=[shorten_text(node) if line.removed else node])
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
    if is_one_line(line) and is_closed_list(node):
        return Node(mark + node.role, node.name, node.properties, node.children, node.ref)
    return _make_marked_node_without_content(
        node, mark, with_text=has_only_text(node) and not line.children
    )


def _make_marked_node_without_content(node: Node, diff_mark: str, *, with_text: bool) -> Node:
    role, _, _, properties = data_without_content(node)
    text = [str(each) for each in children_and_value_of(node)] if with_text else None
    name = node.name if with_text else cut_name(node.name)
    return Node(f"{diff_mark}{role}", name, properties, [*text] if text else None, node.ref)
