"""Pictures of a page, as Chromium encodes them."""

from __future__ import annotations

import base64
from typing import Any, Literal

from cdp_protocol import Session

ImageType = Literal["png", "jpeg", "webp"]
_QUALITY = 90


async def capture(
    session: Session,
    *,
    image_type: ImageType = "png",
    full_page: bool = False,
    clip: dict[str, float] | None = None,
) -> bytes:
    """Take a picture of the viewport, of the whole page, or of a part of it.

    Args:
        clip: x, y, width, height in CSS pixels of the page.

    Source: CDP `Page.captureScreenshot`, `Page.getLayoutMetrics`.
    """
    params: dict[str, Any] = {"format": image_type}
    if image_type != "png":
        params["quality"] = _QUALITY
    if full_page:
        size = (await session.Page.getLayoutMetrics())["cssContentSize"]
        clip = {key: size[key] for key in ("x", "y", "width", "height")}
    if clip is not None:
        params |= {"clip": {**clip, "scale": 1}, "captureBeyondViewport": True}
    answer = await session.send("Page.captureScreenshot", params)
    return base64.b64decode(answer["data"])
