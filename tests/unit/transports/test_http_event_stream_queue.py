"""The queue of messages to be written to a stream."""

from __future__ import annotations

import asyncio

from viewpoint_mcp.transports.http.event_stream_queue import EventStreamQueue


async def test_events_come_in_their_order_and_before_the_end() -> None:
    events = EventStreamQueue()
    events.put(b"1")
    events.put(b"/x", "endpoint")
    events.close()
    events.put(b"late")
    assert (events.is_finished, await events.wait_for_change(0)) == (False, True)
    assert events.take_all() == b"event: message\ndata: 1\n\nevent: endpoint\ndata: /x\n\n"
    assert (events.is_finished, await events.wait_for_change(0)) == (True, True)


async def test_a_timeout_is_distinguished_from_a_message() -> None:
    events = EventStreamQueue()
    assert not await events.wait_for_change(0.001)
    waiting = asyncio.create_task(events.wait_for_change(10))
    await asyncio.sleep(0)
    events.wake_sender()
    assert await waiting
    assert events.take_all() == b""


async def test_a_client_that_does_not_read_is_disconnected() -> None:
    events = EventStreamQueue()
    for _ in range(65):
        events.put(b"x" * 1024 * 1024)
    assert events.is_finished
