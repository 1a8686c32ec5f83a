"""Downloads: the reply of the call that began one names the file, its path and its size."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.e2e.conftest import Show, StartServer
from tests.e2e.support.client import ServerClient, StdioClient
from tests.site import Site

HEADERS = {"Content-Disposition": "attachment; filename=data.txt"}


@pytest.fixture(scope="module")
def shared_server(shared_spawned: StdioClient) -> StdioClient:
    """Return a server that launches its own browser; it does not manage downloads in a browser of
    the user.
    """
    return shared_spawned


@pytest.fixture
def file(site: Site) -> str:
    """Return the address of a file that is a download."""
    return site.respond("/file", b"Hello", content_type="application/x-x", headers=HEADERS)


def read_saved_file(server: ServerClient, line: str) -> bytes:
    """Return the bytes of the file that an event names."""
    path = line.partition('to "')[2].partition('"')[0]
    return (server.cwd / path).read_bytes()


async def test_a_click_that_downloads_names_the_file(
    shared_server: ServerClient, show: Show, file: str
) -> None:
    page = await show(f"<a href={file}>Get</a>")
    reply = await shared_server.call("browser_click", ref=page.ref("link", "Get"))
    assert reply.sections["Result"] == 'Clicked link "Get"'
    line = reply.sections["Events"]
    assert line.startswith('- Downloaded file data.txt to ".viewpoint-mcp/data')
    assert line.endswith(" (5 bytes)")
    assert read_saved_file(shared_server, line) == b"Hello"


async def test_going_to_a_file_succeeds_and_the_page_stays(
    shared_server: ServerClient, show: Show, file: str
) -> None:
    await show("<title>Old</title><h1>Before</h1>")
    reply = await shared_server.call("browser_navigate", url=file)
    assert not reply.is_error
    assert reply.sections["Result"].startswith(f"{file} is a download, not a page")
    assert read_saved_file(shared_server, reply.sections["Events"]) == b"Hello"
    assert reply.sections["Snapshot"] == "No change on the page."


async def test_a_new_tab_that_navigates_to_a_file_reports_the_download(
    shared_server: ServerClient, show: Show, file: str
) -> None:
    await show("<h1>Before</h1>")
    reply = await shared_server.call("browser_tabs", action="new", url=file)
    assert read_saved_file(shared_server, reply.sections["Events"]) == b"Hello"


async def test_an_answered_dialog_reports_the_download_that_follows(
    shared_server: ServerClient, show: Show, file: str
) -> None:
    page = await show(f"<button onclick=\"if (confirm('?')) location = '{file}'\">Get</button>")
    await shared_server.call("browser_click", ref=page.ref("button", "Get"))
    reply = await shared_server.call("browser_handle_dialog", accept=True)
    assert read_saved_file(shared_server, reply.sections["Events"]) == b"Hello"


async def test_the_output_directory_is_the_one_that_was_chosen(
    open_server: StartServer, tmp_path: Path, file: str
) -> None:
    async with open_server(f"--output-dir={tmp_path / 'there'}", cwd=tmp_path) as server:
        reply = await server.call("browser_navigate", url=file)
        assert 'Downloaded file data.txt to "there/data.txt"' in reply.sections["Events"]
    assert [path.name for path in (tmp_path / "there").glob("*.txt")] == ["data.txt"]
