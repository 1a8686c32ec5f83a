"""Pictures of a page: of its viewport, of all of it, or of one element."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from viewpoint_mcp.errors import ViewpointError
from viewpoint_mcp.page.actions.element import Element
from viewpoint_mcp.page.capture import element_screenshot, tiles
from viewpoint_mcp.page.capture.tiles import ImageType, Picture
from viewpoint_mcp.page.capture.viewport import View, look

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


async def take(
    page: PageServices,
    *,
    image_type: ImageType = "png",
    full_page: bool = False,
    element: Element | None = None,
    scale: Scale = "css",
) -> Screenshot:
    """Take a picture of the viewport, of the whole page, or of one element. The page is left as it
    was.

    Args:
        scale: Whether the picture has a pixel for each CSS pixel, or for each of the device.

    Raises:
        ElementError: The element is gone, or nothing of it can be seen.
        PageError: The picture would be too large; or the page is interrupted, or does not answer.
    """
    view = await look(page)
    pixels = view.ratio if scale == "device" else 1.0
    note = ""
    if element is not None:
        shot, origin, note = await element_screenshot.capture(page, element, pixels, image_type)
    elif full_page:
        shot, origin = await _full_page(page, view, pixels, image_type)
    else:
        pixels *= view.pinch if scale == "device" else 1
        shot, origin = await _viewport(page, view, pixels, image_type)
    viewport = round(view.layout.width), round(view.layout.height)
    return Screenshot(shot.data, image_type, shot.size, pixels, origin, viewport, note)


async def _viewport(
    page: PageServices, view: View, pixels: float, image_type: ImageType
) -> tuple[Picture, tuple[float, float]]:
    shown = view.shown
    if pixels == view.ratio * view.pinch:
        shot = await tiles.plain(page, view, image_type)
    else:
        shown = shown.in_whole_pixels()
        shot = await tiles.capture(page, view, shown, pixels, image_type)
    return shot, (shown.left - view.layout.left, shown.top - view.layout.top)


async def _full_page(
    page: PageServices, view: View, pixels: float, image_type: ImageType
) -> tuple[Picture, tuple[float, float]]:
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
