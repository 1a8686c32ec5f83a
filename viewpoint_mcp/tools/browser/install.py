"""The tool that installs a browser if none is found. It leaves no browser running."""

from __future__ import annotations

from typing import TYPE_CHECKING

from viewpoint_mcp import call_status
from viewpoint_mcp.tools.core.args import NoArgs
from viewpoint_mcp.tools.core.result import ToolResult
from viewpoint_mcp.tools.core.sessionless_call_policy import NeedsNoContext
from viewpoint_mcp.tools.core.tool import browser_tool

if TYPE_CHECKING:
    from viewpoint_mcp.browser.client_workspace import Workspace

_TIME_LIMIT = 3600.0  # seconds; enough to download a browser over a slow connection


@browser_tool(
    "browser_install",
    title="Install",
    kind="setup",
    time_limit=_TIME_LIMIT,
    sessionless=NeedsNoContext(),
)
async def install_browser(browser: Workspace, args: NoArgs) -> ToolResult:
    """Install a missing browser.

    Downloads Chrome for Testing if no usable browser is found, which can last minutes on a slow
    connection. Call it after an error about a missing browser. The browser is not started.

    Reply: the browser that was found or installed, with its path and version, and system libraries
    that are missing. Clients that ask for progress are notified each second.

    Errors: the download failed, with its reason and an alternative. The next call continues it.
    """
    return ToolResult(
        await browser.install_browser(call_status.set_call_status), omits_open_tabs=True
    )
