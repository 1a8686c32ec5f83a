"""Wires the transport of HTTP, and tells the server's user how to connect. Imported with --port
alone: nobody else pays for the HTTP stack.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable

from msgspec.structs import replace

from viewpoint_mcp.config.listening import Listening, check_reach, format_authority, normalize_host
from viewpoint_mcp.rpc.dispatcher import Dispatcher
from viewpoint_mcp.server.session import McpServer
from viewpoint_mcp.transports.http.access import Access
from viewpoint_mcp.transports.http.app import EVENTS, STREAMABLE, HttpApp, Limits
from viewpoint_mcp.transports.http.server import HttpServer, bind

_ALL = ("0.0.0.0", "::")  # from here, this machine
_KEY_BYTES = 32


def http_transport(
    server: McpServer, listening: Listening, idle: float | None, say: Callable[[str], object]
) -> HttpServer:
    """Listen, and say so.

    Args:
        server: What is served.
        idle: Seconds after which an unused browser is closed, as in `Timeouts`.
        say: Takes the words for the server's user, which may have a key in them.

    Raises:
        CallError: It would be open to strangers.
        NotListening: The address cannot be listened on.
    """
    listening = replace(listening, host=normalize_host(listening.host))
    check_reach(listening)
    sockets = bind(listening.host, listening.port)
    key = listening.key
    if key is None and listening.asks_for_key:
        key = secrets.token_urlsafe(_KEY_BYTES)
    port: int = sockets[0].getsockname()[1]
    say(_greeting(listening, port, key))
    app = HttpApp(
        Dispatcher(server.open),
        Dispatcher(server.open_request),
        Access(key, [listening.host, *listening.allowed_hosts]),
        name=server.identity.name,
        version=server.identity.version,
        limits=_limits(idle),
    )
    return HttpServer(app, sockets)


def _limits(idle: float | None) -> Limits:
    """Keep a session that nobody uses as long as the browser, and not less than usual."""
    usual = Limits()
    if idle is None or usual.lifetime is None:
        return usual
    return Limits(lifetime=max(idle, usual.lifetime) if idle else None)


def _greeting(listening: Listening, port: int, key: str | None) -> str:
    """Where the server is, and what a client's configuration says of it; a key that its user chose
    is not repeated.
    """
    host = "localhost" if listening.host in _ALL else listening.host
    address = f"http://{format_authority(host, port)}"
    client: dict[str, object] = {"type": "http", "url": f"{address}{STREAMABLE}"}
    if key is not None:
        client["headers"] = {"Authorization": f"Bearer {'YOUR_API_KEY' if listening.key else key}"}
    lines = [
        f"Listening on {address}",
        "Put this into your client's configuration:",
        json.dumps({"mcpServers": {"viewpoint": client}}, indent=2),
        f'A client that knows no "http" takes {address}{EVENTS} with "type": "sse".',
    ]
    if key is None:
        lines.append("No key is asked for: every program on this machine can use the browser.")
    elif listening.key is None:
        lines.append("The key is of this run; give your own by VIEWPOINT_MCP_API_KEY.")
    return "\n".join(lines)
