"""Commands of shells on this machine, for an MCP server on stdio."""

from __future__ import annotations

import logging
import os
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

from viewpoint_mcp.server.open_sessions import OpenSessions
from viewpoint_mcp.shell.attaching.mcp_sessions import McpSessions
from viewpoint_mcp.shell.attaching.server_file_lock import (
    claim_endpoint,
    release_endpoint,
    remove_files_of_ended_servers,
)
from viewpoint_mcp.shell.commands.catalog import Catalog
from viewpoint_mcp.shell.commands.command_runner import CommandRunner
from viewpoint_mcp.shell.connections import CommandConnections
from viewpoint_mcp.shell.endpoint import EndpointError
from viewpoint_mcp.shell.listener import Listener
from viewpoint_mcp.tools.core.runner import RunnerFactory

log = logging.getLogger(__name__)


@asynccontextmanager
async def serve_local_commands(
    sessions: OpenSessions, factory: RunnerFactory, environ: Mapping[str, str], *, version: str
) -> AsyncIterator[None]:
    """Serve commands within the block. If that is impossible, log the reason only.

    Args:
        environ: Names the directory of the files by which shells find the server.
        version: The version of the server.
    """
    try:
        remove_files_of_ended_servers(environ)
        endpoint, lock = claim_endpoint(environ)
    except (EndpointError, OSError) as error:
        log.warning("A shell cannot use the session of the client: %s", error)
        yield
        return
    suffix = f"@{os.getpid()}"
    server = f"MCP server on stdio in {factory.settings.working_dir}"
    host = McpSessions(sessions, factory, server=server, version=version, suffix=suffix)
    catalog = Catalog(factory.tools.values())
    connections = CommandConnections(
        CommandRunner(catalog, factory.settings, host, version=version),
        log_name="the log of the MCP client",
    )
    listener = Listener(endpoint)
    try:
        try:
            await listener.listen(environ, connections.serve)
        except OSError as error:
            log.warning("A shell cannot use the session of the client: %s", error)
        yield
    finally:
        listener.close()
        await connections.finish()
        release_endpoint(endpoint, lock)
