"""A browser that stops answering is closed after a timeout, and the next call starts another."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator

import pytest
from msgspec.structs import replace

from tests.browser.clients import Server
from tests.e2e.support.processes import find_descendants, wait_for_all_to_end
from tests.site import Site
from viewpoint_mcp.config.settings import Settings

PATIENCE = 3.0  # seconds; the next browser has to answer within this time too


@pytest.fixture
async def server(settings: Settings) -> AsyncIterator[Server]:
    """Return a server with a short timeout."""
    server = Server(replace(settings, timeouts=replace(settings.timeouts, answer=PATIENCE)))
    yield server
    await server.close()


async def test_a_hung_browser_is_closed_and_the_next_call_starts_another(
    server: Server, site: Site
) -> None:
    client = server.session()
    await client.go(site.page("<h1>In default</h1>"))
    await client.call("browser_context_create", name="a")
    await client.go(site.page("<h1>In a</h1>"))
    hung = server.browser._process
    assert hung is not None
    old = find_descendants(hung.pid)
    os.kill(hung.pid, signal.SIGSTOP)
    # One call sends a command, and the other only waits for an answer of the page.
    replies = await asyncio.gather(
        client.call("browser_snapshot"),
        client.call("browser_navigate", url=site.url("/x"), context="default"),
    )
    for reply in replies:
        assert reply.is_error
        assert "The browser hangs: no response for 3 s." in reply.sections["Error"]
        assert '"default", "a" are lost' in reply.sections["Error"]
    again = await client.go(site.page("<h1>Next</h1>"))
    assert "Next" in again.sections["Snapshot"]
    assert again.sections["Events"] == "- The browser hung and was started again."
    assert await wait_for_all_to_end(old, 10)
    await client.runner.close()


async def test_a_navigation_that_times_out_meanwhile_blames_the_browser_and_not_the_site(
    settings: Settings, site: Site
) -> None:
    timeouts = replace(settings.timeouts, answer=PATIENCE, navigation=PATIENCE)
    server = Server(replace(settings, timeouts=timeouts))
    try:
        client = server.session()
        await client.go(site.page("<h1>Before</h1>"))
        hung = server.browser._process
        assert hung is not None
        os.kill(hung.pid, signal.SIGSTOP)
        reply = await client.call("browser_navigate", url=site.url("/x"))
        assert "The browser hangs: no response for 3 s." in reply.sections["Error"]
        await client.runner.close()
    finally:
        await server.close()
