"""Changes of drawings: what canvases and SVG graphics show, which the tree does not contain."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypedDict

from viewpoint_mcp.accessibility.printing.printed_snapshot_lines import format_count
from viewpoint_mcp.accessibility.refs import describe_element


class Drawing(TypedDict):
    """What a drawing shows, as the walker reports it; see `inpage/settle/drawings.js`.

    Attributes:
        id: A number that no other drawing of the page has.
        state: A number that differs if the drawing shows something else.
        shapes: How many more shapes an SVG graphic has than at first; None for a canvas.
    """

    id: int
    role: str
    name: str
    state: int
    shapes: int | None


def describe_drawing_changes(
    before: Mapping[int, Drawing], after: Mapping[int, Drawing]
) -> list[str]:
    """Return a sentence without a full stop for each drawing that differs.

    Args:
        before: The earlier drawings, by id. An SVG graphic that had not changed yet is missing. A
            new canvas is in the tree.
        after: The present drawings, by id.
    """
    changed = [
        (drawing, drawing["shapes"] - _count_shapes(before.get(number)))
        if drawing["shapes"] is not None
        else (drawing, None)
        for number, drawing in after.items()
        if _has_changed(drawing, before.get(number))
    ]
    nameless = [added for drawing, added in changed if added is not None and not drawing["name"]]
    sentences = [
        _describe_change(describe_element(drawing["role"], drawing["name"]), added)
        for drawing, added in changed
        if added is None or drawing["name"]
    ]
    sentences = list(dict.fromkeys(sentences))  # Drawing programs put canvases on one another.
    # Each line of a diagram may be a graphic.
    return [*sentences, _describe_change("a drawing", sum(nameless))] if nameless else sentences


def _has_changed(drawing: Drawing, before: Drawing | None) -> bool:
    if before is None:
        return bool(drawing["shapes"] is not None and (drawing["state"] or drawing["shapes"]))
    return (drawing["state"], drawing["shapes"]) != (before["state"], before["shapes"])


def _count_shapes(before: Drawing | None) -> int:
    return (before and before["shapes"]) or 0


def _describe_change(place: str, added: int | None) -> str:
    """Return a sentence about a drawing.

    Args:
        added: How many shapes were added, less those removed; None for a canvas.
    """
    if added is None:
        return f"{place} was painted"
    if not added:
        return f"in {place}, shapes were moved or redrawn"
    verb = "was" if abs(added) == 1 else "were"
    change = f"{verb} {'added' if added > 0 else 'removed'}"
    return f"in {place}, {format_count(abs(added), 'shape')} {change}"
