"""--cdp-endpoint: the server uses a running browser, and changes nothing else in it."""

from __future__ import annotations

import asyncio
import json
import os
import signal
from pathlib import Path

import pytest

from tests.e2e.conftest import StartServer
from tests.e2e.support.processes import wait_until
from tests.e2e.support.users_browser import UserBrowser
from tests.site import Site

pytestmark = pytest.mark.prove


@pytest.mark.parametrize(
    "form", ["http://127.0.0.1:{port}", "127.0.0.1:{port}", "ws://127.0.0.1:{port}{path}"]
)
async def test_each_form_of_the_address_leads_there(
    open_server: StartServer, tmp_path: Path, user_browser: UserBrowser, form: str
) -> None:
    endpoint = form.format(port=user_browser.port, path=user_browser.path)
    async with open_server(f"--cdp-endpoint={endpoint}", cwd=tmp_path) as server:
        await server.initialize()
        listed = await server.call("browser_snapshot")
    assert "My own page" in listed.sections["Snapshot"]


async def test_an_agents_tab_is_closed_and_the_users_tab_stays_unchanged(
    open_server: StartServer, tmp_path: Path, user_browser: UserBrowser, site: Site
) -> None:
    before = await user_browser.pages()
    url = site.page("<title>Ours</title><h1>Our page</h1>")
    async with open_server(f"--cdp-endpoint=127.0.0.1:{user_browser.port}", cwd=tmp_path) as server:
        listed = await server.call("browser_tabs", action="new", url=url)
        assert f"({user_browser.url})" in listed.sections["Result"]
        shown = await server.call("browser_snapshot")
        assert "Our page" in shown.sections["Snapshot"]
        assert len(await user_browser.pages()) == 2
    assert [page["id"] for page in await user_browser.pages()] == [page["id"] for page in before]
    assert [page["url"] for page in await user_browser.pages()] == [user_browser.url]
    assert user_browser.process.returncode is None


async def test_a_tab_of_the_user_keeps_its_size_and_is_not_emulated(
    open_server: StartServer, tmp_path: Path, user_browser: UserBrowser
) -> None:
    async with open_server(f"--cdp-endpoint=127.0.0.1:{user_browser.port}", cwd=tmp_path) as server:
        size = "innerWidth + 'x' + innerHeight"
        ours = await server.call("browser_evaluate", function=size)
        outer = await server.call("browser_evaluate", function="outerWidth")
    assert ours.sections["Result"].split("x")[0] == outer.sections["Result"]


async def test_a_popup_of_a_tab_of_the_user_is_reported(
    open_server: StartServer, tmp_path: Path, user_browser: UserBrowser, site: Site
) -> None:
    popup = site.page("<h1>Popup</h1>", path="/popup")
    opener = site.page("<a href=/popup target=_blank>Go</a>")
    async with open_server(f"--cdp-endpoint=127.0.0.1:{user_browser.port}", cwd=tmp_path) as server:
        page = await server.call("browser_navigate", url=opener)
        reply = await server.call("browser_click", ref=page.ref("link", "Go"))
    assert f"- Popup opened as tab 1: {popup}" in reply.sections["Events"]


async def test_a_signal_leaves_their_browser_running(
    open_server: StartServer, tmp_path: Path, user_browser: UserBrowser
) -> None:
    async with open_server(f"--cdp-endpoint=127.0.0.1:{user_browser.port}", cwd=tmp_path) as server:
        await server.call("browser_snapshot")
        server.process.terminate()
        await server.wait_for_exit(within=5)
    assert [page["url"] for page in await user_browser.pages()] == [user_browser.url]


async def test_the_loss_of_the_users_browser_is_reported_and_the_next_one_is_attached_to(
    open_server: StartServer, tmp_path: Path, user_browser: UserBrowser
) -> None:
    endpoint = f"127.0.0.1:{user_browser.port}"
    async with open_server(f"--cdp-endpoint={endpoint}", cwd=tmp_path) as server:
        await server.call("browser_snapshot")
        user_browser.process.kill()
        await user_browser.process.wait()
        reply = await server.call("browser_snapshot", within=15)
        assert reply.is_error
        again = await server.call("browser_snapshot", within=15)
        assert again.is_error
        assert f"Cannot attach to a browser at {endpoint}" in again.sections["Error"]


