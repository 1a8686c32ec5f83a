"""Many clients of one HTTP server, with and without sessions: each has its own state."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator

import httpx2
import pytest

from tests.e2e.support.client import Message, Reply
from tests.e2e.support.http_client import (
    HttpServer,
    events,
    sessionless_headers,
    sessionless_request,
)
from tests.site import Site

pytestmark = pytest.mark.time_limit(60)


@pytest.fixture
async def http(listening: HttpServer) -> AsyncIterator[httpx2.AsyncClient]:
    async with listening.http() as client:
        yield client


def message(tool: str, arguments: dict[str, object]) -> Message:
    return sessionless_request("tools/call", {"name": tool, "arguments": arguments})


async def call(http: httpx2.AsyncClient, tool: str, **arguments: object) -> Reply:
    """Call a tool in a request that belongs to no session."""
    asked = message(tool, arguments)
    async with http.stream(
        "POST", "/mcp", json=asked, headers=sessionless_headers(asked)
    ) as response:
        assert response.status_code == 200
        if response.headers["content-type"] == "application/json":
            return Reply.of(json.loads(await response.aread())["result"])
        (answer,) = [each async for each in events(response) if "id" in each]
        return Reply.of(answer["result"])


async def context(http: httpx2.AsyncClient) -> str:
    created = await call(http, "browser_context_create", name="mine")
    found = re.search(r"mine[\w-]{16,}", created.text)
    assert found, created.text
    return found[0]


async def test_sessions_see_nothing_of_each_other(listening: HttpServer, site: Site) -> None:
    url = site.page("<h1>Here</h1>")
    async with listening.client() as one, listening.client() as other:
        mine, theirs = await asyncio.gather(
            one.call("browser_navigate", url=f"{url}?one"),
            other.call("browser_navigate", url=f"{url}?other"),
        )
        assert "?one" in mine.text
        assert "?other" in theirs.text
        await one.call("browser_evaluate", function="() => { document.cookie = 'mine=1' }")
        seen = await other.call("browser_evaluate", function="() => document.cookie")
        assert "mine" not in seen.text
        assert "?other" in (await other.call("browser_snapshot")).text


async def test_a_deleted_session_leaves_the_others_alone(listening: HttpServer, site: Site) -> None:
    url = site.page("<h1>Here</h1>")
    async with listening.client() as one, listening.client() as other:
        await asyncio.gather(*(each.call("browser_navigate", url=url) for each in (one, other)))
        await one.http.delete("/mcp", headers=one.headers)
        assert 'heading "Here"' in (await other.call("browser_snapshot")).text


async def test_a_client_that_reconnects_finds_its_page(listening: HttpServer, site: Site) -> None:
    async with listening.client() as client:
        await client.call("browser_navigate", url=site.page("<h1>Here</h1>"))
        async with listening.http() as again:
            client.http = again
            assert 'heading "Here"' in (await client.call("browser_snapshot")).text


async def test_without_a_session_a_context_is_named_by_its_handle(
    http: httpx2.AsyncClient, site: Site
) -> None:
    handle = await context(http)
    page = await call(http, "browser_navigate", url=site.page("<button>Buy"), context=handle)
    clicked = await call(http, "browser_click", ref=page.ref("button", "Buy"), context=handle)
    assert not clicked.is_error
    assert (await call(http, "browser_snapshot", context="mine")).is_error
    assert not (await call(http, "browser_context_close", name=handle)).is_error
    assert (await call(http, "browser_snapshot", context=handle)).is_error


@pytest.mark.time_limit(25)  # the call that is cancelled would take 30
async def test_leaving_cancels_a_call_without_a_session(
    http: httpx2.AsyncClient, site: Site
) -> None:
    handle = await context(http)
    await call(http, "browser_navigate", url=site.page("<h1>Here</h1>"), context=handle)
    long = message("browser_wait_for", {"text": "Never", "context": handle})
    long["params"]["_meta"]["progressToken"] = 1
    async with http.stream(
        "POST", "/mcp", json=long, headers=sessionless_headers(long)
    ) as response:
        await anext(events(response))
    # A page takes its calls in turns; this one is no turn of it if the other still waits.
    assert 'heading "Here"' in (await call(http, "browser_snapshot", context=handle)).text
