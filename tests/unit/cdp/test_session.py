"""Sessions: how they begin, nest and end."""

from __future__ import annotations

import asyncio

import pytest

from cdp_protocol import Connection, ConnectionLost, Session, SessionClosed
from tests.unit.cdp.fake_transport import FakeTransport


async def test_events_reach_their_own_session_only(
    connection: Connection, page: Session, transport: FakeTransport
) -> None:
    received: list[str] = []
    page.on("A.e", lambda _: received.append("page"))
    connection.root.on("A.e", lambda _: received.append("root"))

    transport.send_event("A.e", session="P1")
    await connection.root.send("A.a")

    assert received == ["page"]


async def test_a_detached_session_fails_its_calls_and_leaves_the_others(
    connection: Connection, page: Session, transport: FakeTransport
) -> None:
    transport.withhold("A.slow")
    call = asyncio.create_task(page.send("A.slow"))
    await transport.wait_until_sent("A.slow")

    transport.announce_detached("P1")

    with pytest.raises(SessionClosed) as caught:
        await call
    assert (caught.value.method, caught.value.session_id) == ("A.slow", "P1")
    assert await connection.root.send("A.a") == {}


async def test_sessions_attached_through_a_session_end_with_it(
    connection: Connection, page: Session, transport: FakeTransport
) -> None:
    transport.announce_attached("F1", parent="P1", kind="iframe")
    transport.announce_attached("W1", parent="F1", kind="worker")
    await connection.root.send("A.a")
    frame, worker = connection.session("F1"), connection.session("W1")

    transport.announce_detached("P1")
    await connection.root.send("A.a")

    assert frame.parent is page
    assert [bool(session.closed) for session in (page, frame, worker)] == [True] * 3


async def test_a_closed_session_refuses_commands_at_once(
    connection: Connection, page: Session, transport: FakeTransport
) -> None:
    transport.announce_detached("P1")
    await connection.root.send("A.a")

    with pytest.raises(SessionClosed, match=r"A\.b failed: session P1 is closed"):
        await page.send("A.b")
    assert "A.b" not in [call["method"] for call in transport.sent]


async def test_the_end_of_a_session_is_reported_once(
    connection: Connection, page: Session, transport: FakeTransport
) -> None:
    results: list[SessionClosed] = []
    page.on_closed(results.append)

    transport.announce_detached("P1")
    transport.announce_detached("P1")
    await connection.root.send("A.a")

    assert results == [page.closed]


async def test_closing_a_session_detaches_it_once(page: Session, transport: FakeTransport) -> None:
    await page.close()
    await page.close()

    detaching = [call for call in transport.sent if call["method"] == "Target.detachFromTarget"]
    assert [call["params"] for call in detaching] == [{"sessionId": "P1"}]
    assert page.closed is not None


async def test_a_session_that_both_sides_end_is_reported_once(
    page: Session, transport: FakeTransport
) -> None:
    results: list[SessionClosed] = []
    page.on_closed(results.append)
    transport.withhold("Target.detachFromTarget")
    closing = asyncio.create_task(page.close())
    detaching = await transport.wait_until_sent("Target.detachFromTarget")

    transport.announce_detached("P1")
    transport.respond(detaching)
    await closing

    assert results == [page.closed]


async def test_a_session_that_the_client_detaches_is_not_reported_as_detached_by_the_browser(
    page: Session, transport: FakeTransport
) -> None:
    transport.withhold("Target.detachFromTarget")
    closing = asyncio.create_task(page.close())
    detach = await transport.wait_until_sent("Target.detachFromTarget")
    transport.announce_detached("P1")
    transport.respond(detach)
    await closing

    assert page.closed is not None
    assert page.closed.reason == "this client detached it from its target"


async def test_closing_an_ended_session_is_no_error(
    page: Session, transport: FakeTransport
) -> None:
    transport.set_error("Target.detachFromTarget", "No session with given id", code=-32602)

    await page.close()

    assert page.closed is not None


async def test_a_nested_session_is_detached_through_its_parent(
    connection: Connection, page: Session, transport: FakeTransport
) -> None:
    transport.announce_attached("F1", parent="P1")
    await connection.root.send("A.a")

    async with connection.session("F1"):
        pass

    assert transport.sent[-1]["method"] == "Target.detachFromTarget"
    assert transport.sent[-1]["sessionId"] == page.session_id


async def test_closing_the_root_session_closes_the_connection(connection: Connection) -> None:
    await connection.root.close()

    assert isinstance(connection.lost, ConnectionLost)


async def test_the_browsers_inspector_detached_is_an_event_like_others(
    connection: Connection, page: Session, transport: FakeTransport
) -> None:
    received: list[object] = []
    page.on("Inspector.detached", received.append)

    transport.send_event("Inspector.detached", {"reason": "target_closed"}, "P1")
    await connection.root.send("A.a")

    assert received == [{"reason": "target_closed"}]
    assert page.closed is None


async def test_a_session_is_shown_by_its_id_and_kind(connection: Connection, page: Session) -> None:
    assert repr(page) == "<Session P1 of a page>"
    assert repr(connection.root) == "<Session root of a browser>"