@pytest.mark.parametrize("endpoint", ["http://127.0.0.1:9", "127.0.0.1:9", "ws://127.0.0.1:9/x"])
async def test_an_endpoint_without_a_browser_is_a_clear_error(
    open_server: StartServer, tmp_path: Path, endpoint: str
) -> None:
    async with open_server(f"--cdp-endpoint={endpoint}", cwd=tmp_path) as server:
        await server.initialize()
        reply = await server.call("browser_snapshot", within=10)
        assert reply.is_error
        assert f"Cannot attach to a browser at {endpoint}: " in reply.sections["Error"]
        assert "--remote-debugging-port" in reply.sections["Error"]
        assert await server.request("ping") == {}


async def test_a_web_server_that_is_no_browser_is_a_clear_error(
    open_server: StartServer, tmp_path: Path, site: Site
) -> None:
    endpoint = site.url("")
    async with open_server(f"--cdp-endpoint={endpoint}", cwd=tmp_path) as server:
        reply = await server.call("browser_snapshot", within=10)
    assert reply.is_error
    assert "/json/version answered with status 404" in reply.sections["Error"]


async def test_a_download_is_saved_where_the_users_browser_puts_it_and_reported(
    open_server: StartServer, tmp_path: Path, user_browser: UserBrowser, site: Site
) -> None:
    site.respond("/data.txt", "Hello", content_type="application/x-x")
    page_with_link = site.page("<a href=/data.txt download>Get</a>")
    async with open_server(f"--cdp-endpoint=127.0.0.1:{user_browser.port}", cwd=tmp_path) as server:
        page = await server.call("browser_navigate", url=page_with_link)
        reply = await server.call("browser_click", ref=page.ref("link", "Get"))
    line = reply.sections["Events"]
    assert line == '- Downloaded file data.txt to "Downloads/data.txt" (5 bytes)'
    assert (tmp_path / "Downloads" / "data.txt").read_text() == "Hello"


async def test_a_chooser_that_the_agent_opened_in_a_tab_of_the_user_is_answered(
    open_server: StartServer, tmp_path: Path, user_browser: UserBrowser, site: Site
) -> None:
    (tmp_path / "a.txt").write_text("data")
    url = site.page("<input type=file onchange='document.body.append(this.files[0].name)'>")
    async with open_server(f"--cdp-endpoint=127.0.0.1:{user_browser.port}", cwd=tmp_path) as server:
        page = await server.call("browser_navigate", url=url)
        clicked = await server.call("browser_click", ref=page.ref("button"), within=10)
        assert "File chooser" in clicked.sections["Modal state"]
        reply = await server.call("browser_file_upload", paths=["a.txt"])
    assert "a.txt" in reply.sections["Snapshot"]


async def test_a_dialog_in_a_tab_of_the_user_delays_neither_the_action_nor_the_answer(
    open_server: StartServer, tmp_path: Path, user_browser: UserBrowser, site: Site
) -> None:
    url = site.page("<button onclick='document.title = confirm(1)'>Ask</button>")
    async with open_server(f"--cdp-endpoint=127.0.0.1:{user_browser.port}", cwd=tmp_path) as server:
        page = await server.call("browser_navigate", url=url)
        asked = await server.call("browser_click", ref=page.ref("button"), within=10)
        assert "confirm" in asked.sections["Modal state"]
        answered = await server.call("browser_handle_dialog", accept=True, within=10)
        assert "Page Title: true" in answered.text


async def test_a_dialog_that_was_open_before_the_attach_is_reported(
    open_server: StartServer, tmp_path: Path, user_browser: UserBrowser, site: Site
) -> None:
    asking = site.page("<button onclick=\"alert('Anybody there?')\">Ask</button>")
    endpoint = f"--cdp-endpoint=127.0.0.1:{user_browser.port}"
    async with open_server(endpoint, cwd=tmp_path) as first:
        await first.call("browser_tabs", action="new", url=asking)
        met = await first.call("browser_click", ref="button")
        assert "Anybody there?" in met.sections["Modal state"]
        async with open_server(endpoint, cwd=tmp_path) as second:
            await second.call("browser_snapshot", within=10)
            listed = await second.call("browser_tabs", action="list")
            index = 0 if asking in listed.sections["Result"].splitlines()[0] else 1
            await second.call("browser_tabs", action="select", index=index)
            reply = await second.call("browser_snapshot", within=10)
            assert reply.is_error
            assert "or show a dialog from before this server attached" in reply.sections["Error"]
            await second.call("browser_tabs", action="select", index=1 - index)
            assert not (await second.call("browser_snapshot")).is_error


