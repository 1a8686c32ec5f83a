"""Tools that take the page to another document."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from viewpoint_mcp.page.page import Page
from viewpoint_mcp.tools.args import Args, NoArgs
from viewpoint_mcp.tools.registry import page_tool
from viewpoint_mcp.tools.result import ToolResult


class NavigateArgs(Args):
    url: Annotated[str, Meta(description="Where to go; https:// may be left out")]


@page_tool("browser_navigate", title="Navigate", kind="navigate")
async def navigate(page: Page, args: NavigateArgs) -> ToolResult:
    """Load a URL and wait until the page is there."""
    await page.navigate(args.url)
    return ToolResult(f"Navigated to {page.url}", snapshot=True)


@page_tool("browser_navigate_back", title="Go back", kind="navigate")
async def navigate_back(page: Page, args: NoArgs) -> ToolResult:
    """Go back to the previous page of the tab's history."""
    await page.back()
    return ToolResult(f"Went back to {page.url}", snapshot=True)
