"""Tools that navigate the page to another document."""

from __future__ import annotations

from typing import TYPE_CHECKING

from viewpoint_mcp.page.shorten import shorten_url
from viewpoint_mcp.tools.core.args import Args, NoArgs
from viewpoint_mcp.tools.core.result import ToolResult
from viewpoint_mcp.tools.core.sessionless_call_policy import ActsInContext
from viewpoint_mcp.tools.core.tool import page_tool

if TYPE_CHECKING:
    from viewpoint_mcp.page.page import Page

_WAITS_FOR_DIALOG = "Not done yet: the page asks whether to leave it"


class NavigateArgs(Args):
    url: str
    """URL to open. `https://` is added to a host name, `http://` to `localhost` and loopback
    addresses. `data:`, `blob:` and `about:blank` work, too. `file:`, `view-source:` and pages of
    the browser itself, such as `chrome:`, need `--allow-unrestricted-file-access`."""


class ReloadArgs(Args):
    ignore_cache: bool = False
    """Whether to load everything from the network instead of the browser's cache."""


@page_tool(
    "browser_navigate",
    title="Navigate",
    kind="navigate",
    slim=(),
    sinks=("url",),
    sessionless=ActsInContext(can_open=lambda _: True),
)
async def navigate(page: Page, args: NavigateArgs) -> ToolResult:
    """Open a URL and wait until it loads.

    The active tab navigates; if no tab is open, one is opened, and the browser is started if it
    does not run. The call waits for the load event and then for the first content that the page's
    script shows, at most `--timeout-navigation` (60 s), and 5 s after the DOM is complete.

    Reply: the final URL after redirects, the HTTP status if it is not 2xx, and a snapshot of the
    page. If the URL is a download, the reply names the file and the page stays. If the page shows a
    `beforeunload` dialog, the reply has a Modal state section.

    Errors: the URL is malformed or not allowed; the host is unknown, refuses the connection or does
    not answer in time; a list of origins or a proxy refuses it.
    """
    result = await page.navigate(args.url)
    if result == "download":
        url = shorten_url(args.url)
        text = f"{url} is a download, not a page; the page stays at {shorten_url(page.url)}"
    else:
        text = _WAITS_FOR_DIALOG if result == "dialog" else f"Navigated to {shorten_url(page.url)}"
    return ToolResult(text, snapshot=True)


@page_tool("browser_navigate_back", title="Go back", kind="navigate", slim=())
async def navigate_back(page: Page, args: NoArgs) -> ToolResult:
    """Go back in history.

    Reply: the URL, and a snapshot of the page.

    Errors: this is the first entry of the tab's history; the page did not load in time.
    """
    result = await page.go_back()
    text = _WAITS_FOR_DIALOG if result == "dialog" else f"Went back to {shorten_url(page.url)}"
    return ToolResult(text, snapshot=True)


@page_tool("browser_navigate_forward", title="Go forward", kind="navigate")
async def navigate_forward(page: Page, args: NoArgs) -> ToolResult:
    """Go forward in history.

    Reply: the URL, and a snapshot of the page.

    Errors: this is the last entry of the tab's history; the page did not load in time.
    """
    result = await page.go_forward()
    text = _WAITS_FOR_DIALOG if result == "dialog" else f"Went forward to {shorten_url(page.url)}"
    return ToolResult(text, snapshot=True)


@page_tool("browser_reload", title="Reload", kind="navigate")
async def reload(page: Page, args: ReloadArgs) -> ToolResult:
    """Reload the page.

    Also recovers a page that crashed or whose script hangs.

    Reply: the URL, and a snapshot of the page. Earlier refs are invalid.

    Errors: the page could not be loaded, with the reason.
    """
    result = await page.reload(ignore_cache=args.ignore_cache)
    text = _WAITS_FOR_DIALOG if result == "dialog" else f"Reloaded {shorten_url(page.url)}"
    return ToolResult(text, snapshot=True)
