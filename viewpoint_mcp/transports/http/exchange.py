"""One HTTP request and its response, as a layer between ASGI and the endpoints."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, MutableMapping
from contextlib import asynccontextmanager
from typing import Any, Final
from urllib.parse import parse_qs

from viewpoint_mcp.rpc.errors import REFUSED, RpcError
from viewpoint_mcp.rpc.messages import Answer, encode
from viewpoint_mcp.transports.http.outbox import Outbox

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]

JSON: Final = "application/json"
EVENTS: Final = "text/event-stream"


class Gone(Exception):
    """The client disconnected before it had sent the whole request."""


class Refused(Exception):
    """A request that is refused with an HTTP status, before its message is served.

    Args:
        status: The HTTP status of the response.
        sentence: The reason, and what the user can do.
        headers: Additional headers of the response.
    """

    def __init__(
        self, status: int, sentence: str, headers: Mapping[str, str] | None = None
    ) -> None:
        super().__init__(sentence)
        self.status = status
        self.sentence = sentence
        self.headers = headers or {}


class Exchange:
    """One HTTP request and its response.

    Args:
        scope, receive, send: The arguments of an ASGI application.
        silence: Seconds without an event after which a stream sends a keep-alive comment. Without
            it, a proxy may close the connection.
    """

    def __init__(self, scope: Scope, receive: Receive, send: Send, *, silence: float) -> None:
        self.silence = silence
        self.has_begun = False
        """Whether the response has started."""
        self.method: str = scope["method"]
        self.root: str = scope.get("root_path", "")
        self.path: str = scope["path"].removeprefix(self.root).removesuffix("/")
        self._query: bytes = scope["query_string"]
        self._headers: list[tuple[bytes, bytes]] = scope["headers"]
        self._receive = receive
        self._send = send

    # ---- the request

    def header(self, name: str) -> str | None:
        """Return the value of the first header of a name in lower case; None if it is missing."""
        return next(iter(self.headers(name)), None)

    def headers(self, name: str) -> list[str]:
        """Return the values of all headers of a name in lower case."""
        wanted = name.encode("ascii")
        return [value.decode("latin-1").strip() for key, value in self._headers if key == wanted]

    def query(self, name: str) -> str | None:
        """Return the first value of a query parameter; None if it is missing or empty."""
        values = parse_qs(self._query.decode("latin-1")).get(name)
        return values[0] if values else None

    def accepts(self, kind: str) -> bool:
        """Return whether the client accepts a media type; without the header Accept, any."""
        accepted = ",".join(self.headers("accept")).lower()
        names = {each.partition(";")[0].strip() for each in accepted.split(",")} - {""}
        return not names or not names.isdisjoint({kind, f"{kind.partition('/')[0]}/*", "*/*"})

    async def body(self, *, limit: int, within: float) -> bytes:
        """Return the request body.

        Args:
            limit: Maximum size in bytes.
            within: Seconds within which the body must arrive.

        Raises:
            Refused: The body is larger or takes longer.
            Gone: The client disconnected.
        """
        too_long = Refused(413, f"The body is longer than {limit} bytes. Send less.")
        length = self.header("content-length")
        if length is not None and length.isdecimal() and int(length) > limit:
            raise too_long
        chunks, size, more = [], 0, True
        try:
            async with asyncio.timeout(within):
                while more:
                    message = await self._receive()
                    if message["type"] == "http.disconnect":
                        raise Gone
                    chunks.append(message.get("body", b""))
                    size += len(chunks[-1])
                    if size > limit:
                        raise too_long
                    more = message.get("more_body", False)
        except TimeoutError:
            sentence = f"The body did not arrive within {within:g} s. Send it again, faster."
            raise Refused(408, sentence, {"connection": "close"}) from None
        return b"".join(chunks)

    @asynccontextmanager
    async def leaving(self) -> AsyncIterator[asyncio.Future[None]]:
        """Yield a future that is done when the client disconnects.

        Only valid after the request body was read, or for a request without a body.
        """
        watching = asyncio.create_task(self._gone())
        try:
            yield watching
        finally:
            watching.cancel()
            await asyncio.wait({watching})

    async def _gone(self) -> None:
        while (await self._receive())["type"] != "http.disconnect":
            pass

    # ---- the response

    async def respond(
        self,
        status: int,
        body: bytes = b"",
        kind: str = JSON,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        """Send a complete response."""
        told = {"content-length": str(len(body)), **(headers or {})}
        await self._start(status, {"content-type": kind, **told} if body else told)
        await self._send({"type": "http.response.body", "body": body})

    async def refuse(self, refused: Refused) -> None:
        """Send the reason of a refusal as a JSON-RPC error, which clients can display."""
        error = Answer(None, error=RpcError(REFUSED, refused.sentence))
        await self.respond(refused.status, encode(error), headers=refused.headers)

    async def stream(self, outbox: Outbox, headers: Mapping[str, str] | None = None) -> None:
        """Send an event stream of all events of the outbox, until the outbox is closed."""
        told = {"cache-control": "no-cache, no-transform", "x-accel-buffering": "no"}
        await self._start(200, {"content-type": EVENTS, **told, **(headers or {})})
        while not outbox.ended:
            stirred = await outbox.stirred(self.silence)
            if data := outbox.take() if stirred else b": keep-alive\n\n":
                await self._send({"type": "http.response.body", "body": data, "more_body": True})
        await self._send({"type": "http.response.body", "body": b""})

    async def hold(self, outbox: Outbox) -> None:
        """Send an event stream until the outbox is closed or the client disconnects."""
        async with self.leaving() as left:
            left.add_done_callback(lambda _: outbox.close())
            await self.stream(outbox)

    async def _start(self, status: int, headers: Mapping[str, str]) -> None:
        pairs = [(name.encode("ascii"), value.encode("latin-1")) for name, value in headers.items()]
        self.has_begun = True
        await self._send({"type": "http.response.start", "status": status, "headers": pairs})
