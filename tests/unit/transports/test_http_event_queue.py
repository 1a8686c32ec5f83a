"""The queue of messages to be written to a stream."""

from __future__ import annotations

import asyncio

from viewpoint_mcp.transports.http.event_queue import EventQueue


async def test_events_come_in_their_order_and_before_the_end() -> None:
    outbox = EventQueue()
    outbox.put(b"1")
    outbox.put(b"/x", "endpoint")
    outbox.close()
    outbox.put(b"late")
    assert (outbox.is_finished, await outbox.wait_for_change(0)) == (False, True)
    assert outbox.take_all() == b"event: message\ndata: 1\n\nevent: endpoint\ndata: /x\n\n"
    assert (outbox.is_finished, await outbox.wait_for_change(0)) == (True, True)


async def test_a_timeout_is_distinguished_from_a_message() -> None:
    outbox = EventQueue()
    assert not await outbox.wait_for_change(0.001)
    waiting = asyncio.create_task(outbox.wait_for_change(10))
    await asyncio.sleep(0)
    outbox.wake()
    assert await waiting
    assert outbox.take_all() == b""


async def test_a_client_that_does_not_read_is_disconnected() -> None:
    outbox = EventQueue()
    for _ in range(65):
        outbox.put(b"x" * 1024 * 1024)
    assert outbox.is_finished
