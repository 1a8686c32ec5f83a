"""The rules of the connection, on a scripted browser; its end is in test_connection_loss."""

from __future__ import annotations

import asyncio
import logging

import pytest

from cdp_protocol import (
    CallTimeout,
    CdpError,
    Connection,
    ProtocolError,
    Session,
    SessionClosed,
)
from tests.unit.cdp.fake_transport import FakeTransport


async def test_a_command_is_answered_with_its_result(
    connection: Connection, transport: FakeTransport
) -> None:
    transport.set_result("Browser.getVersion", {"product": "Chrome/156"})

    assert await connection.root.send("Browser.getVersion") == {"product": "Chrome/156"}
    assert transport.sent == [{"id": 1, "method": "Browser.getVersion", "params": {}}]


async def test_a_command_of_a_session_carries_its_id(
    page: Session, transport: FakeTransport
) -> None:
    await page.send("Page.navigate", {"url": "about:blank"})

    assert transport.sent[-1]["sessionId"] == "P1"
    assert transport.sent[-1]["params"] == {"url": "about:blank"}


async def test_commands_of_one_gather_are_written_in_order(
    connection: Connection, transport: FakeTransport
) -> None:
    methods = [f"A.m{number}" for number in range(20)]

    await asyncio.gather(*(connection.root.send(method) for method in methods))

    assert [call["method"] for call in transport.sent] == methods


async def test_answers_may_come_in_any_order(
    connection: Connection, transport: FakeTransport
) -> None:
    transport.withhold("A.a")
    tasks = [asyncio.create_task(connection.root.send("A.a", {"n": n})) for n in (1, 2)]
    await transport.wait_until_sent("A.a", 2)

    for call in reversed(transport.sent):
        transport.respond(call, {"n": call["params"]["n"]})

    assert await asyncio.gather(*tasks) == [{"n": 1}, {"n": 2}]


async def test_the_nth_call_of_a_command_can_be_refused(
    connection: Connection, transport: FakeTransport
) -> None:
    transport.set_error("A.a", "not twice", nth=2)
    await connection.root.send("A.a")

    with pytest.raises(ProtocolError, match=r"A\.a failed: not twice\. \(code -32000\)"):
        await connection.root.send("A.a")
    await connection.root.send("A.a")


async def test_an_error_is_raised_where_the_call_was_made(
    connection: Connection, transport: FakeTransport
) -> None:
    transport.set_error("A.a", "no")

    async def the_caller() -> None:
        await connection.root.send("A.a")

    with pytest.raises(ProtocolError) as caught:
        await the_caller()
    assert "the_caller" in [entry.name for entry in caught.traceback]


# Rule 1: the reader awaits no handler


async def test_a_handler_that_fails_hurts_neither_the_reader_nor_other_handlers(
    connection: Connection, transport: FakeTransport, caplog: pytest.LogCaptureFixture
) -> None:
    received: list[object] = []
    connection.root.on("A.e", lambda _: 1 / 0)
    connection.root.on("A.e", received.append)

    transport.send_event("A.e", {"n": 1})
    await connection.root.send("A.a")

    assert received == [{"n": 1}]
    assert "A handler of A.e failed" in caplog.text
    assert "ZeroDivisionError" in caplog.text


async def test_a_handler_may_start_a_command(
    connection: Connection, transport: FakeTransport
) -> None:
    tasks: list[asyncio.Task[object]] = []
    connection.root.on(
        "A.e", lambda _: tasks.append(asyncio.create_task(connection.root.send("A.answer")))
    )

    transport.send_event("A.e")
    await transport.wait_until_sent("A.answer")

    assert await tasks[0] == {}


async def test_malformed_messages_are_logged_and_skipped(
    connection: Connection, transport: FakeTransport, caplog: pytest.LogCaptureFixture
) -> None:
    for message in (b"{not json", b"[]", b"7", b'{"neither": "id nor method"}'):
        transport.send_raw(message)

    await connection.root.send("A.a")

    assert caplog.text.count("Skipped a malformed message") == 4
    assert "{not json" in caplog.text


# Rule 3: registered before the write, removed in the end


async def test_an_answer_that_comes_during_the_write_is_not_lost() -> None:
    class Hasty(FakeTransport):
        async def send(self, message: bytes | str) -> None:
            await super().send(message)
            for _ in range(5):  # the reader gets the answer before the write returns
                await asyncio.sleep(0)

    async with Connection(Hasty()) as connection:
        assert await connection.root.send("A.a", timeout=1) == {}


async def test_a_late_answer_to_a_cancelled_call_is_dropped(
    connection: Connection, transport: FakeTransport, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG, "cdp_protocol.connection")
    transport.withhold("A.slow")
    call = asyncio.create_task(connection.root.send("A.slow"))
    late = await transport.wait_until_sent("A.slow")
    call.cancel()
    await asyncio.wait([call])

    transport.respond(late)
    await connection.root.send("A.a")

    assert call.cancelled()
    assert f"Ignored the late response to call {late['id']}" in caplog.text


