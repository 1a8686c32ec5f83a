"""The tool that takes screenshots of the page."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import PurePath
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Final, Literal

from msgspec import Meta

from viewpoint_mcp.accessibility.printing.sentence_quotes import to_one_line
from viewpoint_mcp.errors import CallError, DirectoryNotWritableError
from viewpoint_mcp.files.records import FileDescription
from viewpoint_mcp.tools.core.args import Args, ElementDescription, Filename, Ref
from viewpoint_mcp.tools.core.result import SavedScreenshot, ToolResult
from viewpoint_mcp.tools.core.tool import page_tool
from viewpoint_mcp.tools.reply.file_saving import link_saved_file

if TYPE_CHECKING:
    from viewpoint_mcp.page.capture.area_capture import ImageType
    from viewpoint_mcp.page.page import Page


class TakeScreenshotArgs(Args):
    ref: Ref | None = None
    """Element to capture, whole, even if it is larger than the viewport. A ref, a locator or a CSS
    selector of one element. Excludes `fullPage`."""
    element: ElementDescription = None
    full_page: bool = False
    """Whether to capture the whole page instead of the viewport. Excludes `ref`."""
    type: Literal["png", "jpeg", "webp"] | None = None
    """Format of the file. Derived from the suffix of `filename` if omitted, else `png`."""
    scale: Annotated[
        Literal["css", "device"], Meta(description="css for coordinates, device for detail")
    ] = "css"
    """Resolution: one pixel for each CSS pixel, or one for each pixel of the device. `css` suits
    coordinates, `device` fine detail."""
    filename: Filename = None
    """File to save the image in, relative to the working directory or absolute; the suffix of the
    format is added if it has none. `list_screenshots` lists only files in `--screenshot-dir` and
    `--output-dir`. A new file in `--screenshot-dir` if omitted."""
    annotate: Annotated[bool, Meta(description="Mark elements with their refs")] = False
    """Whether to draw a box with the ref around each element that can be acted on, also in frames.
    """


_TYPE_BY_SUFFIX: Final[Mapping[str, ImageType]] = MappingProxyType(
    {".png": "png", ".jpg": "jpeg", ".jpeg": "jpeg", ".webp": "webp"}
)


@page_tool("browser_take_screenshot", title="Screenshot", kind="read", slim=())
async def take_screenshot(page: Page, args: TakeScreenshotArgs) -> ToolResult:
    """Save a screenshot of the viewport, full page or element.

    Read pages with `browser_snapshot`; use a screenshot for layout, images and charts. The scroll
    position of the page is restored afterwards. See [Screenshots](screenshots.md).

    Reply: the path of the file, and a link for clients that support resource links.
    `--image-responses inline` adds the image, scaled to at most 1,568 pixels a side and 1.15
    megapixels, and states how to convert its coordinates to CSS pixels. With `annotate`: the number
    of marked elements, and a line for each one that your last snapshot does not show.

    Errors: the image would be too large; the element is gone or cannot be seen; `type` contradicts
    the suffix of `filename`.
    """
    if args.ref and args.full_page:
        raise CallError("Give ref or fullPage, not both.")
    image_type, filename = _choose_type_and_name(args)
    element = await page.find_element(args.ref) if args.ref else None
    marked = None
    if args.annotate:
        taking_marked = page.capture.marked_screenshot(
            image_type=image_type, full_page=args.full_page, element=element, scale=args.scale
        )
        marked, title = await asyncio.gather(taking_marked, page.title())
        shot = marked.screenshot
    else:
        taking = page.capture.screenshot(
            image_type=image_type, full_page=args.full_page, element=element, scale=args.scale
        )
        shot, title = await asyncio.gather(taking, page.title())
    what = (
        "full page" if args.full_page else f"element '{element.label}'" if element else "viewport"
    )
    about = FileDescription(
        kind="screenshot",
        url=page.url,
        title=to_one_line(title),
        context=page.context_name,
        what=what,
        viewport=shot.viewport_size,
        size=shot.size,
        scale=shot.pixel_ratio,
    )
    fit_text = page.capture.make_mark_legend_renderer(marked) if marked else None
    save = page.files.save_as if filename else page.files.save
    try:
        path = await asyncio.to_thread(save, shot.data, filename or image_type, about)
    except DirectoryNotWritableError as error:
        saved = SavedScreenshot(shot, "", what, save_error=str(error))
        return ToolResult(screenshot=saved, fit_text=fit_text)
    saved = SavedScreenshot(shot, page.files.format_path_for_reply(path), what)
    links = await link_saved_file(page, path)
    return ToolResult(screenshot=saved, fit_text=fit_text, links=links)


def _choose_type_and_name(args: TakeScreenshotArgs) -> tuple[ImageType, str]:
    """Return the image type and the file name of the screenshot; "" for a generated name.

    Raises:
        CallError: The suffix of the file name contradicts the requested type.
    """
    if not args.filename:
        return args.type or "png", ""
    by_name = _TYPE_BY_SUFFIX.get(PurePath(args.filename).suffix.lower())
    if args.type and by_name and by_name != args.type:
        raise CallError(
            f'The filename "{args.filename}" does not fit the type {args.type}.',
            "Omit type, or change the name.",
        )
    image_type = args.type or by_name or "png"
    return image_type, args.filename if by_name else f"{args.filename}.{image_type}"
