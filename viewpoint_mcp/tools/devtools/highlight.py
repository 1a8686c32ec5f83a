"""The tools that draw boxes around elements (`--caps devtools`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from msgspec import Meta

from viewpoint_mcp.accessibility.printing.printed_snapshot_lines import format_count
from viewpoint_mcp.tools.core.args import Args, ElementDescription, Ref
from viewpoint_mcp.tools.core.result import ToolResult
from viewpoint_mcp.tools.core.tool import page_tool

if TYPE_CHECKING:
    from viewpoint_mcp.page.page import Page

_NOTES = {
    "drawn": "",
    "outside": ". It is outside of the viewport: use browser_scroll_into_view to see the box",
    "hidden": ". The element is hidden now; the box appears with it",
}


class HighlightArgs(Args):
    ref: Ref
    """Element to highlight: a ref, a locator or a CSS selector."""
    style: Annotated[
        str | None, Meta(description='CSS of the box, such as "outline: 2px dashed red"')
    ] = None
    """CSS declarations that are added to the style of the box. They cannot move it."""
    element: ElementDescription = None


@page_tool("browser_highlight", title="Highlight element", kind="read", capability="devtools")
async def highlight_element(page: Page, args: HighlightArgs) -> ToolResult:
    """Draw a box around an element for people and screenshots, until it is hidden.

    The box follows its element, and a new document has none. It is no part of snapshots, and clicks
    go through it.

    Reply: the element, and whether the box is visible now.

    Errors: the element is gone; the style has no valid declaration; the document is not HTML.
    """
    element = await page.find_element(args.ref)
    state = await page.devtools.highlights.show(element, args.style or "")
    return ToolResult(f"Highlighted {element.label}{_NOTES[state]}")


class HideHighlightArgs(Args):
    ref: Annotated[Ref | None, Meta(description="Element; all if omitted")] = None
    """Element that loses its box. All boxes of the page are removed if omitted."""
    element: ElementDescription = None


@page_tool("browser_hide_highlight", title="Hide highlight", kind="read", capability="devtools")
async def hide_highlight(page: Page, args: HideHighlightArgs) -> ToolResult:
    """Remove the box that browser_highlight drew.

    Reply: what was removed.

    Errors: the element is gone.
    """
    highlights = page.devtools.highlights
    if args.ref is None:
        count = await highlights.hide_all()
        return ToolResult(f"Removed {format_count(count, 'highlight')}")
    element = await page.find_element(args.ref)
    if await highlights.hide(element):
        return ToolResult(f"Removed the highlight of {element.label}")
    return ToolResult(f"{element.label} was not highlighted")
