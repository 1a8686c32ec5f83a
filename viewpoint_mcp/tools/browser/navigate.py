"""Tools that take the page to another document."""

from __future__ import annotations

from typing import TYPE_CHECKING

from viewpoint_mcp.tools.core.args import Args, NoArgs
from viewpoint_mcp.tools.core.result import ToolResult
from viewpoint_mcp.tools.core.sessionless_policy import ActsInContext
from viewpoint_mcp.tools.core.tool import page_tool

if TYPE_CHECKING:
    from viewpoint_mcp.page.page import Page

_HELD = "Nothing yet: the page asks before it is left"


class NavigateArgs(Args):
    url: str


@page_tool(
    "browser_navigate",
    title="Navigate",
    kind="navigate",
    slim=(),
    sessionless=ActsInContext(can_open=lambda _: True),
)
async def navigate(page: Page, args: NavigateArgs) -> ToolResult:
    """Go to a URL and wait until it is loaded."""
    from viewpoint_mcp.page.navigation import shown

    landing = await page.navigate(args.url)
    if landing == "download":
        told = f"{shown(args.url)} is a download, not a page; the page stays at {shown(page.url)}"
    else:
        told = _HELD if landing == "held" else f"Navigated to {shown(page.url)}"
    return ToolResult(told, snapshot=True)


@page_tool("browser_navigate_back", title="Go back", kind="navigate", slim=())
async def navigate_back(page: Page, args: NoArgs) -> ToolResult:
    """Go back in the tab's history."""
    from viewpoint_mcp.page.navigation import shown

    landing = await page.back()
    told = _HELD if landing == "held" else f"Went back to {shown(page.url)}"
    return ToolResult(told, snapshot=True)
