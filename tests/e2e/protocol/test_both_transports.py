"""A client gets the same results over stdio and over HTTP."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator

import pytest

from tests.e2e.conftest import OpenHttp, StartServer
from tests.e2e.support.client import McpClient, RpcFailure
from tests.site import Site

SHOP = """<title>Shop</title><h1>Shop</h1>
<input aria-label=Search><button onclick="confirm('Empty?')">Empty</button>
<button onclick="document.querySelector('h1').textContent = 'Sold'">Buy</button>"""


@pytest.fixture(scope="module", params=["stdio", "http"])
async def client(
    request: pytest.FixtureRequest,
    open_server: StartServer,
    open_http: OpenHttp,
    tmp_path_factory: pytest.TempPathFactory,
) -> AsyncIterator[McpClient]:
    cwd = tmp_path_factory.mktemp("server")
    if request.param == "stdio":
        async with open_server(cwd=cwd) as stdio:
            await stdio.initialize()
            yield stdio
    else:
        async with open_http(cwd=cwd) as server, server.client() as http:
            yield http


async def test_a_page_is_read_and_acted_on(client: McpClient, site: Site) -> None:
    page = await client.call("browser_navigate", url=site.page(SHOP))
    assert "- Page Title: Shop" in page.text
    bought = await client.call("browser_click", ref=page.ref("button", "Buy"))
    assert 'heading "Sold"' in bought.text
    typed = await client.call("browser_type", ref=page.ref("textbox", "Search"), text="ü🦊")
    assert "ü🦊" in typed.text


async def test_a_dialog_is_reported_and_answered(client: McpClient, site: Site) -> None:
    page = await client.call("browser_navigate", url=site.page(SHOP))
    asked = await client.call("browser_click", ref=page.ref("button", "Empty"))
    assert "browser_handle_dialog" in asked.sections["Modal state"]
    answered = await client.call("browser_handle_dialog", accept=False)
    assert not answered.is_error


async def test_a_picture_is_saved_shown_and_read(client: McpClient, site: Site) -> None:
    await client.call("browser_navigate", url=site.page(SHOP))
    saved = await client.call("browser_take_screenshot")
    assert "Screenshot saved to " in saved.text
    listed = await client.call("list_screenshots")
    link = next(block for block in listed.raw["content"] if block["type"] == "resource_link")
    small, whole = (await client.call("get_screenshot", name=link["name"])).images
    assert len(small) < len(whole)
    contents = (await client.request("resources/read", {"uri": link["uri"]}))["contents"]
    assert contents[0]["mimeType"] == "image/png"


async def test_a_large_reply_arrives_complete(client: McpClient, site: Site) -> None:
    await client.call("browser_navigate", url=site.page("<p>Here"))
    text = "x" * 30_000
    reply = await client.call("browser_evaluate", function=f"() => '{text}'")
    assert text in reply.text


async def test_failures_are_reported_with_their_kind(client: McpClient) -> None:
    wrong = await client.call("browser_click", ref=["e1"])
    assert wrong.is_error
    refused = await client.call("browser_navigate", url="file:///etc/passwd")
    assert refused.is_error
    with pytest.raises(RpcFailure, match="Unknown tool: nothing") as unknown:
        await client.request("tools/call", {"name": "nothing"})
    assert unknown.value.code == -32601


async def test_the_same_tools_are_listed(client: McpClient, stdio_listing: str) -> None:
    assert json.dumps(await client.request("tools/list")) == stdio_listing


@pytest.fixture(scope="module")
async def stdio_listing(open_server: StartServer, tmp_path_factory: pytest.TempPathFactory) -> str:
    async with open_server(cwd=tmp_path_factory.mktemp("listing")) as stdio:
        await stdio.initialize()
        return json.dumps(await stdio.request("tools/list"))
