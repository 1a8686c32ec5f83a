"""Attaching to a target, and to those that appear."""

from __future__ import annotations

import asyncio

import pytest

from cdp_protocol import (
    CallTimeout,
    Connection,
    ConnectionLost,
    ProtocolError,
    Session,
    SessionClosed,
    TargetNotFound,
)
from tests.unit.cdp.fake_transport import FakeTransport, Json

SET = "Target.setAutoAttach"
RUN = "Runtime.runIfWaitingForDebugger"


def sent_commands(transport: FakeTransport, method: str) -> list[tuple[str, Json]]:
    """Return session and parameters of each such command."""
    return [
        (call.get("sessionId", ""), call["params"])
        for call in transport.sent
        if call["method"] == method
    ]


@pytest.mark.parametrize("target", ["T9", {"targetId": "T9"}, {"targetId": "T9", "type": "page"}])
async def test_a_target_is_attached_to_and_detached_from_with_the_block(
    connection: Connection, transport: FakeTransport, target: str | Json
) -> None:
    transport.announce_attached("P9")
    transport.set_result("Target.attachToTarget", {"sessionId": "P9"})

    async with connection.root.attach(target) as session:
        assert session is connection.session("P9")
        assert session.parent is connection.root

    assert sent_commands(transport, "Target.attachToTarget") == [
        ("", {"targetId": "T9", "flatten": True})
    ]
    assert sent_commands(transport, "Target.detachFromTarget") == [("", {"sessionId": "P9"})]
    assert session.closed is not None


async def test_a_target_that_there_is_not_is_named(
    connection: Connection, transport: FakeTransport
) -> None:
    transport.set_error("Target.attachToTarget", "No target with given id found", code=-32602)

    with pytest.raises(TargetNotFound, match="Target T9 does not exist, or is closed") as caught:
        await connection.root.attach("T9")
    assert (caught.value.target_id, caught.value.code) == ("T9", -32602)


async def test_an_attaching_that_is_cancelled_leaves_no_session(
    connection: Connection, transport: FakeTransport
) -> None:
    transport.withhold("Target.attachToTarget")
    attaching = asyncio.create_task(connection.root.attach("T9").__aenter__())
    call = await transport.wait_until_sent("Target.attachToTarget")

    attaching.cancel()
    transport.announce_attached("P9")
    transport.respond(call, {"sessionId": "P9"})

    with pytest.raises(asyncio.CancelledError):
        await attaching
    assert sent_commands(transport, "Target.detachFromTarget") == [("", {"sessionId": "P9"})]
    with pytest.raises(SessionClosed):
        connection.session("P9")


async def test_an_attaching_that_is_cancelled_and_fails_is_only_cancelled(
    connection: Connection, transport: FakeTransport
) -> None:
    transport.withhold("Target.attachToTarget")
    attaching = asyncio.create_task(connection.root.attach("T9").__aenter__())
    await transport.wait_until_sent("Target.attachToTarget")

    attaching.cancel()
    transport.disconnect()

    with pytest.raises(asyncio.CancelledError):
        await attaching


async def test_another_refusal_is_reported_with_the_browsers_message(
    connection: Connection, transport: FakeTransport
) -> None:
    transport.set_error("Target.attachToTarget", "Not allowed")

    with pytest.raises(ProtocolError, match=r"attachToTarget failed: Not allowed") as caught:
        await connection.root.attach("T9")
    assert not isinstance(caught.value, TargetNotFound)


@pytest.mark.parametrize("target", [{"id": "T9"}, {"targetId": 9}])
async def test_an_invalid_target_is_refused_before_anything_is_sent(
    connection: Connection, transport: FakeTransport, target: Json
) -> None:
    with pytest.raises(TypeError, match='a mapping with "targetId"'):
        connection.root.attach(target)
    assert transport.sent == []


async def test_sessions_are_yielded_as_targets_appear_and_auto_attach_is_off_at_the_end(
    page: Session, transport: FakeTransport
) -> None:
    async with page.auto_attach(filter=[{"type": "worker"}]) as sessions:
        transport.announce_attached("W1", parent="P1", kind="worker")
        transport.announce_attached("W2", parent="P1", kind="worker")
        assert [(await anext(sessions)).session_id for _ in range(2)] == ["W1", "W2"]

    fields = {"waitForDebuggerOnStart": False, "flatten": True}
    on = {"autoAttach": True, "filter": [{"type": "worker"}], **fields}
    assert sent_commands(transport, SET) == [
        ("P1", on),
        ("W1", on),
        ("W2", on),
        # A session made by `attach` is not detached at the end of the block.
        *((session, {"autoAttach": False, **fields}) for session in ("W2", "W1", "P1")),
    ]
    assert sent_commands(transport, RUN) == []


async def test_child_targets_of_targets_are_yielded_too(
    page: Session, transport: FakeTransport
) -> None:
    async with page.auto_attach() as sessions:
        transport.announce_attached("F1", parent="P1", kind="iframe")
        frame = await anext(sessions)
        transport.announce_attached("W1", parent="F1", kind="worker")
        worker = await anext(sessions)

        assert worker.parent is frame