async def test_a_failed_call_leaves_no_state(
    connection: Connection, transport: FakeTransport
) -> None:
    transport.set_error("A.refused", "no")
    transport.withhold("A.slow")
    for method in ("A.refused", "A.slow"):
        with pytest.raises(CdpError):
            await connection.root.send(method, timeout=0.01)
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(connection.root.send("A.slow"), 0.01)

    assert connection.pending_call_count == 0


# Rule 4: the session exists before the next message is read


async def test_events_right_behind_an_attach_reach_a_handler_added_in_the_attach_event(
    connection: Connection, transport: FakeTransport
) -> None:
    received: list[object] = []
    connection.root.on(
        "Target.attachedToTarget",
        lambda event: connection.session(event["sessionId"]).on("Page.first", received.append),
    )

    transport.announce_attached("P1")
    transport.send_event("Page.first", {"n": 1}, "P1")
    await connection.root.send("A.a")

    assert received == [{"n": 1}]


async def test_events_may_come_before_the_answer(
    connection: Connection, transport: FakeTransport
) -> None:
    transport.withhold("Target.attachToTarget")
    call = asyncio.create_task(connection.root.send("Target.attachToTarget", {"targetId": "T"}))
    command = await transport.wait_until_sent("Target.attachToTarget")

    transport.announce_attached("P1")
    transport.respond(command, {"sessionId": "P1"})

    assert connection.session((await call)["sessionId"]).target_info["targetId"] == "TP1"


async def test_messages_for_an_unknown_session_are_dropped(
    connection: Connection, transport: FakeTransport, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG, "cdp_protocol.connection")

    transport.send_event("Page.loadEventFired", {}, "S9")
    await connection.root.send("A.a")

    assert "Dropped Page.loadEventFired of the unknown session S9" in caplog.text


async def test_a_command_to_an_unknown_session_is_an_error_that_says_so(
    connection: Connection,
) -> None:
    with pytest.raises(
        SessionClosed, match="Session S9 is closed: no session with this id is attached"
    ):
        connection.session("S9")


# Rule 7: every call has a time limit, no message is too long


async def test_a_call_without_an_answer_times_out(
    connection: Connection, transport: FakeTransport
) -> None:
    transport.withhold("A.slow")

    with pytest.raises(CallTimeout, match=r"Timed out after 0\.01 s waiting for A\.slow"):
        await connection.root.send("A.slow", timeout=0.01)


async def test_the_connection_has_the_default_timeout_of_calls() -> None:
    transport = FakeTransport()
    transport.withhold("A.slow")

    async with Connection(transport, timeout=0.01) as connection:
        with pytest.raises(CallTimeout) as caught:
            await connection.root.send("A.slow")
    assert caught.value.seconds == 0.01


async def test_a_short_timeout_works_beside_a_long_one(
    connection: Connection, transport: FakeTransport
) -> None:
    transport.withhold("A.slow")
    long = asyncio.create_task(connection.root.send("A.slow", timeout=60))
    await transport.wait_until_sent("A.slow")

    with pytest.raises(CallTimeout):
        await connection.root.send("A.slow", timeout=0.01)
    with pytest.raises(CallTimeout):
        await connection.root.send("A.slow", timeout=0.02)

    transport.respond(transport.sent[0], {"n": 1})
    assert await long == {"n": 1}


async def test_calls_that_wait_together_each_keep_their_own_limit(
    connection: Connection, transport: FakeTransport
) -> None:
    transport.withhold("A.slow")
    limits = (0.03, 0.01, 0.02)

    errors = await asyncio.gather(
        *(connection.root.send("A.slow", timeout=seconds) for seconds in limits),
        return_exceptions=True,
    )

    assert [error.seconds for error in errors if isinstance(error, CallTimeout)] == list(limits)


async def test_an_answer_of_50_megabytes_arrives_whole(
    connection: Connection, transport: FakeTransport
) -> None:
    transport.set_result("Page.captureScreenshot", {"data": "x" * 50_000_000})

    result = await connection.root.send("Page.captureScreenshot")

    assert len(result["data"]) == 50_000_000


async def test_a_connection_that_was_not_started_raises_an_error_that_says_so() -> None:
    with pytest.raises(RuntimeError, match="not started"):
        await Connection(FakeTransport()).root.send("A.a")


async def test_arguments_that_are_no_json_are_the_callers_error(connection: Connection) -> None:
    with pytest.raises(TypeError):
        await connection.root.send("A.a", {"x": object()})
    assert await connection.root.send("A.a") == {}


async def test_a_message_that_cannot_be_encoded_is_reported_with_its_command(
    connection: Connection,
) -> None:
    for value in (object(), "\ud800"):
        with pytest.raises(
            TypeError, match=r"^The parameters of Page\.navigate are not valid JSON"
        ):
            await connection.root.send("Page.navigate", {"url": value})
    assert connection.pending_call_count == 0


async def test_a_message_nested_too_deeply_is_skipped(
    connection: Connection, transport: FakeTransport, caplog: pytest.LogCaptureFixture
) -> None:
    deep = 200_000
    transport.send_raw(b'{"method":"A.e","params":' + b"[" * deep + b"]" * deep + b"}")
    transport.send_raw(b'{"id":1,"error":' + b"[" * deep + b"]" * deep + b"}")

    assert await connection.root.send("A.a") == {}
    assert connection.lost is None
    assert caplog.text.count("Skipped a malformed message") == 2
