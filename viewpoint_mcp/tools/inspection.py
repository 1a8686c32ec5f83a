"""Tools that show the page."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from viewpoint_mcp.errors import CallError
from viewpoint_mcp.page.page import Page
from viewpoint_mcp.tools.args import Args, Element, Filename
from viewpoint_mcp.tools.registry import page_tool
from viewpoint_mcp.tools.result import ToolResult, View

OptionalRef = Annotated[str | None, Meta(description="Only this element, by ref or CSS selector")]


class SnapshotArgs(Args):
    ref: OptionalRef = None
    depth: Annotated[Annotated[int, Meta(ge=0)] | None, Meta(description="Levels to show")] = None
    all_refs: Annotated[
        bool, Meta(description="Refs for headings, text and other structure too")
    ] = False
    boxes: Annotated[bool, Meta(description="Add [box=x,y,width,height]")] = False
    filename: Filename = None


class TakeScreenshotArgs(Args):
    ref: OptionalRef = None
    element: Element = None
    full_page: Annotated[bool, Meta(description="The whole page, not just the viewport")] = False
    type: Literal["png", "jpeg", "webp"] = "png"
    filename: Annotated[str | None, Meta(description="Where to save it")] = None


@page_tool("browser_snapshot", title="Snapshot", kind="read")
async def snapshot(page: Page, args: SnapshotArgs) -> ToolResult:
    """Show the page as an accessibility tree with refs to act on. Better than a screenshot."""
    root = await page.element(args.ref) if args.ref else None
    return ToolResult(
        view=View(
            root=root,
            depth=args.depth,
            all_refs=args.all_refs,
            boxes=args.boxes,
            filename=args.filename,
        )
    )


@page_tool("browser_take_screenshot", title="Screenshot", kind="read")
async def take_screenshot(page: Page, args: TakeScreenshotArgs) -> ToolResult:
    """Take a picture of the viewport, the whole page or one element, and save it to a file."""
    if args.ref and args.full_page:
        raise CallError("ref and fullPage exclude each other.", "Give one of them.")
    element = await page.element(args.ref) if args.ref else None
    data = await page.screenshot(image_type=args.type, full_page=args.full_page, element=element)
    if args.filename:
        path = page.files.save_as(data, args.filename)
    else:
        path = page.files.save(data, page.files.screenshots, "page", args.type)
    what = (
        "full page" if args.full_page else f"element '{element.label}'" if element else "viewport"
    )
    return ToolResult(f"Screenshot saved to {page.files.shown(path)} ({what})")
