"""Captures an area of a page's document. A large area is captured in tiles, which are joined."""

from __future__ import annotations

import asyncio
import base64
import math
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

from cdp_protocol import CallTimeout, CdpError, ProtocolError
from viewpoint_mcp.errors import PageError, PageTimeoutError, ViewpointError
from viewpoint_mcp.imaging.decoding import MAX_PIXELS, read_image_size
from viewpoint_mcp.imaging.joining import ImagePart, PngStripWriter, combine_images
from viewpoint_mcp.page.capture.viewport import Area, ViewportState
from viewpoint_mcp.page.isolated_world import WorldGoneError
from viewpoint_mcp.page.services import DocumentReplacedError

if TYPE_CHECKING:
    from cdp_protocol import Session
    from cdp_protocol.types.page import Viewport
    from viewpoint_mcp.page.services import PageServices

ImageType = Literal["png", "jpeg", "webp"]

_LOSSY_QUALITY: Final = 90
# Seconds to render and encode an image, in addition to the limit of an action.
_CAPTURE_TIME: Final = 10.0
_FRAME_LIMIT: Final = 0.3  # seconds until a tab that draws no frame is made to draw one
_MAX_TILE_SIDE: Final = 8192
"""Maximum pixels a side of one capture.

Beyond its largest texture, Chromium repeats parts of the image or draws nothing. The largest
texture is 16,384 pixels a side on most graphics hardware, and 8,192 on weak hardware.
"""
_MAX_SIDES: Final = {"png": 2**31 - 1, "jpeg": 65_535, "webp": 16_383}  # maximum pixels a side
_BETWEEN_DOCUMENTS: Final = "Not attached to an active page"

UpperLeftCorner: TypeAlias = tuple[float, float]
"""The position of an image's upper left corner in CSS pixels of the page's viewport."""


@dataclass(frozen=True, slots=True)
class CapturedImage:
    """An encoded image and its size in pixels."""

    data: bytes
    size: tuple[int, int]


async def capture_visible_part(
    page: PageServices, view: ViewportState, image_type: ImageType
) -> CapturedImage:
    """Capture the visible part of the page, with one pixel per device pixel."""
    data = await _capture_image(page, image_type)
    if view.device_pixel_ratio == view.pinch_zoom == 1:
        return CapturedImage(data, view.window_size)
    return CapturedImage(data, await asyncio.to_thread(_read_image_size, data))


async def capture_area(
    page: PageServices, view: ViewportState, area: Area, pixel_ratio: float, image_type: ImageType
) -> CapturedImage:
    """Capture an area of the document.

    Args:
        view: The current viewport.
        area: The area in whole CSS pixels of the document.
        pixel_ratio: Pixels of the image per CSS pixel.

    Raises:
        PageError: The image would be too large, or the page is blocked or does not answer.
    """
    size = image_size(area, pixel_ratio)
    raise_if_image_too_large(size, image_type)
    if view.visual.contains(area):
        data = await _capture_image(page, image_type, _to_clip(view, area, pixel_ratio))
        return await _measure_image(data, size, pixel_ratio)
    async with _hide_resizing(page):
        if max(size) > _MAX_TILE_SIDE:
            return CapturedImage(
                await _capture_tiles(page, view, area, pixel_ratio, image_type), size
            )
        data = await _capture_image(
            page, image_type, _to_clip(view, area, pixel_ratio), is_beyond_viewport=True
        )
    return await _measure_image(data, size, pixel_ratio)


def image_size(area: Area, pixel_ratio: float) -> tuple[int, int]:
    """Return the size in pixels of an image of the area."""
    return max(1, _round_half_up(area.width * pixel_ratio)), max(
        1, _round_half_up(area.height * pixel_ratio)
    )


def raise_if_image_too_large(size: tuple[int, int], image_type: ImageType) -> None:
    """Raise an error unless an image of that size can be captured in that format.

    Raises:
        PageError: The image would be too large.
    """
    width, height = size
    what = f"The screenshot would have {width:,} x {height:,} pixels"
    if width * height > MAX_PIXELS:
        raise PageError(
            f"{what}; the maximum is {MAX_PIXELS:,}.",
            "Pass ref to capture one element, or scroll and capture the viewport.",
        )
    if max(size) > _MAX_SIDES[image_type]:
        raise PageError(
            f"{what}; {image_type} allows {_MAX_SIDES[image_type]:,} per side.",
            "Use type png, or pass ref to capture one element.",
        )


async def _capture_tiles(
    page: PageServices, view: ViewportState, area: Area, pixel_ratio: float, image_type: ImageType
) -> bytes:
    size = image_size(area, pixel_ratio)
    tiles = list(_split_into_tiles(area, pixel_ratio))
    in_strips = image_type == "png" and all(tile.left == area.left for tile in tiles)
    if not in_strips:
        parts = []
        for tile in tiles:
            data = await _capture_image(
                page, "png", _to_clip(view, tile, pixel_ratio), is_beyond_viewport=True
            )
            left, top = (tile.left - area.left) * pixel_ratio, (tile.top - area.top) * pixel_ratio
            parts.append(ImagePart(data, _round_half_up(left), _round_half_up(top)))
        return await asyncio.to_thread(combine_images, parts, size, image_type)
    strips, adding = PngStripWriter(size[0]), None
    try:
        for tile in tiles:
            data = await _capture_image(
                page, "png", _to_clip(view, tile, pixel_ratio), is_beyond_viewport=True
            )
            if adding is not None:
                await adding
            height = image_size(tile, pixel_ratio)[1]
            adding = asyncio.ensure_future(asyncio.to_thread(strips.add, data, height))
        assert adding is not None
        await adding
    finally:
        if adding is not None:
            await asyncio.wait({adding})
    return await asyncio.to_thread(strips.finish)


