"""Which tab is active, and which one an index means, as tabs come, go and are switched by hand."""

from __future__ import annotations

import asyncio
import urllib.request
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from tests.e2e.browsing.test_tabs import tabs
from tests.e2e.conftest import Show, StartServer
from tests.e2e.support.client import ServerClient, StdioClient
from tests.e2e.support.users_browser import UserBrowser
from tests.site import Site


async def ask(user_browser: UserBrowser, path: str, method: str = "GET") -> None:
    """Ask the browser something behind the server's back."""

    def fetch() -> None:
        address = f"http://127.0.0.1:{user_browser.port}{path}"
        request = urllib.request.Request(address, method=method)
        urllib.request.urlopen(request, timeout=5).close()

    await asyncio.to_thread(fetch)


async def bring(user_browser: UserBrowser, title: str) -> None:
    """Bring the tab of that title to the front, as its user does."""
    (page,) = [each for each in await user_browser.pages() if each["title"] == title]
    await ask(user_browser, f"/json/activate/{page['id']}")


@asynccontextmanager
async def attached(
    open_server: StartServer, cwd: Path, user_browser: UserBrowser
) -> AsyncIterator[StdioClient]:
    flag = f"--cdp-endpoint=127.0.0.1:{user_browser.port}"
    async with open_server(flag, cwd=cwd) as server:
        await server.initialize()
        yield server


async def opened(server: ServerClient, site: Site, *titles: str) -> None:
    """Open a tab of each title."""
    for title in titles:
        await tabs(server, "new", url=site.page(f"<title>{title}</title>"))


async def test_an_index_selects_the_tab_that_was_listed_there(
    shared_server: ServerClient, show: Show, site: Site
) -> None:
    one, two = site.page("<title>One</title>"), site.page("<title>Two</title>")
    await show(f"<title>Mine</title><script>one = open('{one}'); two = open('{two}')</script>")
    listed = await tabs(shared_server)
    assert [line.split("]")[0] for line in listed] == [
        "- 0: (current) [Mine",
        "- 1: [One",
        "- 2: [Two",
    ]
    await shared_server.call("browser_evaluate", function="one.close()")
    # As the reply reported meanwhile, Two has moved up.
    listed = await tabs(shared_server, "select", index=1)
    assert listed[1].startswith("- 1: (current) [Two]")


async def test_an_index_never_selects_a_tab_that_moved_up_since_the_listing(
    open_server: StartServer, tmp_path: Path, user_browser: UserBrowser, site: Site
) -> None:
    async with attached(open_server, tmp_path, user_browser) as server:
        await opened(server, site, "One", "Two")
        await tabs(server)
        (one,) = [each for each in await user_browser.pages() if each["title"] == "One"]
        await ask(user_browser, f"/json/close/{one['id']}")
        await user_browser.wait_for_tabs(
            lambda found: one["id"] not in [each["id"] for each in found]
        )
        reply = await server.call("browser_tabs", action="select", index=1)
        assert reply.is_error
        assert "Tab 1 has closed; there are 2" in reply.text
        assert (await tabs(server))[1].startswith("- 1: (current) [Two]")


@pytest.mark.prove
async def test_a_popup_that_closes_hands_back_to_the_page_that_opened_it(
    shared_server: ServerClient, show: Show, site: Site
) -> None:
    popup = site.page("<title>Popup</title><button onclick=window.close()>Done</button>")
    await show("<title>Other</title>")
    url = site.page(f"<title>Mine</title><script>window.open('{popup}')</script>")
    await tabs(shared_server, "new", url=url)
    await opened(shared_server, site, "Last")
    await tabs(shared_server, "select", index=2)
    page = await shared_server.call("browser_snapshot")
    reply = await shared_server.call("browser_click", ref=page.ref("button", "Done"))
    assert "(current) [Mine]" in reply.text
    assert "Popup" not in reply.sections["Open tabs"]


async def test_the_tab_that_the_user_sees_is_active_at_first(
    open_server: StartServer, tmp_path: Path, user_browser: UserBrowser, site: Site
) -> None:
    url = site.page("<title>Second</title>")
    await ask(user_browser, f"/json/new?{url}", method="PUT")
    await bring(user_browser, "Mine")
    async with attached(open_server, tmp_path, user_browser) as server:
        reply = await server.call("browser_snapshot")
        assert "(current) [Mine]" in reply.sections["Open tabs"]
    await bring(user_browser, "Second")
    async with attached(open_server, tmp_path, user_browser) as server:
        reply = await server.call("browser_snapshot")
        assert "(current) [Second]" in reply.sections["Open tabs"]


async def test_a_tab_that_the_user_brings_to_the_front_becomes_active(
    open_server: StartServer, tmp_path: Path, user_browser: UserBrowser, site: Site
) -> None:
    for title in ("Second", "Third"):
        url = site.page(f"<title>{title}</title>")
        await ask(user_browser, f"/json/new?{url}", method="PUT")
    async with attached(open_server, tmp_path, user_browser) as server:
        await server.call("browser_snapshot")
        for title in ("Mine", "Third", "Second"):
            await bring(user_browser, title)
            reply = await server.call("browser_snapshot")
            assert f"(current) [{title}]" in reply.sections["Open tabs"]
        # The tab that the agent selected stays active, although the user looks at another.
        await tabs(server, "select", index=0)
        reply = await server.call("browser_snapshot")
        assert "0: (current)" in reply.sections["Open tabs"]


@pytest.mark.prove
async def test_a_tab_that_opens_in_front_does_not_become_active(
    open_server: StartServer, tmp_path: Path, user_browser: UserBrowser, site: Site
) -> None:
    async with attached(open_server, tmp_path, user_browser) as server:
        await server.call("browser_snapshot")
        url = site.page("<title>Second</title>")
        await ask(user_browser, f"/json/new?{url}", method="PUT")
        reply = await server.call("browser_snapshot")
        assert "(current) [Mine]" in reply.sections["Open tabs"]
        assert f"({url})" in reply.sections["Open tabs"]
