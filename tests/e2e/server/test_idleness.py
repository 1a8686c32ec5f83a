"""--idle-timeout: an unused browser is closed, and the next call reports it."""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path

import pytest

from tests.e2e.conftest import StartServer
from tests.e2e.support.client import StdioClient
from tests.e2e.support.processes import LOST, find_browser, find_descendants, wait_until
from tests.site import Site

pytestmark = pytest.mark.time_limit(60)


async def idle(server: StdioClient) -> None:
    """Wait until the server has closed its browser."""
    await wait_until(lambda: not find_descendants(server.process.pid))
    pattern = f"viewpoint-mcp-profile-{server.process.pid}-*"
    await wait_until(lambda: not list(Path(tempfile.gettempdir()).glob(pattern)))


async def test_an_idle_browser_is_closed_and_the_lost_state_is_reported(
    open_server: StartServer, tmp_path: Path, site: Site
) -> None:
    async with open_server("--idle-timeout=1500", cwd=tmp_path) as server:
        page = await server.call("browser_navigate", url=site.page("<button>Press</button>"))
        await server.call("browser_context_create", name="a")
        await idle(server)
        expected = (
            "- The browser was closed after 1.5 s without a call and was started again. All refs "
            'are void; the cookies and storage of the contexts "default", "a" are lost.'
        )
        reply = await server.call("browser_navigate", url=site.page("<h1>Next</h1>"))
        assert "Next" in reply.sections["Snapshot"]
        assert expected in reply.sections["Events"]
        assert LOST not in server.stderr
        stale = await server.call("browser_click", ref=page.ref("button", "Press"))
        assert stale.is_error
        gone = await server.call("browser_context_switch", name="a")
        cause = 'Context "a" was lost: the browser was closed after 1.5 s without a call.'
        assert cause in gone.sections["Error"]


@pytest.mark.prove
async def test_the_closing_is_reported_even_if_no_browser_is_started_again(
    open_server: StartServer, tmp_path: Path, site: Site
) -> None:
    async with open_server("--idle-timeout=500", cwd=tmp_path) as server:
        await server.call("browser_navigate", url=site.page("<h1>Here</h1>"))
        await idle(server)
        reply = await server.call("browser_tabs", action="list")
        assert "No open tabs." in reply.sections["Result"]
        assert "The browser was closed after 0.5 s without a call." in reply.sections["Events"]
        assert find_descendants(server.process.pid) == {}


@pytest.mark.prove
async def test_closing_an_idle_browser_keeps_its_profile(
    open_server: StartServer, tmp_path: Path, site: Site
) -> None:
    url = site.page("<h1>Here</h1>")
    flags = ("--idle-timeout=1500", "--user-data-dir=profile")
    async with open_server(*flags, cwd=tmp_path) as server:
        await server.call("browser_navigate", url=url)
        script = "document.cookie = 'login=anna; max-age=3600'"
        await server.call("browser_evaluate", function=script)
        await idle(server)
        reply = await server.call("browser_navigate", url=url)
        assert "are lost" not in reply.sections["Events"]
        seen = await server.call("browser_evaluate", function="document.cookie")
        assert seen.sections["Result"] == "login=anna"


@pytest.mark.prove
async def test_a_browser_is_not_idle_during_a_call(
    open_server: StartServer, tmp_path: Path, site: Site
) -> None:
    async with open_server("--idle-timeout=1000", cwd=tmp_path) as server:
        await server.initialize()
        navigated = asyncio.create_task(
            server.call("browser_navigate", url=site.page("<h1>Here</h1>"))
        )
        await wait_until(lambda: bool(find_descendants(server.process.pid)))
        waited = await server.call("browser_wait_for", time=4)
        assert not waited.is_error
        await navigated
        # The idle time that a shorter call started at its end does not count.
        browser = find_browser(server.process.pid)
        waiting = asyncio.create_task(server.call("browser_wait_for", time=4))
        await server.call("browser_context_list")
        assert not (await waiting).is_error
        assert find_browser(server.process.pid) == browser


@pytest.mark.prove
async def test_a_call_during_the_closing_of_the_browser_is_answered(
    open_server: StartServer, tmp_path: Path, site: Site
) -> None:
    url = site.page("<h1>Here</h1>")
    async with open_server("--idle-timeout=1", cwd=tmp_path) as server:
        await server.initialize()
        for _ in range(4):
            reply = await server.call("browser_navigate", url=url)
            assert "Here" in reply.sections["Snapshot"], reply.text


async def test_the_end_of_the_server_waits_for_a_browser_that_is_being_closed(
    open_server: StartServer, tmp_path: Path
) -> None:
    async with open_server("--idle-timeout=1", cwd=tmp_path) as server:
        await server.call("browser_navigate", url="about:blank")
        assert await server.close() == 0
        await idle(server)
