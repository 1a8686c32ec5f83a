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

from viewpoint_mcp.accessibility.diff.compare import Added, Item, Kept, Removed, Same
from viewpoint_mcp.accessibility.diff.equality import Content, content_of, nodes_of
from viewpoint_mcp.accessibility.diff.labels import bare, cut, gist, head, is_known, only_text, was
from viewpoint_mcp.accessibility.long_names import cut_name
from viewpoint_mcp.accessibility.render import label, render
from viewpoint_mcp.accessibility.tree import Node

_PATH: Final = 3  # maximum number of ancestors printed above a change, besides frames
_NEAR: Final = 5  # preceding siblings searched for one that can describe the place of a change
_RUN: Final = 4  # minimum number of adjacent removed siblings that share one line
_LANDMARKS: Final = frozenset(
    {
        *("banner", "complementary", "contentinfo", "dialog", "alertdialog", "form", "main"),
        *("navigation", "region", "search"),
    }
)
_PIECES: Final = frozenset({"article", "gridcell", "listitem", "option", "row", "treeitem"})


def print_changes(items: Sequence[Item], new: Sequence[Content]) -> str:
    """Return the changes of a tree as YAML, or "" if nothing changed.

    Args:
        items: The result of `compare`.
        new: The top of the new tree.
    """
    top = _Spot("")
    _plant(top, items, new)
    spots = list(_below(top))
    _forget_lost_focus(spots)
    for spot in spots:
        if spot.mark:
            _show_path(spot)
    lines: list[str] = []
    pending = [(spot, 0) for spot in reversed(top.below)]
    while pending:
        spot, level = pending.pop()
        if spot.mark or spot.is_shown:
            lines.extend("  " * level + line for line in _lines(spot))
            level += 1
        pending.extend((each, level) for each in reversed(spot.below))
    return "\n".join(lines)


@dataclass(slots=True, eq=False)
class _Spot:
    """An element or text of the new tree, or the place of removed siblings of the old tree.

    Attributes:
        node: The element or text; of removed siblings the first one.
        above: The spot of the parent; None for the top.
        below: The spots of the content.
        mark: "added", "changed", "moved", "removed", or "" if only its content may be marked.
        is_shown: Whether to print the line even without a mark.
        is_whole: Whether to print the whole content.
        old: The old state; None for added and removed content.
        siblings: The nearest siblings before it, in order.
        run: The siblings removed here; empty for other spots.
    """

    node: Content
    above: _Spot | None = None
    below: list[_Spot] = field(default_factory=list)
    mark: str = ""
    is_shown: bool = False
    is_whole: bool = False
    old: Content | None = None
    siblings: Sequence[Content] = ()
    run: Sequence[Removed] = ()


def _plant(top: _Spot, items: Sequence[Item], new: Sequence[Content]) -> None:
    """Add a spot to `top` for each item that is not `Same`, and for the items inside it."""
    pending = [(top, items, new)]
    while pending:
        above, items, new = pending.pop()
        position = 0
        run: list[Removed] = []
        for item in items:
            if isinstance(item, Removed):
                run.append(item)
                continue
            _plant_removed(above, run)
            run = []
            if isinstance(item, Same):
                position += item.count
                continue
            spot = _spot(item, above)
            spot.siblings = new[max(position - _NEAR, 0) : position]
            above.below.append(spot)
            position += 1
            if item.items and isinstance(item.new, Node) and not _is_one_line(spot):
                pending.append((spot, item.items, content_of(item.new)))
        _plant_removed(above, run)


def _plant_removed(above: _Spot, removed: list[Removed]) -> None:
    runs = [removed] if len(removed) >= _RUN else [[each] for each in removed]
    above.below.extend(_Spot(run[0].old, above, mark="removed", run=run) for run in runs)


def _spot(item: Kept | Added, above: _Spot) -> _Spot:
    spot = _Spot(item.new, above)
    if isinstance(item, Added):
        # Content of an added element needs no mark.
        is_inside = above.is_shown or above.mark == "added"
        spot.mark = "" if is_inside else "added"
        spot.is_shown = True
        spot.is_whole = item.items is None
        return spot
    spot.old = item.old
    if item.moved:
        spot.mark = "moved"
    elif _is_other(item.old, item.new) or (item.items and _is_one_line(spot)):
        spot.mark = "changed"
    return spot


def _is_other(old: Content, new: Content) -> bool:
    """Return whether the lines of two elements or texts differ, apart from their content."""
    return isinstance(old, str) or isinstance(new, str) or head(old) != head(new)


def _is_one_line(spot: _Spot) -> bool:
    """Return whether the element prints as one line, before and now, with its text on it."""
    if not isinstance(spot.node, Node) or not isinstance(spot.old, Node):
        return False
    return only_text(spot.node) and only_text(spot.old)


def _below(top: _Spot) -> Iterator[_Spot]:
    pending = list(top.below)
    while pending:
        spot = pending.pop()
        yield spot
        pending.extend(spot.below)


