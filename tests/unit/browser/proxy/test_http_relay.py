"""Messages between a relay and an HTTP proxy, byte by byte."""

from __future__ import annotations

import pytest

from tests.unit.browser.proxy.relayed import (
    GIVEN,
    OK,
    Reader,
    Writer,
    connect,
    open_relay,
    scripted_proxy,
)
from viewpoint_mcp.browser.proxy.streams import CHUNK


async def test_every_request_of_a_connection_gets_the_credentials() -> None:
    heads: list[bytes] = []
    async with open_relay("http", scripted_proxy(OK, OK, heads=heads)) as (relay, reader, writer):
        for _ in range(2):
            writer.write(b"GET http://a/ HTTP/1.1\r\nHost: a\r\n\r\n")
            assert await reader.readexactly(len(OK)) == OK
    assert [head.split(b"\r\n")[1] for head in heads] == [GIVEN, GIVEN]
    assert relay.fault is None


async def test_credentials_of_the_page_are_replaced_by_the_configured_ones() -> None:
    heads: list[bytes] = []
    async with open_relay("http", scripted_proxy(OK, heads=heads)) as (_, reader, writer):
        writer.write(b"GET http://a/ HTTP/1.1\r\nproxy-authorization: Basic eA==\r\nA: b\r\n\r\n")
        await reader.readexactly(len(OK))
    assert heads == [b"GET http://a/ HTTP/1.1\r\n" + GIVEN + b"\r\nA: b\r\n\r\n"]


@pytest.mark.parametrize(
    ("framing", "body"),
    [
        (b"Content-Length: 15", b"GET / HTTP/1.1\n"),
        (b"Transfer-Encoding: chunked", b"5;x=y\r\nhello\r\n1\r\n!\r\n0\r\n\r\n"),
    ],
)
async def test_bodies_are_passed_on_as_they_are(framing: bytes, body: bytes) -> None:
    received: list[bytes] = []

    async def script(reader: Reader, writer: Writer) -> None:
        for length in (len(body), 0):
            await reader.readuntil(b"\r\n\r\n")
            received.append(await reader.readexactly(length))
            writer.write(OK)

    async with open_relay("http", script) as (_, reader, writer):
        writer.write(b"POST http://a/ HTTP/1.1\r\n" + framing + b"\r\n\r\n" + body)
        await reader.readexactly(len(OK))
        writer.write(b"GET http://a/ HTTP/1.1\r\n\r\n")
        await reader.readexactly(len(OK))
    assert received == [body, b""]


async def test_a_response_body_that_looks_like_a_refusal_is_forwarded() -> None:
    body = b"HTTP/1.1 407 no\r\n\r\n"

    async def script(reader: Reader, writer: Writer) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1")
        await writer.drain()
        writer.write(b".1 200 OK\r\nContent-Length: 19\r\n\r\n")
        await writer.drain()
        writer.write(body)
        await reader.read()

    async with open_relay("http", script) as (relay, reader, writer):
        writer.write(b"GET http://a/ HTTP/1.1\r\n\r\n")
        await reader.readuntil(b"\r\n\r\n")
        assert await reader.readexactly(len(body)) == body
    assert relay.fault is None


