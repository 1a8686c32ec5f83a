"""browser_context_create, _switch, _list and _close, and the `context` argument of every tool."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

import pytest
from werkzeug import Request, Response

from tests.e2e.conftest import Hold
from tests.e2e.support.client import Reply, ServerClient, StdioClient
from tests.site import Site

STORED = """<title>Stored</title><p id=p></p><script>
async function keep(value) {
  document.cookie = 'c=' + value;
  localStorage.l = value;
  sessionStorage.s = value;
  const cache = await caches.open('k');
  await cache.put('/kept', new Response(value));
  const db = await new Promise((done, failed) => {
    const opening = indexedDB.open('d', 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore('o');
    opening.onsuccess = () => done(opening.result);
    opening.onerror = failed;
  });
  await new Promise(done => {
    const change = db.transaction('o', 'readwrite');
    change.objectStore('o').put(value, 'key');
    change.oncomplete = done;
  });
  db.close();
  await navigator.serviceWorker.register('/worker.js?' + value);
  await navigator.serviceWorker.ready;
  return kept();
}
async function kept() {
  const inCache = await (await caches.open('k')).match('/kept');
  const workers = await navigator.serviceWorker.getRegistrations();
  return JSON.stringify({
    cookie: document.cookie, local: localStorage.l ?? '', session: sessionStorage.s ?? '',
    cache: inCache ? await inCache.text() : '',
    databases: (await indexedDB.databases()).length,
    workers: workers.length,
  });
}</script>"""
EMPTY = {"cookie": "", "local": "", "session": "", "cache": "", "databases": 0, "workers": 0}


async def contexts(server: ServerClient) -> dict[str, dict[str, Any]]:
    """Return the listed contexts by name."""
    reply = await server.call("browser_context_list")
    assert not reply.is_error, reply.text
    return {each["name"]: each for each in json.loads(reply.sections["Result"])}


async def create(server: ServerClient, name: str) -> Reply:
    reply = await server.call("browser_context_create", name=name)
    assert not reply.is_error, reply.text
    return reply


@pytest.fixture(scope="module")
def shared_server(shared_spawned: StdioClient) -> StdioClient:
    """Return a server that launches its own browser, whose default context is `default`."""
    return shared_spawned


@pytest.fixture
async def shared(shared_server: ServerClient) -> AsyncIterator[ServerClient]:
    """Return a server with no context but an active, empty `default`."""
    yield shared_server
    await shared_server.call("browser_context_switch", name="default")
    for name in await contexts(shared_server):
        if name != "default":
            await shared_server.call("browser_context_close", name=name)
    while "No open tabs" not in (await shared_server.call("browser_tabs", action="list")).text:
        await shared_server.call("browser_close")


@pytest.fixture
def stored(site: Site) -> str:
    site.respond("/worker.js", "", content_type="text/javascript")
    return site.page(STORED, path="/stored")


async def test_the_list_starts_no_browser_and_names_default(server: ServerClient) -> None:
    assert await contexts(server) == {
        "default": {"name": "default", "isActive": True, "pageCount": 0, "currentUrl": None}
    }


async def test_the_list_of_contexts_contains_no_list_of_tabs(shared: ServerClient) -> None:
    opened = await shared.call("browser_tabs", action="new")
    await shared.call("browser_tabs", action="new")
    assert not opened.is_error
    assert "Open tabs" in (await shared.call("browser_snapshot")).sections
    assert "Open tabs" not in (await shared.call("browser_context_list")).sections


async def test_a_new_context_is_active_and_the_next_page_opens_in_it(
    shared: ServerClient, site: Site
) -> None:
    await shared.call("browser_navigate", url=site.page("<h1>First</h1>"))
    reply = await create(shared, "clean")
    assert reply.sections["Result"] == 'Created context "clean"; it is active now.'
    url = site.page("<h1>Second</h1>")
    reply = await shared.call("browser_navigate", url=url)
    assert "Second" in reply.sections["Snapshot"]
    assert "Open tabs" not in reply.sections
    listed = await contexts(shared)
    assert listed["clean"] == {
        "name": "clean",
        "isActive": True,
        "pageCount": 1,
        "currentUrl": url,
    }
    assert not listed["default"]["isActive"]
    assert listed["default"]["pageCount"] == 1


async def test_storage_of_a_page_is_not_visible_in_another_context(
    shared: ServerClient, stored: str
) -> None:
    await shared.call("browser_navigate", url=stored)
    reply = await shared.call("browser_evaluate", function="keep('mine')")
    mine = json.loads(reply.sections["Result"])
    assert mine == {
        "cookie": "c=mine",
        "local": "mine",
        "session": "mine",
        "cache": "mine",
        "databases": 1,
        "workers": 1,
    }
    for name in ("a", "b"):
        await create(shared, name)
        await shared.call("browser_navigate", url=stored)
        reply = await shared.call("browser_evaluate", function="kept()")
        assert json.loads(reply.sections["Result"]) == EMPTY
        await shared.call("browser_evaluate", function=f"keep('{name}')")
    reply = await shared.call("browser_evaluate", function="kept()", context="default")
    assert json.loads(reply.sections["Result"]) == mine


@pytest.mark.prove
async def test_the_http_cache_is_not_shared(shared: ServerClient, site: Site) -> None:
    def respond(_: Request) -> Response:
        return Response("", mimetype="text/javascript", headers={"Cache-Control": "max-age=3600"})

    site.handle("/cached.js", respond)
    url = site.page("<script src=/cached.js></script>")
    for name in (None, "a"):
        if name:
            await create(shared, name)
        await shared.call("browser_navigate", url=url)
        await shared.call("browser_navigate", url=site.page("<p>Between</p>"))
        await shared.call("browser_navigate", url=url)
    assert len(site.requests("/cached.js")) == 2


async def test_http_logins_are_not_shared(shared: ServerClient, site: Site) -> None:
    def respond(request: Request) -> Response:
        if request.authorization is None:
            return Response("Who?", 401, {"WWW-Authenticate": 'Basic realm="r"'})
        return Response("Welcome", mimetype="text/html")

    url = site.handle("/private", respond)
    known = url.replace("http://", "http://u:p@")
    assert "Welcome" in (await shared.call("browser_navigate", url=known)).text
    assert "Welcome" in (await shared.call("browser_navigate", url=url)).text
    await create(shared, "a")
    reply = await shared.call("browser_navigate", url=url)
    assert "Welcome" not in reply.text


async def test_switching_returns_to_the_pages_of_a_context(
    shared: ServerClient, site: Site
) -> None:
    await shared.call("browser_navigate", url=site.page("<h1>First</h1>"))
    await create(shared, "a")
    await shared.call("browser_navigate", url=site.page("<h1>Second</h1>"))
    reply = await shared.call("browser_context_switch", name="default")
    assert reply.sections["Result"] == 'Context "default" is active now.'
    assert "First" in (await shared.call("browser_snapshot")).sections["Snapshot"]


async def test_a_call_may_act_in_a_context_without_switching(
    shared: ServerClient, site: Site
) -> None:
    await shared.call("browser_navigate", url=site.page("<h1>First</h1>"))
    await create(shared, "a")
    await shared.call("browser_context_switch", name="default")
    url = site.page("<button onclick=\"this.textContent = 'Pressed'\">Press</button>")
    page = await shared.call("browser_navigate", url=url, context="a")
    ref = page.ref("button", "Press")
    assert ref.startswith("c")
    reply = await shared.call("browser_click", ref=ref, context="a")
    assert 'button "Pressed"' in reply.sections["Snapshot"]
    assert "First" in (await shared.call("browser_snapshot")).sections["Snapshot"]
    assert (await contexts(shared))["default"]["isActive"]


async def test_tabs_of_a_context_are_its_own(shared: ServerClient, site: Site) -> None:
    await shared.call("browser_navigate", url=site.page("<title>First</title>"))
    await create(shared, "a")
    await shared.call("browser_context_switch", name="default")
    url = site.page("<title>Second</title>")
    reply = await shared.call("browser_tabs", action="new", url=url, context="a")
    assert reply.sections["Result"] == f"- 0: (current) [Second]({url})"
    listed = await shared.call("browser_tabs", action="list")
    assert "First" in listed.text
    assert "Second" not in listed.text
    reply = await shared.call("browser_close", context="a")
    assert "No open tabs" in reply.sections["Open tabs"]
    assert (await contexts(shared))["default"]["pageCount"] == 1


async def test_a_popup_belongs_to_the_context_that_opened_it(
    shared: ServerClient, site: Site
) -> None:
    await create(shared, "a")
    there = site.page("<title>There</title>")
    url = site.page(f"<button onclick=\"window.open('{there}')\">Open</button>")
    page = await shared.call("browser_navigate", url=url)
    reply = await shared.call("browser_click", ref=page.ref("button", "Open"))
    assert f"Popup opened as tab 1: {there}" in reply.sections["Events"]
    listed = await contexts(shared)
    assert listed["a"]["pageCount"] == 2
    assert listed["default"]["pageCount"] == 0


async def test_downloads_are_reported_in_the_context_that_started_them(
    spawned: StdioClient, site: Site
) -> None:
    headers = {"Content-Disposition": "attachment; filename=data.txt"}
    site.respond("/data", "data", headers=headers)
    link = site.page("<a href=/data>Fetch</a>")
    await spawned.call("browser_navigate", url=link)
    await create(spawned, "a")
    page = await spawned.call("browser_navigate", url=link)
    reply = await spawned.call("browser_click", ref=page.ref("link", "Fetch"))
    assert "Downloaded file data.txt" in reply.sections["Events"]
    reply = await spawned.call("browser_snapshot", context="default")
    assert "data.txt" not in reply.sections.get("Events", "")


async def test_a_ref_of_another_context_acts_on_nothing_and_names_its_context(
    shared: ServerClient, site: Site
) -> None:
    page = await shared.call("browser_navigate", url=site.page("<button>Mine</button>"))
    await create(shared, "a")
    await shared.call("browser_navigate", url=site.page("<button>Other</button>"))
    reply = await shared.call("browser_click", ref=page.ref("button", "Mine"))
    assert reply.is_error
    assert 'It belongs to the browser context "default". Pass context to act there.' in reply.text
    again = await shared.call("browser_click", ref=page.ref("button", "Mine"), context="default")
    assert not again.is_error


@pytest.mark.prove
async def test_calls_in_different_contexts_run_side_by_side(
    shared: ServerClient, site: Site, hold: Hold
) -> None:
    hold("/slow", "answered", seconds=3)
    slow = "fetch('/slow').then(r => r.text()).then(t => document.body.append(t))"
    url = site.page(f'<button onclick="{slow}">A</button>')
    page = await shared.call("browser_navigate", url=url)
    waiting = asyncio.create_task(shared.call("browser_click", ref=page.ref("button", "A")))
    await shared.request("ping")
    await create(shared, "b")
    url = site.page("<button onclick=\"this.textContent = 'done'\">B</button>")
    other = await shared.call("browser_navigate", url=url)
    reply = await shared.call("browser_click", ref=other.ref("button", "B"))
    assert 'button "done"' in reply.sections["Snapshot"]
    assert not waiting.done()
    assert "answered" in (await waiting).sections["Snapshot"]


@pytest.mark.prove
@pytest.mark.time_limit(120)
async def test_thirty_contexts_at_once_are_isolated(shared: ServerClient, stored: str) -> None:
    names = [f"user {number}" for number in range(30)]
    await asyncio.gather(*(create(shared, name) for name in names))

    async def visit(name: str) -> str:
        await shared.call("browser_navigate", url=stored, context=name)
        function = f"document.cookie = 'c={name.replace(' ', '-')}'"
        await shared.call("browser_evaluate", function=function, context=name)
        results = await shared.call("browser_evaluate", function="document.cookie", context=name)
        return results.sections["Result"]

    results = [await visit(name) for name in names]
    assert results == [f"c={name.replace(' ', '-')}" for name in names]
    listed = await contexts(shared)
    assert len(listed) == 31
    assert sum(each["isActive"] for each in listed.values()) == 1


async def test_closing_a_context_closes_its_pages_and_activates_the_default_context(
    shared: ServerClient, stored: str
) -> None:
    await create(shared, "a")
    await shared.call("browser_navigate", url=stored)
    await shared.call("browser_evaluate", function="keep('a')")
    reply = await shared.call("browser_context_close", name="a")
    assert reply.sections["Result"] == 'Closed context "a"; "default" is active.'
    assert list(await contexts(shared)) == ["default"]
    reply = await shared.call("browser_snapshot", context="a")
    assert reply.is_error
    assert 'Context "a" does not exist.' in reply.text
    await create(shared, "a")
    await shared.call("browser_navigate", url=stored)
    reply = await shared.call("browser_evaluate", function="kept()")
    assert json.loads(reply.sections["Result"]) == EMPTY


async def test_refs_of_a_closed_context_are_unknown_in_a_new_one_of_the_same_name(
    shared: ServerClient, site: Site
) -> None:
    url = site.page("<button>Press</button>")
    await create(shared, "a")
    before = await shared.call("browser_navigate", url=url)
    await shared.call("browser_context_close", name="a")
    await create(shared, "a")
    after = await shared.call("browser_navigate", url=url)
    assert before.ref("button") != after.ref("button")
    reply = await shared.call("browser_click", ref=before.ref("button"))
    assert reply.is_error
    assert "Its tab was closed" in reply.text


async def test_the_only_context_cannot_be_closed(server: ServerClient) -> None:
    reply = await server.call("browser_context_close", name="default")
    assert reply.is_error
    assert "Cannot close the only remaining context" in reply.text
    await create(server, "a")
    await server.call("browser_context_close", name="default")
    reply = await server.call("browser_context_close", name="a")
    assert reply.is_error
    assert "Cannot close the only remaining context" in reply.text


async def test_the_default_context_is_created_again_without_data_when_it_is_needed(
    server: ServerClient, stored: str
) -> None:
    await server.call("browser_navigate", url=stored)
    await server.call("browser_evaluate", function="keep('mine')")
    await create(server, "a")
    await server.call("browser_context_close", name="default")
    assert list(await contexts(server)) == ["a"]
    await server.call("browser_navigate", url=stored, context="default")
    reply = await server.call("browser_evaluate", function="kept()", context="default")
    assert json.loads(reply.sections["Result"]) == EMPTY
    assert (await contexts(server))["a"]["isActive"]


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("", "must be a string of 1 to 64 characters, not ''"),
        ("x" * 65, "must be a string of 1 to 64 characters, not 'xxx"),
        ("a\n### Result", "cannot contain line breaks"),
    ],
)
async def test_a_name_must_be_one(shared: ServerClient, name: str, sentence: str) -> None:
    reply = await shared.call("browser_context_create", name=name)
    assert reply.is_error
    assert sentence in reply.text


async def test_a_context_name_can_be_used_once(shared: ServerClient) -> None:
    await create(shared, "a")
    reply = await shared.call("browser_context_create", name="a")
    assert reply.is_error
    assert 'Context "a" already exists.' in reply.text
    both = await asyncio.gather(
        *(shared.call("browser_context_create", name="b") for _ in range(2))
    )
    assert sorted(reply.is_error for reply in both) == [False, True]


@pytest.mark.parametrize("tool", ["browser_context_switch", "browser_context_close"])
async def test_an_unknown_context_is_refused_with_the_names_there_are(
    shared: ServerClient, tool: str
) -> None:
    await create(shared, "a")
    reply = await shared.call(tool, name="b")
    assert reply.is_error
    assert 'Context "b" does not exist.' in reply.text
    assert "default, a" in reply.text
