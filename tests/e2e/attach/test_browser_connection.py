"""--browser-connection pipe: the browser is spoken to without a port."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.e2e.conftest import StartServer
from tests.e2e.support.client import StdioClient
from tests.e2e.support.processes import (
    find_browser,
    find_descendants,
    kill_browser,
    wait_for_all_to_end,
)
from tests.site import Site


@pytest.fixture
async def piped(open_server: StartServer, tmp_path: Path) -> AsyncIterator[StdioClient]:
    async with open_server("--browser-connection=pipe", cwd=tmp_path) as server:
        await server.initialize()
        yield server


async def test_pages_are_read_and_acted_on(piped: StdioClient, site: Site) -> None:
    reply = await piped.call(
        "browser_navigate", url=site.page("<button onclick='this.textContent = 1'>Add</button>")
    )
    clicked = await piped.call("browser_click", ref=reply.ref("button", "Add"))
    assert 'button "1"' in clicked.sections["Snapshot"]


@pytest.mark.prove
async def test_messages_of_any_size_and_characters_arrive_complete(
    piped: StdioClient, site: Site
) -> None:
    await piped.call("browser_navigate", url=site.page("<p>é😀\u0001</p>"))
    long = await piped.call("browser_evaluate", function="'é😀'.repeat(5000)")
    assert long.sections["Result"] == "é😀" * 5000
    answer = await piped.call("browser_evaluate", function=f"'{'ä' * 1_000_000}'.length")
    assert answer.sections["Result"] == "1000000"


def listens(pid: int) -> bool:
    """Whether a process has a listening TCP socket."""
    links = [str(fd.readlink()) for fd in Path(f"/proc/{pid}/fd").iterdir()]
    tables = [Path(f"/proc/{pid}/net/{name}").read_text() for name in ("tcp", "tcp6")]
    rows = [line.split() for table in tables for line in table.splitlines()[1:]]
    return any(row[3] == "0A" and f"socket:[{row[9]}]" in links for row in rows)


@pytest.mark.prove
@pytest.mark.parametrize("kind", ["pipe", "websocket"])
async def test_by_pipe_no_port_is_open(
    open_server: StartServer, tmp_path: Path, site: Site, kind: str
) -> None:
    async with open_server(f"--browser-connection={kind}", cwd=tmp_path) as server:
        await server.call("browser_navigate", url=site.page("<p>x</p>"))
        assert listens(find_browser(server.process.pid)) == (kind == "websocket")


async def test_the_death_of_the_browser_is_reported_and_another_is_started(
    piped: StdioClient, site: Site
) -> None:
    url = site.page("<h1>Here</h1>")
    await piped.call("browser_navigate", url=url)
    await kill_browser(piped)
    again = await piped.call("browser_navigate", url=url)
    assert "started again" in again.text
    assert "Here" in again.sections["Snapshot"]


@pytest.mark.prove
async def test_no_browser_outlives_a_killed_server(piped: StdioClient, site: Site) -> None:
    await piped.call("browser_navigate", url=site.page("<p>x</p>"))
    browsers = find_descendants(piped.process.pid)
    assert browsers
    piped.process.kill()
    await piped.process.wait()
    assert await wait_for_all_to_end(browsers, 5)


async def test_a_browser_that_does_not_start_reports_its_cause(tmp_path: Path) -> None:
    broken = tmp_path / "broken"
    broken.write_text("#!/bin/sh\necho no luck today >&2\nexit 3\n")
    broken.chmod(0o755)
    flags = ("--headless", "--browser-connection=pipe", f"--executable-path={broken}")
    async with StdioClient.open(*flags, cwd=tmp_path) as server:
        reply = await server.call("browser_navigate", url="about:blank")
    assert "exited at once with status 3" in reply.sections["Error"]
    assert "no luck today" in reply.sections["Error"]
