"""Captures an area of a page's document. A large area is captured in tiles, which are joined."""

from __future__ import annotations

import asyncio
import base64
import math
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final, Literal

from cdp_protocol import ProtocolError
from viewpoint_mcp.errors import PageError, ViewpointError
from viewpoint_mcp.imaging.joining import Part, Strips, mosaic
from viewpoint_mcp.imaging.reading import MOST_PIXELS, size_of
from viewpoint_mcp.page.capture.viewport import Area, View
from viewpoint_mcp.page.isolated_world import WorldGone
from viewpoint_mcp.page.services import DocumentGone

if TYPE_CHECKING:
    from cdp_protocol import Session
    from cdp_protocol.types.page import Viewport
    from viewpoint_mcp.page.services import PageServices

ImageType = Literal["png", "jpeg", "webp"]

_QUALITY: Final = 90
_LIMIT: Final = 10.0  # seconds to render and encode an image, in addition to the limit of an action
_LONGEST: Final = 8192
"""Maximum pixels a side of one capture.

Beyond its largest texture, Chromium repeats parts of the image or draws nothing. The largest
texture is 16,384 pixels a side on most graphics hardware, and 8,192 on weak hardware.
"""
_SIDES: Final = {"png": 2**31 - 1, "jpeg": 65_535, "webp": 16_383}  # maximum pixels a side
_BETWEEN_DOCUMENTS: Final = "Not attached to an active page"


@dataclass(frozen=True, slots=True)
class Picture:
    """An encoded image and its size in pixels."""

    data: bytes
    size: tuple[int, int]


async def plain(page: PageServices, view: View, image_type: ImageType) -> Picture:
    """Capture the visible part of the page, with one pixel per device pixel."""
    data = await _capture(page, image_type)
    if view.ratio == view.pinch == 1:
        return Picture(data, view.size)
    return Picture(data, await asyncio.to_thread(_size_of, data))


async def capture(
    page: PageServices, view: View, area: Area, pixels: float, image_type: ImageType
) -> Picture:
    """Capture an area of the document.

    Args:
        view: The current viewport.
        area: The area in whole CSS pixels of the document.
        pixels: Pixels of the image per CSS pixel.

    Raises:
        PageError: The image would be too large, or the page is blocked or does not answer.
    """
    size = pixels_of(area, pixels)
    check_size(size, image_type)
    if view.shown.holds(area):
        data = await _capture(page, image_type, _clip(view, area, pixels))
        return await _measured(data, size, pixels)
    async with _held_still(page):
        if max(size) > _LONGEST:
            return Picture(await _joined(page, view, area, pixels, image_type), size)
        data = await _capture(page, image_type, _clip(view, area, pixels), beyond=True)
    return await _measured(data, size, pixels)


def pixels_of(area: Area, pixels: float) -> tuple[int, int]:
    """Return the size in pixels of an image of the area."""
    return max(1, _round(area.width * pixels)), max(1, _round(area.height * pixels))


def check_size(size: tuple[int, int], image_type: ImageType) -> None:
    """Check that an image of that size can be captured in that format.

    Raises:
        PageError: The image would be too large.
    """
    width, height = size
    what = f"The picture would have {width:,} x {height:,} pixels"
    if width * height > MOST_PIXELS:
        raise PageError(
            f"{what}, and at most {MOST_PIXELS:,} can be taken.",
            "Take one element with ref, or scroll and take the viewport.",
        )
    if max(size) > _SIDES[image_type]:
        raise PageError(
            f"{what}, and {image_type} has room for {_SIDES[image_type]:,} a side.",
            "Use type png, or take one element with ref.",
        )


