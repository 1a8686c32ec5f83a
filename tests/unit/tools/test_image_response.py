"""The text and the picture in the reply to a screenshot, in each mode."""

from __future__ import annotations

import io

import pytest
from PIL import Image

from viewpoint_mcp.config.settings import ImageResponses
from viewpoint_mcp.page.capture.screenshot import Screenshot
from viewpoint_mcp.tools.core.result import SavedScreenshot
from viewpoint_mcp.tools.reply.image_response import render_screenshot

PATH = ".viewpoint-mcp-screenshots/page-2026-01-13T15-30-45-123Z.png"


def make_response(
    size: tuple[int, int] = (1280, 720),
    scale: float = 1.0,
    origin: tuple[float, float] = (0.0, 0.0),
) -> SavedScreenshot:
    file = io.BytesIO()
    Image.new("RGB", size, "white").save(file, "PNG")
    return SavedScreenshot(
        Screenshot(file.getvalue(), "png", size, scale, origin, (1280, 720)), PATH, "viewport"
    )


async def test_mode_file_gives_only_the_path() -> None:
    text, images = await render_screenshot(make_response(), ImageResponses.FILE)
    assert (text, images) == (f"Screenshot saved to {PATH} (viewport)", ())


async def test_mode_omit_says_that_it_was_taken() -> None:
    text, images = await render_screenshot(make_response(), ImageResponses.OMIT)
    assert (text, images) == ("Screenshot captured (viewport)", ())


async def test_mode_only_has_no_text() -> None:
    text, images = await render_screenshot(make_response(), ImageResponses.ONLY)
    assert text == ""
    assert [image.mime_type for image in images] == ["image/jpeg"]


@pytest.mark.parametrize(
    ("shot", "line"),
    [
        (make_response(), "1280x720 pixels, scale 1; x and y in it are"),
        (
            make_response((2560, 1440), scale=2.0),
            "1429x804 of 2560x1440 pixels, scale 0.5582; x and y in it times 0.8957 are",
        ),
        (
            make_response((1280, 20_000), origin=(0.0, -300.0)),
            (
                "100x1568 of 1280x20000 pixels, scale 0.0784; "
                "x and y in it times 12.76, plus 0 and -300, are"
            ),
        ),
        (
            make_response((120, 80), origin=(50.0, 400.5)),
            "120x80 pixels, scale 1; x and y in it, plus 50 and 400, are",
        ),
    ],
)
async def test_mode_inline_explains_how_to_convert_coordinates(
    shot: SavedScreenshot, line: str
) -> None:
    text, images = await render_screenshot(shot, ImageResponses.INLINE)
    assert text == (
        f"Screenshot saved to {PATH} (viewport)\nImage: {line} CSS pixels of the viewport"
    )
    assert [image.mime_type for image in images] == ["image/jpeg"]
    assert images[0].audience == ("user", "assistant")
