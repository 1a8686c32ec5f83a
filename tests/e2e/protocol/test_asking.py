"""Requests and notifications to the client from a server made with the embedding API, in both
protocol eras.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import Any

import orjson
import pytest

from tests.prove.conformance.fixture import server

# The first call imports the browser's code, which takes long on a busy machine.
pytestmark = pytest.mark.time_limit(120)

SESSIONLESS_VERSION = "2026-07-28"
CAN_ALL: dict[str, Any] = {"sampling": {}, "elicitation": {}, "roots": {}}


class Peer:
    """A client in this process."""

    def __init__(self, sent: asyncio.Queue[bytes]) -> None:
        self.sent = sent
        self.deliver: Callable[[bytes], None] = sent.put_nowait  # until there is a server

    def send(self, method: str, params: dict[str, Any], request_id: int | None = 1) -> None:
        message = {"jsonrpc": "2.0", "method": method, "params": params}
        self.send_message(message if request_id is None else {**message, "id": request_id})

    def send_message(self, message: dict[str, Any]) -> None:
        self.deliver(orjson.dumps(message))

    async def receive(self) -> dict[str, Any]:
        async with asyncio.timeout(60):
            message: dict[str, Any] = orjson.loads(await self.sent.get())
            return message

    async def initialize(self, capabilities: dict[str, Any], version: str = "2025-11-25") -> Any:
        client = {"name": "test", "version": "0"}
        self.send(
            "initialize",
            {"protocolVersion": version, "capabilities": capabilities, "clientInfo": client},
        )
        return (await self.receive())["result"]

    async def sessionless(self, method: str, can: dict[str, Any], **params: Any) -> dict[str, Any]:
        meta = {
            "io.modelcontextprotocol/protocolVersion": SESSIONLESS_VERSION,
            "io.modelcontextprotocol/clientCapabilities": can,
        }
        self.send(method, {**params, "_meta": {**meta, **params.get("_meta", {})}})
        return await self.receive()


@pytest.fixture
async def peer() -> AsyncIterator[Peer]:
    sent: asyncio.Queue[bytes] = asyncio.Queue()
    peer = Peer(sent)
    async with server() as serving, serving.dispatcher.open(sent.put_nowait) as conversation:
        peer.deliver = conversation.receive
        yield peer


async def test_an_older_client_receives_a_request_during_its_call(peer: Peer) -> None:
    await peer.initialize(CAN_ALL)

    peer.send("tools/call", {"name": "test_sampling", "arguments": {"prompt": "Why?"}}, 7)
    asked = await peer.receive()
    answer = {"role": "assistant", "model": "m", "content": {"type": "text", "text": "So."}}
    peer.send_message({"jsonrpc": "2.0", "id": asked["id"], "result": answer})
    result = await peer.receive()

    assert asked["method"] == "sampling/createMessage"
    assert asked["params"]["messages"][0]["content"]["text"] == "Why?"
    assert result["id"] == 7
    assert result["result"]["content"] == [{"type": "text", "text": "LLM response: So."}]


async def test_a_client_that_answers_with_an_error_fails_the_call_alone(peer: Peer) -> None:
    await peer.initialize(CAN_ALL)

    peer.send("tools/call", {"name": "test_sampling", "arguments": {"prompt": "Why?"}}, 7)
    asked = await peer.receive()
    refusal = {"code": -1, "message": "The user said no"}
    peer.send_message({"jsonrpc": "2.0", "id": asked["id"], "error": refusal})
    result = await peer.receive()

    assert result["result"]["isError"]
    assert "The user said no" in result["result"]["content"][0]["text"]


async def test_an_invalid_answer_fails_the_call(peer: Peer) -> None:
    await peer.initialize(CAN_ALL)

    peer.send("tools/call", {"name": "test_elicitation", "arguments": {"message": "Well?"}}, 7)
    asked = await peer.receive()
    peer.send_message({"jsonrpc": "2.0", "id": asked["id"], "result": 5})
    result = await peer.receive()

    assert result["result"]["isError"]
    assert "an invalid answer to elicitation/create" in result["result"]["content"][0]["text"]


async def test_an_older_client_without_the_capability_gets_an_error_that_says_so(
    peer: Peer,
) -> None:
    await peer.initialize({})

    peer.send("tools/call", {"name": "test_sampling", "arguments": {"prompt": "Why?"}}, 7)

    assert (await peer.receive())["error"]["message"] == (
        "The client does not declare the capability sampling."
    )


async def test_a_newer_client_repeats_its_call_until_it_has_given_all_answers(
    peer: Peer,
) -> None:
    call = {"name": "test_input_required_result_multi_round", "arguments": {}}
    first = (await peer.sessionless("tools/call", CAN_ALL, **call))["result"]
    second = (
        await peer.sessionless(
            "tools/call",
            CAN_ALL,
            **call,
            inputResponses={"step1": {"action": "accept", "content": {"name": "Ada"}}},
            requestState=first["requestState"],
        )
    )["result"]
    third = (
        await peer.sessionless(
            "tools/call",
            CAN_ALL,
            **call,
            inputResponses={"step2": {"action": "accept", "content": {"color": "blue"}}},
            requestState=second["requestState"],
        )
    )["result"]

    assert [first["resultType"], list(first["inputRequests"])] == ["input_required", ["step1"]]
    assert [second["resultType"], list(second["inputRequests"])] == ["input_required", ["step2"]]
    assert third["resultType"] == "complete"
    assert "Ada" in third["content"][0]["text"]
    assert "blue" in third["content"][0]["text"]


async def test_answers_are_valid_only_for_their_own_call(peer: Peer) -> None:
    call = {"name": "test_input_required_result_multi_round", "arguments": {}}
    first = (await peer.sessionless("tools/call", CAN_ALL, **call))["result"]

    other = await peer.sessionless(
        "tools/call",
        CAN_ALL,
        name="test_input_required_result_request_state",
        arguments={},
        requestState=first["requestState"],
    )

    assert other["error"]["code"] == -32602
    assert "requestState" in other["error"]["message"]


async def test_a_newer_client_without_the_capability_gets_an_error_that_names_it(
    peer: Peer,
) -> None:
    result = await peer.sessionless("tools/call", {}, name="test_missing_capability", arguments={})

    assert result["error"]["code"] == -32021
    assert result["error"]["data"] == {"requiredCapabilities": {"sampling": {}}}


async def test_a_client_receives_logs_of_tools_from_its_level_on(peer: Peer) -> None:
    call = {"name": "test_logging_tool", "arguments": {}}
    await peer.initialize({})
    peer.send("logging/setLevel", {"level": "warning"})
    await peer.receive()
    peer.send("tools/call", call, 2)
    silent = await peer.receive()
    peer.send("logging/setLevel", {"level": "info"})
    await peer.receive()
    peer.send("tools/call", call, 3)
    log = await peer.receive()

    assert silent["id"] == 2
    assert log["method"] == "notifications/message"
    assert log["params"] == {"level": "info", "data": "Working"}


async def test_an_unknown_log_level_is_refused(peer: Peer) -> None:
    await peer.initialize({})
    peer.send("logging/setLevel", {"level": "loud"})

    assert "level must be one of debug, info" in (await peer.receive())["error"]["message"]


async def test_a_newer_client_receives_logs_if_its_request_asks_for_them(peer: Peer) -> None:
    level = {"io.modelcontextprotocol/logLevel": "debug"}
    call: dict[str, Any] = {"name": "test_logging_tool", "arguments": {}}

    assert "result" in await peer.sessionless("tools/call", {}, **call)
    heard = await peer.sessionless("tools/call", {}, **call, _meta=level)
    assert heard["method"] == "notifications/message"


async def test_prompts_are_listed_got_and_completed(peer: Peer) -> None:
    listed = (await peer.sessionless("prompts/list", {}))["result"]["prompts"]
    got = (
        await peer.sessionless(
            "prompts/get",
            {},
            name="test_prompt_with_arguments",
            arguments={"arg1": "one", "arg2": "two"},
        )
    )["result"]
    completed = (
        await peer.sessionless(
            "completion/complete",
            {},
            ref={"type": "ref/prompt", "name": "test_prompt_with_choices"},
            argument={"name": "size", "value": "l"},
        )
    )["result"]

    assert listed[1]["arguments"] == [
        {"name": "arg1", "description": "First test argument", "required": True},
        {"name": "arg2", "description": "Second test argument", "required": True},
    ]
    assert got["messages"][0]["content"]["text"] == (
        "Prompt with arguments: arg1='one', arg2='two'"
    )
    assert completed["completion"]["values"] == ["large", "little"]


@pytest.mark.parametrize(
    ("params", "sentence"),
    [
        ({"name": "nothing"}, "Unknown prompt: nothing"),
        (
            {"name": "test_prompt_with_arguments", "arguments": {"arg1": "one"}},
            "test_prompt_with_arguments needs the argument 'arg2'",
        ),
    ],
)
async def test_a_prompt_that_cannot_be_got_is_refused(
    peer: Peer, params: dict[str, Any], sentence: str
) -> None:
    result = await peer.sessionless("prompts/get", {}, **params)

    assert result["error"]["code"] == -32602
    assert sentence in result["error"]["message"]


async def test_own_resources_are_read_by_their_template(peer: Peer) -> None:
    result = await peer.sessionless("resources/read", {}, uri="test://template/a%20b/data")
    none = await peer.sessionless("resources/read", {}, uri="test://template/a/b/data")

    assert "a%20b" in result["result"]["contents"][0]["text"]
    assert none["error"]["code"] == -32602


async def test_a_subscribed_client_receives_changes_of_a_resource_until_it_unsubscribes() -> None:
    sent: asyncio.Queue[bytes] = asyncio.Queue()
    peer = Peer(sent)
    async with server() as serving, serving.dispatcher.open(sent.put_nowait) as conversation:
        peer.deliver = conversation.receive
        offered = await peer.initialize({})
        peer.send("resources/subscribe", {"uri": "test://watched-resource"}, 2)
        await peer.receive()
        serving.tell_updated("test://static-text")
        serving.tell_updated("test://watched-resource")
        heard = await peer.receive()
        peer.send("resources/unsubscribe", {"uri": "test://watched-resource"}, 3)
        await peer.receive()
        serving.tell_updated("test://watched-resource")
        peer.send("ping", {}, 4)
        after = await peer.receive()

    assert offered["capabilities"]["resources"]["subscribe"]
    assert heard["method"] == "notifications/resources/updated"
    assert heard["params"] == {"uri": "test://watched-resource"}
    assert after["id"] == 4


async def test_a_client_of_the_first_revision_gets_a_text_in_place_of_a_sound(peer: Peer) -> None:
    await peer.initialize({}, "2024-11-05")
    peer.send("tools/call", {"name": "test_audio_content", "arguments": {}}, 2)

    assert (await peer.receive())["result"]["content"] == [
        {"type": "text", "text": "[audio/wav of 45 bytes]"}
    ]
