"""The official MCP client for Python, over both transports of HTTP and in both eras."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx2
import pytest
from mcp import Client
from mcp.client.sse import sse_client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError

from tests.e2e.protocol.test_official_client import SHOP, call, ref, text_of
from tests.e2e.support.http_client import HttpServer
from tests.site import Site
from viewpoint_mcp.tools.catalog import offered_tools

SESSIONLESS_VERSION = "2026-07-28"
WAYS = ["auto", "legacy", SESSIONLESS_VERSION, "sse"]

pytestmark = pytest.mark.time_limit(60)


@asynccontextmanager
async def connect(server: HttpServer, way: str) -> AsyncIterator[Client]:
    async with server.http() as http:
        transport = (
            sse_client(f"{server.url}/sse", headers=server.key_header)
            if way == "sse"
            else streamable_http_client(f"{server.url}/mcp", http_client=http)
        )
        async with Client(transport, mode="legacy" if way == "sse" else way) as client:
            yield client


async def context_arguments(client: Client) -> dict[str, str]:
    """Return the arguments that select the context: since 2026-07-28 a handle."""
    if client.protocol_version != SESSIONLESS_VERSION:
        return {}
    created = await call(client, "browser_context_create", name="mine")
    found = re.search(r"mine[\w-]{16,}", created)
    assert found, created
    return {"context": found[0]}


@pytest.mark.parametrize("way", WAYS)
async def test_the_client_runs_a_session(listening: HttpServer, site: Site, way: str) -> None:
    site.page("<h1>Thank you</h1>", path="/order")
    async with connect(listening, way) as client:
        assert client.protocol_version == (
            SESSIONLESS_VERSION if way in {"auto", SESSIONLESS_VERSION} else "2025-11-25"
        )
        listed = (await client.list_tools()).tools
        assert [tool.name for tool in listed] == [tool.name for tool in offered_tools(frozenset())]
        here = await context_arguments(client)
        page = await call(client, "browser_navigate", url=site.page(SHOP), **here)
        await call(client, "browser_type", ref=ref(page, 'textbox "Search"'), text="books", **here)
        done = await call(client, "browser_click", ref=ref(page, 'button "Order"'), **here)
        assert "/order?q=books" in done
        shot = await client.call_tool("browser_take_screenshot", {**here})
        assert not shot.is_error


@pytest.mark.parametrize("way", WAYS)
async def test_the_client_gets_failures(listening: HttpServer, way: str) -> None:
    async with connect(listening, way) as client:
        here = await context_arguments(client)
        result = await client.call_tool("browser_navigate", {"url": "http://", **here})
        assert result.is_error
        assert "is not a URL" in text_of(result)
        with pytest.raises(MCPError, match="Unknown tool: nothing"):
            await client.call_tool("nothing", {})


@pytest.mark.parametrize("way", WAYS)
async def test_the_client_receives_progress_and_cancels(
    listening: HttpServer, site: Site, way: str
) -> None:
    results: list[float] = []
    begun = asyncio.Event()

    async def hear(progress: float, total: float | None, message: str | None) -> None:
        results.append(progress)
        begun.set()

    async with connect(listening, way) as client:
        here = await context_arguments(client)
        await call(client, "browser_navigate", url=site.page("<h1>Here</h1>"), **here)
        arguments = {"time": 30, **here}
        waiting = asyncio.create_task(
            client.call_tool("browser_wait_for", arguments, progress_callback=hear)
        )
        await begun.wait()
        waiting.cancel()
        await asyncio.wait({waiting})
        assert "Here" in await call(client, "browser_snapshot", **here)
    assert results


async def test_its_session_ends_with_it(listening: HttpServer) -> None:
    ends: list[int] = []

    async def note(response: httpx2.Response) -> None:
        if response.request.method == "DELETE":
            ends.append(response.status_code)

    async with listening.http() as http:
        http.event_hooks = {"response": [note]}
        transport = streamable_http_client(f"{listening.url}/mcp", http_client=http)
        async with Client(transport, mode="legacy") as client:
            await client.list_tools()
    assert ends == [204]
