"""The official MCP client for Python plays a session."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from mcp import Client, StdioServerParameters, stdio_client
from mcp.types import CallToolResult, ImageContent, ResourceLink, TextContent

from tests.site import Site
from viewpoint_mcp.tools.catalog import offered_tools

SHOP = """<title>Shop</title><h1>Shop</h1>
<form action=/order><input name=q aria-label=Search><button>Order</button></form>
<button onclick="confirm('Empty the cart?')">Empty</button>"""


@asynccontextmanager
async def connect(executable: str, cwd: Path, mode: str = "auto") -> AsyncIterator[Client]:
    flags = ["-m", "viewpoint_mcp", "--headless", "--executable-path", executable]
    parameters = StdioServerParameters(
        command=sys.executable, args=flags, cwd=cwd, env=dict(os.environ)
    )
    with (cwd / "stderr.txt").open("w") as log:
        async with Client(stdio_client(parameters, errlog=log), mode=mode) as client:
            yield client


def text_of(result: CallToolResult) -> str:
    return "\n".join(each.text for each in result.content if isinstance(each, TextContent))


async def call(client: Client, tool: str, **arguments: object) -> str:
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, text_of(result)
    return text_of(result)


def ref(text: str, label: str) -> str:
    found = re.search(rf"{re.escape(label)}.*?\[ref=(\w+)\]", text)
    assert found, text
    return found[1]


async def test_the_client_lists_the_tools(executable: str, tmp_path: Path) -> None:
    async with connect(executable, tmp_path) as client:
        listed = await client.list_tools()
    assert [tool.name for tool in listed.tools] == [
        tool.name for tool in offered_tools(frozenset())
    ]
    assert all(tool.annotations and tool.title for tool in listed.tools)


async def test_the_client_runs_a_session(executable: str, tmp_path: Path, site: Site) -> None:
    site.page("<h1>Thank you</h1>", path="/order")
    async with connect(executable, tmp_path) as client:
        page = await call(client, "browser_navigate", url=site.page(SHOP))
        asked = await call(client, "browser_click", ref=ref(page, 'button "Empty"'))
        assert '["confirm" dialog with message "Empty the cart?"]' in asked
        await call(client, "browser_handle_dialog", accept=True)
        await call(client, "browser_type", ref=ref(page, 'textbox "Search"'), text="two books")
        done = await call(client, "browser_click", ref=ref(page, 'button "Order"'))
        assert "/order?q=two+books" in done
        assert "Thank you" in done
        shot = await call(client, "browser_take_screenshot")
    assert "Screenshot saved to .viewpoint-mcp-screenshots/page-" in shot
    assert len(list((tmp_path / ".viewpoint-mcp-screenshots").glob("page-*"))) == 1


async def test_the_client_reads_a_screenshot_as_a_resource(
    executable: str, tmp_path: Path, site: Site
) -> None:
    async with connect(executable, tmp_path) as client:
        await call(client, "browser_navigate", url=site.page(SHOP))
        await call(client, "browser_take_screenshot")
        listed = await client.call_tool("list_screenshots", {})
        assert listed.structured_content  # which the client has validated
        link = next(block for block in listed.content if isinstance(block, ResourceLink))
        shown = await client.call_tool("get_screenshot", {"name": link.name})
    small, whole = (block for block in shown.content if isinstance(block, ImageContent))
    assert small.annotations
    assert small.annotations.audience == ["user", "assistant"]
    assert whole.annotations
    assert whole.annotations.audience == ["user"]
    assert whole.mime_type == link.mime_type == "image/png"


async def test_the_client_gets_a_failed_call_as_an_error_result(
    executable: str, tmp_path: Path
) -> None:
    async with connect(executable, tmp_path, mode="legacy") as client:
        result = await client.call_tool("browser_navigate", {"url": "http://"})
        without_data = await client.call_tool("browser_tabs", {"action": "select"})
    assert result.is_error
    assert "is not a URL" in text_of(result)
    assert without_data.is_error  # although the tool declares an output schema
    assert without_data.structured_content["error"]["code"] == "invalid_argument"
