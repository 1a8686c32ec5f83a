"""Subscriptions, and waiting for one event."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from cdp_protocol import (
    CallTimeout,
    Connection,
    ConnectionLost,
    Expectation,
    Session,
    SessionClosed,
    Subscription,
)
from tests.unit.cdp.fake_transport import FakeTransport


async def test_all_listeners_of_an_event_are_called_in_order(
    page: Session, transport: FakeTransport
) -> None:
    received: list[str] = []
    page.on("A.e", lambda _: received.append("first"))
    page.on("A.e", lambda _: received.append("second"))

    transport.send_event("A.e", session="P1")
    await page.send("A.a")

    assert received == ["first", "second"]


async def test_a_closed_subscription_receives_no_more_events(
    page: Session, transport: FakeTransport
) -> None:
    received: list[object] = []
    subscription = page.on("A.e", received.append)

    transport.send_event("A.e", session="P1")
    await page.send("A.a")
    subscription.close()
    subscription.close()
    transport.send_event("A.e", session="P1")
    await page.send("A.a")

    assert received == [{}]
    assert not subscription.is_active


async def test_a_handler_may_close_its_own_subscription(
    page: Session, transport: FakeTransport
) -> None:
    received: list[str] = []

    def hear_once(_: object) -> None:
        received.append("once")
        once.close()

    once: Subscription = page.on("A.e", hear_once)
    page.on("A.e", lambda _: received.append("always"))

    transport.send_event("A.e", session="P1")
    transport.send_event("A.e", session="P1")
    await page.send("A.a")

    assert received == ["once", "always", "always"]


async def test_a_handler_closed_by_an_earlier_one_is_not_called(
    page: Session, transport: FakeTransport
) -> None:
    received: list[object] = []
    page.on("A.e", lambda _: second.close())
    second: Subscription = page.on("A.e", received.append)

    transport.send_event("A.e", session="P1")
    await page.send("A.a")

    assert received == []


async def test_a_handler_added_by_a_handler_receives_the_next_event(
    page: Session, transport: FakeTransport
) -> None:
    received: list[object] = []

    def pass_on(_: object) -> None:
        page.on("A.e", received.append)
        once.close()

    once: Subscription = page.on("A.e", pass_on)

    transport.send_event("A.e", {"n": 1}, "P1")
    transport.send_event("A.e", {"n": 2}, "P1")
    await page.send("A.a")

    assert received == [{"n": 2}]


async def test_a_coroutine_function_is_refused_as_a_handler(page: Session) -> None:
    async def handler(_: object) -> None:
        raise NotImplementedError

    with pytest.raises(TypeError, match=r"The handler of A\.e must be a plain function"):
        page.on("A.e", handler)


# Rule 5: subscribe before acting


async def test_an_event_before_the_actions_answer_is_not_missed(
    page: Session, transport: FakeTransport
) -> None:
    transport.withhold("A.act")
    async with page.expect("A.e") as expected:
        act = asyncio.create_task(page.send("A.act"))
        command = await transport.wait_until_sent("A.act")
        transport.send_event("A.e", {"n": 1}, "P1")
        transport.respond(command)
        await act
        assert await expected == {"n": 1}


async def test_a_predicate_chooses_the_event(page: Session, transport: FakeTransport) -> None:
    async with page.expect("A.e", lambda event: event["n"] == 2) as expected:
        for number in (1, 2, 3):
            transport.send_event("A.e", {"n": number}, "P1")
        assert await expected == {"n": 2}


async def test_a_failing_predicate_fails_the_waiting_call(
    page: Session, transport: FakeTransport
) -> None:
    async with page.expect("A.e", lambda event: event["missing"]) as expected:
        transport.send_event("A.e", {}, "P1")
        with pytest.raises(KeyError):
            await expected


async def test_an_event_that_does_not_come_times_out_with_its_name(page: Session) -> None:
    async with page.expect("A.e", timeout=0.01) as expected:
        with pytest.raises(CallTimeout, match=r"Timed out after 0\.01 s waiting for A\.e"):
            await expected


async def test_an_event_that_arrived_in_time_counts_even_if_it_is_read_late(
    page: Session, transport: FakeTransport
) -> None:
    async with page.expect("A.e", timeout=0) as expected:
        transport.send_event("A.e", {"n": 1}, "P1")
        await page.send("A.a")
        assert await expected == {"n": 1}


async def test_an_expectation_fails_at_once_when_the_connection_dies(
    page: Session, transport: FakeTransport
) -> None:
    async with page.expect("A.e", timeout=60) as expected:
        transport.disconnect("power cut")
        with pytest.raises(ConnectionLost, match=r"A\.e failed: power cut"):
            await expected


async def test_an_expectation_fails_at_once_when_the_session_ends(
    page: Session, transport: FakeTransport
) -> None:
    async with page.expect("A.e", timeout=60) as expected:
        transport.announce_detached("P1")
        with pytest.raises(SessionClosed, match=r"A\.e failed: session P1 is closed"):
            await expected


async def test_an_expectation_of_a_session_that_has_ended_fails_when_awaited(
    page: Session, transport: FakeTransport
) -> None:
    await page.close()

    async with page.expect("A.e", timeout=60) as expected:
        with pytest.raises(SessionClosed):
            await expected


async def test_an_expectation_that_was_left_unawaited_listens_no_more(
    page: Session, transport: FakeTransport
) -> None:
    seen: list[object] = []

    def see(event: object) -> bool:
        seen.append(event)
        return True

    async with page.expect("A.e", see) as expected:
        pass

    transport.send_event("A.e", session="P1")
    await page.send("A.a")

    assert seen == []
    with pytest.raises(RuntimeError, match=r"Await A\.e inside its `async with"):
        await expected


async def test_a_cancelled_wait_can_be_repeated_inside_the_block(
    page: Session, transport: FakeTransport
) -> None:
    async with page.expect("A.e") as expected:
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(_wait(expected), 0.01)
        transport.send_event("A.e", {"n": 1}, "P1")
        assert await expected == {"n": 1}


async def test_an_event_can_be_named_by_the_typed_facade(
    connection: Connection, page: Session, transport: FakeTransport
) -> None:
    received: list[object] = []
    page.on(page.Page.loadEventFired, received.append)

    async with page.expect(page.Page.loadEventFired) as expected:
        transport.send_event("Page.loadEventFired", {"timestamp": 1.5}, "P1")
        assert (await expected)["timestamp"] == 1.5
    assert received == [{"timestamp": 1.5}]


async def _wait(expected: Expectation[dict[str, Any]]) -> dict[str, Any]:
    return await expected


@pytest.mark.parametrize("error", [asyncio.CancelledError("mine"), StopIteration("mine")])
async def test_an_exception_of_a_predicate_is_not_confused_with_one_of_the_waiting_call(
    connection: Connection, page: Session, transport: FakeTransport, error: BaseException
) -> None:
    def judge(_: object) -> bool:
        raise error

    async with page.expect("A.e", judge) as expected:
        transport.send_event("A.e", session="P1")
        with pytest.raises(RuntimeError, match=r"The predicate of A\.e raised .*mine"):
            await expected
    assert await page.send("A.a") == {}


async def test_a_timeout_of_a_predicate_is_reported_as_its_own(
    page: Session, transport: FakeTransport
) -> None:
    def judge(_: object) -> bool:
        raise TimeoutError("mine")

    async with page.expect("A.e", judge) as expected:
        transport.send_event("A.e", session="P1")
        with pytest.raises(TimeoutError, match="mine"):
            await expected


async def test_a_coroutine_function_is_refused_as_a_predicate(page: Session) -> None:
    async def judge(_: object) -> bool:
        return False

    for ask in (page.expect, page.events):
        with pytest.raises(TypeError, match=r"The predicate of A\.e must be a plain function"):
            ask("A.e", judge)  # type: ignore[arg-type]
