"""A relay between a test and a scripted proxy."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

from viewpoint_mcp.browser.proxy.proxy_relay import ProxyRelay
from viewpoint_mcp.config.proxy import parse_proxy

Reader = asyncio.StreamReader
Writer = asyncio.StreamWriter
Script = Callable[[Reader, Writer], Awaitable[None]]

GIVEN = b"Proxy-Authorization: Basic am9lOmh1bnRlcjI="  # joe:hunter2
OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi"


@asynccontextmanager
async def open_relay(
    scheme: str, script: Script
) -> AsyncIterator[tuple[ProxyRelay, Reader, Writer]]:
    """Yield a relay to a scripted proxy, and a connection to the relay."""

    async def follow(reader: Reader, writer: Writer) -> None:
        try:
            await script(reader, writer)
        finally:
            writer.close()

    async with await asyncio.start_server(follow, "127.0.0.1", 0) as upstream:
        port = upstream.sockets[0].getsockname()[1]
        relay = await ProxyRelay.open(parse_proxy(f"{scheme}://joe:hunter2@127.0.0.1:{port}"))
        reader, writer = await connect(relay)
        try:
            yield relay, reader, writer
        finally:
            writer.close()
            await relay.close()


async def connect(relay: ProxyRelay) -> tuple[Reader, Writer]:
    host, port = relay.server.rpartition("/")[2].split(":")
    return await asyncio.open_connection(host, int(port))


def scripted_proxy(*answers: bytes, heads: list[bytes]) -> Script:
    """A proxy that reads a head before each of its answers, and then waits for the end."""

    async def script(reader: Reader, writer: Writer) -> None:
        for answer in answers:
            heads.append(await reader.readuntil(b"\r\n\r\n"))
            writer.write(answer)
        await reader.read()

    return script
