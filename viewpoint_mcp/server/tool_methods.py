"""The methods tools/list and tools/call."""

from __future__ import annotations

from typing import Protocol

from viewpoint_mcp.rpc.errors import INVALID_PARAMS, METHOD_NOT_FOUND, RpcError
from viewpoint_mcp.rpc.messages import JsonObject
from viewpoint_mcp.server import fields_by_protocol_version, sessionless_protocol
from viewpoint_mcp.server.content_blocks import tool_result
from viewpoint_mcp.tools.core.result import Reply
from viewpoint_mcp.tools.core.tool import UnknownTool

_MAX_QUOTED_NAME = 100


class ToolRunner(Protocol):
    """The interface to the tools for one client; `tools.core.runner` implements it."""

    @property
    def listing(self) -> list[JsonObject]:
        """The entries of all offered tools in tools/list, in a fixed order."""

    @property
    def tab_count(self) -> int:
        """Number of open tabs that the client sees."""

    async def call(self, name: str, arguments: object) -> Reply:
        """Run a tool. Expected failures become replies.

        Args:
            name: The name of the tool.
            arguments: The arguments as the client sent them.

        Raises:
            UnknownTool: The server offers no tool of this name.
        """

    async def close(self) -> None:
        """Close the contexts of this runner, unless other clients share them. Idempotent."""


class ToolRunnerFactory(Protocol):
    """The interface to the tools for all clients."""

    def open_session_runner(self) -> ToolRunner:
        """Return a runner for a client with a session.

        Its contexts are separate from those of other clients, unless all clients share them.
        """

    def open_sessionless_runner(self) -> ToolRunner:
        """Return a runner for a request without a session, which names its context in the call."""


def list_tools(runner: ToolRunner, params: JsonObject, version: str) -> JsonObject:
    """Return the result of tools/list: all tools on one page.

    Args:
        version: The protocol version of the client.

    Raises:
        RpcError: The client requests another page.
    """
    if params.get("cursor") is not None:
        raise RpcError(INVALID_PARAMS, "All tools are on one page. Omit the cursor.")
    return {
        "tools": [
            fields_by_protocol_version.remove_newer_tool_fields(each, version)
            for each in runner.listing
        ]
    }


async def call_tool(runner: ToolRunner, params: JsonObject, version: str) -> JsonObject:
    """Return the result of tools/call.

    Args:
        version: The protocol version of the client.

    Raises:
        RpcError: The params name no tool, or one that the server does not offer.
    """
    name = params.get("name")
    if not isinstance(name, str):
        raise RpcError(INVALID_PARAMS, "tools/call needs the name of a tool, a string.")
    try:
        return tool_result(await runner.call(name, params.get("arguments")), version)
    except UnknownTool as error:
        sentence = f"Unknown tool: {name[:_MAX_QUOTED_NAME]}"
        if error.hint:
            sentence = f"{sentence}. {error.hint}"
        code = (
            INVALID_PARAMS
            if version in sessionless_protocol.SESSIONLESS_VERSIONS
            else METHOD_NOT_FOUND
        )
        raise RpcError(code, sentence) from None
