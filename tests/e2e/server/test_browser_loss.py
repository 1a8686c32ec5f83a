"""The browser or a renderer crashes: the reply reports it, and the next call works."""

from __future__ import annotations

import asyncio
import os
import signal
import stat
from pathlib import Path

import pytest

from tests.e2e.conftest import StartServer
from tests.e2e.support.client import StdioClient
from tests.e2e.support.processes import POLL, find_browser, find_renderers, kill_browser
from tests.site import Site


async def test_the_death_of_the_browser_during_a_call_is_reported_at_once(
    spawned: StdioClient, site: Site
) -> None:
    await spawned.call("browser_navigate", url=site.page("<h1>Here</h1>"))
    call = asyncio.create_task(spawned.call("browser_wait_for", text="never", within=10))
    await spawned.request("ping")
    os.kill(find_browser(spawned.process.pid), signal.SIGKILL)
    reply = await call
    assert reply.is_error
    assert "The browser is gone." in reply.sections["Error"]
    assert "The next call starts it again." in reply.sections["Error"]
    assert "127.0.0.1" not in reply.text
    # And not once more, before there is news.
    assert "Events" not in (await spawned.call("browser_tabs", action="list")).sections


async def test_after_the_loss_the_next_call_works_and_reports_the_loss(
    spawned: StdioClient, site: Site
) -> None:
    url = site.page("<h1>Here</h1>")
    await spawned.call("browser_navigate", url=url)
    await kill_browser(spawned)
    reply = await spawned.call("browser_navigate", url=url)
    assert "Here" in reply.sections.get("Snapshot", ""), reply.text
    assert (
        "- The browser exited and was started again. All refs are void;" in reply.sections["Events"]
    )


@pytest.mark.prove
async def test_no_reply_pretends_that_the_page_is_still_there(
    spawned: StdioClient, site: Site
) -> None:
    await spawned.call("browser_navigate", url=site.page("<h1>Here</h1>"))
    await kill_browser(spawned)
    reply = await spawned.call("browser_snapshot")
    assert "Here" not in reply.text
    assert "The browser" in reply.text


async def test_the_loss_is_reported_once(spawned: StdioClient, site: Site) -> None:
    url = site.page("<h1>Here</h1>")
    await spawned.call("browser_navigate", url=url)
    await kill_browser(spawned)
    await spawned.call("browser_navigate", url=url)
    reply = await spawned.call("browser_navigate", url=url)
    assert "Events" not in reply.sections


@pytest.mark.prove
async def test_tabs_of_a_lost_browser_are_not_listed(spawned: StdioClient, site: Site) -> None:
    await spawned.call("browser_navigate", url=site.page("<h1>Here</h1>"))
    await kill_browser(spawned)
    listed = await spawned.call("browser_tabs", action="list")
    assert "127.0.0.1" not in listed.text


async def test_a_crashed_page_says_so(spawned: StdioClient, site: Site) -> None:
    await crash(spawned, site)
    reply = await spawned.call("browser_evaluate", function="1", within=10)
    assert reply.is_error
    assert "The page crashed." in reply.sections["Error"]
    assert "- Page status: crashed" in reply.sections["Page"]


@pytest.mark.prove
async def test_a_crashed_page_is_marked_in_the_list_of_tabs(
    spawned: StdioClient, site: Site
) -> None:
    await crash(spawned, site)
    await spawned.call("browser_snapshot", within=10)
    listed = await spawned.call("browser_tabs", action="list")
    assert listed.sections["Result"].endswith("[crashed]")


async def test_a_crashed_page_can_be_navigated_again(spawned: StdioClient, site: Site) -> None:
    await crash(spawned, site)
    reply = await spawned.call("browser_navigate", url=site.page("<h1>Next</h1>"), within=15)
    assert not reply.is_error, reply.text
    assert "Next" in reply.sections["Snapshot"]
    assert "crashed" not in reply.text


async def test_a_page_that_crashes_in_the_middle_of_a_call_ends_it(
    spawned: StdioClient, site: Site
) -> None:
    await spawned.call("browser_navigate", url=site.page("<h1>Here</h1>"))
    call = asyncio.create_task(spawned.call("browser_wait_for", text="never", within=10))
    await spawned.request("ping")
    kill_renderers(spawned)
    reply = await call
    assert reply.is_error
    assert "The page crashed." in reply.sections["Error"]


@pytest.mark.prove
async def test_a_page_that_crashes_on_load_is_reported(
    open_server: StartServer, tmp_path: Path
) -> None:
    async with open_server("--allow-unrestricted-file-access", cwd=tmp_path) as server:
        await server.initialize()
        reply = await server.call("browser_navigate", url="chrome://crash", within=20)
        assert reply.is_error
        later = await server.call("browser_navigate", url="data:text/html,<h1>Next", within=15)
        assert "Next" in later.sections["Snapshot"]


async def test_an_executable_that_does_not_exist_is_an_error_of_the_call(
    open_server: StartServer, tmp_path: Path
) -> None:
    async with open_server("--executable-path=/no/such/chromium", cwd=tmp_path) as server:
        await server.initialize()
        reply = await server.call("browser_navigate", url="about:blank")
        assert reply.is_error
        assert (
            "The browser /no/such/chromium, named by --executable-path, does not exist."
            in reply.sections["Error"]
        )
        assert await server.tools()


async def test_an_executable_that_fails_is_quoted(open_server: StartServer, tmp_path: Path) -> None:
    script = tmp_path / "chromium"
    script.write_text("#!/bin/sh\necho my last words >&2\nexit 3\n")
    script.chmod(script.stat().st_mode | stat.S_IXUSR)
    async with open_server(f"--executable-path={script}", cwd=tmp_path) as server:
        reply = await server.call("browser_navigate", url="about:blank")
        assert reply.is_error
        assert "exited at once with status 3" in reply.sections["Error"]
        assert "my last words" in reply.sections["Error"]
        assert await server.request("ping") == {}


async def crash(server: StdioClient, site: Site) -> None:
    """Have the page of a server crash, and the server know."""
    await server.call("browser_navigate", url=site.page("<h1>Here</h1>"))
    kill_renderers(server)
    while not await is_told_to_have_crashed(server):  # noqa: ASYNC110 - no event
        await asyncio.sleep(POLL)


async def is_told_to_have_crashed(server: StdioClient) -> bool:
    return "crashed" in (await server.call("browser_tabs", action="list")).text


def kill_renderers(server: StdioClient) -> None:
    renderers = find_renderers(server.process.pid)
    assert renderers
    for pid in renderers:
        os.kill(pid, signal.SIGKILL)
