"""Screenshots of the viewport and of the whole page."""

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
    """A screenshot, and the part of the page that it shows.

    Attributes:
        data: The bytes of the file.
        image_type: The format of the file.
        size: Width and height in pixels.
        scale: Pixels of the image per CSS pixel.
        origin: The position of its upper left corner, in CSS pixels of the page's viewport.
        viewport: Width and height of the page's viewport, CSS pixels.
        note: A note for the reply; "" for none.
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
    """Return an image of the visual viewport, and the position of its upper left corner.

    The position is in CSS pixels of the layout viewport.

    Args:
        pixels: Pixels of the image per CSS pixel.
    """
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
    """Return an image of the whole page, and the position of its upper left corner.

    The position is in CSS pixels of the layout viewport. A page that is larger than its viewport is
    scrolled to its start during the capture.

    Args:
        pixels: Pixels of the image per CSS pixel.

    Raises:
        PageError: The image would be too large, or the page is blocked or does not answer.
    """
    whole = view.whole.in_whole_pixels()
    origin = whole.left - view.layout.left, whole.top - view.layout.top
    tiles.check_size(tiles.pixels_of(whole, pixels), image_type)
    main = page.frames.main
    is_scrolled = not view.shown.holds(whole)
    try:
        if is_scrolled:
            await page.call_inpage(main, "toOrigin")
        return await tiles.capture(page, view, whole, pixels, image_type), origin
    finally:
        if is_scrolled:
            with suppress(ViewpointError):
                await page.call_inpage(main, "putBack")
