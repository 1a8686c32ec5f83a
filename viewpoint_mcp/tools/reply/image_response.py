"""How much of a screenshot its reply brings, as the server's user chose."""

from __future__ import annotations

import asyncio

from viewpoint_mcp.config.settings import ImageResponses
from viewpoint_mcp.imaging.scaling import Small, fitted
from viewpoint_mcp.page.capture.screenshot import Screenshot
from viewpoint_mcp.tools.core.result import Image, Taken


async def deliver(taken: Taken, mode: ImageResponses) -> tuple[str, tuple[Image, ...]]:
    """Return the text about a screenshot that was saved, and the picture if it goes along: scaled
    to what a model sees, while the file has every pixel.
    """
    if mode is ImageResponses.OMIT:
        return f"Screenshot captured ({taken.what})", ()
    text = f"Screenshot saved to {taken.path} ({taken.what})"
    if taken.shot.note:
        text += f"\nNote: {taken.shot.note}"
    if mode is ImageResponses.FILE:
        return text, ()
    small = await asyncio.to_thread(fitted, taken.shot.data)
    image = Image(small.data, small.mime_type, ("user", "assistant"))
    if mode is ImageResponses.ONLY:
        return "", (image,)
    return f"{text}\n{_measures(small, taken.shot)}", (image,)


def _measures(small: Small, shot: Screenshot) -> str:
    """Say how the image was scaled, so that a place in it is a place on the page."""
    width, height = small.size
    sizes = f"Image: {width}x{height}"
    if small.scale < 1:
        sizes += f" of {shot.size[0]}x{shot.size[1]}"
    factor = 1 / (small.scale * shot.scale)
    place = "x and y in it" if factor == 1 else f"x and y in it times {factor:.4g}"
    left, top = (round(each) for each in shot.origin)
    if (left, top) != (0, 0):
        place += f", plus {left} and {top},"
    return f"{sizes} pixels, scale {small.scale:.4g}; {place} are CSS pixels of the viewport"
