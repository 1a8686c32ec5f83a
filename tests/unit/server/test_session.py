from __future__ import annotations

from typing import Any

import orjson
import pytest

from tests.unit.server.conftest import Client
from viewpoint_mcp import logs
from viewpoint_mcp.rpc.errors import INVALID_PARAMS, INVALID_REQUEST, METHOD_NOT_FOUND
from viewpoint_mcp.server.initialize_handshake import SESSION_VERSIONS


@pytest.mark.parametrize("version", SESSION_VERSIONS)
async def test_a_version_that_is_served_is_agreed_on(client: Client, version: str) -> None:
    result = await client.result("initialize", {"protocolVersion": version, "capabilities": {}})
    assert result["protocolVersion"] == version
    assert result["capabilities"] == {
        "tools": {"listChanged": False},
        "resources": {"subscribe": False, "listChanged": False},
    }
    assert result["serverInfo"]["name"] == "viewpoint-mcp"
    assert result["serverInfo"]["version"] == "1.2.3"
    assert "browser_snapshot" in result["instructions"]


@pytest.mark.parametrize("version", ["2026-07-28", "1.0", ""])
async def test_any_other_version_is_offered_the_latest(client: Client, version: str) -> None:
    result = await client.result("initialize", {"protocolVersion": version})
    assert result["protocolVersion"] == "2025-11-25"


@pytest.mark.parametrize("params", [None, {}, {"protocolVersion": 5}])
async def test_initialize_without_a_version_is_refused(client: Client, params: object) -> None:
    assert (await client.error("initialize", params))["code"] == INVALID_PARAMS


async def test_a_ping_is_answered_before_the_handshake(client: Client) -> None:
    assert await client.result("ping") == {}


async def test_tools_are_listed_on_one_page(client: Client) -> None:
    listed = {"tools": client.tools.listing}
    assert await client.result("tools/list") == listed
    assert await client.result("tools/list", {"cursor": None}) == listed
    assert (await client.error("tools/list", {"cursor": "2"}))["code"] == INVALID_PARAMS


async def test_a_tool_is_called_with_its_arguments(client: Client) -> None:
    result = await client.result("tools/call", {"name": "say", "arguments": {"a": [1]}})
    assert result == {"content": [{"type": "text", "text": "got {'a': [1]}"}]}


@pytest.mark.parametrize("params", [{}, {"arguments": None}])
async def test_arguments_may_be_absent_or_null(client: Client, params: dict[str, Any]) -> None:
    result = await client.result("tools/call", {"name": "say", **params})
    assert result["content"][0]["text"] == "got None"
    assert result["isError"] is True


async def test_arguments_of_a_wrong_shape_are_left_to_the_tools(client: Client) -> None:
    result = await client.result("tools/call", {"name": "say", "arguments": [1]})
    assert result["content"][0]["text"] == "got [1]"


async def test_an_unknown_tool_is_an_error_that_names_it(client: Client) -> None:
    error = await client.error("tools/call", {"name": "nope"})
    assert error == {"code": METHOD_NOT_FOUND, "message": "Unknown tool: nope"}


@pytest.mark.parametrize("params", [None, {}, {"name": None}, {"name": 5}])
async def test_a_call_that_names_no_tool_is_refused(client: Client, params: object) -> None:
    assert (await client.error("tools/call", params))["code"] == INVALID_PARAMS


@pytest.mark.parametrize("method", ["nope", "prompts/list", "notifications/initialized", ""])
async def test_a_request_for_an_unknown_method_is_refused(client: Client, method: str) -> None:
    assert (await client.error(method))["code"] == METHOD_NOT_FOUND


async def test_params_in_an_array_are_refused(client: Client) -> None:
    assert (await client.error("ping", [1]))["code"] == INVALID_PARAMS


async def test_notifications_are_never_answered(client: Client) -> None:
    for method in ("notifications/initialized", "notifications/nope", "tools/call"):
        client.send(method)
    client.send("notifications/cancelled", {"requestId": [1]})
    client.send("notifications/cancelled", {"requestId": 99})
    assert await client.result("ping") == {}
    assert client.sent.empty()


async def test_a_cancelled_call_is_not_answered(client: Client) -> None:
    client.send("tools/call", {"name": "hang"}, id="x")
    await client.tools.hanging.wait()
    client.send("notifications/cancelled", {"requestId": "x", "reason": "bored"})
    assert await client.result("ping") == {}
    await client.conversation.close()
    assert client.sent.empty()


async def test_a_truth_value_cancels_no_call(client: Client) -> None:
    client.send("tools/call", {"name": "hang"}, id=1)
    await client.tools.hanging.wait()
    client.send("notifications/cancelled", {"requestId": True})
    client.send("ping", id=1)
    assert "belongs to a request in progress" in (await client.receive())["error"]["message"]


async def test_batches_are_served_after_the_one_version_that_has_them(client: Client) -> None:
    batch = b'[{"jsonrpc":"2.0","id":1,"method":"ping"}]'
    client.conversation.receive(batch)
    assert (await client.receive())["error"]["code"] == INVALID_REQUEST
    await client.result("initialize", {"protocolVersion": "2025-03-26"})
    client.conversation.receive(batch)
    assert await client.receive() == [{"jsonrpc": "2.0", "id": 1, "result": {}}]
    await client.result("initialize", {"protocolVersion": "2025-06-18"})
    client.conversation.receive(batch)
    assert (await client.receive())["error"]["code"] == INVALID_REQUEST


async def test_a_batch_right_behind_initialize_is_served(client: Client) -> None:
    client.send("initialize", {"protocolVersion": "2025-03-26"}, id=0)
    client.conversation.receive(b'[{"jsonrpc":"2.0","id":1,"method":"ping"}]')
    assert (await client.receive())["id"] == 0
    assert await client.receive() == [{"jsonrpc": "2.0", "id": 1, "result": {}}]


async def test_initialize_is_refused_in_a_batch_and_the_rest_is_served(client: Client) -> None:
    await client.result("initialize", {"protocolVersion": "2025-03-26"})
    params = {"protocolVersion": "2025-11-25"}
    again = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}
    ping = {"jsonrpc": "2.0", "id": 2, "method": "ping"}
    for _ in range(2):
        client.conversation.receive(orjson.dumps([again, ping]))
        refused, served = await client.receive()
        assert (refused["error"]["code"], served["result"]) == (INVALID_REQUEST, {})


async def test_log_lines_contain_the_number_of_their_call(client: Client) -> None:
    client.send("tools/call", {"name": "say"}, id="first")
    client.send("tools/call", {"name": "say"}, id=2)
    await client.receive()
    await client.receive()
    assert client.tools.call_ids == ["'first'", "2"]
    assert logs.call_id.get() == "-"


async def test_text_of_a_client_can_neither_forge_nor_flood_lines_of_the_log(
    client: Client, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    forged = "\n2026-07-28 ERROR forged" * 1000
    await client.result("initialize", {"protocolVersion": forged, "clientInfo": {"name": forged}})
    client.send("tools/call", {"name": "hang"}, id=forged)
    await client.tools.hanging.wait()
    client.send("notifications/cancelled", {"requestId": forged, "reason": forged})
    await client.result("ping")
    lines = [*client.tools.call_ids, *(record.getMessage() for record in caplog.records)]
    assert len(lines) == 3
    assert all("forged" in line and line.isprintable() and len(line) < 300 for line in lines)
