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
from viewpoint_mcp.imaging.joining import ImagePart, combine_images
from viewpoint_mcp.page.actions.element import Element
from viewpoint_mcp.page.capture import area_capture
from viewpoint_mcp.page.capture.area_capture import CapturedImage, ImageType, UpperLeftCorner
from viewpoint_mcp.page.capture.viewport import Area, BoxData, read_viewport
from viewpoint_mcp.page.reply_note import ReplyNote

if TYPE_CHECKING:
    from viewpoint_mcp.page.frames import Frame
    from viewpoint_mcp.page.services import PageServices

_MAX_PIECES: Final = 400


class _RevealInsideResult(TypedDict):
    """The result of `revealInside`, in CSS pixels of the frame's viewport.

    Attributes:
        isMoved: Whether anything was scrolled.
        whole: The area to reveal.
        seen: The visible part of the area; None if no part is visible.
    """

    isMoved: bool
    whole: BoxData
    seen: BoxData | None


class _RevealResult(_RevealInsideResult):
    """The result of `reveal`. `box` is the box of the element."""

    box: BoxData


@dataclass(frozen=True, slots=True)
class _ElementPosition:
    """The position of an element after scrolling, in CSS pixels of the page's viewport.

    Attributes:
        box: The box of the element.
        visible_area: The visible part of the requested area; None if no part is visible.
        scale: The size of one CSS pixel of the element's frame, horizontally and vertically.
        is_moved: Whether anything was scrolled.
    """

    box: Area
    visible_area: Area | None
    scale: tuple[float, float]
    is_moved: bool


@dataclass(frozen=True, slots=True)
class _Piece:
    """A PNG image of a part of the element, and its area in the whole screenshot, CSS pixels."""

    data: bytes
    area: Area


async def capture_element(
    page: PageServices, element: Element, pixel_ratio: float, image_type: ImageType
) -> tuple[CapturedImage, UpperLeftCorner, ReplyNote]:
    """Capture an element, and restore all scroll positions.

    Args:
        pixel_ratio: Pixels of the image per CSS pixel.

    Returns:
        The image, the position of its upper left corner in CSS pixels of the page's viewport, and a
        note for the reply ("" for none).

    Raises:
        ElementError: The element is gone, or no part of it can be scrolled into view.
        PageError: The image would be too large, or the page is blocked or does not answer.
    """
    async with _restore_scrolling(element):
        position = await _reveal(element)
        if position.visible_area is None:
            raise ElementNotVisibleError(
                f"{element.label} is not visible: its containers clip it.",
                "Take a screenshot of the viewport to see what is there.",
            )
        element_area = position.box.round_outwards()
        area_capture.raise_if_image_too_large(
            area_capture.image_size(element_area, pixel_ratio), image_type
        )
        if position.visible_area.contains(position.box):
            view = await read_viewport(page)
            area = element_area.shift(view.layout.left, view.layout.top).round_outwards()
            if min(area.intersect(view.scrollable_area).size) <= 0:
                raise ElementNotVisibleError(
                    f"{element.label} is not visible: it lies outside the page."
                )
            image, visible = (
                await area_capture.capture_area(page, view, area, pixel_ratio, image_type),
                element_area,
            )
        else:
            image, visible = await _capture_by_scrolling(
                page, element, position, pixel_ratio, image_type
            )
            visible = visible.shift(element_area.left, element_area.top)
    if position.is_moved:
        box = (await _reveal(element, without_scrolling=True)).box.round_outwards()
        visible = visible.shift(box.left - element_area.left, box.top - element_area.top)
    return image, (visible.left, visible.top), _clipping_note(visible, element_area)


def _clipping_note(visible: Area, whole: Area) -> str:
    if visible.width >= whole.width - 1 and visible.height >= whole.height - 1:
        return ""
    visible_size, element_size = (
        f"{area.width:.0f}x{area.height:.0f}" for area in (visible, whole)
    )
    return (
        f"{visible_size} of its {element_size} CSS pixels are visible; its containers clip the rest"
    )


async def _capture_by_scrolling(
    page: PageServices,
    element: Element,
    position: _ElementPosition,
    pixel_ratio: float,
    image_type: ImageType,
) -> tuple[CapturedImage, Area]:
    """Capture the element in pieces. Return the image, and the part of the box that it shows."""
    pieces = [piece async for piece in _capture_pieces(page, element, position, pixel_ratio)]
    if not pieces:
        raise ElementNotVisibleError(
            f"{element.label} is not visible: no part of it can be scrolled into view."
        )
    visible = Area(
        min(piece.area.left for piece in pieces),
        min(piece.area.top for piece in pieces),
        max(piece.area.right for piece in pieces),
        max(piece.area.bottom for piece in pieces),
    )
    size = area_capture.image_size(visible, pixel_ratio)
    if len(pieces) == 1 and image_type == "png":
        return CapturedImage(pieces[0].data, size), visible
    parts = [
        ImagePart(
            piece.data,
            round((piece.area.left - visible.left) * pixel_ratio),
            round((piece.area.top - visible.top) * pixel_ratio),
        )
        for piece in pieces
    ]
    return CapturedImage(
        await asyncio.to_thread(combine_images, parts, size, image_type), size
    ), visible


