"""Tools for mouse input on elements."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

import msgspec
from msgspec import Meta

from viewpoint_mcp.errors import CallError
from viewpoint_mcp.tools.core.args import Args, Button, Element, Modifier, Ref
from viewpoint_mcp.tools.core.result import ToolResult
from viewpoint_mcp.tools.core.tool import page_tool

if TYPE_CHECKING:
    from viewpoint_mcp.page.page import Page


class ClickArgs(Args):
    ref: Ref
    element: Element = None
    button: Button = "left"
    double_click: bool = False
    modifiers: list[Modifier] = msgspec.field(default_factory=list)


class PointArgs(Args):
    ref: Ref
    element: Element = None


class ScrollArgs(PointArgs):
    to: Literal["up", "down", "left", "right", "top", "bottom"] | None = None


class DragArgs(Args):
    start_ref: str
    end_ref: str
    start_element: Element = None
    end_element: Element = None


class DropArgs(Args):
    ref: Ref
    element: Element = None
    paths: list[str] = msgspec.field(default_factory=list)
    data: Annotated[dict[str, str], Meta(description="Text by MIME type")] = msgspec.field(
        default_factory=dict
    )


@page_tool("browser_click", title="Click", kind="input", slim=())
async def click(page: Page, args: ClickArgs) -> ToolResult:
    """Click an element."""
    element = await page.element(args.ref)
    async with page.settled():
        await element.click(
            button=args.button,
            count=2 if args.double_click else 1,
            modifiers=args.modifiers,
        )
    if not args.double_click:
        return ToolResult(f"Clicked {element.label}", snapshot=True)
    lines = [f"Double-clicked {element.label}", await page.describe_selection(element.frame)]
    return ToolResult("\n".join(filter(None, lines)), snapshot=True)


@page_tool("browser_hover", title="Hover", kind="view")
async def hover(page: Page, args: PointArgs) -> ToolResult:
    """Hover over an element."""
    element = await page.element(args.ref)
    async with page.settled():
        await element.hover()
    return ToolResult(f"Hovered over {element.label}", snapshot=True)


@page_tool("browser_scroll_into_view", title="Scroll", kind="view")
async def scroll_into_view(page: Page, args: ScrollArgs) -> ToolResult:
    """Scroll an element into view. With to, scroll inside it."""
    element = await page.element(args.ref)
    async with page.settled():
        if args.to is not None:
            return ToolResult(await element.scroll_inside(args.to), snapshot=True)
        await element.scroll_into_view()
    return ToolResult(f"Scrolled {element.label} into view", snapshot=True)


@page_tool("browser_drag", title="Drag", kind="input")
async def drag(page: Page, args: DragArgs) -> ToolResult:
    """Drag an element onto another."""
    start, end = await page.element(args.start_ref), await page.element(args.end_ref)
    async with page.settled():
        await start.drag_to(end)
    return ToolResult(f"Dragged {start.label} to {end.label}", snapshot=True)


@page_tool("browser_drop", title="Drop", kind="input")
async def drop(page: Page, args: DropArgs) -> ToolResult:
    """Drop files or data on an element."""
    if not args.paths and not args.data:
        raise CallError("browser_drop needs paths or data.", "Say what to drop.")
    paths = [page.files.to_read(name) for name in args.paths]
    element = await page.element(args.ref)
    async with page.settled():
        await element.drop(paths, args.data)
    count = len(paths)
    files = [f"{count} file{'s' if count > 1 else ''}"] if count else []
    return ToolResult(
        f"Dropped {' and '.join([*files, *args.data])} on {element.label}", snapshot=True
    )
