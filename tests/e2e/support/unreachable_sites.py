"""Servers on loopback that a page must not reach. They count all that arrives."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

_ANSWER = (
    b"HTTP/1.1 200 OK\r\nAccess-Control-Allow-Origin: *\r\nContent-Type: text/html\r\n"
    b"Supports-Loading-Mode: credentialed-prerender\r\nContent-Length: 4\r\n\r\n<p>."
)


class UnreachableServers(asyncio.DatagramProtocol):
    """One server of each kind: http and ws, https and wss, UDP.

    Attributes:
        paths: The requested paths.
        arrived: The number of connections and datagrams.
    """

    def __init__(self) -> None:
        self.paths: set[str] = set()
        self.arrived = 0
        self.http = self.https = self.udp = ""

    def datagram_received(self, data: bytes, addr: object) -> None:
        self.arrived += 1
        # RFC 7983: a long header of QUIC, or STUN.
        self.paths.add("webtransport" if data[0] & 0x80 else "stun")

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.arrived += 1
        try:
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                self.paths.add(head.split(b" ", 2)[1].decode().rpartition("/")[2])
                writer.write(_ANSWER)
                await writer.drain()
        except (OSError, EOFError, asyncio.LimitOverrunError):
            pass
        finally:
            writer.close()


@asynccontextmanager
async def run_unreachable_servers(certificate: Path) -> AsyncIterator[UnreachableServers]:
    """Run the servers while the context manager is open."""
    place = UnreachableServers()
    tls = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    tls.load_cert_chain(certificate)
    async with AsyncExitStack() as stack:
        ports = []
        for context in (None, tls):
            server = await asyncio.start_server(place.serve, "127.0.0.1", 0, ssl=context)
            stack.callback(server.close)
            ports.append(server.sockets[0].getsockname()[1])
        loop = asyncio.get_running_loop()
        transport, _ = await loop.create_datagram_endpoint(
            lambda: place, local_addr=("127.0.0.1", 0)
        )
        stack.callback(transport.close)
        place.http, place.https = f"127.0.0.1:{ports[0]}", f"127.0.0.1:{ports[1]}"
        place.udp = f"127.0.0.1:{transport.get_extra_info('sockname')[1]}"
        yield place