async def _joined(
    page: PageServices, view: View, area: Area, pixels: float, image_type: ImageType
) -> bytes:
    size = pixels_of(area, pixels)
    tiles = list(_tiles(area, pixels))
    in_strips = image_type == "png" and all(tile.left == area.left for tile in tiles)
    if not in_strips:
        parts = []
        for tile in tiles:
            data = await _capture(page, "png", _clip(view, tile, pixels), beyond=True)
            left, top = (tile.left - area.left) * pixels, (tile.top - area.top) * pixels
            parts.append(Part(data, _round(left), _round(top)))
        return await asyncio.to_thread(mosaic, parts, size, image_type)
    strips, adding = Strips(size[0]), None
    try:
        for tile in tiles:
            data = await _capture(page, "png", _clip(view, tile, pixels), beyond=True)
            if adding is not None:
                await adding
            height = pixels_of(tile, pixels)[1]
            adding = asyncio.ensure_future(asyncio.to_thread(strips.add, data, height))
        assert adding is not None
        await adding
    finally:
        if adding is not None:
            await asyncio.wait({adding})
    return await asyncio.to_thread(strips.finish)


def _tiles(area: Area, pixels: float) -> Iterator[Area]:
    """Divide the area into tiles, row by row. Tiles begin and end at whole pixels of the image."""
    unit = Fraction(pixels).limit_denominator(64).denominator
    step = max(unit, math.floor(_LONGEST / pixels) // unit * unit)
    across = step if area.width * pixels > _LONGEST else math.ceil(area.width)
    top = area.top
    while top < area.bottom:
        left = area.left
        while left < area.right:
            yield Area(left, top, left + across, top + step).meets(area)
            left += across
        top += step


def _clip(view: View, area: Area, pixels: float) -> Viewport:
    """Return the area in device-independent pixels, with a size in whole pixels."""
    zoom = view.zoom
    return {
        "x": area.left * zoom,
        "y": area.top * zoom,
        "width": math.ceil(area.width * zoom - 0.01),
        "height": math.ceil(area.height * zoom - 0.01),
        "scale": pixels / view.ratio,
    }


async def _capture(
    page: PageServices,
    image_type: ImageType,
    clip: Viewport | None = None,
    *,
    beyond: bool = False,
) -> bytes:
    params: dict[str, object] = {"format": image_type}
    if image_type == "png":
        params["optimizeForSpeed"] = True
    else:
        params["quality"] = _QUALITY
    if clip is not None:
        params |= {"clip": clip, "captureBeyondViewport": beyond}
    limit = page.timeouts.action + _LIMIT
    try:
        taken = await page.run_unless_blocked(
            page.frames.main.run_unless_document_left(_send(page.session, params, limit))
        )
    except WorldGone as error:
        raise page.blockers.blocking_error() or DocumentGone from error
    return base64.b64decode(taken["data"])


async def _send(session: Session, params: dict[str, object], limit: float) -> dict[str, Any]:
    """Capture a screenshot. Raise `WorldGone` if the page is about to show another document.

    If the page leaves the document during the call, Chromium never answers.

    Source: CDP `Page.captureScreenshot`.
    """
    try:
        return await session.send("Page.captureScreenshot", params, timeout=limit)
    except ProtocolError as error:
        if _BETWEEN_DOCUMENTS in error.message:
            raise WorldGone(error.message) from error
        raise


@asynccontextmanager
async def _held_still(page: PageServices) -> AsyncIterator[None]:
    """Hide from the page that Chromium resizes the window for the capture; see `holdStill`."""
    main = page.frames.main
    await page.call_inpage(main, "holdStill")
    try:
        yield
    finally:
        with suppress(ViewpointError):
            await page.call_inpage(main, "letGo")


async def _measured(data: bytes, size: tuple[int, int], pixels: float) -> Picture:
    # With fractional pixels, Chromium's rounding is unknown, so read the size from the image.
    exact = size if pixels == 1 else await asyncio.to_thread(_size_of, data)
    return Picture(data, exact)


def _size_of(data: bytes) -> tuple[int, int]:
    return size_of(data)


def _round(length: float) -> int:
    return math.floor(length + 0.5)