def _forget_lost_focus(spots: list[_Spot]) -> None:
    """Unmark elements that only lost the focus, if another marked element received it."""
    if not any(_has_focus(spot) and not _had_focus(spot) for spot in spots if spot.mark):
        return
    for spot in spots:
        if spot.mark != "changed" or not _had_focus(spot) or _has_focus(spot):
            continue
        old, new = spot.old, spot.node
        assert isinstance(old, Node)
        assert isinstance(new, Node)
        properties = {name: value for name, value in old.properties.items() if name != "active"}
        before = Node(old.role, old.name, properties, None, old.ref)
        is_text_kept = not _is_one_line(spot) or content_of(old) == content_of(new)
        if head(before) == head(new) and is_text_kept:
            spot.mark = ""


def _has_focus(spot: _Spot) -> bool:
    if isinstance(spot.node, str) or spot.mark == "removed":
        return False
    nodes = nodes_of((spot.node,)) if spot.is_whole else (spot.node,)
    return any("active" in node.properties for node in nodes)


def _had_focus(spot: _Spot) -> bool:
    return isinstance(spot.old, Node) and "active" in spot.old.properties


def _show_path(spot: _Spot) -> None:
    """Show the nearest descriptive ancestors of a marked spot, and all frames around it."""
    left = _PATH
    above = spot.above
    while above is not None and isinstance(above.node, Node):
        node = above.node
        if node.role == "iframe":
            above.is_shown = True
        elif left and (is_known(node) or node.role in _LANDMARKS or node.role in _PIECES):
            above.is_shown = True
            left -= 1
        above = above.above


def _lines(spot: _Spot) -> list[str]:
    lines = render([_printed(spot)]).split("\n")
    if spot.below and len(lines) == 1:
        lines[0] += ":"
    if comment := _comment(spot):
        lines[0] += f"  # {comment}"
    return lines


def _printed(spot: _Spot) -> Content:
    """Return the node or text from which `render` prints the lines of the spot."""
    node, mark = spot.node, f"<{spot.mark}> " if spot.mark else ""
    if isinstance(node, str):
        return Node(f"{mark}text", children=[cut(node) if spot.run else node])
    if len(spot.run) > 1:
        roles = {each.old.role if isinstance(each.old, Node) else "text" for each in spot.run}
        role = roles.pop() if len(roles) == 1 else "element"
        return Node(f"{mark}{len(spot.run)} × {role}")
    if spot.is_whole:
        return Node(mark + node.role, node.name, node.properties, node.children, node.ref)
    if spot.run:
        line = bare(node)
        line.role = mark + node.role
        line.children = [cut(str(text)) for text in content_of(node)] if only_text(node) else []
        return line
    if not spot.mark and spot.old is not None:
        return bare(node)
    return _own_lines(node, mark, with_text=only_text(node) and not spot.below)


def _own_lines(node: Node, mark: str, *, with_text: bool) -> Node:
    role, _, _, properties = head(node)
    text = [str(each) for each in content_of(node)] if with_text else None
    name = node.name if with_text else cut_name(node.name)
    return Node(f"{mark}{role}", name, properties, [*text] if text else None, node.ref)


def _comment(spot: _Spot) -> str:
    """Return the comment after the line of a spot; "" for none."""
    if spot.run:
        return _of_removed(spot.run)
    parts = []
    if isinstance(spot.node, Node) and spot.old is not None and spot.node.role in _PIECES:
        is_told = is_known(spot.node) or only_text(spot.node)
        parts.append("" if is_told else gist(spot.node))
    if spot.mark and spot.old is not None:
        parts.append(was(spot.old, spot.node))
    if spot.mark == "moved" and not spot.siblings:
        parts.append("now first")
    elif spot.mark == "added" or spot.mark == "moved" or (spot.mark and not is_known(spot.node)):
        parts.append(_place(spot))
    return ", ".join(filter(None, parts))


def _place(spot: _Spot) -> str:
    nearest = spot.siblings[-1] if spot.siblings else ""
    if (
        spot.mark == "added"
        and isinstance(nearest, Node)
        and isinstance(spot.node, Node)
        and nearest.role == spot.node.role
    ):
        return ""
    for each in reversed(spot.siblings):
        if isinstance(each, Node) and is_known(each):
            return f"{'now ' if spot.mark == 'moved' else ''}after {label(bare(each))}"
    return ""


def _of_removed(run: Sequence[Removed]) -> str:
    inside = sum(each.inside for each in run)
    if len(run) > 1:
        ends = [gist(each.old) for each in (run[0], run[-1])]
        told = " to ".join(ends) if all(ends) else ""
        return ", ".join(filter(None, [told, f"{inside} more in them" if inside else ""]))
    old = run[0].old
    if isinstance(old, str) or only_text(old) or not inside:
        return ""
    if is_known(old):
        return f"with {inside} in it"
    return f"{gist(old)} and {inside - 1} more in it" if inside > 1 else f"{gist(old)} in it"