async def test_the_targets_of_targets_stay_away_where_they_are_not_wanted(
    page: Session, transport: FakeTransport
) -> None:
    async with page.auto_attach(recursive=False) as sessions:
        transport.announce_attached("F1", parent="P1", kind="iframe")
        await anext(sessions)
        transport.announce_attached("W1", parent="F1", kind="worker")
        await page.send("A.a")

        assert sessions.waiting == 0
    assert [session for session, _ in sent_commands(transport, SET)] == ["P1", "P1"]


async def test_a_session_has_one_such_block_at_a_time(
    page: Session, transport: FakeTransport
) -> None:
    async with page.auto_attach() as sessions:
        transport.announce_attached("F1", parent="P1", kind="iframe")
        frame = await anext(sessions)
        for session in (page, frame):
            with pytest.raises(RuntimeError, match="auto_attach block already covers"):
                await session.auto_attach().__aenter__()
        assert [session for session, _ in sent_commands(transport, SET)] == ["P1", "F1"]

    async with page.auto_attach(recursive=False) as sessions, frame.auto_attach():
        assert sessions.waiting == 0


async def test_a_target_that_runs_at_once_gets_its_auto_attach_command_first(
    page: Session, transport: FakeTransport
) -> None:
    async with page.auto_attach(wait_for_debugger=True) as sessions:
        transport.announce_attached("W1", parent="P1", kind="worker", waiting=True)
        session = await anext(sessions)
        await session.Runtime.runIfWaitingForDebugger()

        results = [call["method"] for call in transport.sent if call.get("sessionId") == "W1"]
        assert results == [SET, RUN]


async def test_leaving_the_block_stops_pausing_then_resumes_then_detaches(
    page: Session, transport: FakeTransport
) -> None:
    async with page.auto_attach(wait_for_debugger=True) as sessions:
        transport.announce_attached("W1", parent="P1", kind="worker", waiting=True)
        await anext(sessions)
        transport.announce_attached("W2", parent="P1", kind="worker", waiting=True)
        transport.announce_attached("W3", parent="P1", kind="worker", waiting=True)
        transport.announce_detached("W3", parent="P1")
        await transport.wait_until_sent(SET, times=3)  # of the page, W1 and W2; W3 has ended
        await page.send("A.mark")

    methods = [call["method"] for call in transport.sent]
    left = transport.sent[methods.index("A.mark") + 1 :]
    assert [(call["sessionId"], call["method"]) for call in left] == [
        ("P1", SET),
        ("W1", SET),
        ("W2", SET),
        ("W1", RUN),
        ("W2", RUN),
        ("W2", SET),
        ("W1", SET),
        ("P1", SET),
    ]
    assert [call["params"]["autoAttach"] for call in left if call["method"] == SET] == [
        *[True] * 3,
        *[False] * 3,
    ]


async def test_a_target_without_child_targets_is_yielded_too(
    page: Session, transport: FakeTransport
) -> None:
    transport.set_error(SET, "'Target.setAutoAttach' wasn't found", nth=2, code=-32601)

    async with page.auto_attach() as sessions:
        transport.announce_attached("W1", parent="P1", kind="worklet")
        assert (await anext(sessions)).session_id == "W1"


async def test_a_refusal_by_the_browser_is_raised_on_entry(
    page: Session, transport: FakeTransport
) -> None:
    transport.set_error(SET, "Only flatten protocol is supported")

    with pytest.raises(ProtocolError, match="Only flatten protocol"):
        async with page.auto_attach():
            pytest.fail("It was entered.")


async def test_an_entry_that_is_cancelled_switches_it_off(
    page: Session, transport: FakeTransport
) -> None:
    transport.withhold(SET)
    entering = asyncio.create_task(page.auto_attach().__aenter__())
    await transport.wait_until_sent(SET)

    entering.cancel()
    off = await transport.wait_until_sent(SET, times=2)
    transport.respond(off)

    with pytest.raises(asyncio.CancelledError):
        await entering
    assert off["params"]["autoAttach"] is False


async def test_the_end_of_the_session_ends_the_iteration(
    page: Session, transport: FakeTransport
) -> None:
    async with page.auto_attach() as sessions:
        transport.announce_detached("P1")
        with pytest.raises(SessionClosed, match=r"attachedToTarget failed: session P1"):
            await anext(sessions)


async def test_the_end_of_the_connection_ends_the_iteration(
    page: Session, transport: FakeTransport
) -> None:
    async with page.auto_attach(wait_for_debugger=True) as sessions:
        transport.announce_attached("W1", parent="P1", kind="worker", waiting=True)
        await anext(sessions)
        transport.disconnect()
        with pytest.raises(ConnectionLost, match=r"attachedToTarget failed"):
            await anext(sessions)


async def test_silence_is_limited_where_it_is_wanted(page: Session) -> None:
    async with page.auto_attach(silence=0.01) as sessions:
        with pytest.raises(
            CallTimeout, match=r"Timed out after 0\.01 s waiting for Target\.attachedToTarget"
        ):
            await anext(sessions)
