"""Sessions that all begin in the browser's own context, for the sake of a profile's logins."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator
from urllib.parse import urlsplit

import pytest
from msgspec.structs import replace
from werkzeug import Request, Response

from cdp_protocol.launching.process import BrowserProcess
from tests.browser.clients import Client, Server
from tests.e2e.support.processes import until
from tests.site import Site
from viewpoint_mcp.config.settings import Settings

pytestmark = pytest.mark.time_limit(60)

CTRL_CLICK_LATER = """() => {
    const click = new MouseEvent('click', {ctrlKey: true, bubbles: true, cancelable: true});
    setTimeout(() => document.querySelector('a').dispatchEvent(click), 50);
}"""


@pytest.fixture(scope="module")
async def profiled(
    settings: Settings, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Server]:
    """Return a server with a profile; its browser runs, for the tasks of that outlive each test."""
    directory = tmp_path_factory.mktemp("profiled")
    server = Server(replace(settings, user_data_dir=directory / "profile"))
    first = server.session()
    await first.call("browser_tabs", action="new")
    await first.runner.close()
    yield server
    await server.close()


@pytest.fixture
async def one(profiled: Server) -> AsyncIterator[Client]:
    client = profiled.session()
    yield client
    await client.runner.close()


@pytest.fixture
async def two(profiled: Server) -> AsyncIterator[Client]:
    client = profiled.session()
    yield client
    await client.runner.close()


async def tabs(client: Client) -> str:
    return (await client.call("browser_tabs", action="list")).sections["Result"]


async def test_a_tab_whose_opening_is_cancelled_is_closed(
    profiled: Server, one: Client, two: Client, site: Site
) -> None:
    for client in (one, two):
        await client.go(site.page("<title>Here</title>"))
    before = await profiled.page_ids()
    await profiled.cut(one.call("browser_tabs", action="new"), "Target.createTarget")
    await profiled.until_pages_are(before)
    for client in (one, two):
        assert len((await tabs(client)).splitlines()) == 1


async def test_a_session_that_begins_as_the_last_one_ends_has_its_page_and_none_of_the_others(
    profiled: Server, site: Site
) -> None:
    left, kept = site.page("<title>Left</title>"), site.page("<title>Kept</title>")
    for _ in range(3):
        one, two = profiled.session(), profiled.session()
        for _ in range(3):
            await one.call("browser_tabs", action="new", url=left)
        (own,) = profiled.browser.contexts.own
        ending = asyncio.create_task(one.runner.close())
        while not own.is_closed:  # noqa: ASYNC110 - nothing tells
            await asyncio.sleep(0)
        await two.go(kept)
        await ending
        listed = await tabs(two)
        assert "Kept" in listed
        assert len(listed.splitlines()) == 1
        await two.runner.close()


async def test_a_session_that_is_cut_short_in_its_first_call_owns_nothing(
    profiled: Server, one: Client
) -> None:
    await profiled.cut(one.call("browser_tabs", action="new"), "Target.getTargets")
    assert profiled.browser.contexts.own == []


async def test_a_tab_that_a_page_opens_by_itself_is_its_sessions_whoever_acts_meanwhile(
    one: Client, two: Client, site: Site
) -> None:
    begun, gate = threading.Event(), threading.Event()

    def hold(_: Request) -> Response:
        begun.set()
        gate.wait(30)
        return Response("late")

    site.handle("/held", hold)
    there = site.page("<h1>There</h1>")
    link = site.page(f"<title>One</title><a href='{there}?token=1'>Link</a>")
    await one.go(link)
    await two.go(site.page("<title>Two</title>"))
    acting = asyncio.create_task(two.call("browser_evaluate", function="() => fetch('/held')"))
    try:
        await until(begun.is_set)
        await one.call("browser_evaluate", function=CTRL_CLICK_LATER)
        await until(lambda: bool(site.requests(urlsplit(there).path)))
        assert there in await tabs(one)
    finally:
        gate.set()
    told = await acting
    assert "Events" not in told.sections
    assert there not in await tabs(two)


async def test_what_ctrl_click_opens_in_the_users_browser_is_closed_with_its_session(
    chromium_process: BrowserProcess, settings: Settings, site: Site
) -> None:
    server = Server(replace(settings, cdp_endpoint=chromium_process.websocket_url))
    one, two = server.session(), server.session()
    try:
        await one.call("browser_tabs", action="list")
        before = await server.page_ids()
        there = site.page("<h1>There</h1>")
        page = await two.go(site.page(f"<a href='{there}'>Link</a>"))
        link = page.ref("link", "Link")
        await two.call("browser_click", ref=link, modifiers=["ControlOrMeta"])
        assert there in await tabs(two)
        assert there not in (await one.call("browser_tabs", action="list")).text
        await two.runner.close()
        await server.until_pages_are(before)
    finally:
        await server.close()
