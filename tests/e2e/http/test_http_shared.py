"""`--shared-browser-context`: sessions, and requests that belong to none, act in the same tabs."""

from __future__ import annotations

from pathlib import Path

import httpx2
import pytest

from tests.e2e.conftest import OpenHttp
from tests.e2e.support.client import Reply
from tests.e2e.support.http_client import sessionless_headers, sessionless_request
from tests.site import Site

pytestmark = pytest.mark.time_limit(60)


async def ask(http: httpx2.AsyncClient, tool: str, /, **arguments: str) -> Reply:
    """Call a tool by a request without a session."""
    message = sessionless_request("tools/call", {"name": tool, "arguments": arguments})
    response = await http.post("/mcp", json=message, headers=sessionless_headers(message))
    return Reply.of(response.json()["result"])


async def test_all_clients_use_the_same_contexts_with_the_flag(
    open_http: OpenHttp, tmp_path: Path, site: Site
) -> None:
    async with open_http("--shared-browser-context", cwd=tmp_path) as server:
        async with server.client() as one:
            await one.call("browser_navigate", url=site.page("<h1>Shared</h1>"))
        async with server.client() as two, server.http() as http:
            assert "Shared" in (await two.call("browser_snapshot")).text
            assert "Shared" in (await ask(http, "browser_snapshot")).text
