"""Sessions whose default context is the browser's, which has the logins of a profile."""

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
from tests.e2e.support.processes import wait_until
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
    """Return a server with a profile. Its browser runs already, because the browser's tasks outlive
    each test."""
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
    await profiled.cancel_during(one.call("browser_tabs", action="new"), "Target.createTarget")
    await profiled.wait_for_pages(before)
    for client in (one, two):
        assert len((await tabs(client)).splitlines()) == 1


async def test_a_session_that_begins_while_the_last_one_ends_has_only_its_own_page(
    profiled: Server, site: Site
) -> None:
    left, kept = site.page("<title>Left</title>"), site.page("<title>Kept</title>")
    for _ in range(3):
        one, two = profiled.session(), profiled.session()
        for _ in range(3):
            await one.call("browser_tabs", action="new", url=left)
        (own,) = profiled.browser.contexts.browser_default_views
        ending = asyncio.create_task(one.runner.close())
        while not own.is_closed:  # noqa: ASYNC110 - no event
            await asyncio.sleep(0)
        await two.go(kept)
        await ending
        listed = await tabs(two)
        assert "Kept" in listed
        assert len(listed.splitlines()) == 1
        await two.runner.close()


async def test_a_session_that_ends_during_its_first_call_owns_nothing(
    profiled: Server, one: Client
) -> None:
    await profiled.cancel_during(one.call("browser_tabs", action="new"), "Target.getTargets")
    assert profiled.browser.contexts.browser_default_views == []


async def test_a_tab_that_a_page_opens_belongs_to_the_sessions_page_whichever_session_acts(
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
        await wait_until(begun.is_set)
        await one.call("browser_evaluate", function=CTRL_CLICK_LATER)
        await wait_until(lambda: bool(site.requests(urlsplit(there).path)))
        assert there in await tabs(one)
    finally:
        gate.set()
    result = await acting
    assert "Events" not in result.sections
    assert there not in await tabs(two)


async def test_a_ctrl_click_tab_in_the_users_browser_is_closed_with_its_session(
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
        await server.wait_for_pages(before)
    finally:
        await server.close()
