"""MCP over stdio: handshake, listing, cancellation, and invalid messages."""

from __future__ import annotations

import asyncio
import json
import re
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]
from werkzeug import Request, Response

from tests.e2e.conftest import StartServer
from tests.e2e.support.client import Reply, RpcFailure, StdioClient
from tests.e2e.support.processes import find_descendants
from tests.site import Site
from viewpoint_mcp.tools.catalog import offered_tools


@pytest.mark.parametrize("version", ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"])
async def test_each_revision_is_agreed_to(
    open_server: StartServer, tmp_path: Path, version: str
) -> None:
    async with open_server(cwd=tmp_path) as server:
        answer = await server.initialize(version)
        assert await server.request("ping") == {}
    assert answer["protocolVersion"] == version
    assert answer["serverInfo"]["name"] == "viewpoint-mcp"
    assert answer["capabilities"] == {
        "tools": {"listChanged": False},
        "resources": {"subscribe": False, "listChanged": False},
    }
    assert "browser_snapshot" in answer["instructions"]


async def test_an_unknown_revision_gets_the_latest(
    open_server: StartServer, tmp_path: Path
) -> None:
    async with open_server(cwd=tmp_path) as server:
        assert (await server.initialize("1999-01-01"))["protocolVersion"] == "2025-11-25"


async def test_the_tools_are_listed_in_a_fixed_order(shared_spawned: StdioClient) -> None:
    first, second = list(await shared_spawned.tools()), list(await shared_spawned.tools())
    assert first == second == [tool.name for tool in offered_tools(frozenset())]


async def test_the_first_tool_is_harmless_without_arguments(spawned: StdioClient) -> None:
    first, tool = next(iter((await spawned.tools()).items()))
    assert tool["annotations"]["readOnlyHint"]
    reply = await spawned.call(first)
    assert isinstance(reply, Reply)


async def test_every_tool_is_listed_with_all_that_clients_need(
    shared_spawned: StdioClient,
) -> None:
    for name, tool in (await shared_spawned.tools()).items():
        assert re.fullmatch(r"[a-zA-Z0-9_]{1,64}", name)
        assert tool["title"]
        assert tool["description"].endswith(".")
        assert {"readOnlyHint", "destructiveHint"} & set(tool["annotations"]), name
        assert tool["inputSchema"]["type"] == "object", name
        assert tool["inputSchema"]["additionalProperties"] is False, name
        assert "$ref" not in json.dumps(tool["inputSchema"]), name
        Draft202012Validator.check_schema(tool["inputSchema"])


async def test_every_argument_has_a_type(shared_spawned: StdioClient) -> None:
    for name, tool in (await shared_spawned.tools()).items():
        for argument, schema in tool["inputSchema"].get("properties", {}).items():
            for each in schema.get("anyOf", [schema]):
                assert each["type"] in {
                    "string", "boolean", "integer", "number", "array", "object", "null",
                }, (name, argument)  # fmt: skip


async def test_requests_that_need_no_browser_start_none(spawned: StdioClient) -> None:
    await spawned.tools()
    await spawned.request("ping")
    assert (await spawned.call("browser_click")).is_error
    await spawned.call("browser_close")
    assert find_descendants(spawned.process.pid) == {}


async def test_an_unknown_tool_is_an_error(shared_spawned: StdioClient) -> None:
    with pytest.raises(RpcFailure) as failure:
        await shared_spawned.call("browser_fly")
    assert failure.value.code == -32601
    assert failure.value.message == "Unknown tool: browser_fly"
    with pytest.raises(RpcFailure, match="needs Playwright") as failure:
        await shared_spawned.call("browser_run_code_unsafe")
    assert failure.value.code == -32601


async def test_an_unknown_method_is_an_error(shared_spawned: StdioClient) -> None:
    with pytest.raises(RpcFailure) as failure:
        await shared_spawned.request("no/such")
    assert failure.value.code == -32601


async def test_a_call_without_a_tool_is_an_error(shared_spawned: StdioClient) -> None:
    with pytest.raises(RpcFailure) as failure:
        await shared_spawned.request("tools/call", {"arguments": {}})
    assert failure.value.code == -32602


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (b"not json", -32700),
        (b'{"jsonrpc": "2.0", "id": 1', -32700),
        (b"\x00\xff\xfe\x80binary\x01", -32700),
        (b"[" * 50_000, -32700),
        (b"[]", -32600),
        (b"42", -32600),
        (b'{"id": "x", "method": "ping"}', -32600),
        (b'{"jsonrpc": "2.0", "id": {}, "method": "ping"}', -32600),
        (b'{"jsonrpc": "2.0", "id": "x", "method": 7}', -32600),
        (b'{"jsonrpc": "2.0", "id": "x", "method": "ping", "params": 7}', -32600),
    ],
)
async def test_a_malformed_line_is_answered_and_survived(
    shared_spawned: StdioClient, line: bytes, code: int
) -> None:
    await shared_spawned.send_line(line)
    answer = await shared_spawned.receive(within=10)
    assert answer["error"]["code"] == code
    assert await shared_spawned.request("ping") == {}


async def test_a_line_that_is_too_long_is_answered_and_survived(
    shared_spawned: StdioClient,
) -> None:
    await shared_spawned.send_line(b"x" * (17 * 1024 * 1024))
    answer = await shared_spawned.receive(within=20)
    assert answer["error"]["code"] == -32600
    assert "longer than" in answer["error"]["message"]
    assert await shared_spawned.request("ping") == {}


