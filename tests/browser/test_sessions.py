"""Sessions that share one browser: each sees only what it opened."""

from __future__ import annotations

import asyncio
import json
import os
import signal
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from cdp_protocol.launching.process import BrowserProcess
from tests.browser.clients import Client, Server
from tests.e2e.support.processes import wait_until
from tests.site import Site
from viewpoint_mcp.config.settings import Settings

pytestmark = pytest.mark.time_limit(120)

FILE = {"Content-Disposition": "attachment; filename=mine.txt"}


@pytest.fixture
async def one(server: Server) -> AsyncIterator[Client]:
    client = server.session()
    yield client
    await client.runner.close()


@pytest.fixture
async def two(server: Server) -> AsyncIterator[Client]:
    client = server.session()
    yield client
    await client.runner.close()


async def names(client: Client) -> list[str]:
    reply = await client.call("browser_context_list")
    return [each["name"] for each in json.loads(reply.sections["Result"])]


async def test_each_session_has_its_own_tabs_and_active_page(
    one: Client, two: Client, site: Site
) -> None:
    mine, others = site.page("<h1>Mine</h1>"), site.page("<h1>Others</h1>")
    await one.go(mine)
    await two.go(others)
    await two.call("browser_tabs", action="new", url=site.page("<h1>More</h1>"))
    listed = (await one.call("browser_tabs", action="list")).sections["Result"]
    assert listed == f"- 0: (current) []({mine})"
    look = await one.call("browser_snapshot")
    assert "Mine" in look.text
    assert "Open tabs" not in look.sections


async def test_the_same_name_is_another_context_in_each_session(
    one: Client, two: Client, site: Site
) -> None:
    url = site.page("<script>document.cookie ||= 'of=' + location.search.slice(1)</script>")
    for client, query in ((one, "one"), (two, "two")):
        for context in ("default", "work"):
            if context == "work":
                await client.call("browser_context_create", name=context)
            await client.go(f"{url}?{query}-{context}", context=context)
    for client, query in ((one, "one"), (two, "two")):
        assert await names(client) == ["default", "work"]
        for context in ("default", "work"):
            reply = await client.call(
                "browser_evaluate", function="document.cookie", context=context
            )
            assert reply.sections["Result"] == f"of={query}-{context}"


@pytest.mark.parametrize(
    "tool", ["browser_context_switch", "browser_context_close", "browser_context_save_storage"]
)
async def test_no_error_names_a_context_of_another_session(
    one: Client, two: Client, tool: str
) -> None:
    await one.call("browser_context_create", name="hush")
    path = {"path": "state.json"} if "storage" in tool else {}
    for name in ("none", "hush"):
        reply = await two.call(tool, name=name, **path)
        assert reply.is_error
        assert f'Context "{name}" does not exist. Open contexts: default.' in reply.text
    assert await names(one) == ["default", "hush"]


async def test_a_ref_of_another_session_is_unknown_and_acts_on_nothing(
    one: Client, two: Client, site: Site
) -> None:
    url = site.page("<button onclick=\"this.textContent = 'Pressed'\">Press</button>")
    await one.call("browser_context_create", name="hush")
    theirs, ours = await one.go(url), await two.go(url)
    assert theirs.ref("button") != ours.ref("button")
    reply = await two.call("browser_click", ref=theirs.ref("button"))
    assert reply.is_error
    assert "No context ever had this number." in reply.text
    assert "hush" not in reply.text
    for client in (one, two):
        assert 'button "Press"' in (await client.call("browser_snapshot")).text


async def test_popups_and_downloads_are_reported_to_the_session_that_caused_them(
    one: Client, two: Client, site: Site
) -> None:
    site.respond("/file", "data", content_type="application/octet-stream", headers=FILE)
    there = site.page("<h1>There</h1>")
    url = site.page(
        f"<a href=/file>Get</a><button onclick=\"window.open('{there}')\">Open</button>"
    )
    await two.go(url)
    page = await one.go(url)
    reply = await one.call("browser_click", ref=page.ref("link", "Get"))
    assert "Downloaded file mine.txt" in reply.sections["Events"]
    reply = await one.call("browser_click", ref=page.ref("button", "Open"))
    assert "Popup opened as tab 1" in reply.sections["Events"]
    look = await two.call("browser_snapshot")
    assert "Events" not in look.sections
    assert "Open tabs" not in look.sections


async def test_the_end_of_a_session_closes_only_what_it_opened(
    server: Server, one: Client, two: Client, site: Site
) -> None:
    before = await server.context_ids()
    url = site.page("<h1>Here</h1>")
    await two.go(url)
    kept = await server.context_ids()
    await one.go(url)
    await one.call("browser_context_create", name="work")
    await one.go(url)
    assert len(await server.context_ids()) == len(before) + 3
    await one.runner.close()
    await one.runner.close()
    assert await server.context_ids() == kept
    assert "Here" in (await two.call("browser_snapshot")).text
    late = await one.call("browser_snapshot")
    assert "The session of this call has ended." in late.sections["Error"]


