"""Listening on all addresses of a host, or saying why not."""

from __future__ import annotations

import asyncio
import socket

import pytest

from viewpoint_mcp.transports.http.server import ListenError, bind_sockets


def close(sockets: list[socket.socket]) -> None:
    for each in sockets:
        each.close()


def test_a_free_port_is_the_same_on_all_addresses() -> None:
    sockets = bind_sockets("localhost", 0)
    try:
        assert len({each.getsockname()[1] for each in sockets}) == 1
        assert {each.getsockname()[0] for each in sockets} <= {"127.0.0.1", "::1"}
    finally:
        close(sockets)


def test_a_port_in_use_is_refused_with_advice() -> None:
    sockets = bind_sockets("127.0.0.1", 0)
    try:
        with pytest.raises(ListenError, match="Choose another --port"):
            bind_sockets("127.0.0.1", sockets[0].getsockname()[1])
    finally:
        close(sockets)


@pytest.mark.parametrize("host", ["x" * 64, "a\0b"])
def test_an_invalid_host_is_refused(host: str) -> None:
    with pytest.raises(ListenError, match="Cannot resolve the host"):
        bind_sockets(host, 0)


async def test_written_data_is_sent_at_once() -> None:
    accepted: asyncio.Queue[asyncio.StreamWriter] = asyncio.Queue()
    (listener,) = bind_sockets("127.0.0.1", 0)
    server = await asyncio.start_server(
        lambda _, writer: accepted.put_nowait(writer), sock=listener
    )
    _, client = await asyncio.open_connection("127.0.0.1", listener.getsockname()[1])
    writer = await accepted.get()
    delays = writer.get_extra_info("socket").getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
    for each in (writer, client, server):
        each.close()
    assert delays != 0
