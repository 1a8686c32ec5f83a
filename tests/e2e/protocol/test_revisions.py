"""All kinds of answers in each revision of the protocol, checked against the published schemas."""

from __future__ import annotations

import base64
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.conftest import StartServer
from tests.e2e.protocol.answer_shapes import (
    REVISIONS,
    SESSION_VERSION,
    SESSIONLESS_VERSION,
    Wrong,
    check,
)
from tests.e2e.protocol.revision_client import RevisionClient, envelope
from tests.e2e.support.client import Message, StdioClient

PAGE = "data:text/html,<title>Shop</title><h1>Shop</h1><script>console.log('hello')</script>"
DEFAULT_MOST = 16_000
SLIM_MOST = 4_000


@pytest.fixture(scope="module")
async def shop(
    open_server: StartServer, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[StdioClient]:
    """Return a server at a page, which has saved a screenshot, a snapshot and a PDF."""
    async with open_server("--caps=pdf", cwd=tmp_path_factory.mktemp("shop")) as server:
        await server.initialize()
        await server.call("browser_navigate", url=PAGE)
        await server.call("browser_take_screenshot", filename=".viewpoint-mcp-screenshots/a.png")
        await server.call("browser_snapshot", filename=".viewpoint-mcp/a.yml")
        await server.call("browser_pdf_save", filename=".viewpoint-mcp/a.pdf")
        yield server


@pytest.fixture(params=REVISIONS)
async def speaker(shop: StdioClient, request: pytest.FixtureRequest) -> RevisionClient:
    speaker = RevisionClient(shop, request.param)
    await speaker.begin()
    return speaker


def result(answer: Message, definition: str, speaker: RevisionClient) -> Any:
    """Check an answer and return its result."""
    check("JSONRPCResultResponse", answer, speaker.revision)
    check(definition, answer["result"], speaker.revision)
    if speaker.revision == SESSIONLESS_VERSION:
        assert answer["result"]["resultType"] == "complete"
        meta = answer["result"]["_meta"]
        assert meta["io.modelcontextprotocol/serverInfo"]["name"] == "viewpoint-mcp"
        assert ("ttlMs" in answer["result"]) is (definition != "CallToolResult")
    return answer["result"]


def kinds(result: Message) -> list[str]:
    return [block["type"] for block in result["content"]]


async def test_the_server_describes_itself(speaker: RevisionClient) -> None:
    answer = await speaker.begin()
    is_sessionless = speaker.revision == SESSIONLESS_VERSION
    reported = result(answer, "DiscoverResult" if is_sessionless else "InitializeResult", speaker)
    assert set(reported["capabilities"]) == {"tools", "resources"}
    assert "browser_snapshot" in reported["instructions"]
    if is_sessionless:
        assert set(reported["supportedVersions"]) == set(REVISIONS)
    else:
        assert reported["protocolVersion"] == speaker.revision
        assert ("title" in reported["serverInfo"]) is (speaker.revision >= "2025-06-18")
        assert (await speaker.answer("ping"))["result"] == {}


async def test_tools_are_listed_with_the_fields_of_the_revision(speaker: RevisionClient) -> None:
    tools = result(await speaker.answer("tools/list"), "ListToolsResult", speaker)["tools"]
    revision = speaker.revision
    hints = {"readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"}
    title = {"title"} if revision == "2025-03-26" else set()  # which had no other place for it
    for tool in tools:
        assert ("title" in tool) is (revision >= "2025-06-18")
        assert ("annotations" in tool) is (revision >= "2025-03-26")
        assert set(tool.get("annotations", title)) - hints == title
    assert any("outputSchema" in tool for tool in tools) is (revision >= "2025-06-18")


async def test_results_of_tools(speaker: RevisionClient) -> None:
    has_links = speaker.revision >= "2025-06-18"
    links = ["resource_link"] if has_links else []
    text = result(await speaker.call("browser_snapshot"), "CallToolResult", speaker)
    assert kinds(text) == ["text"]
    shown = await speaker.call("get_screenshot", {"name": "a.png"})
    images = result(shown, "CallToolResult", speaker)
    assert kinds(images) == ["text", "image", "image", *links]
    audiences = [block["annotations"]["audience"] for block in images["content"][1:3]]
    assert audiences == [["user", "assistant"], ["user"]]
    assert base64.b64decode(images["content"][2]["data"]).startswith(b"\x89PNG")
    for tool in ("list_screenshots", "browser_console_messages", "browser_tabs"):
        arguments = {"action": "list"} if tool == "browser_tabs" else {}
        data = result(await speaker.call(tool, arguments), "CallToolResult", speaker)
        assert ("structuredContent" in data) is has_links
        assert kinds(data) == ["text", *(links if tool == "list_screenshots" else [])]
    wrong = result(await speaker.call("browser_click", {"reff": "e1"}), "CallToolResult", speaker)
    assert wrong["isError"] is True
    assert "reff" in wrong["content"][0]["text"]


async def test_a_saved_file_is_linked(speaker: RevisionClient) -> None:
    """The text for the model contains the path. The link is for programs and people."""
    links = []
    for tool, arguments in (
        ("browser_take_screenshot", {"filename": ".viewpoint-mcp-screenshots/a.png"}),
        ("browser_snapshot", {"filename": ".viewpoint-mcp/a.yml"}),
        ("browser_pdf_save", {"filename": ".viewpoint-mcp/a.pdf"}),
        ("browser_take_screenshot", {"filename": "elsewhere.png"}),
    ):
        saved = result(await speaker.call(tool, arguments), "CallToolResult", speaker)
        links += [each["uri"] for each in saved["content"] if each["type"] == "resource_link"]
    expected = ["screenshots/a.png", "output/a.yml", "output/a.pdf"]
    if speaker.revision < "2025-06-18":
        assert links == []
        return
    assert links == [f"viewpoint://{each}" for each in expected]
    for uri in links:
        assert "result" in await speaker.answer("resources/read", {"uri": uri})


async def test_resources(speaker: RevisionClient) -> None:
    listed = result(await speaker.answer("resources/list"), "ListResourcesResult", speaker)
    is_new = speaker.revision >= "2025-06-18"
    for each in listed["resources"]:
        assert ("title" in each, "annotations" in each) == (is_new, is_new)
        content = await speaker.answer("resources/read", {"uri": each["uri"]})
        result(content, "ReadResourceResult", speaker)
    assert {each["mimeType"] for each in listed["resources"]} == {
        "image/png", "text/yaml", "application/pdf",
    }  # fmt: skip
    templates = await speaker.answer("resources/templates/list")
    assert result(templates, "ListResourceTemplatesResult", speaker)["resourceTemplates"]


@pytest.mark.parametrize(
    ("method", "params", "code", "sessionless_code"),
    [
        ("tools/call", {"name": "browser_fly"}, -32601, -32602),
        ("resources/read", {"uri": "viewpoint://output/none"}, -32002, -32602),
        ("tools/list", {"cursor": "2"}, -32602, -32602),
        ("no/such", {}, -32601, -32601),
    ],
)
async def test_errors(
    speaker: RevisionClient, method: str, params: Message, code: int, sessionless_code: int
) -> None:
    answer = await speaker.answer(method, params)
    check("JSONRPCErrorResponse", answer, speaker.revision)
    expected = sessionless_code if speaker.revision == SESSIONLESS_VERSION else code
    assert answer["error"]["code"] == expected


async def test_progress(speaker: RevisionClient) -> None:
    await speaker.call("browser_wait_for", {"time": 1.2}, progressToken="mine")
    (reported,) = speaker.notifications
    check("ProgressNotification", reported, speaker.revision)
    assert ("message" in reported["params"]) is (speaker.revision >= "2025-03-26")


async def test_the_schemas_of_a_revision_refuse_later_fields(shop: StdioClient) -> None:
    newest = RevisionClient(shop, SESSIONLESS_VERSION)
    for method, name in (
        ("tools/list", "ListToolsResult"),
        ("resources/list", "ListResourcesResult"),
    ):
        listed = (await newest.answer(method))["result"]
        check(name, listed, SESSIONLESS_VERSION)
        for revision in SESSION_VERSION:
            with pytest.raises(Wrong):
                check(name, listed, revision)


async def test_a_subscription_is_acknowledged_kept_open_and_cancelled(shop: StdioClient) -> None:
    speaker = RevisionClient(shop, SESSIONLESS_VERSION)
    request_id = await speaker.send("subscriptions/listen", {"notifications": {}})
    reported = await speaker.receive()
    check("SubscriptionsAcknowledgedNotification", reported, SESSIONLESS_VERSION)
    assert reported["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"] == request_id
    await shop.notify("notifications/cancelled", {"requestId": request_id, "_meta": envelope()})
    await speaker.answer("tools/list")  # and no answer to the other
    assert speaker.notifications == []


async def test_an_unsupported_version_is_reported_with_the_supported_ones(
    shop: StdioClient,
) -> None:
    speaker = RevisionClient(shop, SESSIONLESS_VERSION)
    answer = await speaker.answer("tools/list", {}, **envelope("2031-01-01"))
    check("UnsupportedProtocolVersionError", answer, SESSIONLESS_VERSION)
    assert answer["error"]["data"]["supported"][0] == SESSIONLESS_VERSION


async def test_each_request_is_served_in_its_own_revision(shop: StdioClient) -> None:
    old, new = RevisionClient(shop, "2025-03-26"), RevisionClient(shop, SESSIONLESS_VERSION)
    await old.begin()
    for _ in range(2):
        tools = result(await new.answer("tools/list"), "ListToolsResult", new)["tools"]
        assert "title" in tools[0]
        tools = result(await old.answer("tools/list"), "ListToolsResult", old)["tools"]
        assert "title" not in tools[0]
    assert (await new.answer("ping"))["error"]["code"] == -32601
    assert (await old.answer("ping"))["result"] == {}


@pytest.mark.parametrize(
    "meta",
    ["x", 7, [], {"progressToken": {}}, {"progressToken": True}, {"io.modelcontextprotocol/": 1}],
)
async def test_a_malformed_meta_of_an_older_request_is_ignored(
    shop: StdioClient, meta: object
) -> None:
    speaker = RevisionClient(shop, "2025-06-18")
    await speaker.begin()
    answer = await speaker.answer("tools/call", {"name": "browser_snapshot", "_meta": meta})
    assert "Shop" in result(answer, "CallToolResult", speaker)["content"][0]["text"]


@pytest.mark.parametrize("request_id", ["a", "", 0, -1, 2**53])
async def test_an_id_of_any_kind_is_returned_without_a_session(
    shop: StdioClient, request_id: object
) -> None:
    message = {"jsonrpc": "2.0", "id": request_id, "method": "server/discover"}
    await shop.send({**message, "params": {"_meta": envelope()}})
    answer = await shop.receive(within=10)
    assert answer["id"] == request_id
    check("DiscoverResult", answer["result"], SESSIONLESS_VERSION)


async def test_a_sessionless_batch_is_refused(shop: StdioClient) -> None:
    await RevisionClient(shop, "2025-11-25").begin()
    message = {"jsonrpc": "2.0", "id": "b", "method": "server/discover"}
    await shop.send([{**message, "params": {"_meta": envelope()}}])
    assert (await shop.receive(within=10))["error"]["code"] == -32600


@pytest.mark.parametrize(("flags", "most"), [((), DEFAULT_MOST), (("--tools=slim",), SLIM_MOST)])
async def test_the_list_of_tools_is_cheap_to_read(
    open_server: StartServer, tmp_path: Path, flags: tuple[str, ...], most: int
) -> None:
    params = {"_meta": envelope()}
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": params}
    async with open_server(*flags, cwd=tmp_path) as server:
        await server.send(message)
        listed = (await server.receive(within=20))["result"]
        assert len(_on_the_wire(listed)) <= most
        if flags:  # unlisted arguments are accepted too
            shot = await server.call("browser_take_screenshot", fullPage=True, type="jpeg")
            assert "(full page)" in shot.text


def _on_the_wire(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
