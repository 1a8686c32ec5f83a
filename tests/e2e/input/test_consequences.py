"""The reply to a click reports its consequences. The matrix covers late ones."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from tests.e2e.conftest import Hold, OpenHere, Show
from tests.e2e.support.client import Reply, ServerClient
from tests.site import Site


async def click(server: ServerClient, page: Reply, name: str = "A", within: float = 30) -> Reply:
    return await server.call("browser_click", ref=page.ref("button", name), within=within)


def button(script: str) -> str:
    return f'<button onclick="{script}">A</button><p id=p>before</p>'


async def test_a_change_during_a_fetch_does_not_end_the_wait(
    shared_server: ServerClient, show: Show, hold: Hold
) -> None:
    hold("/slow", "fetched", seconds=0.6)
    script = (
        "p.textContent = 'loading';fetch('/slow').then(r => r.text()).then(t => p.textContent = t)"
    )
    reply = await click(shared_server, await show(button(script)))
    assert "fetched" in reply.sections["Snapshot"]
    assert "loading" not in reply.sections["Snapshot"]


async def test_a_link_is_followed_to_its_page(
    shared_server: ServerClient, show: Show, hold: Hold
) -> None:
    url = hold("/next", "<title>Next</title><h1>There</h1>", seconds=0.3)
    page = await show("<a href=/next>Go</a>")
    reply = await shared_server.call("browser_click", ref=page.ref("link", "Go"))
    assert reply.sections["Page"] == f"- Page URL: {url}\n- Page Title: Next"
    assert "There" in reply.sections["Snapshot"]


async def test_a_navigation_is_reported_once(
    shared_server: ServerClient, show: Show, site: Site
) -> None:
    url = site.page("<h1>There</h1>", path="/next")
    page = await show("<a href=/next>Go</a>")
    reply = await shared_server.call("browser_click", ref=page.ref("link", "Go"))
    assert f"- Page URL: {url}" in reply.sections["Page"]
    assert reply.text.count(url) == 1
    later = await shared_server.call("browser_hover", ref="h1")
    assert "Page" not in later.sections
    await shared_server.call("browser_evaluate", function="() => { document.title = 'Now' }")
    changed = await shared_server.call("browser_hover", ref="h1")
    assert changed.sections["Page"] == f"- Page URL: {url}\n- Page Title: Now"


async def test_a_navigation_is_an_event_in_a_reply_without_the_page(
    shared_server: ServerClient, show: Show, site: Site
) -> None:
    url = site.page("<h1>There</h1>", path="/next")
    await show("<h1>Here</h1>")
    leave = "() => { location = '/next'; return 1 }"
    reply = await shared_server.call("browser_evaluate", function=leave)
    replies = [reply, await shared_server.call("browser_console_messages")]
    assert any(f"Navigated to {url}" in each.sections.get("Events", "") for each in replies)


async def test_push_state_changes_the_url_in_the_reply(
    shared_server: ServerClient, show: Show, site: Site
) -> None:
    page = await show(button("history.pushState(0, '', '/pushed'); p.append('after')"))
    reply = await click(shared_server, page)
    assert f"- Page URL: {site.url('/pushed')}" in reply.sections["Page"]
    assert "after" in reply.sections["Snapshot"]
    assert reply.ref("button", "A") == page.ref("button", "A")


async def test_an_element_that_its_click_removes_is_gone_from_the_snapshot(
    shared_server: ServerClient, show: Show
) -> None:
    page = await show("<button onclick=this.remove()>A</button><p>rest</p>")
    reply = await click(shared_server, page)
    assert reply.sections["Result"] == 'Clicked button "A"'
    after = await shared_server.call("browser_snapshot")
    assert "button" not in after.sections["Snapshot"]


@pytest.mark.timing
async def test_a_link_to_a_response_without_content_keeps_the_page(
    shared_server: ServerClient, show: Show, site: Site
) -> None:
    site.respond("/nothing", status=204)
    page = await show("<title>Old</title><a href=/nothing>Go</a>")
    start = time.monotonic()
    reply = await shared_server.call("browser_click", ref=page.ref("link", "Go"))
    assert time.monotonic() - start < 4
    assert "Page" not in reply.sections


async def test_a_link_to_a_refused_connection_says_so(
    shared_server: ServerClient, show: Show
) -> None:
    page = await show("<a href='http://127.0.0.1:9/'>Go</a>")
    reply = await shared_server.call("browser_click", ref=page.ref("link", "Go"))
    assert "- Page URL: http://127.0.0.1:9/" in reply.sections["Page"]
    assert "ERR_UNSAFE_PORT" in reply.text


@pytest.mark.timing
async def test_a_click_that_runs_no_script_returns_at_once(
    shared_server: ServerClient, show: Show
) -> None:
    page = await show("<button>A</button>")
    start = time.monotonic()
    for _ in range(5):
        await click(shared_server, page)
    # Waiting for script that might still do something would take half a second each time.
    assert time.monotonic() - start < 2


@pytest.mark.prove
async def test_a_request_that_never_ends_is_waited_for_only_once(
    shared_server: ServerClient, show: Show, site: Site, hold: Hold
) -> None:
    url = hold("/never")
    page = await show(button("fetch('/never')"))
    reply = await click(shared_server, page, within=10)
    assert reply.sections["Events"] == f"- The page still waits for a response from {url}"
    again = await click(shared_server, page, within=10)
    assert "Events" not in again.sections


async def test_a_navigation_that_never_answers_ends_in_an_error(
    open_here: OpenHere, site: Site, hold: Hold, tmp_path: Path
) -> None:
    hold("/never")
    url = site.page("<a href=/never>Go</a>")
    async with open_here("--timeout-navigation=1500", cwd=tmp_path) as server:
        page = await server.call("browser_navigate", url=url)
        reply = await server.call("browser_click", ref=page.ref("link", "Go"), within=10)
        assert reply.is_error
        assert "did not answer within 1.5 s" in reply.sections["Error"]
        again = await server.call("browser_navigate", url=url, within=10)
        assert again.ref("link", "Go")
