"""The tool that takes pictures of the page."""

from __future__ import annotations

import asyncio
from typing import Annotated, Literal

from msgspec import Meta

from viewpoint_mcp.errors import CallError
from viewpoint_mcp.files.records import About
from viewpoint_mcp.page import screenshot
from viewpoint_mcp.page.annotations import Marked, take_marked
from viewpoint_mcp.page.page import Page
from viewpoint_mcp.tools.args import Args, Element, OptionalRef
from viewpoint_mcp.tools.marks import told
from viewpoint_mcp.tools.registry import page_tool
from viewpoint_mcp.tools.result import Taken, ToolResult


class TakeScreenshotArgs(Args):
    ref: OptionalRef = None
    element: Element = None
    full_page: Annotated[bool, Meta(description="The whole page, not just the viewport")] = False
    type: Literal["png", "jpeg", "webp"] = "png"
    filename: Annotated[str | None, Meta(description="Where to save it")] = None
    annotate: Annotated[bool, Meta(description="Mark elements with their refs")] = False


@page_tool("browser_take_screenshot", title="Screenshot", kind="read")
async def take_screenshot(page: Page, args: TakeScreenshotArgs) -> ToolResult:
    """Take a picture of the viewport, the whole page or one element, and save it to a file."""
    if args.ref and args.full_page:
        raise CallError("ref and fullPage exclude each other.", "Give one of them.")
    element = await page.element(args.ref) if args.ref else None
    take = take_marked if args.annotate else screenshot.take
    taken = await take(page, image_type=args.type, full_page=args.full_page, element=element)
    shot = taken.shot if isinstance(taken, Marked) else taken
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
    save = page.files.save_as if args.filename else page.files.save
    path = await asyncio.to_thread(save, shot.data, args.filename or args.type, about)
    return ToolResult(
        screenshot=Taken(shot, page.files.shown(path), what),
        within=told(taken, page) if isinstance(taken, Marked) else None,
    )
