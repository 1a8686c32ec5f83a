"""One HTTP request and its response, as a layer between ASGI and the endpoints."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, MutableMapping
from contextlib import asynccontextmanager
from typing import Any, Final
from urllib.parse import parse_qs

from viewpoint_mcp.rpc.errors import REQUEST_REFUSED, RpcError
from viewpoint_mcp.rpc.messages import Response, encode_message
from viewpoint_mcp.transports.http.event_stream_queue import EventStreamQueue

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]

JSON_TYPE: Final = "application/json"
EVENT_STREAM_TYPE: Final = "text/event-stream"


class ClientDisconnected(Exception):
    """The client disconnected before it had sent the whole request."""


class RequestRefused(Exception):
    """A request that is refused with an HTTP status, before its message is served.

    Args:
        status: The HTTP status of the response.
        reason: The reason, and what the user can do.
        headers: Additional headers of the response.
    """

    def __init__(self, status: int, reason: str, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(reason)
        self.status = status
        self.reason = reason
        self.headers = headers or {}


class Exchange:
    """One HTTP request and its response.

    Args:
        scope, receive, send: The arguments of an ASGI application.
        keep_alive_interval: Seconds without an event after which a stream sends a keep-alive
            comment. Without it, a proxy may close the connection.
    """

    def __init__(
        self, scope: Scope, receive: Receive, send: Send, *, keep_alive_interval: float
    ) -> None:
        self.keep_alive_interval = keep_alive_interval
        self.has_response_started = False
        """Whether the response has started."""
        self.method: str = scope["method"]
        self.root_path: str = scope.get("root_path", "")
        self.path: str = scope["path"].removeprefix(self.root_path).removesuffix("/")
        self._query: bytes = scope["query_string"]
        self._headers: list[tuple[bytes, bytes]] = scope["headers"]
        self._receive = receive
        self._send = send

    # ---- the request

    def get_header(self, name: str) -> str | None:
        """Return the value of the first header of a name in lower case; None if it is missing."""
        return next(iter(self.get_headers(name)), None)

    def get_headers(self, name: str) -> list[str]:
        """Return the values of all headers of a name in lower case."""
        encoded_name = name.encode("ascii")
        return [
            value.decode("latin-1").strip() for key, value in self._headers if key == encoded_name
        ]

    def get_query_parameter(self, name: str) -> str | None:
        """Return the first value of a query parameter; None if it is missing or empty."""
        values = parse_qs(self._query.decode("latin-1")).get(name)
        return values[0] if values else None

    def accepts_media_type(self, media_type: str) -> bool:
        """Return whether the client accepts a media type; without the header Accept, any."""
        accepted = ",".join(self.get_headers("accept")).lower()
        names = {each.partition(";")[0].strip() for each in accepted.split(",")} - {""}
        return not names or not names.isdisjoint(
            {media_type, f"{media_type.partition('/')[0]}/*", "*/*"}
        )

    async def read_body(self, *, max_size: int, timeout: float) -> bytes:
        """Return the request body.

        Args:
            max_size: Maximum size in bytes.
            timeout: Seconds within which the body must arrive.

        Raises:
            RequestRefused: The body is larger or takes longer.
            ClientDisconnected: The client disconnected.
        """
        too_long = RequestRefused(413, f"The body is longer than {max_size} bytes. Send less.")
        length = self.get_header("content-length")
        if length is not None and length.isdecimal() and int(length) > max_size:
            raise too_long
        chunks, size, more = [], 0, True
        try:
            async with asyncio.timeout(timeout):
                while more:
                    message = await self._receive()
                    if message["type"] == "http.disconnect":
                        raise ClientDisconnected
                    chunks.append(message.get("body", b""))
                    size += len(chunks[-1])
                    if size > max_size:
                        raise too_long
                    more = message.get("more_body", False)
        except TimeoutError:
            sentence = f"The body did not arrive within {timeout:g} s. Send it again."
            raise RequestRefused(408, sentence, {"connection": "close"}) from None
        return b"".join(chunks)

    @asynccontextmanager
    async def watch_disconnect(self) -> AsyncIterator[asyncio.Future[None]]:
        """Yield a future that is done when the client disconnects.

        Only valid after the request body was read, or for a request without a body.
        """
        watching = asyncio.create_task(self._wait_for_disconnect())
        try:
            yield watching
        finally:
            watching.cancel()
            await asyncio.wait({watching})

    async def _wait_for_disconnect(self) -> None:
        while (await self._receive())["type"] != "http.disconnect":
            pass

    # ---- the response

    async def send_response(
        self,
        status: int,
        body: bytes = b"",
        media_type: str = JSON_TYPE,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        """Send a complete response."""
        all_headers = {"content-length": str(len(body)), **(headers or {})}
        await self._start_response(
            status, {"content-type": media_type, **all_headers} if body else all_headers
        )
        await self._send({"type": "http.response.body", "body": body})

    async def send_refusal(self, refusal: RequestRefused) -> None:
        """Send the reason of a refusal as a JSON-RPC error, which clients can display."""
        error = Response(None, error=RpcError(REQUEST_REFUSED, refusal.reason))
        await self.send_response(refusal.status, encode_message(error), headers=refusal.headers)

    async def send_event_stream(
        self, events: EventStreamQueue, headers: Mapping[str, str] | None = None
    ) -> None:
        """Send an event stream of all events of a queue, until the queue is closed."""
        stream_headers = {"cache-control": "no-cache, no-transform", "x-accel-buffering": "no"}
        await self._start_response(
            200, {"content-type": EVENT_STREAM_TYPE, **stream_headers, **(headers or {})}
        )
        while not events.is_finished:
            has_changed = await events.wait_for_change(self.keep_alive_interval)
            if data := events.take_all() if has_changed else b": keep-alive\n\n":
                await self._send({"type": "http.response.body", "body": data, "more_body": True})
        await self._send({"type": "http.response.body", "body": b""})

    async def stream_until_disconnect(self, events: EventStreamQueue) -> None:
        """Send an event stream until the queue is closed or the client disconnects."""
        async with self.watch_disconnect() as disconnected:
            disconnected.add_done_callback(lambda _: events.close())
            await self.send_event_stream(events)

    async def _start_response(self, status: int, headers: Mapping[str, str]) -> None:
        pairs = [(name.encode("ascii"), value.encode("latin-1")) for name, value in headers.items()]
        self.has_response_started = True
        await self._send({"type": "http.response.start", "status": status, "headers": pairs})
