"""browser_context_save_storage, storageState and --storage-state.

`storage/playwright.json` was written by Playwright 1.65.1 with Chromium 156, from
`storage/keeper.html?write`, by `context.storageState({ path, indexedDB: true })`.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from secrets import token_hex
from typing import Any

import pytest
from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

from tests.e2e.conftest import StartServer
from tests.e2e.contexts.storage_states import State, context_names, items_by_origin, load, ok, save
from tests.e2e.support.client import ServerClient, StdioClient
from tests.e2e.support.processes import find_renderers, wait_until
from tests.site import Site

DATA = Path(__file__).parent / "storage"
COOKIES = (
    "sid=of the server; HttpOnly; SameSite=Strict; Max-Age=2592000",
    "plain=1; Path=/keeper",
    "chips=yes; Secure; Partitioned; SameSite=None; Max-Age=1000000",
)


@pytest.fixture(scope="module")
async def shared_server(
    open_server: StartServer, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[StdioClient]:
    here = tmp_path_factory.mktemp("server")
    async with open_server("--log-level=debug", cwd=here) as client:
        await client.initialize()
        yield client


@pytest.fixture
async def server(shared_server: StdioClient) -> AsyncIterator[StdioClient]:
    """Return the module's server in a context of this test's."""
    name = f"test-{token_hex(4)}"
    await ok(shared_server, "browser_context_create", name=name)
    yield shared_server
    contexts = await context_names(shared_server)
    for each in contexts:
        if each != "default":
            await ok(shared_server, "browser_context_close", name=each)


@pytest.fixture
def keeper(site: Site) -> str:
    """Serve the page that stores something of every kind, or shows its storage."""
    html = (DATA / "keeper.html").read_text()

    def respond(request: Request) -> Response:
        response = Response(html, mimetype="text/html")
        for cookie in COOKIES if "write" in request.args else ():
            response.headers.add("Set-Cookie", cookie)
        return response

    return site.handle("/keeper", respond)


async def visit(server: ServerClient, url: str, **arguments: Any) -> str:
    """Open the keeper page and return its text when it is done."""
    await ok(server, "browser_navigate", url=url, **arguments)
    look = "() => settled.then(() => document.title + document.querySelector('pre').textContent)"
    text = (await ok(server, "browser_evaluate", function=look, **arguments)).sections["Result"]
    assert text.startswith(("read", "stored")), text
    return text.removeprefix("read").removeprefix("stored")


def normalize(state: State, url: str) -> State:
    """Return a sorted state without the parts that differ in each run."""
    origin = re.escape(url.removesuffix("/keeper"))
    text = re.sub(rf"{origin}|http://127\.0\.0\.1:8765", "http://site", json.dumps(state))
    state = json.loads(re.sub(r"keeper[^\"]*:\d+:\d+", "keeper", text))
    for cookie in state["cookies"]:
        cookie["expires"] = min(cookie["expires"], 0)
    state["cookies"].sort(key=lambda cookie: cookie["name"])
    for each in state["origins"]:
        each["localStorage"].sort(key=lambda item: item["name"])
    return state


def playwright_state(url: str) -> State:
    """Return the state that Playwright wrote, with the times and addresses of this run."""
    text = (DATA / "playwright.json").read_text()
    state: State = json.loads(text.replace("http://127.0.0.1:8765", url.removesuffix("/keeper")))
    for cookie in state["cookies"]:
        if cookie["expires"] > 0:
            cookie["expires"] = time.time() + 1000
    return state


def serve_item_page(site: Site, name: str, more: str = "") -> str:
    """Serve a page that stores one item."""
    return site.page(
        f"<h1>Keeps</h1><script>localStorage.setItem('{name}', 'kept');{more}</script>"
    )


@asynccontextmanager
async def stuck(server: ServerClient, site: Site, how: str) -> AsyncIterator[str]:
    """Open a page that stores an item, notifies the site and then hangs; yield its URL."""
    site.respond("/stuck")
    tell = "const tell = () => navigator.sendBeacon('/stuck');"
    url = serve_item_page(site, "k", f"{tell}{how}")
    going = asyncio.create_task(server.call("browser_navigate", url=url))
    try:
        await wait_until(lambda: bool(site.requests("/stuck")))
        yield url
    finally:
        await server.call("browser_close")
        await going


def origin(url: str) -> str:
    return "/".join(url.split("/")[:3])


async def test_the_file_equals_the_one_that_playwright_writes(
    server: ServerClient, keeper: str
) -> None:
    await visit(server, f"{keeper}?write")
    ours = await save(server, indexedDB=True)
    assert normalize(ours, keeper) == normalize(playwright_state(keeper), keeper)


async def test_the_state_of_playwright_is_restored_before_the_first_script(
    server: ServerClient, keeper: str
) -> None:
    written = await visit(server, f"{keeper}?write")
    await load(server, playwright_state(keeper))
    assert await visit(server, keeper) == written


async def test_a_saved_state_is_restored_completely_including_the_parts_that_playwright_loses(
    server: ServerClient, keeper: str
) -> None:
    written = await visit(server, f"{keeper}?write=all")
    state = await save(server, indexedDB=True)
    await load(server, state)
    assert await visit(server, keeper) == written
    assert await save(server, indexedDB=True) == state


async def test_databases_are_not_saved_by_default(server: ServerClient, keeper: str) -> None:
    await visit(server, f"{keeper}?write")
    (saved,) = (await save(server))["origins"]
    assert sorted(saved) == ["localStorage", "origin"]


async def test_values_that_no_file_can_have_are_named(server: ServerClient, site: Site) -> None:
    url = site.page(
        "<script>const r = indexedDB.open('d'); r.onupgradeneeded = () => r.result"
        ".createObjectStore('s').add([new Blob(['x'])], 1); r.onsuccess = () => r.result.close()"
        "</script>"
    )
    await ok(server, "browser_navigate", url=url)
    reply = await ok(server, "browser_context_save_storage", path="blob.json", indexedDB=True)
    expected = f"Not saved: values of the kind Blob, which no file supports of {origin(url)}"
    assert expected in reply.sections["Result"]


async def test_origins_without_an_open_page_are_saved_and_saved_again(
    server: ServerClient, site: Site
) -> None:
    one, two = (
        serve_item_page(site, "one"),
        serve_item_page(site, "two").replace("127.0.0.1", "localhost"),
    )
    await ok(server, "browser_navigate", url=one)
    await ok(server, "browser_navigate", url=two)
    await ok(server, "browser_close")
    state = await save(server)
    assert items_by_origin(state) == {origin(one): {"one": "kept"}, origin(two): {"two": "kept"}}
    # No page of them is ever opened here.
    await load(server, state)
    assert await save(server) == state


async def test_a_frames_origin_is_saved(server: ServerClient, site: Site) -> None:
    with HTTPServer(host="127.0.0.1", threaded=True) as neighbour:
        inner = serve_item_page(Site(neighbour), "inner")
        await ok(server, "browser_navigate", url=site.page(f"<iframe src={inner}></iframe>"))
        assert items_by_origin(await save(server)) == {origin(inner): {"inner": "kept"}}


@pytest.mark.prove
async def test_the_last_stored_value_is_in_the_file(server: ServerClient, site: Site) -> None:
    url = site.page('<button onclick="localStorage.n = 1 + +(localStorage.n || 0)">More</button>')
    page = await ok(server, "browser_navigate", url=url)
    for count in range(1, 6):
        await ok(server, "browser_click", ref=page.ref("button", "More"))
        assert items_by_origin(await save(server)) == {origin(url): {"n": str(count)}}


@pytest.mark.prove
async def test_pages_do_not_notice_that_the_storage_is_saved(
    server: ServerClient, site: Site
) -> None:
    site.respond(
        "/worker.js",
        "onfetch = (event) => { if (event.request.mode === 'navigate')"
        " event.respondWith(fetch('/asked').then(() => new Response('from the worker'))) };"
        "onactivate = (event) => event.waitUntil(clients.claim())",
        content_type="text/javascript",
    )
    site.respond("/asked")
    url = serve_item_page(
        site,
        "k",
        "let noticed = 0; const told = () => { noticed += 1 };"
        "document.addEventListener('visibilitychange', told); addEventListener('blur', told);"
        "addEventListener('storage', told);"
        "navigator.serviceWorker.register('/worker.js');"
        "const served = new Promise((done) => navigator.serviceWorker.oncontrollerchange = done);",
    )
    await ok(server, "browser_navigate", url=url)
    await ok(server, "browser_evaluate", function="() => served.then(() => 'ready')")
    tabs = (await ok(server, "browser_tabs", action="list")).sections["Result"]
    reply = await ok(server, "browser_context_save_storage", path="quiet.json", indexedDB=True)
    assert sorted(reply.sections) == ["Result"]
    assert (await ok(server, "browser_tabs", action="list")).sections["Result"] == tabs
    seen = await ok(server, "browser_evaluate", function="`${noticed} ${document.hasFocus()}`")
    assert seen.sections["Result"] == "0 true"
    assert "Events" not in seen.sections
    assert site.requests("/") == site.requests("/asked") == []


@pytest.mark.parametrize("how", ["for (;;);", "alert('wait')"])
async def test_pages_that_hang_or_wait_are_no_hindrance(
    server: ServerClient, site: Site, how: str
) -> None:
    async with stuck(server, site, f"tell(); {how}") as url:
        assert items_by_origin(await save(server)) == {origin(url): {"k": "kept"}}


async def test_a_crashed_page_is_no_hindrance(server: StdioClient, site: Site) -> None:
    url = serve_item_page(site, "k")
    await ok(server, "browser_navigate", url=url)
    killed = find_renderers(server.process.pid)
    for pid in killed:
        os.kill(pid, signal.SIGKILL)
    assert "crashed" in (await server.call("browser_snapshot")).text
    # Until Chromium has noticed the end of a spare renderer, it gives new tabs to it.
    await wait_until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in killed))
    assert items_by_origin(await save(server)) == {origin(url): {"k": "kept"}}


@pytest.mark.prove
async def test_a_database_that_a_hanging_page_locks_is_named_and_the_rest_is_saved(
    server: ServerClient, site: Site
) -> None:
    how = (
        "const open = (...which) => new Promise((done) => {"
        " indexedDB.open(...which).onsuccess = (event) => done(event.target.result.close()) });"
        "open('free').then(() => open('busy', 1)).then(() => {"
        " indexedDB.open('busy', 2).onupgradeneeded = () => { tell(); for (;;); } });"
    )
    async with stuck(server, site, how) as url:
        reply = await ok(server, "browser_context_save_storage", path="busy.json", indexedDB=True)
    expected = f'Not saved: database "busy" (TimeoutError) of {origin(url)}'
    assert expected in reply.sections["Result"]
    state = json.loads((server.cwd / "busy.json").read_text())
    assert items_by_origin(state) == {origin(url): {"k": "kept"}}
    assert [each["name"] for each in state["origins"][0]["indexedDB"]] == ["free"]


async def test_contexts_have_their_own_states(server: ServerClient, keeper: str) -> None:
    await visit(server, f"{keeper}?write")
    state = await save(server, indexedDB=True)
    full = await load(server, state)
    await ok(server, "browser_context_create", name="clean")
    assert "token" not in await visit(server, keeper, context="clean")
    assert "token" in await visit(server, keeper, context=full)
    assert await save(server, name="clean", indexedDB=True) == {"cookies": [], "origins": []}


@pytest.mark.prove
async def test_the_log_has_no_value(server: StdioClient, keeper: str, site: Site) -> None:
    await visit(server, f"{keeper}?write")
    state = json.loads(json.dumps(await save(server)).replace("of the server", "hush-hush"))
    for item in state["origins"][0]["localStorage"]:
        item["value"] = "hush-hush"
    await load(server, state)
    await ok(server, "browser_navigate", url=keeper)
    await save(server, indexedDB=True)
    assert "hush-hush" in json.dumps(await save(server))
    assert "Storage.setCookies" in server.stderr
    assert "hush-hush" not in server.stderr


async def test_expired_cookies_are_passed_over(server: ServerClient) -> None:
    cookie = {"name": "old", "value": "1", "domain": "a.test", "expires": 1}
    await load(server, {"cookies": [cookie, cookie | {"name": "new", "expires": -1}]})
    assert [each["name"] for each in (await save(server))["cookies"]] == ["new"]


async def test_cookies_with_different_partitions_and_domains_stay_separate(
    server: ServerClient,
) -> None:
    cookie = {"name": "c", "value": "1", "domain": "a.test", "path": "/", "expires": -1}
    cookie |= {"httpOnly": True, "secure": True, "sameSite": "None"}
    under = {"partitionKey": "https://top.test", "_crHasCrossSiteAncestor": True}
    own = {"partitionKey": "https://a.test", "_crHasCrossSiteAncestor": False}
    cookies = [cookie, cookie | under, cookie | own, cookie | {"domain": ".a.test"}]
    await load(server, {"cookies": cookies})
    saved = (await save(server))["cookies"]
    assert sorted(map(json.dumps, saved)) == sorted(map(json.dumps, cookies))


@pytest.mark.parametrize("more", [(), ("--isolated",)])
async def test_the_flag_gives_the_default_context_its_state_and_no_other(
    open_server: StartServer, tmp_path: Path, keeper: str, more: tuple[str, ...]
) -> None:
    (tmp_path / "state.json").write_text(json.dumps(playwright_state(keeper)))
    async with open_server("--storage-state=state.json", *more, cwd=tmp_path) as server:
        await server.initialize()
        assert "token" in items_by_origin(await save(server))[origin(keeper)]
        assert "token" in await visit(server, keeper)
        await ok(server, "browser_context_create", name="clean")
        assert "token" not in await visit(server, keeper)
        # A new context of that name starts with the state again.
        await ok(server, "browser_context_close", name="default")
        assert "token" in await visit(server, keeper, context="default")


async def test_parts_that_only_playwright_restores_are_reported(server: ServerClient) -> None:
    file = {"path": "f", "type": "file", "base64": ""}
    state = {"origins": [{"origin": "https://a.test", "localStorage": [], "opfs": [file]}]}
    (server.cwd / "opfs.json").write_text(json.dumps(state))
    reply = await ok(server, "browser_context_create", name="opfs", storageState="opfs.json")
    assert reply.sections["Result"].splitlines()[1:] == [
        "Storage state: restored from opfs.json",
        "Not restored, because only Playwright supports it: opfs of https://a.test",
    ]


async def test_a_file_is_for_its_owner_alone(server: ServerClient) -> None:
    reply = await ok(server, "browser_context_save_storage", path="deep/state.json")
    assert 'to "deep/state.json"' in reply.sections["Result"]
    assert (server.cwd / "deep/state.json").stat().st_mode & 0o777 == 0o600
    assert [each.name for each in (server.cwd / "deep").iterdir()] == ["state.json"]