def _split_into_tiles(area: Area, pixel_ratio: float) -> Iterator[Area]:
    """Divide the area into tiles, row by row. Tiles begin and end at whole pixels of the image."""
    unit = Fraction(pixel_ratio).limit_denominator(64).denominator
    step = max(unit, math.floor(_MAX_TILE_SIDE / pixel_ratio) // unit * unit)
    tile_width = step if area.width * pixel_ratio > _MAX_TILE_SIDE else math.ceil(area.width)
    top = area.top
    while top < area.bottom:
        left = area.left
        while left < area.right:
            yield Area(left, top, left + tile_width, top + step).intersect(area)
            left += tile_width
        top += step


def _to_clip(view: ViewportState, area: Area, pixel_ratio: float) -> Viewport:
    """Return the area in device-independent pixels, with a size in whole pixels."""
    zoom = view.browser_zoom
    return {
        "x": area.left * zoom,
        "y": area.top * zoom,
        "width": math.ceil(area.width * zoom - 0.01),
        "height": math.ceil(area.height * zoom - 0.01),
        "scale": pixel_ratio / view.device_pixel_ratio,
    }


async def _capture_image(
    page: PageServices,
    image_type: ImageType,
    clip: Viewport | None = None,
    *,
    is_beyond_viewport: bool = False,
) -> bytes:
    params: dict[str, object] = {"format": image_type}
    if image_type == "png":
        params["optimizeForSpeed"] = True
    else:
        params["quality"] = _LOSSY_QUALITY
    if clip is not None:
        params |= {"clip": clip, "captureBeyondViewport": is_beyond_viewport}
    limit = page.timeouts.action + _CAPTURE_TIME
    try:
        answer = await page.run_unless_blocked(_capture_of_document(page, params, limit))
    except WorldGoneError as error:
        raise page.blockers.blocking_error() or DocumentReplacedError from error
    return base64.b64decode(answer["data"])


async def _capture_of_document(
    page: PageServices, params: dict[str, object], timeout: float
) -> dict[str, Any]:
    capture = send_capture(page.session, params, timeout)
    try:
        return await page.frames.main.run_unless_document_left(capture)
    except CallTimeout as error:
        if not await page.blockers.check_page_answers():
            raise
        raise PageTimeoutError(
            f"The page answers, but Chromium did not draw it within {timeout:g} s; its GPU process "
            "may hang.",
            "Use browser_snapshot, which needs no drawing, or try again later.",
        ) from error


async def send_capture(
    session: Session, params: dict[str, object], timeout: float
) -> dict[str, Any]:
    """Capture a screenshot of a tab, also of a hidden one, and return the result of the command.

    If the page leaves the document during the call, Chromium never answers.

    Args:
        params: The parameters of the command.
        timeout: Seconds.

    Raises:
        WorldGoneError: The page is about to show another document.
        CdpError: The command failed, or was not answered in time.

    Source: CDP `Page.captureScreenshot`.
    """
    capture = asyncio.ensure_future(session.send("Page.captureScreenshot", params, timeout=timeout))
    try:
        if not (await asyncio.wait({capture}, timeout=_FRAME_LIMIT))[0]:
            async with _force_drawing_of_hidden_tab(session):
                return await capture
        return await capture
    except ProtocolError as error:
        if _BETWEEN_DOCUMENTS in error.message:
            raise WorldGoneError(error.message) from error
        raise
    finally:
        capture.cancel()
        await asyncio.gather(capture, return_exceptions=True)


@asynccontextmanager
async def _force_drawing_of_hidden_tab(session: Session) -> AsyncIterator[None]:
    """Make Chromium draw frames of the tab, even if another tab hides it.

    Otherwise Chromium draws no frame for the second screenshot of a hidden tab that did not change,
    and never answers. The images of the screencast are ignored, so they are tiny.

    Source: CDP `Page.startScreencast`, `Page.stopScreencast`.
    """
    await session.Page.startScreencast(format="jpeg", quality=1, maxWidth=16, maxHeight=16)
    try:
        yield
    finally:
        with suppress(CdpError):
            await session.Page.stopScreencast()


@asynccontextmanager
async def _hide_resizing(page: PageServices) -> AsyncIterator[None]:
    """Hide from the page that Chromium resizes the window for the capture; see `holdStill`."""
    main = page.frames.main
    await page.call_inpage(main, "holdStill")
    try:
        yield
    finally:
        with suppress(ViewpointError):
            await page.call_inpage(main, "letGo")


async def _measure_image(
    data: bytes, expected_size: tuple[int, int], pixel_ratio: float
) -> CapturedImage:
    # With fractional pixels, Chromium's rounding is unknown, so read the size from the image.
    exact = expected_size if pixel_ratio == 1 else await asyncio.to_thread(_read_image_size, data)
    return CapturedImage(data, exact)


def _read_image_size(data: bytes) -> tuple[int, int]:
    return read_image_size(data)


def _round_half_up(length: float) -> int:
    return math.floor(length + 0.5)
