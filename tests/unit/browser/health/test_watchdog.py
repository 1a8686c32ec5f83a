"""A silent browser gets a health check, and is closed if it does not answer."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from cdp_protocol import Connection, Unanswered
from tests.unit.cdp.fake_transport import FakeTransport
from viewpoint_mcp.browser.health.watchdog import Watchdog

SIGN = "Browser.getVersion"


@pytest.fixture
def transport() -> FakeTransport:
    return FakeTransport()


@pytest.fixture
async def connection(transport: FakeTransport) -> AsyncIterator[Connection]:
    async with Connection(transport) as connection:
        yield connection


@pytest.fixture
async def pulse(connection: Connection) -> AsyncIterator[Watchdog]:
    pulse = Watchdog(connection, 0.05)
    yield pulse
    await pulse.stop()


async def test_a_browser_that_answers_is_kept(connection: Connection, pulse: Watchdog) -> None:
    await pulse.wait_until_browser_answers()
    assert connection.lost is None


async def test_a_browser_that_answers_with_an_error_is_kept(
    connection: Connection, pulse: Watchdog, transport: FakeTransport
) -> None:
    transport.set_error(SIGN, "not here")
    await pulse.wait_until_browser_answers()
    assert connection.lost is None


async def test_a_browser_that_does_not_answer_is_closed(
    connection: Connection, pulse: Watchdog, transport: FakeTransport
) -> None:
    transport.withhold(SIGN)
    await asyncio.gather(pulse.wait_until_browser_answers(), pulse.wait_until_browser_answers())
    assert isinstance(connection.lost, Unanswered)
    assert [each["method"] for each in transport.sent] == [SIGN]


async def test_pending_calls_of_a_silent_browser_fail(
    connection: Connection, pulse: Watchdog, transport: FakeTransport
) -> None:
    transport.withhold(SIGN)
    transport.withhold("Page.navigate")
    pulse.start()
    with pytest.raises(Unanswered, match="no response for"):
        await connection.root.send("Page.navigate")


async def test_a_browser_without_pending_calls_gets_no_health_check(
    connection: Connection, pulse: Watchdog, transport: FakeTransport
) -> None:
    pulse.start()
    transport.withhold("A.a")
    call = asyncio.create_task(connection.root.send("A.a"))
    await transport.wait_until_sent(SIGN)
    call.cancel()
    await asyncio.wait([call])
    await pulse.wait_until_browser_answers()
    asked = len(transport.sent)
    # As many looks as would have shown it.
    for _ in range(5):
        await asyncio.sleep(0.015)
    assert len(transport.sent) == asked