async def test_a_request_to_a_server_in_place_of_a_proxy_is_closed() -> None:
    heads: list[bytes] = []
    async with open_relay("http", scripted_proxy(OK, OK, heads=heads)) as (relay, reader, writer):
        writer.write(b"GET http://a/ HTTP/1.1\r\n\r\n")
        assert await reader.readexactly(len(OK)) == OK
        writer.write(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        assert await reader.read() == b""
        rude, rude_writer = await connect(relay)
        rude_writer.write(b"POST /http://a/ HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        assert await rude.read() == b""
        rude_writer.close()
    assert len(heads) == 1


async def test_a_tunnel_forwards_data_in_both_directions() -> None:
    async def script(reader: Reader, writer: Writer) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        assert head == b"CONNECT a:443 HTTP/1.1\r\n" + GIVEN + b"\r\nHost: a:443\r\n\r\n"
        writer.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
        while data := await reader.read(100):
            writer.write(data.upper())

    async with open_relay("http", script) as (_, reader, writer):
        writer.write(b"CONNECT a:443 HTTP/1.1\r\nHost: a:443\r\n\r\n")
        await reader.readuntil(b"\r\n\r\n")
        for text in (b"one", b"GET / HTTP/1.1\r\n\r\n"):
            writer.write(text)
            assert await reader.readexactly(len(text)) == text.upper()


@pytest.mark.parametrize("request_line", [b"GET http://a/ HTTP/1.1", b"CONNECT a:443 HTTP/1.1"])
@pytest.mark.parametrize(
    ("answer", "trouble"),
    [
        (b"407 No\r\nProxy-Authenticate: Basic realm=x", "refused the user name and password"),
        (
            b"407 No\r\nProxy-Authenticate: Digest realm=x",
            "requires an authentication other than Basic",
        ),
    ],
)
async def test_a_refusal_ends_the_connection_and_is_remembered(
    request_line: bytes, answer: bytes, trouble: str
) -> None:
    heads: list[bytes] = []
    script = scripted_proxy(b"HTTP/1.1 " + answer + b"\r\n\r\n", heads=heads)
    async with open_relay("http", script) as (relay, reader, writer):
        writer.write(request_line + b"\r\n\r\n")
        assert await reader.read() == b""
    assert relay.fault == trouble
    assert len(heads) == 1


async def test_a_refusal_that_arrives_in_pieces_is_read_completely() -> None:
    filler = b"A: " + b"b" * (CHUNK + 1)
    answer = b"HTTP/1.1 407 No\r\n" + filler + b"\r\nProxy-Authenticate: Basic\r\n\r\n"
    async with open_relay("http", scripted_proxy(answer, heads=[])) as (relay, reader, writer):
        writer.write(b"GET http://a/ HTTP/1.1\r\n\r\n")
        assert await reader.read() == b""
    assert relay.fault == "refused the user name and password"


async def test_a_proxy_that_works_again_is_no_longer_reported_as_failing() -> None:
    heads: list[bytes] = []
    answers = iter([b"HTTP/1.1 407 No\r\nProxy-Authenticate: Basic\r\n\r\n", OK])

    async def script(reader: Reader, writer: Writer) -> None:
        await scripted_proxy(next(answers), heads=heads)(reader, writer)

    async with open_relay("http", script) as (relay, reader, writer):
        writer.write(b"GET http://a/ HTTP/1.1\r\n\r\n")
        assert await reader.read() == b""
        reader, other = await connect(relay)
        other.write(b"GET http://a/ HTTP/1.1\r\n\r\n")
        assert await reader.readexactly(len(OK)) == OK
        other.close()
    assert relay.fault is None


async def test_a_proxy_with_another_protocol_is_named() -> None:
    async def script(reader: Reader, writer: Writer) -> None:
        writer.write(b"220 mail.example ESMTP\r\n")
        await reader.read()

    async with open_relay("http", script) as (relay, reader, writer):
        writer.write(b"GET http://a/ HTTP/1.1\r\n\r\n")
        assert await reader.read() == b""
    assert relay.fault == "does not speak HTTP"


@pytest.mark.parametrize(
    "garbage",
    [
        b"\x00" * 2_000_000,
        b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n",
        b"GET / HTTP/1.1\r\nunfinished",
    ],
)
async def test_garbage_ends_its_connection_and_no_other(garbage: bytes) -> None:
    heads: list[bytes] = []
    async with open_relay("http", scripted_proxy(OK, heads=heads)) as (relay, reader, writer):
        rude, rude_writer = await connect(relay)
        rude_writer.write(garbage)
        if rude_writer.can_write_eof():
            rude_writer.write_eof()
        try:
            await rude.read()
        except ConnectionError:
            pass  # cut with much of it unread
        rude_writer.close()
        heads.clear()
        writer.write(b"GET http://a/ HTTP/1.1\r\n\r\n")
        assert await reader.readexactly(len(OK)) == OK
