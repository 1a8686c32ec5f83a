"""The extra headers of a context reach the server with every request."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from tests.browser.network.workers import ASK, asking, serve_workers
from tests.site import Site
from viewpoint_mcp.browser.client_workspace import Workspace
from viewpoint_mcp.browser.context import Context, ContextOptions
from viewpoint_mcp.config.settings import Emulation

EXTRA = {"X-Extra": "a=1; 2", "Authorization": "Bearer abc"}


@pytest.fixture
async def extra(launched: Workspace) -> AsyncIterator[Context]:
    """Return a new context with extra headers."""
    options = ContextOptions(emulation=Emulation(extra_headers=EXTRA))
    yield await launched.create_context("extra headers", options)
    await launched.close_context("extra headers")


def received(site: Site, path: str) -> list[tuple[str | None, str | None]]:
    """Return both headers of each request to a path."""
    return [
        (each.headers.get("X-Extra"), each.headers.get("Authorization"))
        for each in site.requests(path)
    ]


EXPECTED = [tuple(EXTRA.values())]


@pytest.mark.parametrize("place", ASK)
async def test_requests_of_every_place_carry_them(extra: Context, site: Site, place: str) -> None:
    api = site.respond("/api", "of the server")
    page = await extra.get_active_page()
    await page.navigate(serve_workers(site))
    assert await page.evaluate(asking(place, api)) == "of the server"
    assert received(site, "/api") == EXPECTED
    for path in ("/workers", "/frame", "/dedicated.js"):
        assert received(site, path) == EXPECTED, path


async def test_the_first_requests_of_a_popup_and_a_frame_of_another_site_carry_them(
    extra: Context, site: Site
) -> None:
    script = "<script>fetch('/by-frame').then(() => parent.postMessage('done', '*'))</script>"
    site.respond("/by-frame")
    inner = site.page(script, path="/inner").replace("127.0.0.1", "localhost")
    popup = site.page("<p>Popup</p>", path="/popup")
    page = await extra.get_active_page()
    await page.navigate(site.page("<p>Main</p>", path="/main"))
    later = (
        "() => new Promise(r => { onmessage = e => r(e.data); const f = "
        f"document.createElement('iframe'); f.src = '{inner}'; document.body.append(f) }})"
    )
    assert await page.evaluate(later) == "done"
    await page.evaluate(
        f"() => new Promise(r => {{ const p = open({popup!r}); const look = () => "
        "p.document.readyState === 'complete' && p.location.href !== 'about:blank' "
        "? r('open') : setTimeout(look, 10); look() })"
    )
    for path in ("/main", "/inner", "/by-frame", "/popup"):
        assert received(site, path) == EXPECTED, path


async def test_the_handshake_of_a_web_socket_carries_them(extra: Context, site: Site) -> None:
    heads: list[bytes] = []

    async def refuse(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        heads.append(await reader.readuntil(b"\r\n\r\n"))
        writer.close()

    async with await asyncio.start_server(refuse, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        page = await extra.get_active_page()
        await page.navigate(site.page("<p>Main</p>"))
        url = f"ws://127.0.0.1:{port}/"
        script = (
            f"() => new Promise(r => {{ new WebSocket({url!r}).onerror = () => r('refused') }})"
        )
        assert await page.evaluate(script) == "refused"
    assert b"\r\nX-Extra: a=1; 2\r\n" in heads[0]


async def test_another_context_sends_none(launched: Workspace, site: Site) -> None:
    page = await (await launched.get_context()).get_active_page()
    await page.navigate(site.page("<p>Main</p>", path="/plain"))
    assert received(site, "/plain") == [(None, None)]
