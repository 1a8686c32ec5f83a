"""The tool that takes snapshots of the page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from msgspec import Meta

from viewpoint_mcp.tools.core.args import Args, Filename
from viewpoint_mcp.tools.core.result import ToolResult, View
from viewpoint_mcp.tools.core.tool import page_tool

if TYPE_CHECKING:
    from viewpoint_mcp.page.page import Page


class SnapshotArgs(Args):
    ref: Annotated[str | None, Meta(description="Element to return")] = None
    depth: Annotated[int, Meta(ge=0)] | None = None
    all_refs: Annotated[bool, Meta(description="Refs for all elements")] = False
    boxes: Annotated[bool, Meta(description="Add [box=x,y,w,h]")] = False
    filename: Filename = None


@page_tool("browser_snapshot", title="Snapshot", kind="read", slim=())
async def snapshot(page: Page, args: SnapshotArgs) -> ToolResult:
    """Return the page as a tree. Pass its [ref=...], or a CSS selector, as ref."""
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