async def test_their_storage_is_saved_also_of_tabs_that_were_never_used(
    open_server: StartServer, tmp_path: Path, user_browser: UserBrowser, site: Site
) -> None:
    site.respond("/stored")
    await user_browser.open_tabs(
        site.page(
            "<title>T</title><script>localStorage.setItem('k', 'theirs'); fetch('/stored')</script>"
        )
    )
    await wait_until(lambda: bool(site.requests("/stored")))
    before = await user_browser.pages()
    async with open_server(f"--cdp-endpoint=127.0.0.1:{user_browser.port}", cwd=tmp_path) as server:
        reply = await server.call("browser_context_save_storage", path="theirs.json")
        assert "and the storage of 1 origin of" in reply.sections["Result"]
        assert await user_browser.pages() == before
    (saved,) = json.loads((tmp_path / "theirs.json").read_text())["origins"]
    assert saved["localStorage"] == [{"name": "k", "value": "theirs"}]
    assert await user_browser.pages() == before


async def test_a_named_context_in_the_users_browser_may_emulate(
    open_server: StartServer, tmp_path: Path, user_browser: UserBrowser, site: Site
) -> None:
    url = site.page("<script>first = [navigator.language, navigator.maxTouchPoints]</script>")
    async with open_server(
        "--cdp-endpoint", f"127.0.0.1:{user_browser.port}", cwd=tmp_path
    ) as server:
        await server.initialize()
        wish = {"device": "Pixel 7", "locale": "de-DE", "permissions": ["notifications"]}
        await server.call("browser_context_create", name="phone", emulate=wish)
        await server.call("browser_navigate", url=url)
        ours = "[...first, Notification.permission]"
        answer = await server.call("browser_evaluate", function=ours)
        assert json.loads(answer.sections["Result"]) == ["de-DE", 5, "granted"]
        theirs = "[navigator.language, navigator.maxTouchPoints]"
        answer = await server.call("browser_evaluate", function=theirs, context="default")
        assert json.loads(answer.sections["Result"]) == ["en-US", 0]


async def test_with_isolated_the_users_tabs_are_neither_seen_nor_touched(
    open_server: StartServer, tmp_path: Path, user_browser: UserBrowser, site: Site
) -> None:
    before = await user_browser.pages()
    flags = (f"--cdp-endpoint=127.0.0.1:{user_browser.port}", "--isolated")
    async with open_server(*flags, cwd=tmp_path) as server:
        await server.initialize()
        reply = await server.call("browser_navigate", url=site.page("<h1>Ours</h1>"))
        assert "Ours" in reply.sections["Snapshot"]
        listed = await server.call("browser_tabs", action="list")
        assert user_browser.url not in listed.text
        closed = await server.call("browser_context_close", name="default")
        assert "Cannot close the only remaining context" in closed.sections["Error"]
    assert await user_browser.pages() == before


async def test_an_idle_browser_of_the_user_is_disconnected_and_attached_to_again(
    open_server: StartServer, tmp_path: Path, user_browser: UserBrowser, site: Site
) -> None:
    flags = (f"--cdp-endpoint=127.0.0.1:{user_browser.port}", "--idle-timeout=1000")
    async with open_server(*flags, cwd=tmp_path) as server:
        await server.initialize()
        await server.call("browser_tabs", action="new", url=site.page("<h1>Ours</h1>"))
        assert len(await user_browser.pages()) == 2
        async with asyncio.timeout(20):
            while len(await user_browser.pages()) == 2:  # noqa: ASYNC110 - no event
                await asyncio.sleep(0.05)
        assert user_browser.process.returncode is None
        reply = await server.call("browser_snapshot")
        assert "My own page" in reply.sections["Snapshot"]
        expected = (
            "The browser was disconnected after 1 s without a call and was attached to again."
        )
        assert expected in reply.sections["Events"]


@pytest.mark.time_limit(60)
async def test_a_hanging_browser_of_the_user_is_not_killed(
    open_server: StartServer, tmp_path: Path, user_browser: UserBrowser
) -> None:
    flags = (f"--cdp-endpoint=127.0.0.1:{user_browser.port}", "--cdp-timeout=1000")
    async with open_server(*flags, cwd=tmp_path) as server:
        await server.call("browser_snapshot")
        profile = tmp_path / "user"
        browser = int(str((profile / "SingletonLock").readlink()).rpartition("-")[2])
        os.kill(browser, signal.SIGSTOP)
        try:
            hung = await server.call("browser_snapshot")
            refused = await server.call("browser_snapshot")
        finally:
            os.kill(browser, signal.SIGCONT)
        for reply in (hung, refused):
            assert "The browser hung. Cannot attach to a browser" in reply.sections["Error"]
        again = await server.call("browser_snapshot")
        assert "My own page" in again.sections["Snapshot"]
        assert "The browser hung and was attached to again." in again.sections["Events"]
