"""What a click causes is in its reply, however late it comes, and nothing is waited for in vain."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from tests.e2e.client import Reply, StdioClient
from tests.e2e.conftest import Hold, Show, StartServer
from tests.site import Site


async def click(server: StdioClient, page: Reply, name: str = "A", within: float = 30) -> Reply:
    return await server.call("browser_click", ref=page.ref("button", name), within=within)


def button(script: str) -> str:
    return f'<button onclick="{script}">A</button><p id=p>before</p>'


CHANGE = "p.textContent = 'after'"


@pytest.mark.parametrize("delay", [0, 20, 100, 300])
async def test_what_a_timer_changes_is_in_the_reply(
    shared_server: StdioClient, show: Show, delay: int
) -> None:
    page = await show(button(f"setTimeout(() => {{ {CHANGE} }}, {delay})"))
    assert "after" in (await click(shared_server, page)).sections["Snapshot"]


async def test_what_a_slow_fetch_changes_is_in_the_reply(
    shared_server: StdioClient, show: Show, hold: Hold
) -> None:
    hold("/slow", "fetched", seconds=0.8)
    page = await show(button("fetch('/slow').then(r => r.text()).then(t => p.textContent = t)"))
    assert "fetched" in (await click(shared_server, page)).sections["Snapshot"]


async def test_what_a_chain_of_fetches_changes_is_in_the_reply(
    shared_server: StdioClient, show: Show, hold: Hold
) -> None:
    hold("/one", seconds=0.3)
    hold("/two", "second", seconds=0.3)
    script = "fetch('/one').then(() => fetch('/two')).then(r => r.text()).then(t => p.append(t))"
    page = await show(button(script))
    assert "second" in (await click(shared_server, page)).sections["Snapshot"]


async def test_what_is_shown_while_a_fetch_runs_does_not_end_the_wait(
    shared_server: StdioClient, show: Show, hold: Hold
) -> None:
    hold("/slow", "fetched", seconds=0.6)
    script = (
        "p.textContent = 'loading';fetch('/slow').then(r => r.text()).then(t => p.textContent = t)"
    )
    reply = await click(shared_server, await show(button(script)))
    assert "fetched" in reply.sections["Snapshot"]
    assert "loading" not in reply.sections["Snapshot"]


async def test_a_link_is_followed_to_its_page(
    shared_server: StdioClient, show: Show, hold: Hold
) -> None:
    url = hold("/next", "<title>Next</title><h1>There</h1>", seconds=0.3)
    page = await show("<a href=/next>Go</a>")
    reply = await shared_server.call("browser_click", ref=page.ref("link", "Go"))
    assert reply.sections["Page"] == f"- Page URL: {url}\n- Page Title: Next"
    assert "There" in reply.sections["Snapshot"]


async def test_a_navigation_by_a_timer_is_followed(
    shared_server: StdioClient, show: Show, site: Site
) -> None:
    url = site.page("<h1>There</h1>", path="/next")
    page = await show(button("setTimeout(() => { location = '/next' }, 200)"))
    reply = await click(shared_server, page)
    assert f"- Page URL: {url}" in reply.sections["Page"]
    assert "There" in reply.sections["Snapshot"]


async def test_a_navigation_is_told_in_events(
    shared_server: StdioClient, show: Show, site: Site
) -> None:
    url = site.page("<h1>There</h1>", path="/next")
    page = await show("<a href=/next>Go</a>")
    reply = await shared_server.call("browser_click", ref=page.ref("link", "Go"))
    assert f"Navigated to {url}" in reply.sections["Events"]


async def test_push_state_changes_the_url_in_the_reply(
    shared_server: StdioClient, show: Show, site: Site
) -> None:
    page = await show(button(f"history.pushState({{}}, '', '/pushed'); {CHANGE}"))
    reply = await click(shared_server, page)
    assert f"- Page URL: {site.url('/pushed')}" in reply.sections["Page"]
    assert "after" in reply.sections["Snapshot"]
    assert reply.ref("button", "A") == page.ref("button", "A")


async def test_an_element_that_its_click_removes_is_gone(
    shared_server: StdioClient, show: Show
) -> None:
    page = await show("<button onclick=this.remove()>A</button><p>rest</p>")
    reply = await click(shared_server, page)
    assert reply.sections["Result"] == 'Clicked button "A"'
    after = await shared_server.call("browser_snapshot")
    assert "button" not in after.sections["Snapshot"]


async def test_a_link_that_answers_nothing_leaves_the_page(
    shared_server: StdioClient, show: Show, site: Site
) -> None:
    site.respond("/nothing", status=204)
    page = await show("<title>Old</title><a href=/nothing>Go</a>")
    start = time.monotonic()
    reply = await shared_server.call("browser_click", ref=page.ref("link", "Go"))
    assert time.monotonic() - start < 4
    assert "- Page Title: Old" in reply.sections["Page"]


async def test_a_link_to_a_dead_address_says_so(shared_server: StdioClient, show: Show) -> None:
    page = await show("<a href='http://127.0.0.1:9/'>Go</a>")
    reply = await shared_server.call("browser_click", ref=page.ref("link", "Go"))
    assert "- Page URL: http://127.0.0.1:9/" in reply.sections["Page"]
    assert "ERR_UNSAFE_PORT" in reply.text


async def test_a_click_that_runs_no_script_returns_at_once(
    shared_server: StdioClient, show: Show
) -> None:
    page = await show("<button>A</button>")
    start = time.monotonic()
    for _ in range(5):
        await click(shared_server, page)
    # Waiting for script that might still do something would take half a second each time.
    assert time.monotonic() - start < 2


@pytest.mark.parametrize(
    "background",
    [
        "setInterval(() => { p.textContent = performance.now() }, 15)",
        "(function f(t) { p.textContent = t; requestAnimationFrame(f) })(0)",
        "setInterval(() => fetch('/poll'), 50)",
        "(function poll() { fetch('/held').finally(poll) })()",
        "new EventSource('/held')",
        "setInterval(() => { new Image().src = '/pixel?' + Math.random() }, 50)",
    ],
)
async def test_a_page_that_is_never_quiet_costs_no_more_than_two_seconds(
    shared_server: StdioClient, show: Show, site: Site, hold: Hold, background: str
) -> None:
    site.respond("/poll", "x")
    hold("/held")
    page = await show(f"<button>A</button><p id=p></p><script>{background}</script>")
    start = time.monotonic()
    reply = await click(shared_server, page)
    assert time.monotonic() - start < 3
    assert reply.sections["Result"] == 'Clicked button "A"'


async def test_a_request_that_never_ends_is_given_up(
    shared_server: StdioClient, show: Show, hold: Hold
) -> None:
    hold("/never")
    page = await show(button("fetch('/never')"))
    start = time.monotonic()
    reply = await click(shared_server, page)
    assert time.monotonic() - start < 10
    assert not reply.is_error


async def test_a_navigation_that_never_answers_ends_in_an_error(
    open_server: StartServer, site: Site, hold: Hold, tmp_path: Path
) -> None:
    hold("/never")
    url = site.page("<a href=/never>Go</a>")
    async with open_server("--timeout-navigation=1500", cwd=tmp_path) as server:
        page = await server.call("browser_navigate", url=url)
        reply = await server.call("browser_click", ref=page.ref("link", "Go"), within=10)
        assert reply.is_error
        assert "did not answer within 1.5 s" in reply.sections["Error"]
        again = await server.call("browser_navigate", url=url, within=10)
        assert again.ref("link", "Go")
