"""Iterating over events: from the entry of the block on, in order, to the end of the session."""

from __future__ import annotations

import asyncio

import pytest

from cdp_protocol import (
    CallTimeout,
    Connection,
    ConnectionLost,
    EventStream,
    Session,
    SessionClosed,
)
from tests.unit.cdp.fake_transport import FakeTransport, Json


async def read_numbers(stream: EventStream[Json], count: int) -> list[int]:
    return [(await anext(stream))["n"] for _ in range(count)]


async def test_events_since_the_entry_are_yielded_in_order(
    page: Session, transport: FakeTransport
) -> None:
    transport.send_event("A.e", {"n": 0}, "P1")
    await page.send("A.a")

    async with page.events("A.e") as events:
        for n in (1, 2, 3):
            transport.send_event("A.e", {"n": n}, "P1")
        assert await read_numbers(events, 3) == [1, 2, 3]


async def test_an_awaited_event_is_yielded_when_it_arrives(
    page: Session, transport: FakeTransport
) -> None:
    async with page.events(page.Page.frameNavigated) as events:
        transport.send_event("Page.frameDetached", {"n": 1}, "P1")
        transport.send_event("Page.frameNavigated", {"n": 2})  # the browser's own
        transport.send_event("Page.frameNavigated", {"n": 3}, "P1")
        async for event in events:
            assert dict(event) == {"n": 3}
            break


async def test_a_predicate_selects_events(page: Session, transport: FakeTransport) -> None:
    async with page.events("A.e", lambda event: event["n"] % 2 == 0) as events:
        for n in range(5):
            transport.send_event("A.e", {"n": n}, "P1")
        assert await read_numbers(events, 3) == [0, 2, 4]


async def test_an_exception_of_a_predicate_ends_the_iteration(
    page: Session, transport: FakeTransport
) -> None:
    async with page.events("A.e", lambda event: event["n"] > 0) as events:
        transport.send_event("A.e", {"n": 1}, "P1")
        transport.send_event("A.e", {}, "P1")
        transport.send_event("A.e", {"n": 2}, "P1")
        await page.send("A.a")
        assert await read_numbers(events, 1) == [1]
        for _ in range(2):
            with pytest.raises(KeyError):
                await anext(events)


async def test_the_end_of_the_session_comes_after_its_last_event(
    page: Session, transport: FakeTransport
) -> None:
    async with page.events("A.e") as events:
        transport.send_event("A.e", {"n": 1}, "P1")
        transport.announce_detached("P1")

        assert await read_numbers(events, 1) == [1]
        for _ in range(2):
            with pytest.raises(SessionClosed, match=r"A\.e failed: session P1 is closed"):
                await anext(events)


async def test_the_end_of_the_connection_ends_who_waits(
    page: Session, transport: FakeTransport
) -> None:
    async with page.events("A.e") as events:
        transport.disconnect("the browser crashed")
        with pytest.raises(ConnectionLost, match=r"A\.e failed: the browser crashed"):
            await anext(events)


async def test_iterating_an_ended_session_raises_an_error(
    page: Session, transport: FakeTransport
) -> None:
    await page.close()

    async with page.events("A.e") as events:
        with pytest.raises(SessionClosed, match=r"A\.e failed"):
            await anext(events)


async def test_a_timeout_is_an_error_and_the_iteration_can_continue(
    page: Session, transport: FakeTransport
) -> None:
    async with page.events("A.e", silence=0.01) as events:
        with pytest.raises(CallTimeout, match=r"Timed out after 0\.01 s waiting for A\.e"):
            await anext(events)
        transport.send_event("A.e", {"n": 1}, "P1")
        await page.send("A.a")
        assert await read_numbers(events, 1) == [1]


async def test_a_cancelled_wait_loses_no_event(page: Session, transport: FakeTransport) -> None:
    async with page.events("A.e") as events:
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.01):
                await anext(events)
        transport.send_event("A.e", {"n": 1}, "P1")
        assert await read_numbers(events, 1) == [1]


async def test_leaving_the_block_ends_the_iteration_of_another_task(page: Session) -> None:
    async def collect() -> list[Json]:
        return [event async for event in events]

    async with page.events("A.e") as events:
        collecting = asyncio.create_task(collect())
        await page.send("A.a")

    assert await collecting == []


async def test_several_tasks_share_the_events(page: Session, transport: FakeTransport) -> None:
    async with page.events("A.e") as events:
        waiting = [asyncio.create_task(anext(events)) for _ in range(3)]
        await page.send("A.a")
        for n in range(3):
            transport.send_event("A.e", {"n": n}, "P1")

        assert sorted(event["n"] for event in await asyncio.gather(*waiting)) == [0, 1, 2]


async def test_after_the_block_no_events_are_queued(
    page: Session, transport: FakeTransport
) -> None:
    async with page.events("A.e") as events:
        transport.send_event("A.e", {"n": 1}, "P1")
        await page.send("A.a")
        assert events.waiting == 1
    transport.send_event("A.e", {"n": 2}, "P1")
    await page.send("A.a")

    assert events.waiting == 0
    assert [event async for event in events] == []


async def test_a_stream_requires_its_block_and_can_be_used_once(page: Session) -> None:
    events = page.events("A.e")
    with pytest.raises(RuntimeError, match=r"Iterate over A\.e inside its `async with`"):
        await anext(events)

    async with events:
        pass
    with pytest.raises(RuntimeError, match="already started"):
        async with events:
            pytest.fail("It was entered twice.")


async def test_a_hundred_thousand_queued_events_delay_no_answer(
    page: Session, transport: FakeTransport
) -> None:
    count = 100_000
    async with page.events("A.e") as events:
        for n in range(count):
            transport.send_event("A.e", {"n": n}, "P1")
        await page.send("A.a")

        assert events.waiting == count
        assert await read_numbers(events, count) == list(range(count))


async def test_every_event_of_a_session_is_received_with_its_name(
    connection: Connection, page: Session, transport: FakeTransport
) -> None:
    received: list[tuple[str, Json]] = []
    subscription = page.on_every(lambda name, params: received.append((name, params)))

    transport.send_event("A.e", {"n": 1}, "P1")
    transport.send_event("B.f", {"n": 2}, "P1")
    transport.send_event("A.e", {"n": 3})  # the browser's own
    await page.send("A.a")
    subscription.close()
    transport.send_event("A.e", {"n": 4}, "P1")
    await page.send("A.a")

    assert received == [("A.e", {"n": 1}), ("B.f", {"n": 2})]


async def test_a_coroutine_cannot_listen_for_every_event(page: Session) -> None:
    async def handler(name: str, params: Json) -> None: ...

    with pytest.raises(TypeError, match="must be a plain function"):
        page.on_every(handler)


async def test_every_session_of_a_connection_is_reported_before_its_first_event(
    connection: Connection, page: Session, transport: FakeTransport
) -> None:
    received: list[tuple[str, str]] = []

    def follow(session: Session) -> None:
        session.on_every(lambda name, _: received.append((session.session_id, name)))

    subscription = connection.on_session(follow)
    transport.announce_attached("F1", parent="P1", kind="iframe")
    transport.send_event("A.e", session="F1")
    transport.send_event("A.e", session="P1")
    await page.send("A.a")
    subscription.close()
    transport.announce_attached("F2")
    transport.send_event("A.e", session="F2")
    await page.send("A.a")

    assert received == [
        ("P1", "Target.attachedToTarget"),
        ("F1", "A.e"),
        ("P1", "A.e"),
        ("", "Target.attachedToTarget"),
    ]
