"""Going to a page, and being there when it returns."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Callable
from contextlib import suppress

import pytest
from werkzeug import Request, Response

from tests.browser.conftest import OpenPage
from tests.browser.inside import services_of
from tests.browser.page.agent import Agent
from tests.site import Site
from viewpoint_mcp.config.settings import Timeouts
from viewpoint_mcp.errors import CallError, PageError
from viewpoint_mcp.page.page import Page


async def test_a_page_is_loaded_with_its_title_and_status(agent: Agent, site: Site) -> None:
    url = site.page("<title>Shop</title><h1>Hello</h1>")
    assert 'heading "Hello"' in await agent.go(url)
    assert agent.page.url == url
    assert await agent.page.title() == "Shop"
    assert agent.page.work_dispatcher.http_status == 200


async def test_a_redirect_is_followed(agent: Agent, site: Site) -> None:
    there = site.page("<h1>There</h1>")
    here = site.respond("/here", status=302, headers={"Location": there})
    assert 'heading "There"' in await agent.go(here)
    assert agent.page.url == there
    assert agent.page.work_dispatcher.http_status == 200


async def test_a_page_that_is_not_found_is_a_page_with_its_status(agent: Agent, site: Site) -> None:
    url = site.page("<h1>Not here</h1>", status=404)
    assert 'heading "Not here"' in await agent.go(url)
    assert agent.page.work_dispatcher.http_status == 404


@pytest.mark.parametrize(
    "redirect",
    [
        "<script>location = '{}'</script>",
        "<script>setTimeout(() => location = '{}')</script>",
        "<script>onload = () => location.replace('{}')</script>",
        "<meta http-equiv=refresh content='0;url={}'>",
    ],
)
async def test_a_redirect_by_the_page_is_followed(agent: Agent, site: Site, redirect: str) -> None:
    there = site.page("<h1>There</h1>")
    assert 'heading "There"' in await agent.go(site.page(redirect.format(there)))
    assert agent.page.url == there


async def test_a_refused_connection_is_an_error_that_says_so(agent: Agent) -> None:
    with pytest.raises(PageError, match=r"ERR_CONNECTION_REFUSED \(no server listens there\)"):
        await agent.page.navigate(f"http://127.0.0.1:{free_port()}/")


async def test_an_unknown_host_is_an_error_that_says_so(agent: Agent) -> None:
    with pytest.raises(PageError, match=r"could not be loaded: net::ERR_\w+ \(the host name"):
        await agent.page.navigate("http://nowhere.example/")


async def test_after_a_failure_the_next_page_is_loaded(agent: Agent, site: Site) -> None:
    with pytest.raises(PageError):
        await agent.page.navigate(f"http://127.0.0.1:{free_port()}/")
    assert 'heading "Hello"' in await agent.go(site.page("<h1>Hello</h1>"))


async def test_a_malformed_url_is_refused_before_anything_happens(agent: Agent) -> None:
    with pytest.raises(CallError, match="is not a URL"):
        await agent.page.navigate("not a url")
    assert agent.page.url == "about:blank"


async def test_an_empty_answer_leaves_the_page_where_it_was(agent: Agent, site: Site) -> None:
    url = site.page("<h1>Stays</h1>")
    await agent.page.navigate(url)
    with pytest.raises(PageError, match="ERR_ABORTED"):
        await agent.page.navigate(site.respond("/nothing", status=204))
    assert agent.page.url == url
    assert agent.page.work_dispatcher.http_status == 200
    assert 'heading "Stays"' in await agent.snapshot()


async def test_a_fragment_is_a_move_within_the_page(agent: Agent, site: Site) -> None:
    url = site.page("<h1 id=there>Hello</h1>")
    await agent.page.navigate(url)
    await agent.run("() => { window.kept = 1 }")
    await agent.page.navigate(f"{url}#there")
    assert agent.page.url == f"{url}#there"
    assert await agent.run("window.kept") == "1"


async def test_back_loads_the_previous_page(agent: Agent, site: Site) -> None:
    first, second = site.page("<h1>First</h1>"), site.page("<h1>Second</h1>")
    await agent.page.navigate(first)
    await agent.page.navigate(second)
    await agent.page.go_back()
    assert agent.page.url == first
    assert 'heading "First"' in await agent.snapshot()


async def test_back_works_with_a_page_that_is_not_kept_alive(agent: Agent, site: Site) -> None:
    headers = {"Cache-Control": "no-store"}
    first = site.page("<h1>First</h1><script>onunload = () => 1</script>", headers=headers)
    await agent.page.navigate(first)
    await agent.page.navigate(site.page("<h1>Second</h1>"))
    await agent.page.go_back()
    assert 'heading "First"' in await agent.snapshot()
    assert agent.page.work_dispatcher.http_status == 200


async def test_back_within_the_document(agent: Agent, site: Site) -> None:
    url = site.page("<h1>Hello</h1>")
    await agent.page.navigate(url)
    await agent.run("() => history.pushState(null, '', '#further')")
    await agent.page.go_back()
    assert agent.page.url == url


async def test_back_without_a_history_is_an_error(page: Page, open_page: OpenPage) -> None:
    unused = await open_page()
    with pytest.raises(PageError, match="no page to go back to"):
        await unused.go_back()


async def test_forward_loads_the_page_that_back_left(agent: Agent, site: Site) -> None:
    await agent.page.navigate(site.page("<h1>First</h1>"))
    second = site.page("<h1>Second</h1>")
    await agent.page.navigate(second)
    await agent.page.go_back()
    await agent.page.go_forward()
    assert agent.page.url == second
    assert 'heading "Second"' in await agent.snapshot()
    with pytest.raises(PageError, match="no page to go forward to"):
        await agent.page.go_forward()


async def test_a_reload_from_a_stopped_server_is_an_error_that_says_so(agent: Agent) -> None:
    opened: list[asyncio.StreamWriter] = []  # Chromium opens more than it uses at first

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        opened.append(writer)
        with suppress(asyncio.IncompleteReadError, ConnectionError):
            await reader.readuntil(b"\r\n\r\n")
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nHi")
        writer.close()

    async with await asyncio.start_server(answer, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        await agent.page.navigate(f"http://127.0.0.1:{port}/")
        await agent.page.reload()
    for writer in opened:
        writer.transport.abort()
    with pytest.raises(PageError, match=f"127.0.0.1:{port}/ could not be loaded: .*REFUSED"):
        await agent.page.reload()


async def test_a_navigation_to_a_server_that_does_not_answer_times_out(
    open_page: OpenPage, site: Site
) -> None:
    agent, release = Agent(await open_page(Timeouts(navigation=0.5))), threading.Event()
    try:
        with pytest.raises(PageError, match=r"did not answer within 0\.5 s"):
            await agent.page.navigate(site.handle("/slow", delayed_response(release)))
    finally:
        release.set()
    assert 'heading "Hello"' in await agent.go(site.page("<h1>Hello</h1>"))


async def test_a_page_with_a_picture_that_never_loads_can_be_used(
    open_page: OpenPage, site: Site
) -> None:
    agent, release = Agent(await open_page(Timeouts(navigation=1.0))), threading.Event()
    picture = site.handle("/slow.png", delayed_response(release))
    try:
        assert 'heading "Hello"' in await agent.go(site.page(f"<h1>Hello</h1><img src={picture}>"))
    finally:
        release.set()
    assert agent.page.take_events() == ["The page is still loading; its content can be used."]


async def test_a_page_that_stops_its_own_loading_is_shown(agent: Agent, site: Site) -> None:
    url = site.page("<h1>Hello</h1><script>window.stop()</script><h2>Never</h2>")
    assert 'heading "Hello"' in await agent.go(url)


async def test_a_page_with_an_endless_script_can_navigate(open_page: OpenPage, site: Site) -> None:
    agent = Agent(await open_page(Timeouts(action=0.2, navigation=5.0)))
    await agent.page.navigate(site.page("<h1>Busy</h1>"))
    await agent.run("() => { setTimeout(() => { for (;;); }, 0) }")
    with pytest.raises(PageError, match="did not answer"):
        await services_of(agent.page).call_inpage(
            services_of(agent.page).frames.main, "scrollOffset", timeout=0.3
        )
    assert 'heading "Hello"' in await agent.go(site.page("<h1>Hello</h1>"))


def free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])


def delayed_response(release: threading.Event) -> Callable[[Request], Response]:
    def answer(request: Request) -> Response:
        release.wait(20)
        return Response("late", content_type="text/plain")

    return answer
