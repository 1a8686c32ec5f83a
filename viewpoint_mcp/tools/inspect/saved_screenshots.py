"""Tools that list, show and crop saved screenshots. They need no browser."""

from __future__ import annotations

import asyncio
import math
from functools import partial
from typing import TYPE_CHECKING, Annotated, Final, Literal

from msgspec import Meta

from viewpoint_mcp.accessibility.printing.sentence_quotes import escape_link_text, to_one_line
from viewpoint_mcp.errors import CallError
from viewpoint_mcp.files.saved_file_lookup import SavedFile
from viewpoint_mcp.files.saved_file_pagination import select_page
from viewpoint_mcp.tools.core.args import Args
from viewpoint_mcp.tools.core.result import Image, ToolResult
from viewpoint_mcp.tools.core.sessionless_call_policy import NeedsNoContext
from viewpoint_mcp.tools.core.structured_output import Output, Row
from viewpoint_mcp.tools.core.tool import browser_tool
from viewpoint_mcp.tools.reply.file_saving import make_link

if TYPE_CHECKING:
    from viewpoint_mcp.browser.client_workspace import Workspace
    from viewpoint_mcp.imaging.scaling import Region

_MAX_LINE_LENGTH: Final = 380
"""Limit on the characters of a line, so that a hundred lines fit the default budget of a reply.

`get_screenshot` shows the complete line.
"""


class ListScreenshotsArgs(Args):
    limit: Annotated[int, Meta(ge=1, le=100)] = 20
    """Maximum number of screenshots."""
    cursor: str | None = None
    """Cursor from the reply of an earlier call, to list the screenshots after it. If omitted, the
    list starts with the newest."""


class GetScreenshotArgs(Args):
    name: Annotated[str, Meta(description="As in list_screenshots")]
    """Name of the screenshot as in `list_screenshots`, or its path or resource URI."""


class CropScreenshotArgs(Args):
    name: Annotated[str, Meta(description="As in list_screenshots")]
    """Name of the screenshot as in `list_screenshots`, or its path or resource URI."""
    x: float
    """Left edge of the region, in the `unit`."""
    y: float
    """Upper edge of the region, in the `unit`."""
    width: float
    """Width of the region, in the `unit`; more than 0."""
    height: float
    """Height of the region, in the `unit`; more than 0."""
    unit: Literal["pixels", "fractions"] = "pixels"
    """Unit of the region: `pixels` of the saved file, or `fractions` of its width and height from 0
    to 1."""


class ScreenshotRow(Row):
    name: str
    uri: str
    size: int
    saved: str
    width: int = 0
    height: int = 0
    what: str = ""
    title: str = ""
    url: str = ""


class ScreenshotsOutput(Output):
    screenshots: list[ScreenshotRow]
    next_cursor: str = ""


@browser_tool(
    "list_screenshots",
    title="List screenshots",
    kind="record",
    output=ScreenshotsOutput,
    sessionless=NeedsNoContext(),
)
async def list_screenshots(browser: Workspace, args: ListScreenshotsArgs) -> ToolResult:
    """List saved screenshots, newest first.

    The list has the images in `--screenshot-dir` and the screenshots in `--output-dir`, also from
    earlier sessions. No browser is started.

    Reply: a line for each screenshot: name, subject, size, time, context, and the page's title and
    URL; the cursor of the next page if there are more. `structuredContent` has the same as data;
    clients that support resource links get a link to each file.

    Errors: the cursor is malformed.
    """
    saved = await asyncio.to_thread(browser.screenshots.list_newest_first)
    page_of_files, following = select_page(saved, args.cursor, args.limit)
    if not page_of_files:
        text = "No further screenshots." if saved else "No screenshots yet."
        output = ScreenshotsOutput(screenshots=[], notes=text)
        return ToolResult(text, omits_open_tabs=True, output=output)
    first = saved.index(page_of_files[0]) + 1
    head = f"Screenshots {first}-{first + len(page_of_files) - 1} of {len(saved)}, newest first."
    if following is not None:
        head += f' More: cursor "{following}".'
    sizes = await asyncio.to_thread(browser.screenshots.get_sizes, page_of_files)
    rows = [_make_row(entry, size) for entry, size in zip(page_of_files, sizes, strict=True)]
    return ToolResult(
        "\n".join([head, *map(_render_list_line, page_of_files, sizes)]),
        omits_open_tabs=True,
        links=tuple(map(make_link, page_of_files)),
        output=ScreenshotsOutput(screenshots=rows, next_cursor=following or "", notes=head),
    )


@browser_tool("get_screenshot", title="Get screenshot", kind="record", sessionless=NeedsNoContext())
async def get_screenshot(browser: Workspace, args: GetScreenshotArgs) -> ToolResult:
    """Show a saved screenshot.

    Reply: name, subject, size and time; the viewport that it was taken in; a thumbnail for the
    model, at most 320 pixels wide and 1,568 high; the saved image for the user; for clients that
    support resource links, a link to the file.

    Errors: no screenshot has this name; the file was removed, is damaged, or exceeds 64 MiB.
    """
    saved = await asyncio.to_thread(browser.screenshots.get_thumbnail, args.name)
    entry, small = saved.screenshot, saved.preview
    width, height = small.original_size
    thumb = f"Thumbnail: {_render_size(small.size)} pixels, scale {small.scale:.4g}."
    crop_hint = f"crop_screenshot accepts pixels of the original, {width}x{height}, or fractions."
    lines = [
        _describe_file(entry, small.original_size),
        *_describe_viewport(entry),
        f"{thumb} {crop_hint}",
    ]
    images = (
        Image(small.data, small.mime_type, ("user", "assistant")),
        Image(saved.original_data, entry.mime_type, ("user",)),
    )
    return ToolResult(
        "\n".join(lines), omits_open_tabs=True, images=images, links=(make_link(entry),)
    )


