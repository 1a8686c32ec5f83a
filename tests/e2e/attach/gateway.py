"""A gateway before a browser. It forwards WebSocket messages of clients that send the right path
and header.
"""

from __future__ import annotations

import asyncio
import json
import ssl
from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from http import HTTPStatus
from pathlib import Path

from websockets.asyncio.client import ClientConnection, connect
from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response


@dataclass
class Relay:
    """Settings and record of a gateway.

    Attributes:
        behind: The WebSocket address of the browser.
        path: The path that it serves; None for any.
        header: Name and value of the header that it requires.
        unknown: CDP methods that it does not know.
        let_in: Set when clients may connect, like a browser that asks its user.
        denial: The status for clients that the user refuses.
        requested_paths: The requested paths, oldest first.
        methods: The CDP methods sent to the browser, oldest first.
    """

    behind: str
    path: str | None = None
    header: tuple[str, str] | None = None
    unknown: Collection[str] = ()
    let_in: asyncio.Event = field(default_factory=asyncio.Event)
    denial: HTTPStatus | None = None
    requested_paths: list[str] = field(default_factory=list)
    methods: list[str] = field(default_factory=list)
    server: Server | None = None

    @property
    def port(self) -> int:
        assert self.server is not None
        return int(next(iter(self.server.sockets)).getsockname()[1])

    def cut(self) -> None:
        """Break all connections at once, without a word."""
        assert self.server is not None
        for connection in list(self.server.connections):
            connection.transport.abort()

    async def admit(self, connection: ServerConnection, request: Request) -> Response | None:
        self.requested_paths.append(request.path)
        if "Upgrade" not in request.headers or self.path not in (None, request.path):
            return connection.respond(HTTPStatus.NOT_FOUND, "")
        if self.header and request.headers.get(self.header[0]) != self.header[1]:
            return connection.respond(HTTPStatus.UNAUTHORIZED, "")
        await self.let_in.wait()
        return connection.respond(self.denial, "") if self.denial else None

    async def serve(self, client: ServerConnection) -> None:
        async with connect(self.behind, max_size=None, compression=None, proxy=None) as browser:
            back = asyncio.create_task(self._back(browser, client))
            try:
                async for message in client:
                    call = json.loads(message)
                    self.methods.append(call["method"])
                    if call["method"] in self.unknown:
                        error = {"code": -32601, "message": "no such method"}
                        await client.send(json.dumps({"id": call["id"], "error": error}))
                    else:
                        await browser.send(message, text=True)
            except ConnectionClosed:
                pass
            finally:
                back.cancel()
                await asyncio.gather(back, return_exceptions=True)

    @staticmethod
    async def _back(browser: ClientConnection, client: ServerConnection) -> None:
        async for message in browser:
            await client.send(message, text=True)
        await client.close()


@asynccontextmanager
async def relaying(
    relay: Relay, *, is_open: bool = True, certificate: Path | None = None
) -> AsyncIterator[Relay]:
    """Run a gateway on a port of loopback.

    Args:
        is_open: Whether clients may connect at once.
        certificate: A file with a certificate and its key; with it the gateway uses TLS.
    """
    tls = None
    if certificate is not None:
        tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        tls.load_cert_chain(certificate)
    if is_open:
        relay.let_in.set()
    async with serve(
        relay.serve,
        "127.0.0.1",
        0,
        process_request=relay.admit,
        ssl=tls,
        compression=None,
        max_size=None,
        close_timeout=1,
        open_timeout=60,
    ) as server:
        relay.server = server
        yield relay
        relay.let_in.set()
