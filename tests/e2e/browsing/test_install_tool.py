"""`browser_install` by an agent: progress, cancellation, and a browser for its next call."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from tests.e2e.conftest import StartServer
from tests.e2e.support.client import StdioClient
from tests.e2e.support.download_site import EXECUTABLE, VERSION, Mirror, archive, list_files, script
from tests.e2e.support.processes import find_descendants, wait_until
from tests.site import Site


@pytest.fixture
def mirror(site: Site, executable: str) -> Iterator[Mirror]:
    mirror = Mirror(site, archive(script(executable)))
    yield mirror
    mirror.go_on.set()


@asynccontextmanager
async def without_browser(cwd: Path, host: str) -> AsyncIterator[StdioClient]:
    """A server that finds no browser: there is no Chrome on its PATH, and Chromium will not do."""
    env = {
        "PATH": str(cwd),
        "VIEWPOINT_MCP_BROWSER_DIR": str(cwd / "browsers"),
        "VIEWPOINT_MCP_DOWNLOAD_HOST": host,
        "VIEWPOINT_MCP_EXECUTABLE": "",
        "CHROMIUM_PATH": "",
    }
    async with StdioClient.open("--headless", "--browser", "chrome", cwd=cwd, env=env) as server:
        await server.initialize()
        yield server


async def test_a_browser_is_installed_and_used_by_the_next_call(
    mirror: Mirror, site: Site, tmp_path: Path
) -> None:
    url = site.page("<h1>Hello</h1>")
    async with without_browser(tmp_path, mirror.host) as server:
        refused = await server.call("browser_navigate", url=url)
        assert refused.is_error
        assert "browser_install" in refused.text
        assert "viewpoint-mcp install-browser" in refused.text

        installed = await server.call("browser_install")
        executable = str(tmp_path / "browsers" / EXECUTABLE)
        assert not installed.is_error, installed.text
        assert executable in installed.sections["Result"]
        assert "Open tabs" not in installed.sections
        assert find_descendants(server.process.pid) == {}

        shown = await server.call("browser_navigate", url=url)
        assert 'heading "Hello"' in shown.text
        assert any(
            executable in command for command in find_descendants(server.process.pid).values()
        )

        again = await server.call("browser_install")
        assert f"The browser is ready: {executable}, version 1" in again.sections["Result"]
    assert mirror.requested_ranges == [None]


async def test_progress_is_reported_and_a_cancelled_download_is_continued_later(
    mirror: Mirror, tmp_path: Path
) -> None:
    mirror.pauses_at = 300_000
    async with without_browser(tmp_path, mirror.host) as server:
        call = {"name": "browser_install", "_meta": {"progressToken": "bar"}}
        await server.send({"jsonrpc": "2.0", "id": "own", "method": "tools/call", "params": call})
        results = []
        while "MB" not in (message := (await server.receive())["params"])["message"]:
            results.append(message["progress"])
        assert message["progressToken"] == "bar"
        assert message["message"].startswith(f"Downloading Chrome for Testing {VERSION}: 0 of 1 MB")
        await server.notify("notifications/cancelled", {"requestId": "own"})
        # The download has stopped, although the site still pauses: otherwise this would block.
        mirror.pauses_at = None
        installed = await server.call("browser_install")
        assert not installed.is_error, installed.text
    assert mirror.requested_ranges == [
        None,
        "bytes=327680-",
    ]  # five pieces of those that the site sends
    assert list_files(tmp_path / "browsers") == {VERSION}


async def test_a_placeholder_that_does_not_run_is_no_browser(
    mirror: Mirror, tmp_path: Path
) -> None:
    stub = tmp_path / "google-chrome"
    stub.write_text("#!/bin/sh\necho 'Requires a package of the system.' >&2\nexit 1\n")
    stub.chmod(0o755)
    async with without_browser(tmp_path, mirror.host) as server:
        first = await server.call("browser_install")
        second = await server.call("browser_install")
    assert "Installed Chrome for Testing" in first.text
    assert str(tmp_path / "browsers" / EXECUTABLE) in second.text


async def test_a_server_that_ends_during_a_download_ends_at_once(
    mirror: Mirror, tmp_path: Path
) -> None:
    mirror.pauses_at = 0
    async with without_browser(tmp_path, mirror.host) as server:
        call = {"name": "browser_install"}
        await server.send({"jsonrpc": "2.0", "id": "own", "method": "tools/call", "params": call})
        await wait_until(lambda: len(mirror.requested_ranges) == 1)
        assert await server.close() == 0  # the client times out after 10 s, the site after 60


async def test_a_download_that_fails_is_an_error_with_its_cause(
    mirror: Mirror, tmp_path: Path
) -> None:
    mirror.failures = [404]
    async with without_browser(tmp_path, mirror.host) as server:
        reply = await server.call("browser_install")
    assert reply.is_error
    assert "answered 404" in reply.sections["Error"]


async def test_the_configured_browser_is_named_and_not_started(
    shared_spawned: StdioClient, executable: str
) -> None:
    reply = await shared_spawned.call("browser_install")
    assert f"The browser is ready: {executable}, version " in reply.sections["Result"]
    assert "(named by --executable-path)" in reply.sections["Result"]
    assert find_descendants(shared_spawned.process.pid) == {}


async def test_a_named_browser_that_does_not_run_is_an_error(
    open_server: StartServer, tmp_path: Path
) -> None:
    async with open_server("--executable-path", "/no/chrome", cwd=tmp_path) as server:
        await server.initialize()
        reply = await server.call("browser_install")
    assert reply.is_error
    assert "/no/chrome, named by --executable-path, does not exist" in reply.text


async def test_with_an_endpoint_nothing_is_installed(
    open_server: StartServer, tmp_path: Path
) -> None:
    async with open_server("--cdp-endpoint", "http://127.0.0.1:1", cwd=tmp_path) as server:
        await server.initialize()
        reply = await server.call("browser_install")
    assert "Nothing to install" in reply.sections["Result"]
    assert "attaches to a running browser" in reply.sections["Result"]
