"""Input that no client should send, byte by byte: each gets its answer, and others are served."""

from __future__ import annotations

import asyncio
import json
import resource
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager

import pytest

from tests.e2e.support.client import TIME_LIMIT
from tests.e2e.support.http_client import HttpServer, sessionless_headers, sessionless_request

DISCOVER = sessionless_request("server/discover")
LIMIT = 16 * 1024 * 1024


def head(server: HttpServer, length: int | None, *, path: str = "/mcp", **more: str) -> bytes:
    """Return the head of a POST request with the key, as bytes."""
    headers: dict[str, str] = {
        "host": f"127.0.0.1:{server.port}",
        "content-type": "application/json",
        **server.key_header,
        **sessionless_headers(DISCOVER),
        **({} if length is None else {"content-length": str(length)}),
        **{name.replace("_", "-"): value for name, value in more.items()},
    }
    lines = [f"POST {path} HTTP/1.1", *(f"{name}: {value}" for name, value in headers.items())]
    return "\r\n".join([*lines, "", ""]).encode()


BODY = json.dumps(DISCOVER).encode()


class Wire:
    """A connection that is written to and read as bytes."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer

    async def send(self, data: bytes) -> None:
        self.writer.write(data)
        await self.writer.drain()

    async def response(self) -> tuple[int, Mapping[str, str], bytes]:
        """Return the status, the headers and the body of the next response."""
        async with asyncio.timeout(TIME_LIMIT):
            lines = (await self.reader.readuntil(b"\r\n\r\n")).decode().splitlines()
            headers = dict(line.lower().split(": ", 1) for line in lines[1:] if line)
            body = await self.reader.readexactly(int(headers.get("content-length", 0)))
        return int(lines[0].split()[1]), headers, body

    async def rest(self) -> bytes:
        """Return all that comes until the server closes the connection."""
        async with asyncio.timeout(TIME_LIMIT):
            return await self.reader.read()


@asynccontextmanager
async def wire(server: HttpServer) -> AsyncIterator[Wire]:
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    try:
        yield Wire(reader, writer)
    finally:
        writer.close()


async def assert_it_serves(server: HttpServer) -> None:
    async with wire(server) as other:
        await other.send(head(server, len(BODY)) + BODY)
        assert (await other.response())[0] == 200


async def test_a_slow_body_does_not_block_other_requests(listening: HttpServer) -> None:
    async with wire(listening) as slow:
        await slow.send(head(listening, len(BODY)))
        for at in range(0, len(BODY), 40):
            await slow.send(BODY[at : at + 40])
            await assert_it_serves(listening)
        assert (await slow.response())[0] == 200


async def test_a_missing_body_does_not_block_other_requests(listening: HttpServer) -> None:
    async with wire(listening) as one, wire(listening) as other:
        await one.send(head(listening, len(BODY)))
        await other.send(b"POST /mcp HTTP/1.1\r\nhost: ")
        await assert_it_serves(listening)


async def test_more_silent_connections_than_the_limit_do_not_block_other_requests(
    listening: HttpServer,
) -> None:
    process = listening.process.pid
    soft, hard = resource.prlimit(process, resource.RLIMIT_NOFILE)
    assert soft >= min(hard, 4096)
    resource.prlimit(process, resource.RLIMIT_NOFILE, (600, hard))
    try:
        async with AsyncExitStack() as silent:
            for _ in range(700):
                await silent.enter_async_context(wire(listening))
            await assert_it_serves(listening)
    finally:
        resource.prlimit(process, resource.RLIMIT_NOFILE, (soft, hard))
    assert "out of system resource" not in listening.stderr


async def test_a_chunked_body_is_read_too(listening: HttpServer) -> None:
    async with wire(listening) as client:
        await client.send(head(listening, None, transfer_encoding="chunked"))
        for part in (BODY[:7], BODY[7:]):
            await client.send(b"%x\r\n%b\r\n" % (len(part), part))
        await client.send(b"0\r\n\r\n")
        assert (await client.response())[0] == 200


async def test_a_body_with_a_too_large_declared_length_is_refused_unread(
    listening: HttpServer,
) -> None:
    async with wire(listening) as client:
        await client.send(head(listening, LIMIT + 1))
        status, _, body = await client.response()
    assert status == 413
    assert f"longer than {LIMIT} bytes" in json.loads(body)["error"]["message"]


async def test_a_body_that_becomes_too_long_is_refused(listening: HttpServer) -> None:
    chunk = b"100000\r\n" + b" " * 0x100000 + b"\r\n"
    async with wire(listening) as client:
        await client.send(head(listening, None, transfer_encoding="chunked"))
        answer = asyncio.create_task(client.response())
        while not answer.done():
            await client.send(chunk)
            await asyncio.sleep(0)
        assert (await answer)[0] == 413
    await assert_it_serves(listening)


async def test_the_longest_body_is_served(listening: HttpServer) -> None:
    body = BODY + b" " * (LIMIT - len(BODY))
    async with wire(listening) as client:
        await client.send(head(listening, len(body)) + body)
        assert (await client.response())[0] == 200


async def test_a_body_without_a_key_is_not_waited_for(listening: HttpServer) -> None:
    async with wire(listening) as client:
        await client.send(head(listening, LIMIT, authorization="Bearer x"))
        assert (await client.response())[0] == 403


async def test_the_100_continue_response_is_sent_only_if_the_body_is_needed(
    listening: HttpServer,
) -> None:
    async with wire(listening) as client:
        await client.send(head(listening, len(BODY), expect="100-continue"))
        assert (await client.response())[0] == 100
        await client.send(BODY)
        assert (await client.response())[0] == 200
    async with wire(listening) as stranger:
        await stranger.send(head(listening, len(BODY), expect="100-continue", authorization="x"))
        assert (await stranger.response())[0] == 401


async def test_requests_that_do_not_wait_are_answered_in_their_order(
    listening: HttpServer,
) -> None:
    bodies = [json.dumps({**DISCOVER, "id": each}).encode() for each in range(20)]
    async with wire(listening) as client:
        await client.send(b"".join(head(listening, len(each)) + each for each in bodies))
        answers = [json.loads((await client.response())[2])["id"] for _ in bodies]
    assert answers == list(range(20))


@pytest.mark.parametrize(
    "data",
    [
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" * 20,
        b"GET /mcp\r\n\r\n",
        b"GET /mcp HTTP/1.1\r\n\r\n",
        b"GET /mcp HTTP/1.1\r\nhost: localhost\r\nhost: evil.test\r\n\r\n",
        b"POST /mcp HTTP/1.1\r\nhost: localhost\r\ncontent-length: x\r\n\r\n",
        b"POST /mcp HTTP/1.1\r\nhost: a\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n",
        b"GET /mcp HTTP/1.1\r\nhost: localhost\r\nx: " + b"x" * 70_000,
        b'{"jsonrpc":"2.0","id":1,"method":"ping"}\n\n',
    ],
)
async def test_a_message_that_is_not_http_is_refused(listening: HttpServer, data: bytes) -> None:
    async with wire(listening) as client:
        await client.send(data)
        assert (await client.rest()).startswith(b"HTTP/1.1 400 ")
    await assert_it_serves(listening)


async def test_a_body_that_is_broken_off_is_refused(listening: HttpServer) -> None:
    async with wire(listening) as client:
        await client.send(head(listening, None, transfer_encoding="chunked") + b"zz\r\n")
        assert (await client.response())[0] == 400
    await assert_it_serves(listening)


async def test_a_client_that_disconnects_during_the_head_the_body_or_the_response_causes_no_error(
    listening: HttpServer,
) -> None:
    whole = head(listening, len(BODY)) + BODY
    for length in (10, len(whole) - 10, len(whole)):
        async with wire(listening) as client:
            await client.send(whole[:length])
        await assert_it_serves(listening)
    assert "Traceback" not in listening.stderr


async def test_a_websocket_is_refused(listening: HttpServer) -> None:
    async with wire(listening) as client:
        upgrade = {"connection": "upgrade", "upgrade": "websocket", "sec_websocket_version": "13"}
        await client.send(head(listening, len(BODY), **upgrade) + BODY)
        assert (await client.response())[0] == 200  # answered as if the header were missing


async def test_blanks_around_a_header_do_not_count(listening: HttpServer) -> None:
    async with wire(listening) as client:
        await client.send(head(listening, len(BODY), mcp_method="  server/discover \t") + BODY)
        assert (await client.response())[0] == 200


async def test_http_of_1_0_is_served(listening: HttpServer) -> None:
    async with wire(listening) as client:
        await client.send((head(listening, len(BODY)) + BODY).replace(b"HTTP/1.1", b"HTTP/1.0", 1))
        assert (await client.response())[0] == 200
        assert await client.rest() == b""
    async with wire(listening) as client:
        await client.send(b"GET /health HTTP/1.0\r\n\r\n")
        assert (await client.response())[0] == 403