async def _capture_pieces(
    page: PageServices, element: Element, position: _ElementPosition, pixel_ratio: float
) -> AsyncIterator[_Piece]:
    """Yield the pieces of the element, row by row. Skip parts that cannot be scrolled into view."""
    scale_x, scale_y = position.scale
    right, bottom = position.box.width / scale_x, position.box.height / scale_y
    # The image begins at a whole pixel; the element may begin within that pixel.
    corner = position.box.round_outwards()
    before_x, before_y = position.box.left - corner.left, position.box.top - corner.top
    count, x, y = 0, 0.0, 0.0
    next_y: float | None = None
    while True:
        start = (x - before_x) / scale_x, (y - before_y) / scale_y
        revealed = await _reveal(element, Area(max(0, start[0]), max(0, start[1]), right, bottom))
        area = _area_in_screenshot(revealed)
        if area is None:
            if x == 0 or next_y is None or next_y <= y:
                return
            x, y, next_y = 0.0, next_y, None
            continue
        yield _Piece(await _capture_piece(page, revealed, area, pixel_ratio), area)
        count += 1
        if count >= _MAX_PIECES:
            raise PageError(
                f"{element.label} is too large for its scroll container: its screenshot would need"
                f" more than {_MAX_PIECES} pieces.",
                "Capture an element inside it.",
            )
        x, next_y = area.right, min(next_y or area.bottom, area.bottom)
        if x >= revealed.box.width - 0.5:
            x, y, next_y = 0.0, next_y, None
            if y >= revealed.box.height - 0.5:
                return


def _area_in_screenshot(position: _ElementPosition) -> Area | None:
    """Return the visible part in whole pixels of the whole screenshot; None if it is smaller."""
    if position.visible_area is None:
        return None
    corner = position.box.round_outwards()
    element_box, visible = position.box, position.visible_area
    inner_pixels = Area(
        math.ceil(visible.left - 0.01),
        math.ceil(visible.top - 0.01),
        math.floor(visible.right + 0.01),
        math.floor(visible.bottom + 0.01),
    )
    outer_pixels = visible.round_outwards()
    # A partly covered pixel at an edge of the element belongs to the element. At the edge of a
    # scroll container it also shows the container, so it is left out.
    area = Area(
        outer_pixels.left if visible.left <= element_box.left + 0.01 else inner_pixels.left,
        outer_pixels.top if visible.top <= element_box.top + 0.01 else inner_pixels.top,
        outer_pixels.right if visible.right >= element_box.right - 0.01 else inner_pixels.right,
        outer_pixels.bottom if visible.bottom >= element_box.bottom - 0.01 else inner_pixels.bottom,
    ).shift(-corner.left, -corner.top)
    return area if area.width >= 1 and area.height >= 1 else None


async def _capture_piece(
    page: PageServices, position: _ElementPosition, area_in_screenshot: Area, pixel_ratio: float
) -> bytes:
    view = await read_viewport(page)
    corner = position.box.round_outwards()
    area = area_in_screenshot.shift(corner.left + view.layout.left, corner.top + view.layout.top)
    return (
        await area_capture.capture_area(page, view, area.round_outwards(), pixel_ratio, "png")
    ).data


async def _reveal(
    element: Element, area: Area | None = None, *, without_scrolling: bool = False
) -> _ElementPosition:
    """Scroll the element into view, in its frame and in all frames around it.

    Args:
        area: The part to show, in CSS pixels of the frame from the element's upper left corner;
            None for the whole element.
        without_scrolling: Whether to report the positions without scrolling.
    """
    options = {"area": area and area.box, "isStill": without_scrolling}
    answer = cast("_RevealResult", await element.prepare_for_action("reveal", options))
    return await _reveal_in_outer_frames(element, answer, without_scrolling=without_scrolling)


async def _reveal_in_outer_frames(
    element: Element, answer: _RevealResult, *, without_scrolling: bool
) -> _ElementPosition:
    """Reveal the element in the frames around its frame. Convert its areas to the page's viewport.

    Args:
        answer: The result of `reveal` in the element's frame.
        without_scrolling: Whether to convert without scrolling.
    """
    frame: Frame = element.frame
    box, scale_x, scale_y = _parse_area(answer["box"]), 1.0, 1.0
    inside: _RevealInsideResult = answer
    is_moved = inside["isMoved"]
    while (area := inside["whole" if without_scrolling else "seen"]) and frame.parent is not None:
        visible, parent = _parse_area(area), frame.parent
        options = {"isStill": without_scrolling}
        revealed = await element.page.call_inpage(
            parent, "revealInside", frame.owner_number, visible.box, options
        )
        inside = cast("_RevealInsideResult", await element.check_inpage_answer(revealed))
        whole = _parse_area(inside["whole"])
        x, y = whole.width / visible.width, whole.height / visible.height
        left = whole.left + (box.left - visible.left) * x
        top = whole.top + (box.top - visible.top) * y
        box = Area(left, top, left + box.width * x, top + box.height * y)
        scale_x, scale_y = scale_x * x, scale_y * y
        is_moved = is_moved or inside["isMoved"]
        frame = parent
    visible_in_page = None if inside["seen"] is None else _parse_area(inside["seen"])
    return _ElementPosition(box, visible_in_page, (scale_x, scale_y), is_moved)


@asynccontextmanager
async def _restore_scrolling(element: Element) -> AsyncIterator[None]:
    """Restore the scroll positions in all frames around the element after the block."""
    try:
        yield
    finally:
        frame: Frame | None = element.frame
        while frame is not None:
            with suppress(ViewpointError):
                await element.page.call_inpage(frame, "putBack")
            frame = frame.parent


def _parse_area(box: BoxData) -> Area:
    return Area(box["left"], box["top"], box["right"], box["bottom"])
