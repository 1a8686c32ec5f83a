"""The screenshot of one element: everything of it that a person could scroll into view.

An element that fits into its scroll containers and frames is captured in one piece. A larger one is
scrolled through from its upper left corner on, and the pieces are joined.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypedDict, cast

from viewpoint_mcp.errors import ElementNotVisibleError, PageError, ViewpointError
from viewpoint_mcp.imaging.joining import Part, mosaic
from viewpoint_mcp.page.actions.element import Element
from viewpoint_mcp.page.capture import tiles
from viewpoint_mcp.page.capture.tiles import ImageType, Picture
from viewpoint_mcp.page.capture.viewport import Area, Box, look

if TYPE_CHECKING:
    from viewpoint_mcp.page.frames import Frame
    from viewpoint_mcp.page.services import PageServices

_MOST_PIECES: Final = 400


class _Inside(TypedDict):
    """The result of `revealInside`, in CSS pixels of the frame's viewport.

    Attributes:
        isMoved: Whether anything was scrolled.
        whole: The area to reveal.
        seen: The visible part of the area; None if no part is visible.
    """

    isMoved: bool
    whole: Box
    seen: Box | None


class _InFrame(_Inside):
    """The result of `reveal`. `box` is the box of the element."""

    box: Box


@dataclass(frozen=True, slots=True)
class _Revealed:
    """The position of an element after scrolling, in CSS pixels of the page's viewport.

    Attributes:
        box: The box of the element.
        seen: The visible part of the requested area; None if no part is visible.
        scale: The size of one CSS pixel of the element's frame, horizontally and vertically.
        is_moved: Whether anything was scrolled.
    """

    box: Area
    seen: Area | None
    scale: tuple[float, float]
    is_moved: bool


@dataclass(frozen=True, slots=True)
class _Piece:
    """A PNG image of a part of the element, and its area in the whole screenshot, CSS pixels."""

    data: bytes
    area: Area


async def capture(
    page: PageServices, element: Element, pixels: float, image_type: ImageType
) -> tuple[Picture, tuple[float, float], str]:
    """Capture an element, and restore all scroll positions.

    Args:
        pixels: Pixels of the image per CSS pixel.

    Returns:
        The image, the position of its upper left corner in CSS pixels of the page's viewport, and a
        note for the reply ("" for none).

    Raises:
        ElementError: The element is gone, or no part of it can be scrolled into view.
        PageError: The image would be too large, or the page is blocked or does not answer.
    """
    async with _put_back(element):
        found = await _reveal(element)
        if found.seen is None:
            raise ElementNotVisibleError(
                f"{element.label} is not visible: what is around it clips it away.",
                "Take a screenshot of the viewport to see what is there.",
            )
        whole = found.box.in_whole_pixels()
        tiles.check_size(tiles.pixels_of(whole, pixels), image_type)
        if found.seen.holds(found.box):
            view = await look(page)
            area = whole.moved(view.layout.left, view.layout.top).in_whole_pixels()
            if min(area.meets(view.whole).size) <= 0:
                raise ElementNotVisibleError(
                    f"{element.label} is not visible: it lies off the page."
                )
            shot, part = await tiles.capture(page, view, area, pixels, image_type), whole
        else:
            shot, part = await _scrolled_through(page, element, found, pixels, image_type)
            part = part.moved(whole.left, whole.top)
    if found.is_moved:
        box = (await _reveal(element, is_still=True)).box.in_whole_pixels()
        part = part.moved(box.left - whole.left, box.top - whole.top)
    return shot, (part.left, part.top), _note(part, whole)


def _note(part: Area, whole: Area) -> str:
    if part.width >= whole.width - 1 and part.height >= whole.height - 1:
        return ""
    shown, all_of_it = (f"{area.width:.0f}x{area.height:.0f}" for area in (part, whole))
    return f"{shown} of its {all_of_it} CSS pixels can be seen; what is around it hides the rest"


async def _scrolled_through(
    page: PageServices, element: Element, first: _Revealed, pixels: float, image_type: ImageType
) -> tuple[Picture, Area]:
    """Capture the element in pieces. Return the image, and the part of the box that it shows."""
    pieces = [piece async for piece in _pieces(page, element, first, pixels)]
    if not pieces:
        raise ElementNotVisibleError(
            f"{element.label} is not visible: nothing of it can be scrolled to."
        )
    part = Area(
        min(piece.area.left for piece in pieces),
        min(piece.area.top for piece in pieces),
        max(piece.area.right for piece in pieces),
        max(piece.area.bottom for piece in pieces),
    )
    size = tiles.pixels_of(part, pixels)
    if len(pieces) == 1 and image_type == "png":
        return Picture(pieces[0].data, size), part
    parts = [
        Part(
            piece.data,
            round((piece.area.left - part.left) * pixels),
            round((piece.area.top - part.top) * pixels),
        )
        for piece in pieces
    ]
    return Picture(await asyncio.to_thread(mosaic, parts, size, image_type), size), part


async def _pieces(
    page: PageServices, element: Element, first: _Revealed, pixels: float
) -> AsyncIterator[_Piece]:
    """Yield the pieces of the element, row by row. Skip parts that cannot be scrolled into view."""
    across, down = first.scale
    right, bottom = first.box.width / across, first.box.height / down
    # The image begins at a whole pixel; the element may begin within that pixel.
    corner = first.box.in_whole_pixels()
    before_x, before_y = first.box.left - corner.left, first.box.top - corner.top
    count, x, y = 0, 0.0, 0.0
    below: float | None = None
    while True:
        start = (x - before_x) / across, (y - before_y) / down
        found = await _reveal(element, Area(max(0, start[0]), max(0, start[1]), right, bottom))
        at = _in_picture(found)
        if at is None:
            if x == 0 or below is None or below <= y:
                return
            x, y, below = 0.0, below, None
            continue
        yield _Piece(await _captured(page, found, at, pixels), at)
        count += 1
        if count >= _MOST_PIECES:
            raise PageError(
                f"{element.label} is too large for what it is scrolled in: its picture would take"
                f" more than {_MOST_PIECES} pieces.",
                "Take an element inside of it.",
            )
        x, below = at.right, min(below or at.bottom, at.bottom)
        if x >= found.box.width - 0.5:
            x, y, below = 0.0, below, None
            if y >= found.box.height - 0.5:
                return


def _in_picture(found: _Revealed) -> Area | None:
    """Return the visible part in whole pixels of the whole screenshot; None if it is smaller."""
    if found.seen is None:
        return None
    corner = found.box.in_whole_pixels()
    outer, seen = found.box, found.seen
    inner = Area(
        math.ceil(seen.left - 0.01),
        math.ceil(seen.top - 0.01),
        math.floor(seen.right + 0.01),
        math.floor(seen.bottom + 0.01),
    )
    whole = seen.in_whole_pixels()
    # A partly covered pixel at an edge of the element belongs to the element. At the edge of a
    # scroll container it also shows the container, so it is left out.
    area = Area(
        whole.left if seen.left <= outer.left + 0.01 else inner.left,
        whole.top if seen.top <= outer.top + 0.01 else inner.top,
        whole.right if seen.right >= outer.right - 0.01 else inner.right,
        whole.bottom if seen.bottom >= outer.bottom - 0.01 else inner.bottom,
    ).moved(-corner.left, -corner.top)
    return area if area.width >= 1 and area.height >= 1 else None


async def _captured(page: PageServices, found: _Revealed, at: Area, pixels: float) -> bytes:
    view = await look(page)
    corner = found.box.in_whole_pixels()
    area = at.moved(corner.left + view.layout.left, corner.top + view.layout.top)
    return (await tiles.capture(page, view, area.in_whole_pixels(), pixels, "png")).data


async def _reveal(
    element: Element, area: Area | None = None, *, is_still: bool = False
) -> _Revealed:
    """Scroll the element into view, in its frame and in all frames around it.

    Args:
        area: The part to show, in CSS pixels of the frame from the element's upper left corner;
            None for the whole element.
        is_still: Whether to report the positions without scrolling.
    """
    options = {"area": area and area.told, "isStill": is_still}
    answer = cast("_InFrame", await element.run_preparation("reveal", options))
    return await _climb(element, answer, is_still=is_still)


async def _climb(element: Element, answer: _InFrame, *, is_still: bool) -> _Revealed:
    """Reveal the element in the frames around its frame. Convert its areas to the page's viewport.

    Args:
        answer: The result of `reveal` in the element's frame.
        is_still: Whether to convert without scrolling.
    """
    frame: Frame = element.frame
    box, across, down = _area(answer["box"]), 1.0, 1.0
    inside: _Inside = answer
    is_moved = inside["isMoved"]
    while (area := inside["whole" if is_still else "seen"]) and frame.parent is not None:
        seen, parent = _area(area), frame.parent
        options = {"isStill": is_still}
        revealed = await element.page.call_inpage(
            parent, "revealInside", frame.owner_number, seen.told, options
        )
        inside = cast("_Inside", await element.check_answer(revealed))
        whole = _area(inside["whole"])
        x, y = whole.width / seen.width, whole.height / seen.height
        left = whole.left + (box.left - seen.left) * x
        top = whole.top + (box.top - seen.top) * y
        box = Area(left, top, left + box.width * x, top + box.height * y)
        across, down = across * x, down * y
        is_moved = is_moved or inside["isMoved"]
        frame = parent
    shown = None if inside["seen"] is None else _area(inside["seen"])
    return _Revealed(box, shown, (across, down), is_moved)


@asynccontextmanager
async def _put_back(element: Element) -> AsyncIterator[None]:
    """Restore the scroll positions in all frames around the element after the block."""
    try:
        yield
    finally:
        frame: Frame | None = element.frame
        while frame is not None:
            with suppress(ViewpointError):
                await element.page.call_inpage(frame, "putBack")
            frame = frame.parent


def _area(told: Box) -> Area:
    return Area(told["left"], told["top"], told["right"], told["bottom"])
