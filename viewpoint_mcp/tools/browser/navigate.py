"""Tools that take the page to another document."""

from __future__ import annotations

from typing import TYPE_CHECKING

from viewpoint_mcp.page.shorten import shorten_url
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
    landing = await page.navigate(args.url)
    if landing == "download":
        url = shorten_url(args.url)
        text = f"{url} is a download, not a page; the page stays at {shorten_url(page.url)}"
    else:
        text = _HELD if landing == "held" else f"Navigated to {shorten_url(page.url)}"
    return ToolResult(text, snapshot=True)


@page_tool("browser_navigate_back", title="Go back", kind="navigate", slim=())
async def navigate_back(page: Page, args: NoArgs) -> ToolResult:
    """Go back in the tab's history."""
    landing = await page.back()
    told = _HELD if landing == "held" else f"Went back to {shorten_url(page.url)}"
    return ToolResult(told, snapshot=True)
