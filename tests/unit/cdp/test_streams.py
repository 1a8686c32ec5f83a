"""Streams of the browser, read piece by piece."""

from __future__ import annotations

import asyncio
from contextlib import aclosing

import pytest

from cdp_protocol import ProtocolError, Session
from tests.unit.cdp.fake_transport import FakeTransport, Json


def sent_commands(transport: FakeTransport) -> list[tuple[str, Json]]:
    return [(call["method"], call["params"]) for call in transport.sent[1:]]


async def test_a_stream_is_read_to_its_end_and_closed(
    page: Session, transport: FakeTransport
) -> None:
    transport.set_results(
        "IO.read",
        {"data": "AAEC", "base64Encoded": True, "eof": False},
        {"data": "", "eof": False},
        {"data": "/w==", "base64Encoded": True, "eof": True},
    )

    assert [piece async for piece in page.read("7", size=3)] == [b"\0\1\2", b"\xff"]
    assert sent_commands(transport) == [
        *[("IO.read", {"handle": "7", "size": 3})] * 3,
        ("IO.close", {"handle": "7"}),
    ]


async def test_text_is_returned_as_bytes(page: Session, transport: FakeTransport) -> None:
    transport.set_results("IO.read", {"data": "naïve", "base64Encoded": False, "eof": True})

    assert [piece async for piece in page.read("7")] == ["naïve".encode()]


async def test_a_loop_that_is_left_closes_the_stream(
    page: Session, transport: FakeTransport
) -> None:
    transport.set_results("IO.read", {"data": "x", "eof": False})

    async for _ in page.read("7"):
        break

    closing = await transport.wait_until_sent("IO.close")
    assert closing["params"] == {"handle": "7"}


async def test_a_reading_that_is_closed_has_closed_the_stream(
    page: Session, transport: FakeTransport
) -> None:
    transport.set_results("IO.read", {"data": "x", "eof": False})

    async with aclosing(page.read("7")) as pieces:
        assert await anext(pieces) == b"x"

    assert sent_commands(transport)[-1] == ("IO.close", {"handle": "7"})


async def test_a_reading_that_is_cancelled_closes_the_stream(
    page: Session, transport: FakeTransport
) -> None:
    transport.withhold("IO.read")
    reading = asyncio.create_task(anext(page.read("7")))
    await transport.wait_until_sent("IO.read")

    reading.cancel()
    with pytest.raises(asyncio.CancelledError):
        await reading

    await transport.wait_until_sent("IO.close")


async def test_a_stream_that_there_is_not_is_an_error(
    page: Session, transport: FakeTransport
) -> None:
    transport.set_error("IO.read", "Invalid stream handle", code=-32602)
    transport.set_error("IO.close", "Invalid stream handle", code=-32602)

    with pytest.raises(ProtocolError, match=r"IO\.read failed: Invalid stream handle"):
        await anext(page.read("7"))
