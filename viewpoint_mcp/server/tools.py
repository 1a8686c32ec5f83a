"""tools/list and tools/call, spoken to a runner."""

from __future__ import annotations

from typing import Protocol

from viewpoint_mcp.rpc.errors import INVALID_PARAMS, METHOD_NOT_FOUND, RpcError
from viewpoint_mcp.rpc.messages import JsonObject
from viewpoint_mcp.server import modern, revisions
from viewpoint_mcp.server.content import tool_result
from viewpoint_mcp.tools.core.result import Reply
from viewpoint_mcp.tools.core.tool import UnknownTool

_LONGEST_NAME = 100


class Runner(Protocol):
    """All that the server asks of the tools, for one client."""

    @property
    def listing(self) -> list[JsonObject]:
        """Every tool offered, in its wire form and in a fixed order."""

    async def call(self, name: str, arguments: object) -> Reply:
        """Run a tool; what goes wrong in it is a reply too.

        Args:
            name: The name of the tool.
            arguments: What the client sent as arguments, unchecked.

        Raises:
            UnknownTool: No tool of this name is offered.
        """

    async def close(self) -> None:
        """Let go of what was opened by these calls. Idempotent."""


class Runners(Protocol):
    """Opens a runner for each client."""

    def for_session(self) -> Runner:
        """Return one for a client that stays: what it opens is its own."""

    def for_request(self) -> Runner:
        """Return one for a request that belongs to no session, and names what it acts in."""


def list_tools(runner: Runner, params: JsonObject, version: str) -> JsonObject:
    """The answer to tools/list: all tools on one page.

    Args:
        version: The protocol's, which the client speaks.

    Raises:
        RpcError: A further page is asked for, and there is none.
    """
    if params.get("cursor") is not None:
        raise RpcError(INVALID_PARAMS, "All tools are on one page: leave the cursor out.")
    return {"tools": [revisions.fit_tool(each, version) for each in runner.listing]}


async def call_tool(runner: Runner, params: JsonObject, version: str) -> JsonObject:
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
        code = INVALID_PARAMS if version in modern.VERSIONS else METHOD_NOT_FOUND
        raise RpcError(code, sentence) from None
