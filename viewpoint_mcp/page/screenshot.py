"""Pictures of a page, as Chromium encodes them."""

from __future__ import annotations

import base64
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from viewpoint_mcp.page.elements import Element

if TYPE_CHECKING:
    from viewpoint_mcp.page.page import Page

ImageType = Literal["png", "jpeg", "webp"]
_QUALITY = 90


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
    """

    data: bytes
    image_type: ImageType
    size: tuple[int, int]
    scale: float
    origin: tuple[float, float]
    viewport: tuple[int, int]


async def take(
    page: Page,
    *,
    image_type: ImageType = "png",
    full_page: bool = False,
    element: Element | None = None,
) -> Screenshot:
    """Take a picture of the viewport, of the whole page, or of one element.

    Raises:
        ElementError: The element is gone or not drawn.

    Source: CDP `Page.captureScreenshot`, `Page.getLayoutMetrics`.
    """
    clip = await element.box() if element else None
    metrics = await page.race(page.session.Page.getLayoutMetrics())
    shown, whole = metrics["cssVisualViewport"], metrics["cssContentSize"]
    viewport = round(shown["clientWidth"]), round(shown["clientHeight"])
    params: dict[str, Any] = {"format": image_type}
    if image_type != "png":
        params["quality"] = _QUALITY
    if full_page:
        clip = {key: whole[key] for key in ("x", "y", "width", "height")}
    size, origin = viewport, (0.0, 0.0)
    if clip is not None:
        params |= {"clip": {**clip, "scale": 1}, "captureBeyondViewport": True}
        size = round(clip["width"]), round(clip["height"])
        origin = clip["x"] - shown["pageX"], clip["y"] - shown["pageY"]
    answer = await page.race(page.session.send("Page.captureScreenshot", params))
    return Screenshot(base64.b64decode(answer["data"]), image_type, size, 1.0, origin, viewport)
