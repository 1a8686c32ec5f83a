from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import orjson
import pytest

from viewpoint_mcp import logs
from viewpoint_mcp.files.places import Files
from viewpoint_mcp.files.shelf import Shelf
from viewpoint_mcp.rpc.dispatcher import Dispatcher
from viewpoint_mcp.rpc.errors import INVALID_PARAMS, INVALID_REQUEST, METHOD_NOT_FOUND
from viewpoint_mcp.server.lifecycle import UNSUPPORTED_VERSION, VERSION_KEY, VERSIONS
from viewpoint_mcp.server.session import McpServer
from viewpoint_mcp.tools.registry import UnknownTool
from viewpoint_mcp.tools.result import Reply


class Tools:
    """A runner with one tool that says what it was given, and one that hangs."""

    def __init__(self) -> None:
        self.listing: list[dict[str, Any]] = [{"name": "say", "inputSchema": {"type": "object"}}]
        self.call_ids: list[str] = []
        self.hanging = asyncio.Event()

    async def call(self, name: str, arguments: object) -> Reply:
        self.call_ids.append(logs.call_id.get())
        if name == "hang":
            self.hanging.set()
            await asyncio.Event().wait()
        if name != "say":
            raise UnknownTool(name)
        return Reply(f"got {arguments!r}", is_error=arguments is None)


class Client:
    """Speaks MCP to a server of its own."""

    def __init__(self, directory: Path) -> None:
        self.tools = Tools()
        self.sent: asyncio.Queue[bytes] = asyncio.Queue()
        shelf = Shelf(Files(directory, directory / "shots", directory / "out"))
        server = McpServer(self.tools, shelf, version="1.2.3")
        self.conversation = Dispatcher(server.open).open(self.sent.put_nowait)

    def say(self, method: str, params: Any = None, **rest: Any) -> None:
        message = {"jsonrpc": "2.0", "method": method, "params": params, **rest}
        self.conversation.receive(orjson.dumps(message))

    async def hear(self) -> Any:
        async with asyncio.timeout(5):
            return orjson.loads(await self.sent.get())

    async def result(self, method: str, params: Any = None) -> Any:
        self.say(method, params, id=1)
        return (await self.hear())["result"]

    async def error(self, method: str, params: Any = None) -> Any:
        self.say(method, params, id=1)
        return (await self.hear())["error"]


@pytest.fixture
async def client(tmp_path: Path) -> AsyncIterator[Client]:
    client = Client(tmp_path)
    async with client.conversation:
        yield client


@pytest.mark.parametrize("version", VERSIONS)
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
        client.say(method)
    client.say("notifications/cancelled", {"requestId": [1]})
    client.say("notifications/cancelled", {"requestId": 99})
    assert await client.result("ping") == {}
    assert client.sent.empty()


async def test_a_cancelled_call_is_not_answered(client: Client) -> None:
    client.say("tools/call", {"name": "hang"}, id="x")
    await client.tools.hanging.wait()
    client.say("notifications/cancelled", {"requestId": "x", "reason": "bored"})
    assert await client.result("ping") == {}
    await client.conversation.close()
    assert client.sent.empty()


async def test_a_request_that_brings_its_own_version_is_told_how_to_begin(client: Client) -> None:
    params: dict[str, Any] = {"_meta": {VERSION_KEY: "2026-07-28"}}
    error = await client.error("server/discover", params)
    assert error["code"] == UNSUPPORTED_VERSION
    assert error["data"] == {"supported": list(VERSIONS), "requested": "2026-07-28"}
    params = {**params, "protocolVersion": "2025-11-25"}
    assert (await client.result("initialize", params))["protocolVersion"] == "2025-11-25"


async def test_batches_are_served_after_the_one_version_that_has_them(client: Client) -> None:
    batch = b'[{"jsonrpc":"2.0","id":1,"method":"ping"}]'
    client.conversation.receive(batch)
    assert (await client.hear())["error"]["code"] == INVALID_REQUEST
    await client.result("initialize", {"protocolVersion": "2025-03-26"})
    client.conversation.receive(batch)
    assert await client.hear() == [{"jsonrpc": "2.0", "id": 1, "result": {}}]
    await client.result("initialize", {"protocolVersion": "2025-06-18"})
    client.conversation.receive(batch)
    assert (await client.hear())["error"]["code"] == INVALID_REQUEST


async def test_a_batch_right_behind_initialize_is_served(client: Client) -> None:
    client.say("initialize", {"protocolVersion": "2025-03-26"}, id=0)
    client.conversation.receive(b'[{"jsonrpc":"2.0","id":1,"method":"ping"}]')
    assert (await client.hear())["id"] == 0
    assert await client.hear() == [{"jsonrpc": "2.0", "id": 1, "result": {}}]


async def test_the_log_knows_which_call_it_speaks_of(client: Client) -> None:
    client.say("tools/call", {"name": "say"}, id="first")
    client.say("tools/call", {"name": "say"}, id=2)
    await client.hear()
    await client.hear()
    assert client.tools.call_ids == ["first", "2"]
    assert logs.call_id.get() == "-"
