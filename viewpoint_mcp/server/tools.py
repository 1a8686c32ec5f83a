"""tools/list and tools/call, spoken to a runner."""

from __future__ import annotations

from typing import Any, Protocol

from viewpoint_mcp.rpc.errors import INVALID_PARAMS, METHOD_NOT_FOUND, RpcError
from viewpoint_mcp.server.content import tool_result
from viewpoint_mcp.tools.registry import UnknownTool
from viewpoint_mcp.tools.result import Reply

_LONGEST_NAME = 100


class Runner(Protocol):
    """All that the server asks of the tools."""

    @property
    def listing(self) -> list[dict[str, Any]]:
        """Every tool offered, in its wire form and in a fixed order."""

    async def call(self, name: str, arguments: object) -> Reply:
        """Run a tool; what goes wrong in it is a reply too.

        Args:
            name: The name of the tool.
            arguments: What the client sent as arguments, unchecked.

        Raises:
            UnknownTool: No tool of this name is offered.
        """


def list_tools(runner: Runner, params: dict[str, Any]) -> dict[str, Any]:
    """The answer to tools/list: all tools on one page.

    Raises:
        RpcError: A further page is asked for, and there is none.
    """
    if params.get("cursor") is not None:
        raise RpcError(INVALID_PARAMS, "All tools are on one page: leave the cursor out.")
    return {"tools": runner.listing}


async def call_tool(runner: Runner, params: dict[str, Any], version: str) -> dict[str, Any]:
    """The answer to tools/call.

    Args:
        version: The protocol's, which the client speaks.

    Raises:
        RpcError: No tool is named, or none of this name is offered.
    """
    name = params.get("name")
    if not isinstance(name, str):
        raise RpcError(INVALID_PARAMS, "tools/call needs the name of a tool, a string.")
    try:
        return tool_result(await runner.call(name, params.get("arguments")), version)
    except UnknownTool:
        sentence = f"Unknown tool: {name[:_LONGEST_NAME]}"
        raise RpcError(METHOD_NOT_FOUND, sentence) from None
