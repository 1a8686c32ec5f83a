"""The parts of uvicorn that the HTTP server relies on: how long a connection waits for its client,
with the time given by the test, and how the server ends.
"""

from __future__ import annotations

import asyncio
import signal
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any

import pytest
from uvicorn import Config
from uvicorn.server import ServerState

from tests.e2e.support.processes import wait_until
from viewpoint_mcp.rpc.dispatcher import Call, Conversation, Dispatcher
from viewpoint_mcp.rpc.messages import Params
from viewpoint_mcp.transports.http.access_control import AccessControl
from viewpoint_mcp.transports.http.app import HttpApp
from viewpoint_mcp.transports.http.uvicorn_server import LimitedConnection, UvicornServer

LONG = 16 * 1024 * 1024


async def app(scope: Any, receive: Any, send: Any) -> None:
    """Answer at once; at /long, with more than anything between the two can hold."""
    body = b"x" * (LONG if scope["path"] == "/long" else 1)
    headers = [(b"content-length", b"%d" % len(body))]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": body})


class Talker:
    """A server that sends a long response to each client."""

    def __init__(self, conversation: Conversation) -> None:
        self.is_closed = False
        loop = asyncio.get_running_loop()
        loop.call_soon(conversation.send_notification, "word", {"word": "x" * LONG})

    async def handle(self, method: str, params: Params, call: Call) -> None:
        """Serve nothing."""

    async def close(self) -> None:
        self.is_closed = True


@asynccontextmanager
async def connected(
    app: Callable[..., Any] = app,
) -> AsyncIterator[tuple[LimitedConnection, asyncio.StreamReader, asyncio.StreamWriter]]:
    """Yield both ends of a connection."""
    state = ServerState()
    config = Config(app, http=LimitedConnection, lifespan="off", log_config=None, access_log=False)
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: LimitedConnection(config, state, {}), "127.0.0.1", 0)
    reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname())
    await wait_until(lambda: bool(state.connections))
    (connection,) = state.connections
    assert isinstance(connection, LimitedConnection)
    try:
        yield connection, reader, writer
    finally:
        writer.close()
        server.close()
        await wait_until(lambda: not state.connections)


async def read_to_end(reader: asyncio.StreamReader) -> bytes:
    with suppress(ConnectionResetError):
        return await reader.read()
    return b""


def look(connection: LimitedConnection, *, later: float) -> bool:
    """Have a look at a connection after so many seconds; return whether it is cut."""
    now = asyncio.get_running_loop().time()
    connection.close_if_stalled(now)
    connection.close_if_stalled(now + later)
    return connection.transport.is_closing()


@pytest.mark.parametrize("begun", [b"", b"GET /health HTTP/1.1\r\nhost: "])
async def test_a_client_that_sends_no_request_is_disconnected_after_half_a_minute(
    begun: bytes,
) -> None:
    async with connected() as (connection, reader, writer):
        writer.write(begun)
        await writer.drain()
        assert not look(connection, later=29)
        assert look(connection, later=31)
        assert await read_to_end(reader) == b""


async def test_a_client_that_has_sent_a_request_is_disconnected_later() -> None:
    async with connected() as (connection, reader, writer):
        writer.write(b"GET / HTTP/1.1\r\nhost: a\r\n\r\n")
        await reader.readuntil(b"\r\n\r\nx")
        writer.write(b"GET / HTTP/1.1\r\n")
        await writer.drain()
        assert not look(connection, later=74)
        assert look(connection, later=76)


async def test_a_client_that_does_not_read_is_disconnected_unless_some_data_is_sent() -> None:
    async with connected() as (connection, reader, writer):
        writer.write(b"GET /long HTTP/1.1\r\nhost: a\r\n\r\n")
        await wait_until(lambda: connection.transport.get_write_buffer_size() > LONG / 8)
        size = connection.transport.get_write_buffer_size()
        connection.close_if_stalled(asyncio.get_running_loop().time())
        while connection.transport.get_write_buffer_size() == size:
            await reader.readexactly(100_000)
        assert not look(connection, later=74)
        assert look(connection, later=76)


async def test_a_body_that_is_already_answered_is_not_read_for_ever() -> None:
    async with connected() as (_, reader, writer):
        writer.write(b"POST / HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n")
        await reader.readuntil(b"\r\n\r\nx")
        megabytes = 0
        with suppress(ConnectionError):
            while True:
                writer.write(b"100000\r\n" + b" " * 0x100000 + b"\r\n")
                await writer.drain()
                megabytes += 1
    assert megabytes >= 15


async def test_the_session_of_a_stream_without_a_reader_ends() -> None:
    talkers: list[Talker] = []

    def open_talker(conversation: Conversation) -> Talker:
        talkers.append(Talker(conversation))
        return talkers[-1]

    dispatcher = Dispatcher(open_talker)
    served = HttpApp(dispatcher, dispatcher, AccessControl(None), name="it", version="0")
    async with connected(served) as (connection, _, writer):
        writer.write(b"GET /sse HTTP/1.1\r\nhost: localhost\r\n\r\n")
        await wait_until(lambda: connection.transport.get_write_buffer_size() > LONG / 8)
        assert look(connection, later=76)
        await wait_until(lambda: talkers[0].is_closed)
    await served.close()


async def test_the_server_handles_no_signals_checks_its_connections_and_ends_on_request() -> None:
    listener = socket.create_server(("127.0.0.1", 0))
    handler = signal.getsignal(signal.SIGINT)
    dispatcher = Dispatcher(Talker)
    served = HttpApp(dispatcher, dispatcher, AccessControl(None), name="it", version="0")
    server = UvicornServer(served)
    serving = asyncio.create_task(server.serve([listener]))
    await wait_until(lambda: server.started)

    reader, writer = await asyncio.open_connection(*listener.getsockname())
    writer.write(b"GET /health HTTP/1.1\r\nhost: localhost\r\n\r\n")
    head = await reader.readuntil(b"\r\n\r\n")
    [connection] = server.server_state.connections
    assert isinstance(connection, LimitedConnection)
    looked = connection._unchanged_since
    await wait_until(lambda: connection._unchanged_since > looked)  # at the next tick
    assert signal.getsignal(signal.SIGINT) is handler

    server.stop()
    await serving
    writer.close()
    assert b"\r\ndate: " in head
    assert b"server:" not in head
    assert listener.fileno() == -1
    await served.close()
