"""Server side of a browser's remote debugging port: access checks, HTTP responses, WebSockets.

A `Front` provides the responses: the recording proxy or the replaying browser.
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

HOST = "127.0.0.1"

_CLOSE_SECONDS = 1.0
_JSON = "application/json; charset=UTF-8"
_ADDRESSES = ("webSocketDebuggerUrl", "devtoolsFrontendUrl", "devtoolsFrontendUrlCompat")


@dataclass(frozen=True, slots=True)
class Answer:
    """An HTTP response.

    Attributes:
        status: The HTTP status code.
        body: A JSON value, or a string that is sent as plain text.
    """

    status: int
    body: Any


class Front(Protocol):
    """The handler of requests and WebSockets that arrive at the port."""

    async def answer(self, method: str, path: str, host: str) -> Answer:
        """Return the response to an HTTP request that does not open a WebSocket.

        Args:
            method: The HTTP method.
            path: The path with its query.
            host: The `host:port` to which the client sent the request.
        """

    async def converse(self, socket: ServerConnection, path: str) -> None:
        """Serve a client's WebSocket. The caller closes the WebSocket afterwards.

        Args:
            socket: The WebSocket.
            path: The path with its query.
        """


@asynccontextmanager
async def serving(
    front: Front, *, port: int = 0, allowed_origins: Collection[str] = ()
) -> AsyncIterator[int]:
    """Run a server on 127.0.0.1 until the context manager exits.

    Args:
        front: Handles the requests and WebSockets.
        port: The port; 0 for any free port.
        allowed_origins: Web origins of pages that may connect; `*` allows all. See `refusal`.

    Yields:
        The port number.

    Raises:
        OSError: The server cannot listen on the port.
    """
    from websockets.asyncio.server import serve

    async def admit(socket: ServerConnection, request: Request) -> Response | None:
        if said := _malformed(request):
            return _response(socket, Answer(400, f"{said}\n"))
        if said := refusal(request.headers, allowed_origins):
            log.warning("Refused %s: %s", request.path, said)
            return _response(socket, Answer(403, f"{said}\n"))
        if "upgrade" in request.headers:
            return None
        method = getattr(request, "method", "GET")  # websockets before 17 accepts only GET.
        host = request.headers.get("Host", HOST)
        return _response(socket, await front.answer(method, request.path, host))

    async def converse(socket: ServerConnection) -> None:
        assert socket.request is not None
        await front.converse(socket, socket.request.path)

    # The size of messages is unlimited. A client that reads slowly delays the other side.
    async with serve(
        converse,
        HOST,
        port,
        process_request=admit,
        max_size=None,
        compression=None,
        ping_interval=None,
        close_timeout=_CLOSE_SECONDS,
        server_header=None,
    ) as server:
        yield int(next(iter(server.sockets)).getsockname()[1])


def _malformed(request: Request) -> str | None:
    """Return an error message for a request with invalid headers or path; None if it is valid."""
    for name in ("Host", "Origin", "Upgrade"):
        if len(request.headers.get_all(name)) > 1:
            return f"There is more than one {name} header."
    addresses = (request.path, f"//{request.headers.get('Host', '')}")
    if not all(map(_can_be_read, (*addresses, request.headers.get("Origin", "")))):
        return "The path, the Host header or the Origin header is no address."
    return None


def _can_be_read(address: str) -> bool:
    try:
        urlsplit(address)
    except ValueError:
        return False
    return True


def refusal(headers: Mapping[str, str], allowed_origins: Collection[str]) -> str | None:
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
    if name and not _is_address(name) and name != "localhost" and not name.endswith(".localhost"):
        return f"Host header is specified and is not an IP address or localhost: {host}"
    origin = headers.get("Origin")
    if origin is None or "*" in allowed_origins or origin in allowed_origins:
        return None
    scheme = urlsplit(origin).scheme
    if scheme == "devtools" or origin == f"http://{host}":
        return None
    return f"Pages of {origin} may not speak to this browser; --allow-origin {origin} lets them"


def pointed_here(listed: Any, host: str) -> Any:
    """Return the JSON of a /json/… response with all WebSocket URLs pointing to this server.

    Args:
        listed: The decoded JSON value.
        host: The `host:port` to which the client sent the request.
    """
    return _pointed(listed, lambda address: address._replace(scheme="ws", netloc=host).geturl())


def _pointed(listed: Any, move: Callable[[Any], str]) -> Any:
    if isinstance(listed, list):
        return [_pointed(each, move) for each in listed]
    if not isinstance(listed, dict):
        return listed
    moved = dict(listed)
    theirs = str(listed.get("webSocketDebuggerUrl", ""))
    for key in _ADDRESSES:
        value = listed.get(key)
        if not isinstance(value, str):
            continue
        if key == "webSocketDebuggerUrl":
            moved[key] = move(urlsplit(value))
        elif theirs:
            # …inspector.html?ws=127.0.0.1:9222/devtools/page/…
            old, new = (url.partition("://")[2] for url in (theirs, move(urlsplit(theirs))))
            moved[key] = value.replace(f"wss={old}", f"ws={new}").replace(f"ws={old}", f"ws={new}")
    return moved


def _response(socket: ServerConnection, answer: Answer) -> Response:
    text = isinstance(answer.body, str)
    response = socket.respond(answer.status, "")
    body = answer.body.encode() if text else orjson.dumps(answer.body)
    response.body = body
    del response.headers["Content-Length"]
    response.headers["Content-Length"] = str(len(body))
    del response.headers["Content-Type"]
    response.headers["Content-Type"] = "text/plain; charset=UTF-8" if text else _JSON
    return response


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True
