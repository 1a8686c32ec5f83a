"""Commands that arrive over HTTP."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any

import msgspec

from viewpoint_mcp.server.open_sessions import OpenSessions
from viewpoint_mcp.shell.attaching.mcp_sessions import McpSessions
from viewpoint_mcp.shell.commands.catalog import Catalog
from viewpoint_mcp.shell.commands.command_runner import CommandRunner, Request
from viewpoint_mcp.tools.core.runner import RunnerFactory


def make_http_commands(
    sessions: OpenSessions, factory: RunnerFactory, *, version: str
) -> Callable[[bytes], Coroutine[Any, Any, bytes]]:
    """Return a function that runs the command in the body of a request.

    Args:
        version: The version of the server.

    It raises `msgspec.ValidationError`, a ValueError, if the body is not valid.
    """
    host = McpSessions(sessions, factory, server="MCP server over HTTP", version=version)
    catalog = Catalog(factory.tools.values())
    commands = CommandRunner(catalog, factory.settings, host, version=version)

    async def run(body: bytes) -> bytes:
        request = msgspec.json.decode(body, type=Request)
        # The shell may run on another machine, so names of files are those of the server.
        response = await commands.run({**request, "cwd": ""})
        return msgspec.json.encode(response._asdict())

    return run
