"""The book-keeping of calls: plain objects, no connection."""

from __future__ import annotations

import asyncio
import gc

import pytest

from cdp_protocol.errors import CallTimeout, ConnectionLost, ProtocolError, SessionClosed
from cdp_protocol.wire.pending_calls import PendingCalls


@pytest.fixture
async def calls() -> PendingCalls:
    return PendingCalls()


async def test_every_call_gets_a_unique_id(calls: PendingCalls) -> None:
    ids = [calls.register("A.b", "", timeout=1).id for _ in range(3)]

    assert ids == [1, 2, 3]


async def test_an_answer_settles_its_call_and_leaves_the_others(calls: PendingCalls) -> None:
    first, second = (calls.register("A.b", "", timeout=1) for _ in range(2))

    assert calls.complete({"id": second.id, "result": {"x": 1}})
    assert second.future.result() == {"x": 1}
    assert not first.future.done()
    assert len(calls) == 1


async def test_an_answer_without_a_result_is_an_empty_one(calls: PendingCalls) -> None:
    call = calls.register("A.b", "", timeout=1)

    calls.complete({"id": call.id})

    assert call.future.result() == {}


async def test_an_answer_without_a_call_is_refused(calls: PendingCalls) -> None:
    assert not calls.complete({"id": 7, "result": {}})


async def test_an_answer_to_a_call_that_was_just_cancelled_is_refused(calls: PendingCalls) -> None:
    call = calls.register("A.b", "", timeout=1)
    call.future.cancel()

    assert not calls.complete({"id": call.id, "result": {}})


async def test_an_error_keeps_the_browsers_message(calls: PendingCalls) -> None:
    call = calls.register("DOM.focus", "", timeout=1)

    calls.complete({"id": call.id, "error": {"code": -32000, "message": "no node", "data": "id 7"}})

    error = call.future.exception()
    assert isinstance(error, ProtocolError)
    assert (error.method, error.code) == ("DOM.focus", -32000)
    assert (error.message, error.data) == ("no node", "id 7")


async def test_an_unknown_session_is_a_closed_one(calls: PendingCalls) -> None:
    call = calls.register("DOM.focus", "S1", timeout=1)

    calls.complete({"id": call.id, "error": {"code": -32001, "message": "Session not found"}})

    assert isinstance(error := call.future.exception(), SessionClosed)
    assert error.session_id == "S1"


async def test_failing_all_gives_each_call_its_own_error(calls: PendingCalls) -> None:
    waiting = [calls.register(method, "", timeout=1) for method in ("A.a", "B.b")]

    calls.fail_all(lambda method: ConnectionLost(method, "gone"))

    assert [str(call.future.exception()) for call in waiting] == [
        "A.a failed: gone.",
        "B.b failed: gone.",
    ]
    assert len(calls) == 0


async def test_an_error_for_a_cancelled_call_causes_no_warning(
    calls: PendingCalls, caplog: pytest.LogCaptureFixture
) -> None:
    calls.register("A.a", "", timeout=1)

    calls.fail_all(lambda method: ConnectionLost(method, "gone"))
    gc.collect()

    assert "never retrieved" not in caplog.text


async def test_failing_a_session_leaves_the_calls_of_others(calls: PendingCalls) -> None:
    mine, other = (calls.register("A.a", session, timeout=1) for session in ("S1", "S2"))

    calls.fail_session("S1", lambda method: SessionClosed(method, "S1", "gone"))

    assert mine.future.done()
    assert not other.future.done()


async def test_only_overdue_calls_expire(calls: PendingCalls) -> None:
    short, long = (calls.register("A.a", "", timeout=seconds) for seconds in (1, 60))

    calls.expire(short.deadline)

    assert isinstance(error := short.future.exception(), CallTimeout)
    assert (error.method, error.seconds) == ("A.a", 1)
    assert not long.future.done()
    assert calls.next_deadline() == long.deadline


async def test_without_calls_there_is_no_deadline(calls: PendingCalls) -> None:
    call = calls.register("A.a", "", timeout=1)

    calls.discard(call)

    assert calls.next_deadline() is None
    assert call.future.cancelled()


async def test_forgetting_a_settled_call_changes_nothing(calls: PendingCalls) -> None:
    call = calls.register("A.a", "", timeout=1)
    calls.complete({"id": call.id, "result": {"x": 1}})

    calls.discard(call)

    assert await asyncio.wait_for(call.future, 1) == {"x": 1}


async def test_a_null_error_beside_a_result_is_no_error(calls: PendingCalls) -> None:
    call = calls.register("A.b", "", timeout=1)

    calls.complete({"id": call.id, "error": None, "result": {"x": 1}})

    assert call.future.result() == {"x": 1}


@pytest.mark.parametrize("error", ["nope", 5, [], False])
async def test_an_error_that_is_no_object_is_reported_unchanged(
    calls: PendingCalls, error: object
) -> None:
    call = calls.register("A.b", "", timeout=1)

    calls.complete({"id": call.id, "error": error})

    assert isinstance(result := call.future.exception(), ProtocolError)
    assert (result.code, result.message) == (0, str(error))


@pytest.mark.parametrize(("message", "expected"), [(None, "no reason given"), (7, "7")])
async def test_an_error_whose_message_is_not_text_is_still_a_sentence(
    calls: PendingCalls, message: object, expected: str
) -> None:
    call = calls.register("A.b", "", timeout=1)

    calls.complete({"id": call.id, "error": {"code": -32000, "message": message}})

    assert str(call.future.exception()) == f"A.b failed: {expected}. (code -32000)"
