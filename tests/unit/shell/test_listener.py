"""A port is served to clients that know its key, and requests are sent to servers that know it."""

from __future__ import annotations

import asyncio
import socket
import stat
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from viewpoint_mcp.shell import listener as listener_module
from viewpoint_mcp.shell.endpoint import LOOPBACK_VARIABLE, Endpoint
from viewpoint_mcp.shell.listener import Listener
from viewpoint_mcp.shell.loopback import HOST, PortAddress

ENVIRON = {LOOPBACK_VARIABLE: "1"}


@pytest.fixture
def endpoint(tmp_path: Path) -> Endpoint:
    return Endpoint(str(tmp_path), "0123")


@pytest.fixture
def port_file(endpoint: Endpoint) -> Path:
    return Path(endpoint.port_file)


@asynccontextmanager
async def listening(endpoint: Endpoint) -> AsyncIterator[list[bytes]]:
    """Listen within the block. Yields the lines that clients with the key send."""
    lines: list[bytes] = []

    async def read_line(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        lines.append(await reader.readline())
        writer.close()

    listener = Listener(endpoint)
    await listener.listen(ENVIRON, read_line)
    try:
        yield lines
    finally:
        listener.close()
        assert not listener.has_file()


def read_address(endpoint: Endpoint) -> PortAddress:
    return PortAddress(*Path(endpoint.port_file).read_text().split())


def read_mode(file: Path) -> int:
    return stat.S_IMODE(file.stat().st_mode)


def put_other_file(file: Path) -> None:
    file.rename(f"{file}.moved")
    file.touch()


async def connect(endpoint: Endpoint) -> socket.socket | None:
    return await asyncio.to_thread(endpoint.connect)


async def test_a_client_that_reads_the_file_is_served(endpoint: Endpoint, port_file: Path) -> None:
    async with listening(endpoint) as lines:
        assert read_mode(port_file) == 0o600
        connection = await connect(endpoint)
        assert connection is not None
        with connection:
            connection.sendall(b"hello\n")
            assert await asyncio.to_thread(connection.recv, 1) == b""
    assert lines == [b"hello\n"]
    assert await connect(endpoint) is None


@pytest.mark.parametrize(
    "key", ["0" * 64, "0", "é" * 32, '{"argv": ["tabs"]}\n', "POST / HTTP/1.1\r\n" * 9]
)
async def test_a_connection_without_the_key_is_closed(endpoint: Endpoint, key: str) -> None:
    async with listening(endpoint) as lines:
        reader, writer = await asyncio.open_connection(HOST, read_address(endpoint).port)
        writer.write(key.encode())
        writer.write_eof()
        try:
            assert await reader.read() == b""
        except ConnectionResetError:
            pass  # The server closed before it read everything.
        writer.close()
    assert lines == []


async def test_a_connection_that_sends_no_key_is_closed(
    endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(listener_module, "_KEY_LIMIT", 0.05)
    async with listening(endpoint) as lines:
        reader, writer = await asyncio.open_connection(HOST, read_address(endpoint).port)
        assert await reader.read() == b""
        writer.close()
    assert lines == []


async def test_each_server_has_other_keys(endpoint: Endpoint) -> None:
    async with listening(endpoint):
        first = read_address(endpoint)
    async with listening(endpoint):
        second = read_address(endpoint)
    assert len({*first[1:], *second[1:]}) == 4


async def test_a_file_that_changed_is_not_that_of_the_server(
    endpoint: Endpoint, port_file: Path
) -> None:
    listener = Listener(endpoint)
    assert not listener.has_file()
    await listener.listen(ENVIRON, lambda *_: asyncio.sleep(0))
    assert listener.has_file()
    put_other_file(port_file)
    assert not listener.has_file()
    listener.close()
    assert read_mode(port_file)  # it is not removed


@pytest.mark.parametrize("line", ["", "80", "80 a b", "80 a\n"])
def test_an_incomplete_line_names_no_server(endpoint: Endpoint, port_file: Path, line: str) -> None:
    port_file.write_text(line)
    assert endpoint.connect() is None
