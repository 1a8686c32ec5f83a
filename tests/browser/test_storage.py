"""Storage states in a running browser: unreadable origins, and states that fail to apply."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace as replace_fields

from cdp_protocol import Connection
from tests.site import Site
from viewpoint_mcp.browser.client_workspace import Workspace
from viewpoint_mcp.browser.storage import origin_storage, state_file
from viewpoint_mcp.browser.storage.context_storage import ContextStorage
from viewpoint_mcp.browser.storage.state_file import (
    Cookie,
    Database,
    LocalStorageItem,
    ObjectStore,
    ObjectStoreRecord,
    OriginState,
    StorageState,
)
from viewpoint_mcp.errors import BrowserError, CallError

OPEN = "http://a.test"
SHUT = "http://a.test:99999"


@pytest.fixture
async def context_id(connection: Connection) -> AsyncIterator[str]:
    target = connection.root.Target
    context_id = (await target.createBrowserContext())["browserContextId"]
    yield context_id
    await target.disposeBrowserContext(browserContextId=context_id)


def storage_of(connection: Connection, context_id: str, *origins: str) -> ContextStorage:
    known = set(origins)
    return ContextStorage(connection.root, context_id, lambda: known)


def write_state(path: Path, **parts: Any) -> Path:
    path.write_bytes(state_file.encode_state(StorageState(**parts)))
    return path


async def targets(connection: Connection, context_id: str) -> list[str]:
    result = (await connection.root.Target.getTargets(filter=[{}]))["targetInfos"]
    return [each["type"] for each in result if each.get("browserContextId") == context_id]


def origin(name: str) -> OriginState:
    return OriginState(origin=name, local_storage=[LocalStorageItem(name="k", value="hush")])


async def test_an_unreadable_origin_is_named_and_the_others_are_saved(
    connection: Connection, context_id: str
) -> None:
    storage = storage_of(connection, context_id, SHUT, OPEN)
    await storage.restore(StorageState(origins=[origin(OPEN)]))
    found = await storage.collect(with_databases=False)
    assert found.state.origins == [origin(OPEN)]
    assert str(found) == "0 cookies and the storage of 1 origin"
    assert found.missing_text == f"{SHUT} (it cannot be opened)"


async def test_an_error_is_raised_when_no_origin_can_be_read(
    connection: Connection, context_id: str
) -> None:
    with pytest.raises(BrowserError, match="Nothing could be read, so nothing is saved") as caught:
        await storage_of(connection, context_id, SHUT).collect(with_databases=True)
    assert SHUT in str(caught.value)


async def test_a_state_of_only_cookies_is_saved(connection: Connection, context_id: str) -> None:
    cookie = Cookie(name="c", value="hush", domain="a.test")
    storage = storage_of(connection, context_id, SHUT)
    await storage.restore(StorageState(cookies=[cookie]))
    found = await storage.collect(with_databases=False)
    assert found.state.cookies == [cookie]
    assert SHUT in found.missing_text


async def test_an_empty_context_gives_an_empty_state(
    connection: Connection, context_id: str
) -> None:
    found = await storage_of(connection, context_id, OPEN).collect(with_databases=True)
    assert (found.state.cookies, found.state.origins, found.missing_parts) == ([], [], [])


@pytest.mark.parametrize("with_databases", [True, False])
async def test_no_targets_stay_open_after_saving(
    connection: Connection, context_id: str, with_databases: bool
) -> None:
    storage = storage_of(connection, context_id, OPEN, SHUT)
    await storage.collect(with_databases=with_databases)
    while await targets(connection, context_id):  # noqa: ASYNC110 - a moment later, untold
        await asyncio.sleep(0.02)


async def test_a_state_replaces_the_storage_of_all_known_origins(
    connection: Connection, context_id: str, tmp_path: Path
) -> None:
    storage = storage_of(connection, context_id)
    new, old, cookie = "http://new.test", "http://old.test", Cookie(name="c", value="1", domain="x")
    store = ObjectStore(name="s", records=[ObjectStoreRecord(key=1, value="v")], indexes=[])
    database = Database(name="d", version=1, stores=[store])
    full = replace_fields(origin(OPEN), indexed_db=[database])
    await storage.restore(StorageState(cookies=[cookie], origins=[full, origin(old)]))

    keyed = LocalStorageItem(name="key", value="named like a method")
    wanted = [OriginState(origin=OPEN, local_storage=[keyed]), replace_fields(full, origin=new)]
    expired = replace_fields(cookie, name="e", expires=1)
    named = replace_fields(cookie, name="c2")
    path = write_state(tmp_path / "s.json", cookies=[named, expired], origins=wanted)
    replaced = await storage.replace_from_file(path)
    assert str(replaced) == "1 cookie and the storage of 2 origins"
    assert (replaced.expired_count, replaced.missing_text) == (1, "")
    found = await storage.collect(with_databases=True)
    assert found.state.cookies == [named]
    assert found.state.origins == [replace_fields(wanted[0], indexed_db=[]), wanted[1]]


async def test_nothing_changes_if_the_file_is_malformed_or_a_cookie_is_refused(
    connection: Connection, context_id: str, tmp_path: Path
) -> None:
    storage = storage_of(connection, context_id)
    state = StorageState(cookies=[Cookie(name="c", value="1", domain="x")], origins=[origin(OPEN)])
    await storage.restore(state)
    (tmp_path / "malformed.json").write_text("{")
    refused = Cookie(name="c", value="hush", domain="a.test", path="x")
    write_state(tmp_path / "refused.json", cookies=[refused], origins=[])
    for name in ("malformed.json", "refused.json"):
        with pytest.raises(CallError):
            await storage.replace_from_file(tmp_path / name)
        assert (await storage.collect(with_databases=False)).state == state


async def test_an_origin_whose_new_items_do_not_fit_keeps_the_former_ones(
    connection: Connection, context_id: str, tmp_path: Path
) -> None:
    storage = storage_of(connection, context_id)
    await storage.restore(StorageState(origins=[origin(OPEN)]))
    items = [LocalStorageItem(name=each, value="x" * 3_000_000) for each in "ab"]
    states = [OriginState(origin=OPEN, local_storage=items), origin("http://b.test")]
    path = write_state(tmp_path / "large.json", origins=states)
    with pytest.raises(CallError, match=f"data of {OPEN} was not restored: localStorage: Quota"):
        await storage.replace_from_file(path)
    found = await storage.collect(with_databases=False)
    assert found.state.origins == [origin(OPEN), origin("http://b.test")]


async def test_a_database_that_a_page_keeps_open_is_named_and_the_rest_is_restored(
    connection: Connection,
    context_id: str,
    tmp_path: Path,
    site: Site,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(origin_storage, "_DATABASE_LIMIT", 0.2)
    url = site.page("<h1>Keeps a database open</h1>")
    target = connection.root.Target
    page = await connection.root.attach(
        (await target.createTarget(url="about:blank", browserContextId=context_id))["targetId"]
    )
    await page.Page.enable()
    async with page.expect(page.Page.loadEventFired):
        await page.Page.navigate(url=url)
    opened = "new Promise(done => { indexedDB.open('d').onsuccess = e => done(self.d = e.target) })"
    await page.Runtime.evaluate(expression=f"{opened}.then(() => 1)", awaitPromise=True)
    here = site.url("").rstrip("/")
    path = write_state(tmp_path / "s.json", origins=[replace_fields(origin(OPEN), origin=here)])
    replaced = await storage_of(connection, context_id).replace_from_file(path)
    assert replaced.missing_text == f'database "d" (a page keeps it open) of {here}'
    kept = await page.Runtime.evaluate(expression="localStorage.k")
    assert kept["result"]["value"] == "hush"


@pytest.mark.parametrize(
    "state",
    [
        StorageState(cookies=[Cookie(name="c", value="hush", domain="a.test", path="x")]),
        StorageState(origins=[origin(OPEN), origin(SHUT)]),
    ],
)
async def test_a_context_whose_state_cannot_be_applied_is_not_created(
    launched: Workspace, tmp_path: Path, state: StorageState
) -> None:
    path = tmp_path / "state.json"
    path.write_bytes(state_file.encode_state(state))
    before = await ids(launched)
    with pytest.raises(CallError) as caught:
        await launched.create_context(
            "bad", replace(launched.new_context_options, storage_state=path)
        )
    assert "hush" not in str(caught.value)
    assert launched.contexts.find("bad") is None
    assert await ids(launched) == before


async def ids(workspace: Workspace) -> list[str]:
    await workspace.get_context()
    assert workspace._browser is not None
    known = await workspace._browser._connection.root.Target.getBrowserContexts()
    return known["browserContextIds"]