async def test_calls_in_progress_end_with_their_session(one: Client, site: Site) -> None:
    site.respond("/begun")
    await one.go(site.page("<h1>Here</h1>"))
    function = "() => { fetch('/begun'); return new Promise(() => {}) }"
    call = asyncio.create_task(one.call("browser_evaluate", function=function))
    await wait_until(lambda: bool(site.requests("/begun")))
    await one.runner.close()
    assert (await call).is_error


async def test_a_session_without_calls_has_opened_nothing(server: Server) -> None:
    before = await server.context_ids()
    client = server.session()
    assert await names(client) == ["default"]
    assert "No page is open" in (await client.call("browser_close")).text
    assert await server.context_ids() == before
    await client.runner.close()


async def test_each_session_gets_one_report_of_the_state_that_it_lost(
    settings: Settings, site: Site
) -> None:
    server = Server(settings)
    try:
        one, two = server.session(), server.session()
        url = site.page("<h1>Here</h1>")
        for client, name in ((one, "a"), (two, "b")):
            await client.call("browser_context_create", name=name)
            await client.go(url)
        assert server.supervisor.running_browser is not None
        assert server.supervisor.running_browser._process is not None
        os.kill(server.supervisor.running_browser._process.pid, signal.SIGKILL)
        await wait_until(lambda: server.supervisor.running_browser is None)
        for client, name in ((one, "a"), (two, "b")):
            result = await client.go(url, context="default")
            assert (
                f'storage of the contexts "default", "{name}" are lost' in result.sections["Events"]
            )
            assert "Events" not in (await client.call("browser_snapshot")).sections
            gone = await client.call("browser_context_switch", name=name)
            assert f'Context "{name}" was lost: the browser exited.' in gone.text
        new = server.session()
        assert "Events" not in (await new.go(url)).sections
    finally:
        await server.close()


async def test_a_cancelled_new_context_is_not_left_in_the_browser(
    server: Server, one: Client
) -> None:
    await one.call("browser_context_list")
    before = await server.context_ids()
    call = one.call("browser_context_create", name="cut")
    await server.cancel_during(call, "Target.createBrowserContext")
    assert await server.context_ids() == before
    assert await names(one) == ["default"]


async def test_fifty_sessions_start_at_once_in_one_browser(settings: Settings) -> None:
    server = Server(settings)
    clients = [server.session() for _ in range(50)]
    try:
        # Without pages: the benchmark measures what fifty pages need.
        await asyncio.gather(
            *(
                client.call("browser_context_create", name=f"of {number}")
                for number, client in enumerate(clients)
            )
        )
        assert len(await server.context_ids()) == 100
        for number, client in enumerate(clients):
            assert await names(client) == ["default", f"of {number}"]
        await asyncio.gather(*(client.runner.close() for client in clients))
        assert await server.context_ids() == []
    finally:
        await server.close()


async def test_with_a_profile_all_sessions_share_the_logins_and_each_has_its_own_tabs(
    settings: Settings, site: Site, tmp_path: Path
) -> None:
    server = Server(replace(settings, user_data_dir=tmp_path / "profile"))
    try:
        one, two = server.session(), server.session()
        there = site.page("<title>There</title>")
        url = site.page(
            f"<title>Here</title><a href={there}>Link</a>"
            f"<button onclick=\"window.open('{there}')\">Open</button>"
        )
        await asyncio.gather(one.go(url), two.go(url))
        await one.call("browser_evaluate", function="document.cookie = 'a=b; max-age=3600'")
        reply = await two.call("browser_evaluate", function="document.cookie")
        assert reply.sections["Result"] == "a=b"
        page = await two.go(url)
        await two.call("browser_click", ref=page.ref("button", "Open"))
        page = await two.call("browser_snapshot")
        reply = await two.call(
            "browser_click", ref=page.ref("link", "Link"), modifiers=["ControlOrMeta"]
        )
        assert len(reply.sections["Open tabs"].splitlines()) == 3
        assert "Open tabs" not in (await one.call("browser_snapshot")).sections
        await one.runner.close()
        assert len((await two.call("browser_snapshot")).sections["Open tabs"].splitlines()) == 3
        new = await server.session().call("browser_tabs", action="list")
        assert "No open tabs" in new.text
    finally:
        await server.close()


async def test_sessions_use_the_users_tabs_one_after_the_other_and_leave_them_open(
    chromium_process: BrowserProcess, settings: Settings, site: Site
) -> None:
    settings = replace(settings, cdp_endpoint=chromium_process.websocket_url)
    user, server = Server(settings), Server(settings)
    try:
        theirs = user.session()
        await theirs.go(site.page("<title>Theirs</title>"))
        one, two = server.session(), server.session()
        assert "Theirs" in (await one.call("browser_tabs", action="list")).text
        await one.call("browser_tabs", action="new", url=site.page("<title>Ours</title>"))
        assert "No open tabs" in (await two.call("browser_tabs", action="list")).text
        await one.runner.close()
        listed = (await two.call("browser_tabs", action="list")).text
        assert "Theirs" in listed
        assert "Ours" not in listed
        # The user's connection is separate and may learn later that a tab has closed.
        while "Ours" in (listed := (await theirs.call("browser_tabs", action="list")).text):  # noqa: ASYNC110
            await asyncio.sleep(0.02)
        assert "Theirs" in listed
    finally:
        await server.close()
        await user.close()
