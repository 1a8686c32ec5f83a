"""The server side of a browser's debugging port: who may ask, HTTP answers, WebSockets.

What is answered comes from a `Front`: the recording proxy or the replaying browser.
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
    """What a request is answered.

    Attributes:
        body: A JSON value, or a text.
    """

    status: int
    body: Any


class Front(Protocol):
    """What stands behind the port."""

    async def answer(self, method: str, path: str, host: str) -> Answer:
        """Answer a request that is for no WebSocket.

        Args:
            path: With its query.
            host: Where the client reached us, `host:port`.
        """

    async def converse(self, socket: ServerConnection, path: str) -> None:
        """Speak with a client, whose WebSocket is closed after that."""


@asynccontextmanager
async def serving(
    front: Front, *, port: int = 0, allowed_origins: Collection[str] = ()
) -> AsyncIterator[int]:
    """Listen on loopback.

    Args:
        port: 0 for any free one.
        allowed_origins: Web origins whose pages may speak to us all the same; `*` for all.

    Yields:
        The port.

    Raises:
        OSError: The port cannot be listened on.
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
        method = getattr(request, "method", "GET")  # older than websockets 17, GET alone
        host = request.headers.get("Host", HOST)
        return _response(socket, await front.answer(method, request.path, host))

    async def converse(socket: ServerConnection) -> None:
        assert socket.request is not None
        await front.converse(socket, socket.request.path)

    # Messages of any size; those who are slow to read slow down the other side.
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
    """Return what is wrong with a request that nobody could answer."""
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
    """Return why a request is refused, as Chrome does; None for one that is not.

    A page of the web must not reach the browser through us: neither by a WebSocket, whose opening
    names the page's origin, nor by a host name that leads here.
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
    """Return an answer of /json/… in which every address leads to us.

    Args:
        listed: What the JSON says.
        host: Where the client reached us.
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
