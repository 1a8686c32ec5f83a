"""What is drawn over the page in a video: chapter cards, and the marks of actions. Pure functions.

Each overlay is an SVG document of the size of the video, with XHTML in it. The encoder's page draws
it as an image, so it can neither run scripts nor load anything.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from typing import Final, Literal

from viewpoint_mcp.page.devtools.page_devtools import Point, Rect

ActionPosition = Literal["top-left", "top", "top-right", "bottom-left", "bottom", "bottom-right"]

_PLACES: Final[dict[ActionPosition, str]] = {
    "top-left": "left: 16px; top: 16px;",
    "top": "left: 50%; top: 16px; transform: translateX(-50%);",
    "top-right": "right: 16px; top: 16px;",
    "bottom-left": "left: 16px; bottom: 16px;",
    "bottom": "left: 50%; bottom: 16px; transform: translateX(-50%);",
    "bottom-right": "right: 16px; bottom: 16px;",
}
_FONT: Final = "font-family: system-ui, sans-serif;"
_TITLE: Final = (
    f"position: absolute; {_FONT} font-size: 20px; line-height: 1.4; padding: 6px 14px; "
    "border-radius: 8px; background: rgb(0 0 0 / 0.75); color: white; max-width: 80%;"
)
_INVALID_IN_XML: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ufffe\uffff\ud800-\udfff]")
_CARD_WIDTH: Final = 800  # CSS pixels; larger videos scale the card


@dataclass(frozen=True, slots=True)
class ActionStyle:
    """How a video shows actions.

    Attributes:
        duration: Milliseconds that an action is shown.
        position: The place of the title.
        has_cursor: Whether a mouse cursor is drawn, which moves to each point.
        has_title: Whether the title is shown.
        title: CSS declarations for the title.
        point: CSS declarations for the point of an action; "" to show none.
        highlight: CSS declarations for the box of the element; "" to show none.
    """

    duration: int = 500
    position: ActionPosition = "top-right"
    has_cursor: bool = True
    has_title: bool = True
    title: str = ""
    point: str = ""
    highlight: str = ""


@dataclass(frozen=True, slots=True)
class Stage:
    """The place of a page in the video: as large as possible, in the middle.

    Args:
        width: Width of the video in pixels.
        height: Height of the video in pixels.
        page_width: Width of the viewport in CSS pixels.
        page_height: Height of the viewport in CSS pixels.
    """

    width: int
    height: int
    page_width: float
    page_height: float

    @property
    def scale(self) -> float:
        """Pixels of the video for a CSS pixel."""
        return min(self.width / self.page_width, self.height / self.page_height)

    def place(self, point: Point) -> tuple[float, float]:
        """Return the pixel of the video that shows a point of the viewport."""
        left = (self.width - self.page_width * self.scale) / 2
        top = (self.height - self.page_height * self.scale) / 2
        return left + point.x * self.scale, top + point.y * self.scale


def draw_chapter(stage: Stage, title: str, description: str = "") -> str:
    """Return the card of a chapter, which darkens the page."""
    scale = stage.width / _CARD_WIDTH
    card = (
        f"{_FONT} color: white; text-align: center; max-width: 70%; padding: 32px 48px; "
        "border-radius: 16px; background: rgb(0 0 0 / 0.7);"
    )
    background = (
        "width: 100%; height: 100%; display: flex; align-items: center; justify-content: center; "
        "background: rgb(0 0 0 / 0.35);"
    )
    lines = [_div("font-size: 28px; font-weight: 600; line-height: 1.3;", title)]
    if description:
        lines.append(_div("font-size: 15px; line-height: 1.5; margin-top: 12px;", description))
    body = f'<div style="{background}"><div style="{card}">{"".join(lines)}</div></div>'
    return _document(stage, (0, 0), scale, _CARD_WIDTH, stage.height / scale, body)


def draw_action(
    stage: Stage, style: ActionStyle, title: str, point: Point | None, box: Rect | None
) -> str:
    """Return the marks of an action.

    Args:
        title: What the action does.
        point: The point of the mouse; None for an action without one.
        box: The element; None if it is unknown.
    """
    parts = []
    if box is not None and style.highlight:
        place = f"left: {box.left:g}px; top: {box.top:g}px; "
        size = f"width: {box.width:g}px; height: {box.height:g}px; box-sizing: border-box; "
        parts.append(_div(f"position: absolute; {place}{size}{style.highlight}"))
    if point is not None and style.point:
        place = f"left: {point.x:g}px; top: {point.y:g}px; transform: translate(-50%, -50%); "
        parts.append(_div(f"position: absolute; {place}{style.point}"))
    if style.has_title:
        parts.append(_div(f"{_TITLE} {_PLACES[style.position]} {style.title}", title))
    origin = stage.place(Point(0, 0))
    return _document(
        stage, origin, stage.scale, stage.page_width, stage.page_height, "".join(parts)
    )


def move_cursor(
    start: Point, end: Point, duration: float, fps: float
) -> Iterator[tuple[float, Point]]:
    """Yield the times and points of a cursor that moves, without its end.

    Args:
        duration: Milliseconds.
        fps: Frames per second.

    Yields:
        Milliseconds from the start, and the point then.
    """
    count = max(1, int(duration * fps / 1000))
    for number in range(count):
        share = number / count
        eased = share * share * (3 - 2 * share)  # slow at its start and its end
        point = Point(start.x + (end.x - start.x) * eased, start.y + (end.y - start.y) * eased)
        yield share * duration, point


def choose_box(box: Rect | None, point: Point | None) -> Rect | None:
    """Return where an element is now, from its box before the action and a point in it.

    The action may have scrolled to the element. Then its box surrounds the point.
    """
    if box is None or point is None:
        return box
    left, top, width, height = box
    if left <= point.x <= left + width and top <= point.y <= top + height:
        return box
    return Rect(point.x - width / 2, point.y - height / 2, width, height)


def _document(
    stage: Stage, origin: tuple[float, float], scale: float, width: float, height: float, body: str
) -> str:
    """Return the SVG document, with a body of `width` and `height` CSS pixels."""
    place = f"translate({origin[0]:g} {origin[1]:g}) scale({scale:g})"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{stage.width}" height="{stage.height}">'
        f'<foreignObject width="{width:g}" height="{height:g}" transform="{place}">'
        '<div xmlns="http://www.w3.org/1999/xhtml" '
        f'style="position: relative; width: {width:g}px; height: {height:g}px; overflow: hidden">'
        f"{body}</div></foreignObject></svg>"
    )


def _div(style: str, text: str = "") -> str:
    return f'<div style="{_to_xml(style)}">{_to_xml(text)}</div>'


def _to_xml(text: str) -> str:
    return escape(_INVALID_IN_XML.sub("", text))
