"""The tool that opens the live view of the client's tabs for a person (`--caps handoff`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from viewpoint_mcp.errors import CallError
from viewpoint_mcp.tools.core.args import Args, ContextName
from viewpoint_mcp.tools.core.result import ToolResult
from viewpoint_mcp.tools.core.sessionless_call_policy import ActsInContext
from viewpoint_mcp.tools.core.tool import client_tool

if TYPE_CHECKING:
    from viewpoint_mcp.tools.core.executor import ClientState


class LiveViewArgs(Args):
    close: bool = False
    """Whether to make the URL invalid instead."""
    context: ContextName = None
    """Handle of the context, in a call without a session. A live view has all contexts of a
    session."""


@client_tool(
    "browser_live_view",
    title="Live view",
    kind="setup",
    capability="handoff",
    sessionless=ActsInContext(),
)
async def open_live_view(client: ClientState, args: LiveViewArgs) -> ToolResult:
    """Get a URL for the user: a web page that shows the tab live, with the calls.

    The user can also take control of mouse and keyboard there. Give the URL to the user, and do not
    open it yourself.

    The URL contains a key, and is the same until the session ends, or until the call with `close`.
    Without a viewer nothing runs. What the user does is in no log and no generated code; the
    next reply mentions that the user took part.

    Reply: the URL.

    Errors: no port is free.
    """
    if client.live_view is None:
        raise CallError(
            "This server has no live views.", "Start it with --caps handoff, or use the shell."
        )
    if args.close:
        await client.live_view.close()
        return ToolResult("The live view is closed, and its URL is invalid.", omits_open_tabs=True)
    return ToolResult(await client.live_view.open(), omits_open_tabs=True)
