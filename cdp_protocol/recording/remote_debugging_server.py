"""Server side of a browser's remote debugging port: access checks, HTTP responses, WebSockets.

A `RequestHandler` provides the responses: the recording proxy or the replaying browser.
"""

from __future__ import annotations

import ipaddress
import logging
from collections.abc import AsyncIterator, Callable, Collection, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol
from urllib.parse import urlsplit

import orjson

if TYPE_CHECKING:
    from websockets.asyncio.server import ServerConnection
    from websockets.http11 import Request, Response

log = logging.getLogger(__name__)

LOOPBACK_HOST = "127.0.0.1"

_CLOSE_TIMEOUT = 1.0
_JSON_TYPE = "application/json; charset=UTF-8"
_URL_KEYS = ("webSocketDebuggerUrl", "devtoolsFrontendUrl", "devtoolsFrontendUrlCompat")


@dataclass(frozen=True, slots=True)
class ServerResponse:
    """An HTTP response.

    Attributes:
        status: The HTTP status code.
        body: A JSON value, or a string that is sent as plain text.
    """

    status: int
    body: Any


class RequestHandler(Protocol):
    """The handler of requests and WebSockets that arrive at the port."""

    async def respond(self, method: str, path: str, host: str) -> ServerResponse:
        """Return the response to an HTTP request that does not open a WebSocket.

        Args:
            method: The HTTP method.
            path: The path with its query.
            host: The `host:port` to which the client sent the request.
        """

    async def serve_socket(self, socket: ServerConnection, path: str) -> None:
        """Serve a client's WebSocket. The caller closes the WebSocket afterwards.

        Args:
            socket: The WebSocket.
            path: The path with its query.
        """


@asynccontextmanager
async def run_debug_server(
    handler: RequestHandler, *, port: int = 0, allowed_origins: Collection[str] = ()
) -> AsyncIterator[int]:
    """Run a server on 127.0.0.1 until the context manager exits.

    Args:
        handler: Handles the requests and WebSockets.
        port: The port; 0 for any free port.
        allowed_origins: Web origins of pages that may connect; `*` allows all.

    Yields:
        The port number.

    Raises:
        OSError: The server cannot listen on the port.
    """
    from websockets.asyncio.server import serve

    async def process_request(socket: ServerConnection, request: Request) -> Response | None:
        if reason := _describe_malformed_header(request):
            return _make_response(socket, ServerResponse(400, f"{reason}\n"))
        if reason := find_refusal_reason(request.headers, allowed_origins):
            log.warning("Refused %s: %s", request.path, reason)
            return _make_response(socket, ServerResponse(403, f"{reason}\n"))
        if "upgrade" in request.headers:
            return None
        method = getattr(request, "method", "GET")  # websockets before 17 accepts only GET.
        host = request.headers.get("Host", LOOPBACK_HOST)
        return _make_response(socket, await handler.respond(method, request.path, host))

    async def serve_socket(socket: ServerConnection) -> None:
        assert socket.request is not None
        await handler.serve_socket(socket, socket.request.path)

    # The size of messages is unlimited. A client that reads slowly delays the other side.
    async with serve(
        serve_socket,
        LOOPBACK_HOST,
        port,
        process_request=process_request,
        max_size=None,
        compression=None,
        ping_interval=None,
        close_timeout=_CLOSE_TIMEOUT,
        server_header=None,
    ) as server:
        yield int(next(iter(server.sockets)).getsockname()[1])


def _describe_malformed_header(request: Request) -> str | None:
    """Return an error message for a request with invalid headers or path; None if it is valid."""
    for name in ("Host", "Origin", "Upgrade"):
        if len(request.headers.get_all(name)) > 1:
            return f"The request has more than one {name} header."
    values = (request.path, f"//{request.headers.get('Host', '')}")
    if not all(map(_is_parsable_url, (*values, request.headers.get("Origin", "")))):
        return "The path, the Host header or the Origin header is not a valid address."
    return None


def _is_parsable_url(address: str) -> bool:
    try:
        urlsplit(address)
    except ValueError:
        return False
    return True


def find_refusal_reason(headers: Mapping[str, str], allowed_origins: Collection[str]) -> str | None:
    """Return the reason to refuse a request, or None to accept it. Chrome has the same rules.

    Web pages must not control the browser through this server. The Origin header identifies a page
    that opens a WebSocket. The Host header identifies a host name that resolves to this server (DNS
    rebinding).

    Args:
        headers: The headers of the request.
        allowed_origins: Web origins that are accepted; `*` accepts all.
    """
    host = headers.get("Host", "")
    name = urlsplit(f"//{host}").hostname or ""
    if (
        name
        and not _is_ip_address(name)
        and name != "localhost"
        and not name.endswith(".localhost")
    ):
        return f"Host header is specified and is not an IP address or localhost: {host}"
    origin = headers.get("Origin")
    if origin is None or "*" in allowed_origins or origin in allowed_origins:
        return None
    scheme = urlsplit(origin).scheme
    if scheme == "devtools" or origin == f"http://{host}":
        return None
    return f"Pages of {origin} may not connect. Use --allow-origin {origin} to allow them"


def redirect_websocket_urls(value: Any, host: str) -> Any:
    """Return the JSON of a /json/… response with all WebSocket URLs pointing to this server.

    Args:
        value: The decoded JSON value.
        host: The `host:port` to which the client sent the request.
    """
    return _replace_websocket_urls(
        value, lambda address: address._replace(scheme="ws", netloc=host).geturl()
    )


def _replace_websocket_urls(value: Any, rewrite: Callable[[Any], str]) -> Any:
    if isinstance(value, list):
        return [_replace_websocket_urls(each, rewrite) for each in value]
    if not isinstance(value, dict):
        return value
    rewritten = dict(value)
    browser_url = str(value.get("webSocketDebuggerUrl", ""))
    for key in _URL_KEYS:
        text = value.get(key)
        if not isinstance(text, str):
            continue
        if key == "webSocketDebuggerUrl":
            rewritten[key] = rewrite(urlsplit(text))
        elif browser_url:
            # …inspector.html?ws=127.0.0.1:9222/devtools/page/…
            old, new = (
                url.partition("://")[2] for url in (browser_url, rewrite(urlsplit(browser_url)))
            )
            rewritten[key] = text.replace(f"wss={old}", f"ws={new}").replace(
                f"ws={old}", f"ws={new}"
            )
    return rewritten


def _make_response(socket: ServerConnection, content: ServerResponse) -> Response:
    is_text = isinstance(content.body, str)
    response = socket.respond(content.status, "")
    body = content.body.encode() if is_text else orjson.dumps(content.body)
    response.body = body
    del response.headers["Content-Length"]
    response.headers["Content-Length"] = str(len(body))
    del response.headers["Content-Type"]
    response.headers["Content-Type"] = "text/plain; charset=UTF-8" if is_text else _JSON_TYPE
    return response


def _is_ip_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True