async def test_blank_lines_and_carriage_returns_are_ignored(shared_spawned: StdioClient) -> None:
    await shared_spawned.send_line(b"\r\n\n")
    await shared_spawned.send_line(b'{"jsonrpc": "2.0", "id": "cr", "method": "ping"}\r')
    assert await shared_spawned.receive(within=5) == {"jsonrpc": "2.0", "id": "cr", "result": {}}


@pytest.mark.parametrize("request_id", ["a string", "", 0, -7, 2**53, 1.5])
async def test_an_id_of_any_legal_kind_is_returned_unchanged(
    shared_spawned: StdioClient, request_id: object
) -> None:
    await shared_spawned.send({"jsonrpc": "2.0", "id": request_id, "method": "ping"})
    assert (await shared_spawned.receive(within=5))["id"] == request_id


async def test_a_notification_that_is_unknown_is_ignored(shared_spawned: StdioClient) -> None:
    await shared_spawned.notify("notifications/no/such", {"a": 1})
    assert await shared_spawned.request("ping") == {}


async def test_half_a_surrogate_pair_in_an_argument_causes_no_failure(
    shared_spawned: StdioClient,
) -> None:
    await shared_spawned.call("browser_navigate", url="data:text/html,<input>")
    arguments = {"ref": "input", "text": "a\ud83d"}
    params = {"name": "browser_type", "arguments": arguments}
    message = {"jsonrpc": "2.0", "id": "s", "method": "tools/call", "params": params}
    await shared_spawned.send(message)
    answer = await shared_spawned.receive(within=10)
    assert answer["id"] == "s"
    assert await shared_spawned.request("ping") == {}


@pytest.mark.timing
async def test_a_cancelled_call_gets_no_answer_and_the_next_call_works(
    shared_spawned: StdioClient, site: Site
) -> None:
    await shared_spawned.call("browser_navigate", url=site.page("<h1>Here</h1>"))
    await shared_spawned.send(_call("wait", "browser_wait_for", time=20))
    await shared_spawned.notify("notifications/cancelled", {"requestId": "wait"})
    start = time.monotonic()
    reply = await shared_spawned.call("browser_snapshot")
    assert time.monotonic() - start < 5
    assert "Here" in reply.sections["Snapshot"]
    with pytest.raises(AssertionError, match=r"waited 0\.3 s"):
        await shared_spawned.receive(within=0.3)


async def test_a_cancelled_navigation_leaves_a_page_that_works(
    shared_spawned: StdioClient, site: Site
) -> None:
    asked, ended = threading.Event(), threading.Event()

    def hold(request: Request) -> Response:
        asked.set()
        ended.wait(30)
        return Response("late")

    await shared_spawned.send(_call("go", "browser_navigate", url=site.handle("/held", hold)))
    assert await asyncio.to_thread(asked.wait, 10)
    await shared_spawned.notify("notifications/cancelled", {"requestId": "go"})
    reply = await shared_spawned.call("browser_navigate", url=site.page("<h1>Next</h1>"), within=10)
    ended.set()
    assert "Next" in reply.sections["Snapshot"]


async def test_cancelling_an_unknown_call_is_ignored(shared_spawned: StdioClient) -> None:
    await shared_spawned.notify("notifications/cancelled", {"requestId": "nothing"})
    await shared_spawned.notify("notifications/cancelled", {})
    assert await shared_spawned.request("ping") == {}


async def test_concurrent_calls_are_all_answered(shared_spawned: StdioClient, site: Site) -> None:
    script = "document.body.append(document.body.innerText.length + ' ')"
    await shared_spawned.call("browser_navigate", url=site.page("<body>"))
    calls = [shared_spawned.call("browser_evaluate", function=script) for _ in range(10)]
    replies = await asyncio.gather(*calls, shared_spawned.request("ping"))
    assert not any(reply.is_error for reply in replies if isinstance(reply, Reply))
    seen = await shared_spawned.call("browser_evaluate", function="document.body.innerText")
    assert len(seen.sections["Result"].split()) == 10


async def test_two_first_calls_at_once_start_one_browser(spawned: StdioClient, site: Site) -> None:
    url = site.page("<h1>Here</h1>")
    await asyncio.gather(*(spawned.call("browser_navigate", url=url) for _ in range(2)))
    listed = await spawned.call("browser_tabs", action="list")
    assert len(listed.sections["Result"].splitlines()) == 1


async def test_calls_before_the_handshake_are_served(
    open_server: StartServer, tmp_path: Path
) -> None:
    async with open_server(cwd=tmp_path) as server:
        assert await server.tools()


async def test_a_batch_is_answered_where_the_revision_has_batches(
    open_server: StartServer, tmp_path: Path
) -> None:
    batch = [{"jsonrpc": "2.0", "id": name, "method": "ping"} for name in ("a", "b")]
    async with open_server(cwd=tmp_path) as server:
        await server.initialize("2025-03-26")
        await server.send(batch)
        answers: Any = await server.receive(within=5)
    assert sorted(answer["id"] for answer in answers) == ["a", "b"]


def _call(request_id: str, tool: str, **arguments: object) -> dict[str, object]:
    params = {"name": tool, "arguments": arguments}
    return {"jsonrpc": "2.0", "id": request_id, "method": "tools/call", "params": params}
