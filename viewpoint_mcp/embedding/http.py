"""The HTTP transport of a server, and the text that explains how to connect to it.

This module is imported only to serve HTTP, so that stdio servers do not import the HTTP stack.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable
from typing import TYPE_CHECKING

from msgspec.structs import replace

from viewpoint_mcp.config.listening import (
    Listening,
    format_authority,
    normalize_host,
    raise_if_accessible_without_key,
)
from viewpoint_mcp.rpc.dispatcher import Dispatcher
from viewpoint_mcp.server.session import McpServer
from viewpoint_mcp.transports.http.access_control import AccessControl
from viewpoint_mcp.transports.http.app import MCP_PATH, SSE_PATH, HttpApp, Limits
from viewpoint_mcp.transports.http.server import HttpServer, bind_sockets
from viewpoint_mcp.transports.http.shell_endpoint import RunCommand

if TYPE_CHECKING:
    from viewpoint_mcp.live_view.live_views import LiveViews

_WILDCARD_ADDRESSES = ("0.0.0.0", "::")  # all addresses; local clients use "localhost"
_KEY_BYTES = 32


def open_http_server(
    server: McpServer,
    listening: Listening,
    idle_timeout: float | None,
    print_message: Callable[[str], object],
    *,
    live_views: LiveViews | None = None,
    run_command: RunCommand | None = None,
) -> HttpServer:
    """Listen on the address, print how to connect, and return the transport.

    Args:
        server: The MCP server that serves the requests.
        listening: The address, and the rules of access to it.
        idle_timeout: Seconds after which an unused browser is closed, as in `Timeouts`.
        print_message: Called with the text for the user, which may contain a new API key.
        live_views: The live views that are served, too; None for none.
        run_command: Runs commands of the shell; None if the server does not offer its sessions.

    Raises:
        CallError: The server would be open to other machines or web sites without a key.
        ListenError: The server cannot listen on the address.
    """
    listening = replace(listening, host=normalize_host(listening.host))
    raise_if_accessible_without_key(listening)
    sockets = bind_sockets(listening.host, listening.port)
    key = listening.key
    if key is None and listening.asks_for_key:
        key = secrets.token_urlsafe(_KEY_BYTES)
    port: int = sockets[0].getsockname()[1]
    print_message(_format_connection_help(listening, port, key, has_shell=run_command is not None))
    if live_views is not None:
        live_views.address = f"{_format_address(listening, port)}/view"
    app = HttpApp(
        Dispatcher(server.open_session),
        Dispatcher(server.open_sessionless_handler),
        AccessControl(key, [listening.host, *listening.allowed_hosts]),
        name=server.identity.name,
        version=server.identity.version,
        run_command=run_command,
        limits=_make_limits(idle_timeout),
        live_views=live_views,
    )
    return HttpServer(app, sockets)


def _make_limits(idle_timeout: float | None) -> Limits:
    """Return limits that keep an unused session at least as long as an unused browser.

    The lifetime is never shorter than the default. If an unused browser is never closed
    (`idle_timeout` is 0), sessions never expire.
    """
    defaults = Limits()
    if idle_timeout is None or defaults.session_lifetime is None:
        return defaults
    return Limits(
        session_lifetime=max(idle_timeout, defaults.session_lifetime) if idle_timeout else None
    )


def _format_connection_help(
    listening: Listening, port: int, key: str | None, *, has_shell: bool
) -> str:
    """Return the server's address and a client configuration for it.

    A key from the user's settings is not repeated in the text.
    """
    address = _format_address(listening, port)
    client: dict[str, object] = {"type": "http", "url": f"{address}{MCP_PATH}"}
    if key is not None:
        client["headers"] = {"Authorization": f"Bearer {'YOUR_API_KEY' if listening.key else key}"}
    lines = [
        f"Listening on {address}",
        "Add this to your client's configuration:",
        json.dumps({"mcpServers": {"viewpoint": client}}, indent=2),
        f'If your client does not support "http", use {address}{SSE_PATH} with "type": "sse".',
    ]
    if has_shell:
        lines.append(f"From a shell: viewpoint --attach-server {address} sessions")
    if key is None:
        lines.append("No key is required: every program on this machine can use the browser.")
    elif listening.key is None:
        lines.append("The key changes at each start. Set VIEWPOINT_MCP_API_KEY to use your own.")
    return "\n".join(lines)


def _format_address(listening: Listening, port: int) -> str:
    host = "localhost" if listening.host in _WILDCARD_ADDRESSES else listening.host
    return f"http://{format_authority(host, port)}"
