"""The life of a relay, with any kind of proxy."""

from __future__ import annotations

import asyncio

import pytest

from tests.unit.browser.proxy.relayed import OK, Reader, Writer, connect, open_relay, scripted_proxy
from viewpoint_mcp.browser.proxy import proxy_relay as relay_module
from viewpoint_mcp.browser.proxy.proxy_relay import ProxyRelay
from viewpoint_mcp.config.proxy import parse_proxy


@pytest.mark.parametrize("scheme", ["http", "https", "socks5"])
async def test_a_missing_proxy_is_reported(scheme: str) -> None:
    async with await asyncio.start_server(lambda r, w: None, "127.0.0.1", 0) as gone:
        port = gone.sockets[0].getsockname()[1]
    relay = await ProxyRelay.open(parse_proxy(f"{scheme}://joe:x@127.0.0.1:{port}"))
    reader, writer = await connect(relay)
    writer.write(b"\5\1\0" if scheme == "socks5" else b"GET http://a/ HTTP/1.1\r\n\r\n")
    assert await reader.read() == b""
    writer.close()
    await relay.close()
    assert relay.fault == "cannot be reached"


async def test_a_proxy_without_the_promised_tls_is_reported() -> None:
    async def script(reader: Reader, writer: Writer) -> None:
        await reader.read(1)
        writer.write(b"HTTP/1.1 400 Bad Request\r\n\r\n")

    async with open_relay("https", script) as (relay, reader, writer):
        writer.write(b"GET http://a/ HTTP/1.1\r\n\r\n")
        assert await reader.read() == b""
    assert relay.fault is not None
    assert relay.fault.startswith("has no TLS that can be trusted")


async def test_closing_cuts_connections_and_ends_the_listening() -> None:
    heads: list[bytes] = []
    async with open_relay("http", scripted_proxy(OK, heads=heads)) as (relay, reader, writer):
        writer.write(b"GET http://a/ HTTP/1.1\r\n\r\n")
        await reader.readexactly(len(OK))
        server = relay.server
        await relay.close()
        assert await reader.read() == b""
        with pytest.raises(ConnectionError):
            await asyncio.open_connection("127.0.0.1", int(server.rpartition(":")[2]))
        await relay.close()


async def test_every_relay_has_a_port_that_only_this_machine_reaches() -> None:
    one = await ProxyRelay.open(parse_proxy("socks5://joe:x@proxy.example"))
    two = await ProxyRelay.open(parse_proxy("https://joe:x@proxy.example"))
    assert one.server.startswith("socks5://127.0.0.1:")
    assert two.server.startswith("http://127.0.0.1:")
    assert one.server.rpartition(":")[2] != two.server.rpartition(":")[2]
    await one.close()
    await two.close()


@pytest.mark.parametrize("scheme", ["http", "socks5"])
async def test_closing_does_not_wait_for_a_side_that_does_not_read(scheme: str) -> None:
    started, ended = asyncio.Event(), asyncio.Event()

    async def script(reader: Reader, writer: Writer) -> None:
        if scheme == "http":
            await reader.readuntil(b"\r\n\r\n")
            writer.write(b"HTTP/1.1 200 OK\r\n\r\n")
        else:
            await reader.readexactly(4)
            writer.write(b"\5\0")
        started.set()
        await ended.wait()

    async with open_relay(scheme, script) as (relay, _, writer):
        writer.write(b"CONNECT a:1 HTTP/1.1\r\n\r\n" if scheme == "http" else b"\5\1\0")
        await started.wait()
        filling = asyncio.create_task(_fill(writer))
        # The connection is full when it accepts no more data: the socket buffers and the relay's
        # buffer.
        while not writer.transport.get_write_buffer_size():  # noqa: ASYNC110 - no event
            await asyncio.sleep(0.01)
        await relay.close()
        ended.set()
        filling.cancel()
        await asyncio.gather(filling, return_exceptions=True)


async def _fill(writer: Writer) -> None:
    while True:
        writer.write(b"x" * 1_000_000)
        await writer.drain()


async def test_a_process_of_another_user_is_disconnected(monkeypatch: pytest.MonkeyPatch) -> None:
    heads: list[bytes] = []
    monkeypatch.setattr(relay_module, "is_same_user", lambda peer, here: False)
    async with open_relay("http", scripted_proxy(OK, heads=heads)) as (_, reader, writer):
        writer.write(b"GET http://a/ HTTP/1.1\r\n\r\n")
        try:
            assert await reader.read() == b""
        except ConnectionError:
            pass  # reset with unread data
    assert heads == []
