"""Pictures of the viewport and of a whole page."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from viewpoint_mcp.errors import ViewpointError
from viewpoint_mcp.page.capture import tiles
from viewpoint_mcp.page.capture.tiles import ImageType, Picture
from viewpoint_mcp.page.capture.viewport import View

if TYPE_CHECKING:
    from viewpoint_mcp.page.services import PageServices

Scale = Literal["css", "device"]


@dataclass(frozen=True, slots=True)
class Screenshot:
    """A picture, and what of the page it shows.

    Attributes:
        data: The bytes of the file.
        size: Width and height in pixels.
        scale: Its pixels for one CSS pixel.
        origin: Of its upper left corner, CSS pixels from that of the page's viewport, to the right
            and down.
        viewport: Width and height, CSS pixels.
        note: What is to be said of it; "" for nothing.
    """

    data: bytes
    image_type: ImageType
    size: tuple[int, int]
    scale: float
    origin: tuple[float, float]
    viewport: tuple[int, int]
    note: str = ""


async def capture_viewport(
    page: PageServices, view: View, pixels: float, image_type: ImageType
) -> tuple[Picture, tuple[float, float]]:
    """Return a picture of the viewport, and where its upper left corner is."""
    shown = view.shown
    if pixels == view.ratio * view.pinch:
        shot = await tiles.plain(page, view, image_type)
    else:
        shown = shown.in_whole_pixels()
        shot = await tiles.capture(page, view, shown, pixels, image_type)
    return shot, (shown.left - view.layout.left, shown.top - view.layout.top)


async def capture_full_page(
    page: PageServices, view: View, pixels: float, image_type: ImageType
) -> tuple[Picture, tuple[float, float]]:
    """Return a picture of the whole page, and where its upper left corner is."""
    whole = view.whole.in_whole_pixels()
    origin = whole.left - view.layout.left, whole.top - view.layout.top
    tiles.check_size(tiles.pixels_of(whole, pixels), image_type)
    main = page.frames.main
    is_scrolled = not view.shown.holds(whole)
    try:
        if is_scrolled:
            await page.call(main, "toOrigin")
        return await tiles.capture(page, view, whole, pixels, image_type), origin
    finally:
        if is_scrolled:
            with suppress(ViewpointError):
                await page.call(main, "putBack")
