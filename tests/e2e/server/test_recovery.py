"""A browser with several contexts dies or hangs, or one of its processes does."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from tests.e2e.conftest import Hold, StartServer
from tests.e2e.support.client import ServerClient, StdioClient
from tests.e2e.support.endless_scripts import LOOP
from tests.e2e.support.processes import (
    find_browser,
    find_descendants,
    find_renderers,
    kill_browser,
    wait_for_all_to_end,
    wait_until,
)
from tests.site import Site

pytestmark = pytest.mark.time_limit(60)

SILENCE = 30.0  # seconds; a browser that does not answer is killed after 10 to 18
LOST = 'the cookies and storage of the contexts "default", "a" are lost'


async def open_contexts(server: ServerClient, site: Site) -> None:
    """Open a page in `default` and one in "a", which is active then."""
    await server.call("browser_navigate", url=site.page("<h1>In default</h1>"))
    await server.call("browser_context_create", name="a")
    await server.call("browser_navigate", url=site.page("<h1>In a</h1>"))


@contextmanager
def stopped(pid: int) -> Iterator[None]:
    os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        try:
            os.kill(pid, signal.SIGCONT)
        except ProcessLookupError:
            pass


async def test_the_next_call_in_each_context_reports_what_was_lost_with_the_browser(
    spawned: StdioClient, site: Site
) -> None:
    await open_contexts(spawned, site)
    calls = [
        asyncio.create_task(spawned.call("browser_wait_for", text="never", context=name, within=10))
        for name in ("default", "a")
    ]
    await spawned.request("ping")
    os.kill(find_browser(spawned.process.pid), signal.SIGKILL)
    for reply in await asyncio.gather(*calls):
        assert reply.sections == {
            "Error": f"The browser is gone. All refs are void; {LOST}. "
            "The next call starts it again."
        }


@pytest.mark.prove
async def test_after_a_loss_the_default_context_is_active_and_the_others_are_reported_as_lost(
    spawned: StdioClient, site: Site
) -> None:
    await open_contexts(spawned, site)
    await kill_browser(spawned)
    expected = f"- The browser exited. All refs are void; {LOST}."
    assert expected in (await spawned.call("browser_tabs", action="list")).sections["Events"]
    for reply in (
        await spawned.call("browser_context_switch", name="a"),
        await spawned.call("browser_context_close", name="a"),
        await spawned.call("browser_snapshot", context="a"),
    ):
        assert 'Context "a" was lost: the browser exited.' in reply.sections["Error"]
        assert "browser_context_create" in reply.sections["Error"]
    listed = await spawned.call("browser_context_list")
    assert '"a"' not in listed.sections["Result"]
    assert '"name": "default", "isActive": true' in listed.sections["Result"]
    # A name that was never given is another matter, and one that was can be given again.
    never = await spawned.call("browser_context_switch", name="b")
    assert 'Context "b" does not exist.' in never.sections["Error"]
    await spawned.call("browser_context_create", name="a")
    again = await spawned.call("browser_snapshot", context="a")
    assert not again.is_error
    assert "In a" not in again.text


async def test_a_loss_between_calls_is_reported_by_the_next_call_that_works(
    spawned: StdioClient, site: Site
) -> None:
    await open_contexts(spawned, site)
    await kill_browser(spawned)
    reply = await spawned.call("browser_navigate", url=site.page("<h1>Next</h1>"))
    assert "Next" in reply.sections["Snapshot"]
    expected = f"- The browser exited and was started again. All refs are void; {LOST}."
    assert expected in reply.sections["Events"]


@pytest.mark.prove
@pytest.mark.time_limit(90)
async def test_a_hanging_browser_is_detected_killed_and_started_again(
    spawned: StdioClient, site: Site
) -> None:
    await open_contexts(spawned, site)
    browser = find_browser(spawned.process.pid)
    old = find_descendants(spawned.process.pid)
    with stopped(browser):
        # One call sends a command, and the other only waits for an answer of the page.
        calls = [
            asyncio.create_task(spawned.call("browser_snapshot", within=SILENCE)),
            asyncio.create_task(
                spawned.call(
                    "browser_navigate", url=site.url("/x"), context="default", within=SILENCE
                )
            ),
        ]
        for reply in await asyncio.gather(*calls):
            assert "The browser hangs: no response for" in reply.sections["Error"]
            assert LOST in reply.sections["Error"]
            assert set(reply.sections) == {"Error"}
        again = await spawned.call("browser_navigate", url=site.page("<h1>Next</h1>"))
        assert "Next" in again.sections["Snapshot"]
        assert again.sections["Events"] == "- The browser hung and was started again."
        assert await wait_for_all_to_end(old, 10)
    assert find_browser(spawned.process.pid) != browser


@pytest.mark.prove
@pytest.mark.timing
async def test_a_browser_that_hangs_does_not_delay_the_end(
    spawned: StdioClient, site: Site
) -> None:
    await open_contexts(spawned, site)
    old = find_descendants(spawned.process.pid)
    with stopped(find_browser(spawned.process.pid)):
        begun = asyncio.get_running_loop().time()
        assert await spawned.close() == 0
        assert asyncio.get_running_loop().time() - begun < 5
        assert await wait_for_all_to_end(old, 5)


@pytest.mark.prove
async def test_a_browser_that_only_pauses_is_kept(spawned: StdioClient, site: Site) -> None:
    await open_contexts(spawned, site)
    browser = find_browser(spawned.process.pid)
    with stopped(browser):
        call = asyncio.create_task(spawned.call("browser_evaluate", function="() => 1 + 1"))
        await asyncio.sleep(4)  # long enough for a health check
    assert (await call).sections["Result"] == "2"
    assert find_browser(spawned.process.pid) == browser


async def test_a_renderer_that_crashes_fails_only_its_own_call(
    spawned: StdioClient, site: Site, hold: Hold
) -> None:
    hold("/slow", "later", seconds=3)
    fetch = "<script>fetch('/slow').then(r => r.text()).then(t => document.body.append(t))</script>"
    await spawned.call("browser_navigate", url=site.page("<h1>In default</h1>"))
    before = set(find_renderers(spawned.process.pid))
    await spawned.call("browser_context_create", name="a")
    await spawned.call("browser_navigate", url=site.page("<h1>In a</h1>"))
    own = set(find_renderers(spawned.process.pid)) - before
    assert own
    dying = asyncio.create_task(spawned.call("browser_wait_for", text="never", context="a"))
    url = site.page(f"<body>{fetch}")
    living = asyncio.create_task(spawned.call("browser_navigate", url=url, context="default"))
    await spawned.request("ping")
    await wait_until(lambda: bool(site.requests("/slow") or site.requests("/page-3")))
    for pid in own:
        with suppress(ProcessLookupError):  # a spare renderer may have ended meanwhile
            os.kill(pid, signal.SIGKILL)
    reply = await dying
    assert "The page crashed." in reply.sections["Error"]
    assert "- Page status: crashed" in reply.sections["Page"]
    assert not (await living).is_error
    seen = await spawned.call("browser_wait_for", text="later", context="default")
    assert not seen.is_error, seen.text
    again = await spawned.call("browser_navigate", url=site.page("<h1>Again</h1>"), context="a")
    assert "Again" in again.sections["Snapshot"]
    # No state of the browser was lost.
    assert "Events" not in again.sections


@pytest.mark.prove
async def test_a_renderer_that_loops_blocks_only_its_own_page(
    spawned: StdioClient, site: Site
) -> None:
    await open_contexts(spawned, site)
    site.respond("/looping")
    await spawned.call("browser_evaluate", function=LOOP, context="a")
    await wait_until(lambda: bool(site.requests("/looping")))
    looping = asyncio.create_task(spawned.call("browser_snapshot", context="a"))
    other = await spawned.call("browser_snapshot", context="default")
    assert "In default" in other.sections["Snapshot"]
    reply = await looping
    assert reply.is_error
    assert "did not answer within" in reply.sections["Error"]
    assert "browser_navigate to leave it" in reply.sections["Error"]
    again = await spawned.call("browser_navigate", url=site.page("<h1>Again</h1>"), context="a")
    assert "Again" in again.sections["Snapshot"]
    assert "gone" not in again.text


async def kill_all(server: StdioClient, kind: str) -> None:
    """Kill the processes of the browser that have this in their command line."""
    found = {
        pid: each for pid, each in find_descendants(server.process.pid).items() if kind in each
    }
    assert found
    for pid in found:
        os.kill(pid, signal.SIGKILL)
    assert await wait_for_all_to_end(found, 10)


async def test_a_gpu_process_that_crashes_has_no_effect(spawned: StdioClient, site: Site) -> None:
    await open_contexts(spawned, site)
    browser = find_browser(spawned.process.pid)
    await kill_all(spawned, "--type=gpu-process")
    for name in ("default", "a"):
        picture = await spawned.call("browser_take_screenshot", context=name)
        assert not picture.is_error, picture.text
        reply = await spawned.call("browser_snapshot", context=name)
        assert f"In {name}" in reply.sections["Snapshot"]
    assert find_browser(spawned.process.pid) == browser


@pytest.mark.prove
async def test_a_network_process_that_crashes_affects_only_requests_in_progress(
    spawned: StdioClient, site: Site
) -> None:
    await open_contexts(spawned, site)
    browser = find_browser(spawned.process.pid)
    await kill_all(spawned, "--utility-sub-type=network")
    url = site.page("<h1>Next</h1>")
    for name in ("default", "a"):
        # Chromium drops the requests that it was about to send to the old one.
        first = await spawned.call("browser_navigate", url=url, context=name)
        assert "Next" in first.text or "could not be loaded: net::" in first.sections["Error"]
        second = await spawned.call("browser_navigate", url=url, context=name)
        assert not second.is_error, second.text
    assert find_browser(spawned.process.pid) == browser


@pytest.mark.prove
async def test_the_death_of_the_browser_while_a_context_is_made_or_closed_is_reported(
    spawned: StdioClient, site: Site
) -> None:
    await open_contexts(spawned, site)
    with stopped(find_browser(spawned.process.pid)):
        calls = [
            asyncio.create_task(spawned.call("browser_context_create", name="b")),
            asyncio.create_task(spawned.call("browser_context_close", name="a")),
            asyncio.create_task(spawned.call("browser_tabs", action="new", context="default")),
        ]
        await spawned.request("ping")
        os.kill(find_browser(spawned.process.pid), signal.SIGKILL)
    for reply in await asyncio.gather(*calls):
        assert "The browser is gone." in reply.sections["Error"]
        assert "The next call starts it again." in reply.sections["Error"]
    assert not (await spawned.call("browser_navigate", url="about:blank")).is_error


@pytest.mark.prove
async def test_a_crash_page_in_one_context_leaves_the_others_alone(
    open_server: StartServer, tmp_path: Path, site: Site
) -> None:
    async with open_server("--allow-unrestricted-file-access", cwd=tmp_path) as server:
        await server.initialize()
        await open_contexts(server, site)
        crashed = await server.call("browser_navigate", url="chrome://crash", context="a")
        assert crashed.is_error
        other = await server.call("browser_snapshot", context="default")
        assert "In default" in other.sections["Snapshot"]
        await wait_until(lambda: bool(find_renderers(server.process.pid)))
        url = site.page("<h1>Again</h1>")
        again = await server.call("browser_navigate", url=url, context="a")
        assert "Again" in again.sections["Snapshot"]
