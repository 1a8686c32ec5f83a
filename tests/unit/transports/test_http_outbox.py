"""What waits to be written on a stream."""

from __future__ import annotations

import asyncio

from viewpoint_mcp.transports.http.outbox import Outbox


async def test_events_come_in_their_order_and_before_the_end() -> None:
    outbox = Outbox()
    outbox.put(b"1")
    outbox.put(b"/x", "endpoint")
    outbox.close()
    outbox.put(b"late")
    assert (outbox.ended, await outbox.stirred(0)) == (False, True)
    assert outbox.take() == b"event: message\ndata: 1\n\nevent: endpoint\ndata: /x\n\n"
    assert (outbox.ended, await outbox.stirred(0)) == (True, True)


async def test_silence_is_told_from_a_stir() -> None:
    outbox = Outbox()
    assert not await outbox.stirred(0.001)
    waiting = asyncio.create_task(outbox.stirred(10))
    await asyncio.sleep(0)
    outbox.stir()
    assert await waiting
    assert outbox.take() == b""


async def test_who_does_not_read_is_left() -> None:
    outbox = Outbox()
    for _ in range(65):
        outbox.put(b"x" * 1024 * 1024)
    assert outbox.ended
