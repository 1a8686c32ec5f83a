"""The text and image of a screenshot, as `--image-responses` requires."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from viewpoint_mcp.config.settings import ImageResponses
from viewpoint_mcp.imaging.scaling import ScaledImage, scale_for_model
from viewpoint_mcp.tools.core.result import Image, SavedScreenshot

if TYPE_CHECKING:
    from viewpoint_mcp.page.capture.screenshot import Screenshot


async def render_screenshot(
    saved: SavedScreenshot, mode: ImageResponses
) -> tuple[str, tuple[Image, ...]]:
    """Return the text about a saved screenshot, and the image if the mode includes it.

    The image is scaled down to the largest size that models process. The file keeps all pixels.
    """
    captured = f"Screenshot captured ({saved.captured_part})"
    not_saved = f"{captured}, but not saved: {saved.save_error}"
    if mode is ImageResponses.OMIT:
        return not_saved if saved.save_error else captured, ()
    text = f"Screenshot saved to {saved.path} ({saved.captured_part})"
    if saved.save_error:
        text = not_saved
        mode = ImageResponses.INLINE if mode is ImageResponses.FILE else mode
    if saved.screenshot.note:
        text += f"\nNote: {saved.screenshot.note}"
    if mode is ImageResponses.FILE:
        return text, ()
    small = await asyncio.to_thread(scale_for_model, saved.screenshot.data)
    image = Image(small.data, small.mime_type, ("user", "assistant"))
    if mode is ImageResponses.ONLY:
        return "", (image,)
    return f"{text}\n{_describe_scale(small, saved.screenshot)}", (image,)


def _describe_scale(small: ScaledImage, shot: Screenshot) -> str:
    """Describe how to convert coordinates in the image to CSS pixels of the viewport."""
    width, height = small.size
    sizes = f"Image: {width}x{height}"
    if small.scale < 1:
        sizes += f" of {shot.size[0]}x{shot.size[1]}"
    factor = 1 / (small.scale * shot.pixel_ratio)
    coordinates = "x and y in it" if factor == 1 else f"x and y in it times {factor:.4g}"
    left, top = (round(each) for each in shot.origin)
    if (left, top) != (0, 0):
        coordinates += f", plus {left} and {top},"
    return f"{sizes} pixels, scale {small.scale:.4g}; {coordinates} are CSS pixels of the viewport"
