"""Screenshots of the viewport and of the whole page."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from viewpoint_mcp.errors import ViewpointError
from viewpoint_mcp.page.capture import area_capture
from viewpoint_mcp.page.capture.area_capture import CapturedImage, ImageType, UpperLeftCorner
from viewpoint_mcp.page.capture.viewport import ViewportState

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
        pixel_ratio: Pixels of the image per CSS pixel.
        origin: The position of its upper left corner, in CSS pixels of the page's viewport.
        viewport_size: Width and height of the page's viewport, CSS pixels.
        note: A note for the reply; "" for none.
    """

    data: bytes
    image_type: ImageType
    size: tuple[int, int]
    pixel_ratio: float
    origin: tuple[float, float]
    viewport_size: tuple[int, int]
    note: str = ""


async def capture_viewport(
    page: PageServices, view: ViewportState, pixel_ratio: float, image_type: ImageType
) -> tuple[CapturedImage, UpperLeftCorner]:
    """Return an image of the visual viewport, and the position of its upper left corner.

    The position is in CSS pixels of the layout viewport.

    Args:
        pixel_ratio: Pixels of the image per CSS pixel.
    """
    area = view.visual
    if pixel_ratio == view.device_pixel_ratio * view.pinch_zoom:
        image = await area_capture.capture_visible_part(page, view, image_type)
    else:
        area = area.round_outwards()
        image = await area_capture.capture_area(page, view, area, pixel_ratio, image_type)
    return image, (area.left - view.layout.left, area.top - view.layout.top)


async def capture_full_page(
    page: PageServices, view: ViewportState, pixel_ratio: float, image_type: ImageType
) -> tuple[CapturedImage, UpperLeftCorner]:
    """Return an image of the whole page, and the position of its upper left corner.

    The position is in CSS pixels of the layout viewport. A page that is larger than its viewport is
    scrolled to its start during the capture.

    Args:
        pixel_ratio: Pixels of the image per CSS pixel.

    Raises:
        PageError: The image would be too large, or the page is blocked or does not answer.
    """
    area = view.scrollable_area.round_outwards()
    origin = area.left - view.layout.left, area.top - view.layout.top
    area_capture.raise_if_image_too_large(area_capture.image_size(area, pixel_ratio), image_type)
    main = page.frames.main
    is_scrolled = not view.visual.contains(area)
    try:
        if is_scrolled:
            await page.call_inpage(main, "toOrigin")
        return await area_capture.capture_area(page, view, area, pixel_ratio, image_type), origin
    finally:
        if is_scrolled:
            with suppress(ViewpointError):
                await page.call_inpage(main, "putBack")
