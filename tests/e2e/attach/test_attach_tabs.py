"""The tabs of the user's browser: which are listed, which is active, and how each can be used."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.e2e.conftest import StartServer
from tests.e2e.support.client import ServerClient
from tests.e2e.support.processes import wait_until
from tests.e2e.support.users_browser import ANY_PORT, UserBrowser, make_profile, run_browser
from tests.site import Site


async def tab_lines(server: ServerClient) -> list[str]:
    """Return the lines of the list of tabs."""
    reply = await server.call("browser_tabs", action="list")
    return reply.sections["Result"].splitlines()


async def select(server: ServerClient, title: str) -> None:
    index = next(i for i, line in enumerate(await tab_lines(server)) if f"[{title}]" in line)
    await server.call("browser_tabs", action="select", index=index)


@pytest.mark.prove
async def test_the_tab_that_was_used_last_is_the_active_one(
    open_server: StartServer, tmp_path: Path, user_browser: UserBrowser, site: Site
) -> None:
    urls = [site.page(f"<title>Tab {name}</title><h1>{name}</h1>") for name in "abc"]
    ids = await user_browser.open_tabs(*urls)
    async with user_browser.act_as_user() as connection:
        await connection.root.Target.activateTarget(targetId=ids[1])
    await user_browser.wait_for_tabs(lambda tabs: tabs[0]["id"] == ids[1])
    async with open_server(f"--cdp-endpoint={user_browser.port}", cwd=tmp_path) as server:
        shown = await server.call("browser_snapshot")
    assert shown.sections["Page"].startswith(f"- Page URL: {urls[1]}")


@pytest.mark.prove
async def test_attaching_moves_no_tab_and_no_focus(
    open_server: StartServer, tmp_path: Path, user_browser: UserBrowser, site: Site
) -> None:
    urls = [site.page(f"<title>Tab {name}</title>") for name in "ab"]
    await user_browser.open_tabs(*urls)
    before = [page["id"] for page in await user_browser.pages()]
    async with open_server(f"--cdp-endpoint={user_browser.port}", cwd=tmp_path) as server:
        await select(server, "Tab a")
        assert not (await server.call("browser_snapshot")).is_error
        ours = site.page("<title>Ours</title>")
        await server.call("browser_tabs", action="new", url=ours)
        states = [page["url"] for page in await user_browser.pages() if page["url"] != ours]
        assert states == [
            page["url"] for page in await user_browser.pages() if page["id"] in before
        ]
    assert [page["id"] for page in await user_browser.pages()] == before


@pytest.mark.prove
@pytest.mark.time_limit(90)  # of a machine that does much else
@pytest.mark.parametrize("flags", [(), ("--enable-features=WebContentsDiscard",)])
async def test_a_discarded_tab_is_listed_and_loaded_again_when_it_is_used(
    open_server: StartServer, executable: str, tmp_path: Path, site: Site, flags: tuple[str, ...]
) -> None:
    profile = make_profile(tmp_path / "user", internal_only_uis_enabled=True)
    url = site.page("<title>Mine</title>")
    async with run_browser(executable, profile, url, ANY_PORT, *flags) as user_browser:
        sleeper = site.page("<title>Sleeper</title><h1>Awake</h1>")
        await user_browser.open_tabs(sleeper, site.page("<title>Other</title>"))
        await user_browser.click_in_discards("Sleeper", "Urgent Discard")
        async with open_server(f"--cdp-endpoint={user_browser.port}", cwd=tmp_path) as server:
            shown = await server.call("browser_snapshot")
            assert "[Sleeper]" in shown.sections["Open tabs"]
            await select(server, "Sleeper")
            woken = await server.call("browser_snapshot", within=15)
            assert "Awake" in woken.sections["Snapshot"]
            assert "had been discarded or had crashed" in woken.sections["Events"]
            going = await server.call("browser_navigate", url=site.page("<h1>Elsewhere</h1>"))
            assert "Elsewhere" in going.sections["Snapshot"]


async def test_a_tab_that_had_crashed_is_loaded_again_when_it_is_used(
    open_server: StartServer, tmp_path: Path, user_browser: UserBrowser, site: Site
) -> None:
    dead = site.page("<title>Dead</title><h1>Alive</h1>")
    (target_id,) = await user_browser.open_tabs(dead)
    async with user_browser.act_as_user() as connection:
        session = await connection.root.attach(target_id)
        async with session.expect("Inspector.targetCrashed") as crashed:
            await session.Inspector.enable()
            await session.Page.navigate(url="chrome://crash")
            await crashed
    async with open_server(f"--cdp-endpoint={user_browser.port}", cwd=tmp_path) as server:
        names = await tab_lines(server)
        index = next(i for i, line in enumerate(names) if "My" not in line and "mine" not in line)
        await server.call("browser_tabs", action="select", index=index)
        going = await server.call("browser_navigate", url=dead, within=15)
        assert "Alive" in going.sections["Snapshot"]
        await select(server, "Mine")
        assert "My own page" in (await server.call("browser_snapshot")).sections["Snapshot"]


@pytest.mark.prove
async def test_a_frozen_tab_can_be_used(
    open_server: StartServer, tmp_path: Path, user_browser: UserBrowser, site: Site
) -> None:
    (target_id,) = await user_browser.open_tabs(site.page("<title>Frozen</title><h1>Ice</h1>"))
    async with user_browser.act_as_user() as connection:
        session = await connection.root.attach(target_id)
        await session.Page.enable()
        await session.Page.setWebLifecycleState(state="frozen")
        async with open_server(f"--cdp-endpoint={user_browser.port}", cwd=tmp_path) as server:
            await select(server, "Frozen")
            assert "Ice" in (await server.call("browser_snapshot")).sections["Snapshot"]


@pytest.mark.prove
@pytest.mark.time_limit(90)
async def test_a_tab_with_an_endless_script_blocks_no_other_tab(
    open_server: StartServer, tmp_path: Path, user_browser: UserBrowser, site: Site
) -> None:
    (target_id,) = await user_browser.open_tabs(site.page("<title>Busy</title><h1>Busy</h1>"))
    async with user_browser.act_as_user() as connection:
        session = await connection.root.attach(target_id)
        await session.Runtime.evaluate(expression="setTimeout(() => { for (;;); }, 0)")
        async with open_server(f"--cdp-endpoint={user_browser.port}", cwd=tmp_path) as server:
            await select(server, "Busy")
            stuck = await server.call("browser_snapshot", within=15)
            assert stuck.is_error
            assert "did not answer within 5 s" in stuck.sections["Error"]
            await select(server, "Mine")
            assert "My own page" in (await server.call("browser_snapshot")).sections["Snapshot"]
        assert len(await user_browser.pages()) == 2


RULES = """<script type=speculationrules>
    {"prerender": [{"source": "list", "urls": ["/next"], "eagerness": "immediate"}]}</script>"""


async def test_a_prerendered_page_is_not_listed_and_continues_as_the_same_tab(
    open_server: StartServer, tmp_path: Path, user_browser: UserBrowser, site: Site
) -> None:
    site.respond("/ready")
    site.page(
        "<title>Next</title><script>was = document.prerendering; fetch('/ready')</script>"
        "<h1>Next page</h1><button onclick='this.textContent=was'>Was</button>",
        path="/next",
    )
    start = site.page(f"<title>Start</title><a href=/next>Go on</a>{RULES}")
    await user_browser.open_tabs(start)
    await wait_until(lambda: bool(site.requests("/ready")))
    async with open_server(f"--cdp-endpoint={user_browser.port}", cwd=tmp_path) as server:
        assert len(await tab_lines(server)) == 2
        await select(server, "Start")
        page = await server.call("browser_snapshot")
        reply = await server.call("browser_click", ref=page.ref("link", "Go on"), within=15)
        assert "Next page" in reply.sections["Snapshot"]
        assert reply.sections["Page"].startswith(f"- Page URL: {site.url('/next')}")
        used = await server.call("browser_click", ref=reply.ref("button", "Was"), within=15)
        assert '"true"' in used.sections["Snapshot"]
        assert len(await tab_lines(server)) == 2


@pytest.mark.prove
async def test_a_site_that_prerenders_is_used_in_a_launched_browser(
    shared_server: ServerClient, site: Site
) -> None:
    site.page("<title>Next</title><h1>Next page</h1><button>Press</button>", path="/next")
    page = await shared_server.call(
        "browser_navigate", url=site.page(f"<a href=/next>Go on</a>{RULES}")
    )
    reply = await shared_server.call("browser_click", ref=page.ref("link", "Go on"), within=15)
    assert "Next page" in reply.sections["Snapshot"]
    pressed = await shared_server.call("browser_click", ref=reply.ref("button", "Press"))
    assert not pressed.is_error


@pytest.mark.prove
async def test_the_users_tabs_are_listed_by_the_first_call(
    open_server: StartServer, tmp_path: Path, user_browser: UserBrowser
) -> None:
    async with open_server(f"--cdp-endpoint={user_browser.port}", cwd=tmp_path) as server:
        reply = await server.call("browser_tabs", action="list")
    assert reply.sections["Result"] == f"- 0: (current) [Mine]({user_browser.url})"


EXTENSION = {
    "manifest.json": '{"manifest_version": 3, "name": "E", "version": "1", '
    '"background": {"service_worker": "worker.js"}}',
    "worker.js": "",
    "page.html": "<title>Of an extension</title>",
}


@pytest.mark.prove
@pytest.mark.time_limit(90)
async def test_pages_of_extensions_and_of_the_browser_itself_are_not_listed(
    open_server: StartServer, executable: str, tmp_path: Path, site: Site
) -> None:
    extension = tmp_path / "extension"
    extension.mkdir()
    for name, text in EXTENSION.items():
        (extension / name).write_text(text)
    flags = (ANY_PORT, "--enable-unsafe-extension-debugging", "--auto-open-devtools-for-tabs")
    url = site.page("<title>Mine</title><h1>My own page</h1>")
    browser = run_browser(executable, tmp_path / "user", url, *flags)
    async with browser as user_browser, user_browser.act_as_user() as connection:
        loaded = await connection.root.send("Extensions.loadUnpacked", {"path": str(extension)})
        page = f"chrome-extension://{loaded['id']}/page.html"
        made = await connection.root.Target.createTarget(url=page)
        await user_browser.wait_for_tabs(
            lambda tabs: (
                {"devtools", "chrome-extension"} <= {tab["url"].partition(":")[0] for tab in tabs}
            )
        )
        async with open_server(f"--cdp-endpoint={user_browser.port}", cwd=tmp_path) as server:
            shown = await server.call("browser_snapshot", within=15)
            assert "My own page" in shown.sections["Snapshot"]
            assert len(await tab_lines(server)) == 1
            # A tab that leaves the extension's page is one like any other.
            session = await connection.root.attach(made["targetId"])
            await session.Page.navigate(url=site.page("<title>Plain</title>"))
            await user_browser.wait_for_tabs(
                lambda tabs: any(tab["title"] == "Plain" for tab in tabs)
            )
            assert any("[Plain]" in line for line in await tab_lines(server))


@pytest.mark.prove
async def test_other_browser_contexts_are_not_listed(
    open_server: StartServer, tmp_path: Path, user_browser: UserBrowser, site: Site
) -> None:
    async with user_browser.act_as_user() as connection:
        target = connection.root.Target
        context = await target.createBrowserContext()
        url = site.page("<title>Incognito</title>")
        await target.createTarget(url=url, browserContextId=context["browserContextId"])
        await user_browser.wait_for_tabs(
            lambda tabs: any(tab["title"] == "Incognito" for tab in tabs)
        )
        async with open_server(f"--cdp-endpoint={user_browser.port}", cwd=tmp_path) as server:
            assert [line for line in await tab_lines(server) if "Incognito" in line] == []


@pytest.mark.prove
@pytest.mark.time_limit(90)
async def test_two_servers_on_one_browser_leave_each_others_tabs_and_contexts_alone(
    open_server: StartServer, tmp_path: Path, user_browser: UserBrowser, site: Site
) -> None:
    endpoint = f"--cdp-endpoint={user_browser.port}"
    ours, theirs, hidden = (site.page(f"<title>{name}</title>") for name in "ABC")
    async with open_server(endpoint, cwd=tmp_path) as first:
        await first.call("browser_tabs", action="new", url=ours)
        await first.call("browser_context_create", name="secret")
        await first.call("browser_navigate", url=hidden)
        async with open_server(endpoint, cwd=tmp_path) as second:
            await second.call("browser_tabs", action="new", url=theirs)
            seen = "\n".join(await tab_lines(second))
            assert ours in seen
            assert hidden not in seen
            contexts = await second.call("browser_context_list")
            assert "secret" not in contexts.sections["Result"]
        left = {page["url"] for page in await user_browser.pages()}
        assert left == {user_browser.url, ours, hidden}
        assert "- Page Title: C" in (await first.call("browser_snapshot")).sections["Page"]
    assert [page["url"] for page in await user_browser.pages()] == [user_browser.url]


@pytest.mark.prove
async def test_a_server_that_is_killed_leaves_no_context_behind_and_the_users_tabs_alone(
    open_server: StartServer, tmp_path: Path, user_browser: UserBrowser, site: Site
) -> None:
    async with open_server(f"--cdp-endpoint={user_browser.port}", cwd=tmp_path) as server:
        await server.call("browser_snapshot")
        await server.call("browser_context_create", name="work")
        url = site.page("<title>In a context of ours</title>")
        await server.call("browser_navigate", url=url)
        assert {page["url"] for page in await user_browser.pages()} == {user_browser.url, url}
        server.process.kill()
        await server.wait_for_exit()
    await user_browser.wait_for_tabs(
        lambda tabs: [tab["url"] for tab in tabs] == [user_browser.url]
    )
    async with user_browser.act_as_user() as connection:
        contexts = await connection.root.Target.getBrowserContexts()
    assert contexts["browserContextIds"] == []
    assert user_browser.process.returncode is None
