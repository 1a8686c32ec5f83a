"""Messages between a relay and a SOCKS5 proxy, byte by byte."""

from __future__ import annotations

import pytest

from tests.unit.browser.proxy.relayed import Reader, Script, Writer, open_relay


def socks(*answers: bytes, received: list[bytes]) -> Script:
    """A SOCKS5 proxy that answers the greeting and the credentials, then echoes in capitals."""

    async def script(reader: Reader, writer: Writer) -> None:
        for answer, length in zip(answers, (4, len(b"..joe.hunter2")), strict=False):
            received.append(await reader.readexactly(length))
            writer.write(answer)
        while data := await reader.read(100):
            writer.write(data.upper())

    return script


async def test_socks_credentials_are_sent_and_then_all_data_is_forwarded() -> None:
    received: list[bytes] = []
    async with open_relay("socks5", socks(b"\5\2", b"\1\0", received=received)) as (relay, r, w):
        w.write(b"\5\1\0")
        assert await r.readexactly(2) == b"\5\0"
        w.write(b"\5\1\0\3\1a\0\x50")
        assert await r.readexactly(8) == b"\5\1\0\3\1A\0\x50"
    assert received == [b"\5\2\0\2", b"\1\3joe\7hunter2"]
    assert relay.fault is None


async def test_a_socks_proxy_that_requires_no_credentials_gets_none() -> None:
    received: list[bytes] = []
    async with open_relay("socks5", socks(b"\5\0", received=received)) as (_, r, w):
        w.write(b"\5\1\0")
        assert await r.readexactly(2) == b"\5\0"
    assert received == [b"\5\2\0\2"]


@pytest.mark.parametrize(
    ("answers", "trouble"),
    [
        ([b"\5\2", b"\1\1"], "refused the user name and password"),
        ([b"\5\xff"], "does not accept a user name and password"),
        ([b"HT"], "does not speak SOCKS5"),
        ([b"\5\1"], "does not speak SOCKS5"),
    ],
)
async def test_a_socks_refusal_is_remembered(answers: list[bytes], trouble: str) -> None:
    async with open_relay("socks5", socks(*answers, received=[])) as (relay, r, w):
        w.write(b"\5\1\0")
        assert await r.read() == b""
    assert relay.fault == trouble


@pytest.mark.parametrize(
    ("answers", "trouble"),
    [
        ([], "does not speak SOCKS5: it closes the connection"),
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

    async with open_relay("socks5", script) as (relay, reader, writer):
        writer.write(b"\5\1\0")
        assert await reader.read() == b""
    assert relay.fault == trouble
