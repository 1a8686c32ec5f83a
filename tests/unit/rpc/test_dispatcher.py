from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator

import orjson
import pytest

from tests.unit.rpc.peer import Peer
from viewpoint_mcp.rpc.errors import (
    INTERNAL_ERROR,
    INVALID_REQUEST,
    METHOD_NOT_FOUND,
    PARSE_ERROR,
    SESSION_ENDED,
    RpcError,
)
from viewpoint_mcp.rpc.messages import Response, parse_message


@pytest.fixture
async def peer() -> AsyncIterator[Peer]:
    peer = Peer()
    async with peer.conversation:
        yield peer


async def test_a_request_is_answered_with_its_result(peer: Peer) -> None:
    peer.ask("echo", "a", {"x": 1})
    assert await peer.receive() == {"jsonrpc": "2.0", "id": "a", "result": {"x": 1}}


async def test_an_rpc_error_is_answered_with_its_code_and_data(peer: Peer) -> None:
    peer.ask("nothing", 1)
    error = (await peer.receive())["error"]
    assert error == {
        "code": METHOD_NOT_FOUND,
        "message": "No nothing.",
        "data": {"tried": "nothing"},
    }


async def test_a_slow_request_does_not_hold_up_the_next(peer: Peer) -> None:
    peer.ask("wait", 1)
    peer.ask("echo", 2, [])
    assert (await peer.receive())["id"] == 2
    peer.service.gate.set()
    assert await peer.receive() == {"jsonrpc": "2.0", "id": 1, "result": "waited"}


async def test_a_thousand_requests_at_once_are_all_answered(peer: Peer) -> None:
    for number in range(1000):
        peer.ask("echo", number, [number])
    answers = [await peer.receive() for _ in range(1000)]
    assert [answer["result"] for answer in answers] == [[number] for number in range(1000)]


async def test_a_cancelled_request_is_never_answered(peer: Peer) -> None:
    peer.ask("wait", 1)
    peer.notify("cancel", {"id": 1})
    peer.ask("echo", 2, [])
    assert (await peer.receive())["id"] == 2
    assert peer.service.ended == ["wait"]
    assert peer.sent.empty()


async def test_a_call_that_survives_its_cancellation_is_not_answered_either(peer: Peer) -> None:
    peer.ask("stubborn", 1)
    await peer.service.begun.wait()
    assert peer.conversation.cancel(1)
    await peer.conversation.close()
    assert peer.service.ended == ["stubborn", "conversation"]
    assert peer.sent.empty()


async def test_a_cancelled_call_sends_no_more_notifications(peer: Peer) -> None:
    peer.ask("wait", 1)
    await peer.service.begun.wait()
    peer.conversation.cancel(1)
    await peer.conversation.close()
    assert peer.service.late_call is not None
    peer.service.late_call.send_notification("progress")
    assert peer.sent.empty()


async def test_a_notification_of_a_call_leaves_before_its_answer_and_never_after(
    peer: Peer,
) -> None:
    peer.ask("progress", 1)
    assert (await peer.receive())["method"] == "progress"
    assert (await peer.receive())["id"] == 1
    assert peer.service.late_call is not None
    peer.service.late_call.send_notification("progress")
    assert peer.sent.empty()


async def test_cancelling_distinguishes_the_number_one_from_the_text_one(peer: Peer) -> None:
    peer.ask("wait", 1)
    await peer.service.begun.wait()
    assert not peer.conversation.cancel("1")
    assert not peer.conversation.cancel(2)
    assert peer.conversation.cancel(1)


async def test_an_id_in_use_is_refused_and_the_first_call_continues(peer: Peer) -> None:
    peer.ask("wait", 1)
    peer.ask("echo", 1)
    assert (await peer.receive())["error"]["code"] == INVALID_REQUEST
    peer.service.gate.set()
    assert (await peer.receive())["result"] == "waited"


async def test_an_id_may_be_used_again_once_it_is_answered(peer: Peer) -> None:
    peer.ask("echo", 1, [1])
    await peer.receive()
    peer.ask("echo", 1, [2])
    assert (await peer.receive())["result"] == [2]


@pytest.mark.parametrize("method", ["bug", "stray"])
async def test_an_unexpected_exception_is_one_sentence_to_the_peer_and_a_traceback_in_the_log(
    peer: Peer, method: str, caplog: pytest.LogCaptureFixture
) -> None:
    peer.ask(method, 1)
    error = (await peer.receive())["error"]
    assert error["code"] == INTERNAL_ERROR
    assert "ZeroDivision" not in error["message"]
    assert caplog.records[0].exc_info
    peer.ask("echo", 2, [])
    assert (await peer.receive())["result"] == []


async def test_a_result_that_cannot_be_written_is_still_answered(peer: Peer) -> None:
    peer.ask("unwritable", 1)
    assert (await peer.receive())["error"]["code"] == INTERNAL_ERROR


async def test_a_notification_is_never_answered_even_when_it_fails(
    peer: Peer, caplog: pytest.LogCaptureFixture
) -> None:
    peer.notify("nothing")
    peer.notify("bug")
    peer.ask("echo", 1, [])
    assert (await peer.receive())["id"] == 1
    assert [record.levelno for record in caplog.records] == [logging.ERROR]


