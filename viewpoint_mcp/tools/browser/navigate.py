"""Tools that navigate the page to another document."""

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


class ReloadArgs(Args):
    ignore_cache: bool = False


@page_tool(
    "browser_navigate",
    title="Navigate",
    kind="navigate",
    slim=(),
    sessionless=ActsInContext(can_open=lambda _: True),
)
async def navigate(page: Page, args: NavigateArgs) -> ToolResult:
    """Open a URL and wait until it loads."""
    landing = await page.navigate(args.url)
    if landing == "download":
        url = shorten_url(args.url)
        text = f"{url} is a download, not a page; the page stays at {shorten_url(page.url)}"
    else:
        text = _HELD if landing == "held" else f"Navigated to {shorten_url(page.url)}"
    return ToolResult(text, snapshot=True)


@page_tool("browser_navigate_back", title="Go back", kind="navigate", slim=())
async def navigate_back(page: Page, args: NoArgs) -> ToolResult:
    """Go back in history."""
    landing = await page.back()
    text = _HELD if landing == "held" else f"Went back to {shorten_url(page.url)}"
    return ToolResult(text, snapshot=True)


@page_tool("browser_navigate_forward", title="Go forward", kind="navigate")
async def navigate_forward(page: Page, args: NoArgs) -> ToolResult:
    """Go forward in history."""
    landing = await page.forward()
    text = _HELD if landing == "held" else f"Went forward to {shorten_url(page.url)}"
    return ToolResult(text, snapshot=True)


@page_tool("browser_reload", title="Reload", kind="navigate")
async def reload(page: Page, args: ReloadArgs) -> ToolResult:
    """Reload the page."""
    landing = await page.reload(ignore_cache=args.ignore_cache)
    text = _HELD if landing == "held" else f"Reloaded {shorten_url(page.url)}"
    return ToolResult(text, snapshot=True)
