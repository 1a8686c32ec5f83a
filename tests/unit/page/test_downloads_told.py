"""Downloads in a reply, and their number."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NoReturn

import pytest

from cdp_protocol import Connection
from tests.unit.cdp.fake_transport import FakeTransport
from viewpoint_mcp.browser.context import Context, ContextIdentity, ContextOptions
from viewpoint_mcp.browser.downloads import Downloads
from viewpoint_mcp.files.file_access import FileAccess


async def never(*_: object) -> Any:
    raise AssertionError("No tab is opened or closed.")


def no_storage(_: Context) -> NoReturn:
    raise AssertionError("No storage is read.")


def make_context(name: str) -> Context:
    options = ContextOptions()
    identity = ContextIdentity(name, 0, name)
    return Context(
        identity,
        name,
        options,
        open_tab=never,
        close_tab=never,
        refresh_tabs=never,
        make_storage=no_storage,
    )


@pytest.fixture
def context() -> Context:
    return make_context("a")


async def test_a_flood_of_downloads_is_cut_and_counted(
    connection: Connection, transport: FakeTransport, tmp_path: Path, context: Context
) -> None:
    downloads = Downloads(
        FileAccess(tmp_path, tmp_path, tmp_path), lambda _: (None, []), should_save_files=True
    )
    downloads.subscribe(connection.root)
    await downloads.enable_events(connection.root, context)
    for number in range(30):
        named = {
            "frameId": "F",
            "url": "http://x/",
            "guid": str(number),
            "suggestedFilename": f"{number}.txt",
        }
        transport.send_event("Browser.downloadWillBegin", named)
    await connection.root.send("Browser.getVersion")
    events = downloads.pop_events(context)
    assert len(events) == 21
    assert events[0] == "Downloading file 0.txt ... (0 bytes so far)"
    assert events[-1] == "... and 10 more downloads"
    assert downloads.pop_events(context) == []
    await downloads.close()


async def test_the_end_of_a_download_waits_for_the_context_that_it_is_of(
    connection: Connection, transport: FakeTransport, tmp_path: Path, context: Context
) -> None:
    other = make_context("b")
    files = FileAccess(tmp_path, tmp_path, tmp_path)
    downloads = Downloads(files, lambda _: (context, []), should_save_files=True)
    downloads.subscribe(connection.root)
    named = {"frameId": "F", "url": "http://x/", "guid": "1", "suggestedFilename": "a.txt"}
    transport.send_event("Browser.downloadWillBegin", named)
    await connection.root.send("Browser.getVersion")
    assert downloads.pop_events(context) == ["Downloading file a.txt ... (0 bytes so far)"]
    ended = {"guid": "1", "receivedBytes": 0, "totalBytes": 0, "state": "canceled"}
    transport.send_event("Browser.downloadProgress", ended)
    await connection.root.send("Browser.getVersion")
    assert downloads.pop_events(other) == []
    (events,) = downloads.pop_events(context)
    assert "a.txt failed or was cancelled" in events
    await downloads.close()


async def test_a_browser_that_cannot_report_downloads_can_be_used(
    connection: Connection, transport: FakeTransport, tmp_path: Path, context: Context
) -> None:
    transport.set_error("Browser.setDownloadBehavior", "Not supported")
    downloads = Downloads(
        FileAccess(tmp_path, tmp_path, tmp_path), lambda _: (None, []), should_save_files=False
    )
    await downloads.enable_events(connection.root, context)
    assert downloads.pop_events(context) == []
