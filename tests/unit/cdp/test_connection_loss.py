"""Rule 6 of the connection: when the socket closes, every waiting call gets the reason."""

from __future__ import annotations

import asyncio

import pytest

from cdp_protocol import Connection, ConnectionLost, Session, Unanswered
from tests.unit.cdp.fake_transport import FakeTransport


async def test_a_death_in_the_middle_of_a_call_fails_it_with_its_method(
    connection: Connection, transport: FakeTransport
) -> None:
    transport.disconnect_on("Page.navigate")

    with pytest.raises(ConnectionLost) as caught:
        await connection.root.send("Page.navigate")
    assert str(caught.value) == "Page.navigate failed: the browser crashed."


async def test_a_lost_connection_fails_every_call_with_one_reason_and_its_method(
    connection: Connection, transport: FakeTransport
) -> None:
    transport.withhold("A.a")
    transport.withhold("B.b")
    calls = [asyncio.create_task(connection.root.send(method)) for method in ("A.a", "B.b")]
    await transport.wait_until_sent("B.b")

    transport.disconnect("power cut")
    errors = await asyncio.gather(*calls, return_exceptions=True)

    assert [(e.method, e.reason) for e in errors if isinstance(e, ConnectionLost)] == [
        ("A.a", "power cut"),
        ("B.b", "power cut"),
    ]


async def test_a_write_that_fails_loses_the_connection_for_everybody() -> None:
    class Deaf(FakeTransport):
        async def send(self, message: bytes | str) -> None:
            if "B.b" in str(message):
                raise ConnectionLost(None, "broken pipe")
            await super().send(message)

    transport = Deaf()
    transport.withhold("A.a")
    async with Connection(transport) as connection:
        waiting = asyncio.create_task(connection.root.send("A.a"))
        await transport.wait_until_sent("A.a")
        with pytest.raises(ConnectionLost, match=r"B\.b failed: broken pipe"):
            await connection.root.send("B.b")
        with pytest.raises(ConnectionLost, match=r"A\.a failed: broken pipe"):
            await waiting


async def test_a_silent_browser_fails_every_call_with_its_own_error_type(
    connection: Connection, page: Session, transport: FakeTransport
) -> None:
    transport.withhold("A.a")
    call = asyncio.create_task(page.send("A.a"))
    await transport.wait_until_sent("A.a")

    connection.give_up("nothing heard for 10 s")
    connection.give_up("nor after that")

    with pytest.raises(Unanswered, match=r"A\.a failed: nothing heard for 10 s\."):
        await call
    with pytest.raises(Unanswered, match=r"B\.b failed: nothing heard for 10 s\."):
        await connection.root.send("B.b")
    assert isinstance(connection.lost, Unanswered)


async def test_calls_after_the_connection_is_lost_fail_at_once(
    connection: Connection, page: Session, transport: FakeTransport
) -> None:
    lost = asyncio.Event()
    connection.on_lost(lambda _: lost.set())
    transport.disconnect("power cut")
    await lost.wait()

    for session in (connection.root, page):
        with pytest.raises(ConnectionLost, match=r"A\.a failed: power cut"):
            await session.send("A.a")


async def test_a_loss_is_reported_once_first_to_the_connection_then_to_the_sessions(
    connection: Connection, page: Session, transport: FakeTransport
) -> None:
    results: list[object] = []
    both = asyncio.Event()
    page.on_closed(results.append)
    page.on_closed(lambda _: both.set())
    connection.on_lost(results.append)

    transport.disconnect("power cut")
    await both.wait()
    await connection.close()

    assert results == [connection.lost, page.closed]
    assert str(connection.lost) == "The connection ended: power cut."
    assert str(page.closed) == "Session P1 is closed: power cut."


async def test_closing_twice_is_closing_once(
    connection: Connection, transport: FakeTransport
) -> None:
    results: list[ConnectionLost] = []
    connection.on_lost(results.append)

    await asyncio.gather(connection.close(), connection.close())
    await connection.close()

    assert [error.reason for error in results] == ["this client closed the connection"]
    assert transport.times_closed >= 1


async def test_closing_fails_pending_calls(
    connection: Connection, transport: FakeTransport
) -> None:
    transport.withhold("A.a")
    call = asyncio.create_task(connection.root.send("A.a"))
    await transport.wait_until_sent("A.a")

    await connection.close()

    with pytest.raises(ConnectionLost, match=r"A\.a failed: this client closed"):
        await call


async def test_an_exception_in_the_reader_closes_the_connection(
    connection: Connection, transport: FakeTransport, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken() -> bytes:
        raise RuntimeError("a bug")

    monkeypatch.setattr(transport, "receive", broken)
    await connection.root.send("A.a")  # answered by the receive that was under way

    with pytest.raises(ConnectionLost, match="the reader failed"):
        await connection.root.send("A.a")


async def test_a_handler_that_raises_a_cancellation_does_not_end_the_reader(
    connection: Connection, transport: FakeTransport, caplog: pytest.LogCaptureFixture
) -> None:
    cancelled: asyncio.Future[None] = asyncio.get_running_loop().create_future()
    cancelled.cancel()
    connection.root.on("A.e", lambda _: cancelled.result())

    transport.send_event("A.e")

    assert await connection.root.send("A.a") == {}
    assert "A handler of A.e failed" in caplog.text


async def test_a_cancelled_reader_still_reports_the_end(transport: FakeTransport) -> None:
    others = asyncio.all_tasks()
    async with Connection(transport, timeout=5.0) as connection:
        transport.withhold("A.a")
        call = asyncio.create_task(connection.root.send("A.a"))
        await transport.wait_until_sent("A.a")

        mine = asyncio.all_tasks() - others
        [reader] = [task for task in mine if task.get_name() == "cdp-reader"]
        reader.cancel()

        with pytest.raises(ConnectionLost, match="the reader was stopped"):
            await call
        assert connection.lost is not None


async def test_a_call_after_the_end_fails_at_once(
    connection: Connection, page: Session, transport: FakeTransport
) -> None:
    received: list[object] = []
    transport.announce_detached("P1")
    await connection.root.send("A.a")
    page.on_closed(received.append)
    assert received == [page.closed]

    await connection.close()
    connection.on_lost(received.append)
    connection.root.on_closed(received.append)
    assert received[1:] == [connection.lost, connection.root.closed]


async def test_a_call_during_the_report_of_the_end_fails_once(
    connection: Connection, transport: FakeTransport
) -> None:
    received: list[object] = []
    connection.on_lost(lambda _: connection.on_lost(received.append))
    connection.on_lost(lambda _: connection.root.on_closed(received.append))

    await connection.close()

    assert received == [connection.lost, connection.root.closed]
