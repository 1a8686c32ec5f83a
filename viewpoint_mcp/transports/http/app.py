"""The ASGI application: checks access to each request and calls its endpoint."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

import orjson

from viewpoint_mcp.rpc.dispatcher import Dispatcher
from viewpoint_mcp.rpc.messages import Invalid, Message, parse
from viewpoint_mcp.server import lifecycle, modern
from viewpoint_mcp.transports.http.access import Access
from viewpoint_mcp.transports.http.events import MESSAGES, Events
from viewpoint_mcp.transports.http.exchange import (
    JSON,
    Exchange,
    Gone,
    Receive,
    Refused,
    Scope,
    Send,
)
from viewpoint_mcp.transports.http.modern import VERSION, Modern, is_modern
from viewpoint_mcp.transports.http.reply import check_accept, reject
from viewpoint_mcp.transports.http.sessions import Sessions
from viewpoint_mcp.transports.http.streamable import Streamable

log = logging.getLogger(__name__)

STREAMABLE: Final = "/mcp"
EVENTS: Final = "/sse"
HEALTH: Final = "/health"
_METHODS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        STREAMABLE: ("GET", "POST", "DELETE"),
        EVENTS: ("GET",),
        MESSAGES: ("POST",),
        HEALTH: ("GET", "HEAD"),
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Size and time limits of the HTTP transport.

    Args:
        body: Maximum size of a request body in bytes.
        upload: Seconds within which a request body must arrive.
        silence: Seconds without output. After this time a pending response becomes an event stream,
            and an event stream sends a keep-alive comment.
        lifetime: Seconds after which an unused session expires; None for never.
    """

    body: int = 16 * 1024 * 1024
    upload: float = 60.0
    silence: float = 15.0
    lifetime: float | None = 1800.0


class HttpApp:
    """An ASGI application that serves MCP to many clients. It can be mounted in another one.

    Args:
        sessions: Opens a conversation for each session.
        requests: Opens a conversation for each request without a session.
        access: Decides which requests are allowed.
        name, version: The server's name and version, for `/health`.
        limits: Size and time limits; None for the defaults.
    """

    def __init__(
        self,
        sessions: Dispatcher,
        requests: Dispatcher,
        access: Access,
        *,
        name: str,
        version: str,
        limits: Limits | None = None,
    ) -> None:
        self._limits = limits or Limits()
        self._access = access
        self._health = orjson.dumps({"status": "ok", "name": name, "version": version})
        self._stays = Sessions(sessions, lifetime=self._limits.lifetime)
        self._streams = Sessions(sessions, lifetime=None)
        self._streamable = Streamable(self._stays)
        self._modern = Modern(requests)
        self._events = Events(self._streams)
        self._closed = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request, as the ASGI interface defines.

        Raises:
            NotImplementedError: The scope is not an HTTP request.
        """
        if scope["type"] != "http":
            raise NotImplementedError(f"There is nothing here that speaks {scope['type']}.")
        exchange = Exchange(scope, receive, send, silence=self._limits.silence)
        try:
            await self._serve(exchange)
        except Refused as refused:
            await exchange.refuse(refused)
        except Gone:
            pass
        except asyncio.CancelledError:  # The server stops, and its time limit for that is over.
            if not exchange.has_begun:
                await exchange.refuse(_stopping())
            raise
        except Exception:  # A bug. Log it; the ASGI server sends the client a status 500.
            log.exception("%s %.100r failed", exchange.method, exchange.path)
            raise

    async def close(self, *, grace: float = 0.0) -> None:
        """Refuse new requests, answer those in progress, and end all streams. Idempotent.

        Args:
            grace: Seconds that calls in progress get to finish before they are cancelled.
        """
        self._closed = True
        await asyncio.gather(
            *(each.close(grace=grace) for each in (self._stays, self._streams, self._modern))
        )

    async def _serve(self, exchange: Exchange) -> None:
        self._access.check_source(exchange)
        methods = _METHODS.get(exchange.path)
        if methods is None:
            raise Refused(404, f"There is nothing here. MCP is spoken at {STREAMABLE}.")
        if exchange.method not in methods:
            _refuse_method(*methods)
        if exchange.path == HEALTH:
            await exchange.respond(200, self._health)
            return
        self._access.check_key(exchange)
        self._check_open()
        if exchange.path == EVENTS:
            await self._events.get(exchange)
        elif exchange.path == MESSAGES:
            self._events.session(exchange)
            await self._events.post(exchange, await self._message(exchange))
        elif exchange.method == "POST":
            await self._post(exchange)
        else:
            _check_version(exchange)
            is_get = exchange.method == "GET"
            await (self._streamable.get if is_get else self._streamable.delete)(exchange)

    async def _post(self, exchange: Exchange) -> None:
        check_accept(exchange)
        message = await self._message(exchange)
        if isinstance(message, Invalid):
            await reject(exchange, message.error, message.id)
        elif is_modern(exchange, message):
            await self._modern.post(exchange, message)
        else:
            _check_version(exchange)
            await self._streamable.post(exchange, message)

    async def _message(self, exchange: Exchange) -> Message:
        kind = exchange.header("content-type")
        if kind is not None and kind.partition(";")[0].strip().lower() != JSON:
            raise Refused(415, f"Messages are {JSON}, not {kind[:100]}.")
        body = await exchange.body(limit=self._limits.body, within=self._limits.upload)
        self._check_open()
        return parse(body)

    def _check_open(self) -> None:
        if self._closed:
            raise _stopping()


def _stopping() -> Refused:
    return Refused(503, "The server is stopping.", {"connection": "close"})


def _check_version(exchange: Exchange) -> None:
    """Check that the version header, if present, is of a version with sessions."""
    version = exchange.header(VERSION)
    if version in modern.VERSIONS:
        _refuse_method("POST")
    if version is not None and version not in lifecycle.VERSIONS:
        raise Refused(400, f"The version {version[:100]!r} of the protocol is not served.")


def _refuse_method(*allowed: str) -> None:
    methods = ", ".join(allowed)
    raise Refused(405, f"This method means nothing here; there is {methods}.", {"allow": methods})