async def test_a_posted_answer_is_ignored(peer: Peer) -> None:
    peer.send({"jsonrpc": "2.0", "id": 1, "result": {}})
    peer.ask("echo", 1, [])
    assert (await peer.receive())["result"] == []
    assert peer.sent.empty()


async def test_garbage_is_answered_and_the_next_message_is_served(peer: Peer) -> None:
    peer.send(b"\xff\x00garbage")
    peer.send(b'{"jsonrpc":"2.0","id":9}')
    peer.ask("echo", 1, [])
    codes = [
        answer.get("error", {}).get("code") for answer in [await peer.receive() for _ in "abc"]
    ]
    assert codes == [PARSE_ERROR, INVALID_REQUEST, None]


async def test_a_message_that_could_not_be_read_is_refused_without_an_id(peer: Peer) -> None:
    peer.conversation.send_error(RpcError(INVALID_REQUEST, "Too long."))
    assert (await peer.receive()) == {
        "jsonrpc": "2.0",
        "id": None,
        "error": {"code": INVALID_REQUEST, "message": "Too long."},
    }


def request(method: str, request_id: int) -> dict[str, object]:
    return {"jsonrpc": "2.0", "id": request_id, "method": method, "params": {"id": request_id}}


async def test_a_batch_is_refused_in_a_revision_without_batches(peer: Peer) -> None:
    peer.send([request("echo", 1)])
    assert (await peer.receive())["error"]["code"] == INVALID_REQUEST


async def test_a_batch_is_answered_in_one_array(peer: Peer) -> None:
    peer.conversation.can_receive_batches = True
    peer.send([request("echo", 1), {"jsonrpc": "2.0", "method": "bug"}, request("nothing", 2), 5])
    answers = await peer.receive()
    assert [answer["id"] for answer in answers] == [1, 2, None]
    assert [answer.get("error", {}).get("code") for answer in answers] == [
        None,
        METHOD_NOT_FOUND,
        INVALID_REQUEST,
    ]


async def test_a_batch_of_notifications_is_not_answered(peer: Peer) -> None:
    peer.conversation.can_receive_batches = True
    peer.send([{"jsonrpc": "2.0", "method": "progress"}])
    assert (await peer.receive())["method"] == "progress"
    peer.ask("echo", 1, [])
    assert (await peer.receive())["id"] == 1


async def test_a_request_of_a_batch_can_be_cancelled_alone(peer: Peer) -> None:
    peer.conversation.can_receive_batches = True
    peer.send([request("wait", 1), request("echo", 2)])
    await peer.service.begun.wait()
    peer.conversation.cancel(1)
    assert [answer["id"] for answer in await peer.receive()] == [2]


async def test_closing_answers_the_calls_that_it_cancels(peer: Peer) -> None:
    peer.ask("wait", 1)
    await peer.service.begun.wait()
    await peer.conversation.close()
    assert (await peer.receive())["error"]["code"] == SESSION_ENDED
    assert peer.conversation.active_message_count == 0


async def test_closing_answers_the_calls_of_a_batch_that_it_cancels(peer: Peer) -> None:
    peer.conversation.can_receive_batches = True
    peer.send([request("echo", 1), request("wait", 2)])
    await peer.service.begun.wait()
    await peer.conversation.close()
    done, cut = await peer.receive()
    assert "result" in done
    assert cut["error"]["code"] == SESSION_ENDED


async def test_closing_gives_calls_their_grace(peer: Peer) -> None:
    peer.ask("wait", 1)
    await peer.service.begun.wait()
    closing = asyncio.create_task(peer.conversation.close(grace=5))
    peer.service.gate.set()
    await closing
    assert (await peer.receive())["result"] == "waited"


async def test_a_close_that_is_cancelled_still_ends_the_calls(peer: Peer) -> None:
    peer.ask("wait", 1)
    await peer.service.begun.wait()
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0):
            await peer.conversation.close(grace=60)
    assert peer.service.ended == ["wait", "conversation"]
    assert peer.conversation.active_message_count == 0


async def test_other_work_ends_with_the_conversation(peer: Peer) -> None:
    async def work(seconds: float) -> str:
        await asyncio.sleep(seconds)
        return "done"

    assert await peer.conversation.run(work(0)) == "done"
    running = asyncio.create_task(peer.conversation.run(work(60)))
    await asyncio.sleep(0)
    assert peer.conversation.active_message_count == 1
    await peer.conversation.close()
    for ended in (running, peer.conversation.run(work(0))):
        with pytest.raises(RpcError) as error:
            await ended
        assert error.value.code == SESSION_ENDED


async def test_other_work_can_be_cancelled(peer: Peer) -> None:
    running = asyncio.create_task(peer.conversation.run(asyncio.sleep(60)))
    await asyncio.sleep(0)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert peer.conversation.active_message_count == 0


async def test_a_message_after_the_end_is_dropped(peer: Peer) -> None:
    await peer.conversation.close()
    peer.ask("echo", 1)
    assert peer.conversation.active_message_count == 0
    await peer.conversation.close()
    assert peer.service.ended == ["conversation"]


async def test_an_answer_can_be_returned_instead_of_sent(peer: Peer) -> None:
    results: list[bytes] = []
    message = parse_message(orjson.dumps(request("progress", 1)))
    answer = await peer.conversation.start_serving(message, results.append)
    assert answer == Response(1, None)
    assert [orjson.loads(line)["method"] for line in results] == ["progress"]
    assert peer.sent.empty()
