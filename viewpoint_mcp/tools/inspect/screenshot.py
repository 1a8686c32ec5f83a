"""The tool that takes screenshots of the page."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import PurePath
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Final, Literal

from msgspec import Meta

from viewpoint_mcp.errors import CallError
from viewpoint_mcp.files.records import About
from viewpoint_mcp.tools.core.args import Args, Element
from viewpoint_mcp.tools.core.result import SavedScreenshot, ToolResult
from viewpoint_mcp.tools.core.tool import page_tool
from viewpoint_mcp.tools.reply.saved_files import link_to

if TYPE_CHECKING:
    from viewpoint_mcp.page.capture.tiles import ImageType
    from viewpoint_mcp.page.page import Page


class TakeScreenshotArgs(Args):
    ref: str | None = None
    element: Element = None
    full_page: bool = False
    type: Literal["png", "jpeg", "webp"] | None = None
    scale: Literal["css", "device"] = "css"
    filename: str | None = None
    annotate: Annotated[bool, Meta(description="Mark elements with their refs")] = False


_TYPES: Final[Mapping[str, ImageType]] = MappingProxyType(
    {".png": "png", ".jpg": "jpeg", ".jpeg": "jpeg", ".webp": "webp"}
)


@page_tool("browser_take_screenshot", title="Screenshot", kind="read", slim=())
async def take_screenshot(page: Page, args: TakeScreenshotArgs) -> ToolResult:
    """Save a screenshot of the viewport, full page or element."""
    if args.ref and args.full_page:
        raise CallError("ref and fullPage exclude each other.", "Give one of them.")
    image_type, filename = _named(args)
    element = await page.element(args.ref) if args.ref else None
    marked = None
    if args.annotate:
        marked = await page.capture.marked_screenshot(
            image_type=image_type, full_page=args.full_page, element=element, scale=args.scale
        )
        shot = marked.shot
    else:
        shot = await page.capture.screenshot(
            image_type=image_type, full_page=args.full_page, element=element, scale=args.scale
        )
    what = (
        "full page" if args.full_page else f"element '{element.label}'" if element else "viewport"
    )
    about = About(
        kind="screenshot",
        url=page.url,
        title=await page.title(),
        context=page.context_name,
        what=what,
        viewport=shot.viewport,
        size=shot.size,
        scale=shot.scale,
    )
    save = page.files.save_as if filename else page.files.save
    path = await asyncio.to_thread(save, shot.data, filename or image_type, about)
    return ToolResult(
        screenshot=SavedScreenshot(shot, page.files.shown(path), what),
        within=page.capture.describe_marks(marked) if marked else None,
        links=await link_to(page, path),
    )


def _named(args: TakeScreenshotArgs) -> tuple[ImageType, str]:
    """Return the image type and the file name of the screenshot; "" for a generated name.

    Raises:
        CallError: The suffix of the file name contradicts the requested type.
    """
    if not args.filename:
        return args.type or "png", ""
    by_name = _TYPES.get(PurePath(args.filename).suffix.lower())
    if args.type and by_name and by_name != args.type:
        raise CallError(
            f'"{args.filename}" is the name of a {by_name} file, and type is {args.type}.',
            "Leave type out, or change the name.",
        )
    image_type = args.type or by_name or "png"
    return image_type, args.filename if by_name else f"{args.filename}.{image_type}"
