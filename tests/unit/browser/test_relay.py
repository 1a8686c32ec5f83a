"""The relay between Chromium and a proxy that wants credentials, byte by byte."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import pytest

from viewpoint_mcp.browser.proxy import relay as relay_module
from viewpoint_mcp.browser.proxy.parse import parse_proxy
from viewpoint_mcp.browser.proxy.relay import Relay

Reader = asyncio.StreamReader
Writer = asyncio.StreamWriter
Script = Callable[[Reader, Writer], Awaitable[None]]

GIVEN = b"Proxy-Authorization: Basic am9lOmh1bnRlcjI="  # joe:hunter2
OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi"


@asynccontextmanager
async def relayed(scheme: str, script: Script) -> AsyncIterator[tuple[Relay, Reader, Writer]]:
    """Yield a relay to a proxy that acts by the script, and a connection to the relay."""

    async def follow(reader: Reader, writer: Writer) -> None:
        try:
            await script(reader, writer)
        finally:
            writer.close()

    async with await asyncio.start_server(follow, "127.0.0.1", 0) as upstream:
        port = upstream.sockets[0].getsockname()[1]
        relay = await Relay.open(parse_proxy(f"{scheme}://joe:hunter2@127.0.0.1:{port}"))
        reader, writer = await connect(relay)
        try:
            yield relay, reader, writer
        finally:
            writer.close()
            await relay.close()


async def connect(relay: Relay) -> tuple[Reader, Writer]:
    host, port = relay.server.rpartition("/")[2].split(":")
    return await asyncio.open_connection(host, int(port))


def answering(*answers: bytes, heads: list[bytes]) -> Script:
    """A proxy that reads a head before each of its answers, and then waits for the end."""

    async def script(reader: Reader, writer: Writer) -> None:
        for answer in answers:
            heads.append(await reader.readuntil(b"\r\n\r\n"))
            writer.write(answer)
        await reader.read()

    return script


# ---- HTTP


async def test_every_request_of_a_connection_gets_the_credentials() -> None:
    heads: list[bytes] = []
    async with relayed("http", answering(OK, OK, heads=heads)) as (relay, reader, writer):
        for _ in range(2):
            writer.write(b"GET http://a/ HTTP/1.1\r\nHost: a\r\n\r\n")
            assert await reader.readexactly(len(OK)) == OK
    assert [head.split(b"\r\n")[1] for head in heads] == [GIVEN, GIVEN]
    assert relay.trouble is None


async def test_credentials_of_the_page_are_not_passed_on_beside_ours() -> None:
    heads: list[bytes] = []
    async with relayed("http", answering(OK, heads=heads)) as (_, reader, writer):
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

    async with relayed("http", script) as (_, reader, writer):
        writer.write(b"POST http://a/ HTTP/1.1\r\n" + framing + b"\r\n\r\n" + body)
        await reader.readexactly(len(OK))
        writer.write(b"GET http://a/ HTTP/1.1\r\n\r\n")
        await reader.readexactly(len(OK))
    assert received == [body, b""]


async def test_an_answer_that_looks_like_a_refusal_within_its_body_is_passed_on() -> None:
    body = b"HTTP/1.1 407 no\r\n\r\n"

    async def script(reader: Reader, writer: Writer) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1")
        await writer.drain()
        writer.write(b".1 200 OK\r\nContent-Length: 19\r\n\r\n")
        await writer.drain()
        writer.write(body)
        await reader.read()

    async with relayed("http", script) as (relay, reader, writer):
        writer.write(b"GET http://a/ HTTP/1.1\r\n\r\n")
        await reader.readuntil(b"\r\n\r\n")
        assert await reader.readexactly(len(body)) == body
    assert relay.trouble is None


async def test_a_tunnel_passes_on_what_both_say() -> None:
    async def script(reader: Reader, writer: Writer) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        assert head == b"CONNECT a:443 HTTP/1.1\r\n" + GIVEN + b"\r\nHost: a:443\r\n\r\n"
        writer.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
        while data := await reader.read(100):
            writer.write(data.upper())

    async with relayed("http", script) as (_, reader, writer):
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
            "wants another authentication than Basic",
        ),
    ],
)
async def test_a_refusal_ends_the_connection_and_is_remembered(
    request_line: bytes, answer: bytes, trouble: str
) -> None:
    heads: list[bytes] = []
    script = answering(b"HTTP/1.1 " + answer + b"\r\n\r\n", heads=heads)
    async with relayed("http", script) as (relay, reader, writer):
        writer.write(request_line + b"\r\n\r\n")
        assert await reader.read() == b""
    assert relay.trouble == trouble
    assert len(heads) == 1


async def test_what_served_again_is_no_trouble_any_more() -> None:
    heads: list[bytes] = []
    answers = iter([b"HTTP/1.1 407 No\r\nProxy-Authenticate: Basic\r\n\r\n", OK])

    async def script(reader: Reader, writer: Writer) -> None:
        await answering(next(answers), heads=heads)(reader, writer)

    async with relayed("http", script) as (relay, reader, writer):
        writer.write(b"GET http://a/ HTTP/1.1\r\n\r\n")
        assert await reader.read() == b""
        reader, other = await connect(relay)
        other.write(b"GET http://a/ HTTP/1.1\r\n\r\n")
        assert await reader.readexactly(len(OK)) == OK
        other.close()
    assert relay.trouble is None


async def test_a_proxy_that_speaks_something_else_is_named() -> None:
    async def script(reader: Reader, writer: Writer) -> None:
        writer.write(b"220 mail.example ESMTP\r\n")
        await reader.read()

    async with relayed("http", script) as (relay, reader, writer):
        writer.write(b"GET http://a/ HTTP/1.1\r\n\r\n")
        assert await reader.read() == b""
    assert relay.trouble == "does not speak HTTP"


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
    async with relayed("http", answering(OK, heads=heads)) as (relay, reader, writer):
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


# ---- SOCKS


def socks(*answers: bytes, received: list[bytes]) -> Script:
    """A SOCKS5 proxy that answers the greeting and the credentials, then echoes in capitals."""

    async def script(reader: Reader, writer: Writer) -> None:
        for answer, length in zip(answers, (4, len(b"..joe.hunter2")), strict=False):
            received.append(await reader.readexactly(length))
            writer.write(answer)
        while data := await reader.read(100):
            writer.write(data.upper())

    return script


async def test_socks_credentials_are_given_and_then_all_is_passed_on() -> None:
    received: list[bytes] = []
    async with relayed("socks5", socks(b"\5\2", b"\1\0", received=received)) as (relay, r, w):
        w.write(b"\5\1\0")
        assert await r.readexactly(2) == b"\5\0"
        w.write(b"\5\1\0\3\1a\0\x50")
        assert await r.readexactly(8) == b"\5\1\0\3\1A\0\x50"
    assert received == [b"\5\2\0\2", b"\1\3joe\7hunter2"]
    assert relay.trouble is None


async def test_a_socks_proxy_that_wants_no_credentials_gets_none() -> None:
    received: list[bytes] = []
    async with relayed("socks5", socks(b"\5\0", received=received)) as (_, r, w):
        w.write(b"\5\1\0")
        assert await r.readexactly(2) == b"\5\0"
    assert received == [b"\5\2\0\2"]


@pytest.mark.parametrize(
    ("answers", "trouble"),
    [
        ([b"\5\2", b"\1\1"], "refused the user name and password"),
        ([b"\5\xff"], "takes no user name and password"),
        ([b"HT"], "does not speak SOCKS5"),
        ([b"\5\1"], "does not speak SOCKS5"),
    ],
)
async def test_a_socks_refusal_is_remembered(answers: list[bytes], trouble: str) -> None:
    async with relayed("socks5", socks(*answers, received=[])) as (relay, r, w):
        w.write(b"\5\1\0")
        assert await r.read() == b""
    assert relay.trouble == trouble


@pytest.mark.parametrize(
    ("answers", "trouble"),
    [
        ([], "does not speak SOCKS5: it hangs up"),
        ([b"\5\2"], "refused the user name and password"),
    ],
)
async def test_a_socks_proxy_that_hangs_up_is_understood(
    answers: list[bytes], trouble: str
) -> None:
    async def script(reader: Reader, writer: Writer) -> None:
        for answer in answers:
            await reader.readexactly(4)
            writer.write(answer)

    async with relayed("socks5", script) as (relay, reader, writer):
        writer.write(b"\5\1\0")
        assert await reader.read() == b""
    assert relay.trouble == trouble


# ---- both


@pytest.mark.parametrize("scheme", ["http", "https", "socks5"])
async def test_a_proxy_that_is_not_there_is_trouble(scheme: str) -> None:
    async with await asyncio.start_server(lambda r, w: None, "127.0.0.1", 0) as gone:
        port = gone.sockets[0].getsockname()[1]
    relay = await Relay.open(parse_proxy(f"{scheme}://joe:x@127.0.0.1:{port}"))
    reader, writer = await connect(relay)
    writer.write(b"\5\1\0" if scheme == "socks5" else b"GET http://a/ HTTP/1.1\r\n\r\n")
    assert await reader.read() == b""
    writer.close()
    await relay.close()
    assert relay.trouble == "cannot be reached"


async def test_closing_cuts_connections_and_ends_the_listening() -> None:
    heads: list[bytes] = []
    async with relayed("http", answering(OK, heads=heads)) as (relay, reader, writer):
        writer.write(b"GET http://a/ HTTP/1.1\r\n\r\n")
        await reader.readexactly(len(OK))
        server = relay.server
        await relay.close()
        assert await reader.read() == b""
        with pytest.raises(ConnectionError):
            await asyncio.open_connection("127.0.0.1", int(server.rpartition(":")[2]))
        await relay.close()


async def test_every_relay_has_a_port_that_only_this_machine_reaches() -> None:
    one = await Relay.open(parse_proxy("socks5://joe:x@proxy.example"))
    two = await Relay.open(parse_proxy("https://joe:x@proxy.example"))
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

    async with relayed(scheme, script) as (relay, _, writer):
        writer.write(b"CONNECT a:1 HTTP/1.1\r\n\r\n" if scheme == "http" else b"\5\1\0")
        await started.wait()
        filling = asyncio.create_task(_fill(writer))
        # It is full when nothing more is taken: the socket buffers, and the relay's own.
        while not writer.transport.get_write_buffer_size():  # noqa: ASYNC110 - nothing tells
            await asyncio.sleep(0.01)
        await relay.close()
        ended.set()
        filling.cancel()
        await asyncio.gather(filling, return_exceptions=True)


async def _fill(writer: Writer) -> None:
    while True:
        writer.write(b"x" * 1_000_000)
        await writer.drain()


async def test_another_users_process_gets_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    heads: list[bytes] = []
    monkeypatch.setattr(relay_module, "is_same_user", lambda peer, here: False)
    async with relayed("http", answering(OK, heads=heads)) as (_, reader, writer):
        writer.write(b"GET http://a/ HTTP/1.1\r\n\r\n")
        try:
            assert await reader.read() == b""
        except ConnectionError:
            pass  # cut with what we wrote unread
    assert heads == []
