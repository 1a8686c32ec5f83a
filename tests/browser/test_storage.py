"""Storage states in a running browser: unreadable origins, and states that fail to apply."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from cdp_protocol import Connection
from viewpoint_mcp.browser.client_workspace import Workspace
from viewpoint_mcp.browser.storage import context_storage, state_file
from viewpoint_mcp.browser.storage.state_file import (
    Cookie,
    LocalStorageItem,
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


async def targets(connection: Connection, context_id: str) -> list[str]:
    result = (await connection.root.Target.getTargets(filter=[{}]))["targetInfos"]
    return [each["type"] for each in result if each.get("browserContextId") == context_id]


def origin(name: str) -> OriginState:
    return OriginState(origin=name, local_storage=[LocalStorageItem(name="k", value="hush")])


async def test_an_unreadable_origin_is_named_and_the_others_are_saved(
    connection: Connection, context_id: str
) -> None:
    await context_storage.restore_storage(
        connection.root, context_id, StorageState(origins=[origin(OPEN)])
    )
    found = await context_storage.collect_storage(
        connection.root, context_id, [SHUT, OPEN], with_databases=False
    )
    assert found.state.origins == [origin(OPEN)]
    assert str(found) == "0 cookies and the storage of 1 origin"
    assert found.missing_text == f"{SHUT} (it cannot be opened)"


async def test_an_error_is_raised_when_no_origin_can_be_read(
    connection: Connection, context_id: str
) -> None:
    with pytest.raises(BrowserError, match="Nothing could be read, so nothing is saved") as caught:
        await context_storage.collect_storage(
            connection.root, context_id, [SHUT], with_databases=True
        )
    assert SHUT in str(caught.value)


async def test_a_state_of_only_cookies_is_saved(connection: Connection, context_id: str) -> None:
    cookie = Cookie(name="c", value="hush", domain="a.test")
    await context_storage.restore_storage(
        connection.root, context_id, StorageState(cookies=[cookie])
    )
    found = await context_storage.collect_storage(
        connection.root, context_id, [SHUT], with_databases=False
    )
    assert found.state.cookies == [cookie]
    assert SHUT in found.missing_text


async def test_an_empty_context_gives_an_empty_state(
    connection: Connection, context_id: str
) -> None:
    found = await context_storage.collect_storage(
        connection.root, context_id, [OPEN], with_databases=True
    )
    assert (found.state.cookies, found.state.origins, found.missing_parts) == ([], [], [])


@pytest.mark.parametrize("with_databases", [True, False])
async def test_no_targets_stay_open_after_saving(
    connection: Connection, context_id: str, with_databases: bool
) -> None:
    await context_storage.collect_storage(
        connection.root, context_id, [OPEN, SHUT], with_databases=with_databases
    )
    while await targets(connection, context_id):  # noqa: ASYNC110 - a moment later, untold
        await asyncio.sleep(0.02)


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