@browser_tool(
    "crop_screenshot", title="Crop screenshot", kind="record", sessionless=NeedsNoContext()
)
async def crop_screenshot(browser: Workspace, args: CropScreenshotArgs) -> ToolResult:
    """Show a region of a saved screenshot.

    Use it to read small text: the region is shown in full resolution, unless it exceeds 1,568
    pixels a side or 1.15 megapixels. The region is clipped to the image. The file stays unchanged.

    Reply: the region in pixels, the size and scale of the returned image, and the image.

    Errors: as `get_screenshot`; the region contains no pixel of the image.
    """
    saved, region = await asyncio.to_thread(
        browser.screenshots.get_cropped, args.name, partial(_pixel_region, args)
    )
    (left, top, right, bottom), small = region, saved.preview
    text = (
        f"{_printable_name(saved.screenshot)}: from {left},{top}, "
        f"{right - left}x{bottom - top} of its pixels.\n"
        f"Image: {_render_size(small.size)} pixels, scale {small.scale:.4g}"
    )
    image = Image(small.data, small.mime_type, ("user", "assistant"))
    return ToolResult(text, omits_open_tabs=True, images=(image,))


def _pixel_region(args: CropScreenshotArgs, size: tuple[int, int]) -> Region:
    """Return the pixels that a region touches, clipped to the picture.

    Args:
        size: Width and height of the picture in pixels.

    Raises:
        CallError: The region contains no pixel of the picture.
    """
    across, down = size if args.unit == "pixels" else (1, 1)
    wide, high = size
    left = math.floor(_clamp(args.x * wide / across, wide))
    top = math.floor(_clamp(args.y * high / down, high))
    right = math.ceil(_clamp((args.x + args.width) * wide / across, wide))
    bottom = math.ceil(_clamp((args.y + args.height) * high / down, high))
    if args.width <= 0 or args.height <= 0 or left >= right or top >= bottom:
        limits = "fractions from 0 to 1" if args.unit == "fractions" else f"{wide}x{high} pixels"
        raise CallError(
            f"The region {args.x:g},{args.y:g} {args.width:g}x{args.height:g} contains no part of "
            f"the screenshot, which has {limits}.",
            "Give x, y, width and height within it.",
        )
    return left, top, right, bottom


def _clamp(coordinate: float, end: int) -> float:
    """Return a coordinate clamped to the picture, so that even infinity can become an integer."""
    return max(0.0, min(coordinate, end))


def _make_row(entry: SavedFile, size: tuple[int, int] | None) -> ScreenshotRow:
    about = entry.description
    width, height = size or (0, 0)
    return ScreenshotRow(
        name=_printable_name(entry),
        uri=entry.uri,
        what=to_one_line(about.what) if about else "",
        title=to_one_line(about.title)[:_MAX_LINE_LENGTH] if about else "",
        url=about.url[:_MAX_LINE_LENGTH] if about else "",
        width=width,
        height=height,
        size=entry.size,
        saved=_render_time(entry),
    )


def _render_list_line(entry: SavedFile, size: tuple[int, int] | None) -> str:
    line = f"- {_describe_file(entry, size)}"
    return line if len(line) <= _MAX_LINE_LENGTH else f"{line[:_MAX_LINE_LENGTH]}…"


def _describe_file(entry: SavedFile, size: tuple[int, int] | None) -> str:
    """Return the name and the description of a file on one line."""
    about = entry.description
    words = [
        to_one_line(about.what) if about else "not taken by this server",
        f"{_render_size(size)} pixels" if size else "not a readable image",
        f"{entry.size:,} bytes",
        _render_time(entry),
    ]
    if about:
        title = escape_link_text(to_one_line(about.title))
        words += [to_one_line(about.context), f"[{title}]({about.url})"]
    return f"{_printable_name(entry)}: {', '.join(filter(None, words))}"


def _render_time(entry: SavedFile) -> str:
    return entry.saved_at.isoformat(timespec="seconds").replace("+00:00", "Z")


def _printable_name(entry: SavedFile) -> str:
    """Return the file name on one line, because files of other programs may have any name."""
    return to_one_line(entry.name)


def _describe_viewport(entry: SavedFile) -> list[str]:
    about = entry.description
    if about is None or about.viewport is None or about.scale is None:
        return []
    ratio = f"{about.scale:g} pixel{'' if about.scale == 1 else 's'} for each of them"
    return [f"Viewport: {_render_size(about.viewport)} CSS pixels; the picture has {ratio}"]


def _render_size(size: tuple[int, int]) -> str:
    return f"{size[0]}x{size[1]}"
