"""The session of an MCP server on stdio, used from a shell on the same machine."""

from __future__ import annotations

import re
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.conftest import StartServer
from tests.e2e.shell.attaching.conftest import SlowPage, ref
from tests.e2e.shell.conftest import Shell, finish
from tests.e2e.support.client import StdioClient
from tests.e2e.support.http_client import sessionless_request
from tests.e2e.support.processes import wait_until
from tests.site import Site

pytestmark = pytest.mark.time_limit(60)

PAGE = "<title>Tea</title><label>Name <input></label><button>Order</button>"
UNIX = {"VIEWPOINT_LOOPBACK": ""}
LOOPBACK = {"VIEWPOINT_LOOPBACK": "1"}


@asynccontextmanager
async def run_server(
    open_server: StartServer, shell: Shell, cwd: Path, env: dict[str, str] | None = None
) -> AsyncIterator[tuple[StdioClient, str]]:
    """Start a server that offers its session; return its client and the name of the session."""
    runtime = {"XDG_RUNTIME_DIR": str(shell.runtime)}
    async with open_server("--shell", cwd=cwd, env=runtime | (env or {})) as client:
        await client.initialize()
        yield client, f"viewpoint-mcp-tests@{client.process.pid}"


def files_of(shell: Shell) -> list[Path]:
    return sorted(shell.runtime.glob("viewpoint-mcp/mcp-*"))


@pytest.mark.parametrize("env", [UNIX, LOOPBACK])
async def test_the_shell_acts_in_the_session_and_the_client_learns_it(
    open_server: StartServer, shell: Shell, tmp_path: Path, site: Site, env: dict[str, str]
) -> None:
    async with run_server(open_server, shell, tmp_path, env) as (client, name):
        opened = await client.call("browser_navigate", url=site.page(PAGE))
        listed = (await shell.run("sessions")).text
        assert listed.startswith(f"MCP server on stdio in {tmp_path} (pid {client.process.pid}, ")
        assert f"\n  {name}: viewpoint-mcp tests 0, 1 tab, last call " in listed
        files = files_of(shell)
        assert len(files) == 2
        assert all(each.stat().st_mode & 0o777 == 0o600 for each in files)
        box = ref(opened.text, 'textbox "Name"')
        assert "Anna" in (await shell.run("-s", name, "type", box, "Anna")).text
        # The process id is enough, also in the variable.
        by_pid = {"VIEWPOINT_SESSION": f"@{client.process.pid}"}
        assert "Anna" in (await shell.run("snapshot", env=by_pid)).text
        reply = await client.call("browser_click", ref=ref(opened.text, 'button "Order"'))
        assert "Anna" in reply.text
        assert "- Meanwhile the shell called browser_type" in reply.text
        # Closing all sessions of the shell leaves that of the client.
        assert (await shell.run("close", "--all")).text == "No session is open.\n"
        assert (await shell.run("-s", name, "close")).status == 1
        saved = await shell.run("-s", name, "screenshot", "--filename", "a.png", "--file")
        assert saved.status == 0, saved
        assert shell.find_servers() == {}
    assert files_of(shell) == []
    gone = await shell.run("-s", name, "snapshot")
    assert gone.status == 1
    assert "No MCP server with --shell has the process id" in gone.stderr


async def test_nothing_is_left_of_a_server_that_was_killed(
    open_server: StartServer, shell: Shell, tmp_path: Path, site: Site, slow: SlowPage
) -> None:
    async with run_server(open_server, shell, tmp_path) as (client, name):
        running = await shell.start("-s", name, "open", slow.url)
        await wait_until(slow.has_begun.is_set)
        client.process.send_signal(signal.SIGKILL)
        await client.process.wait()
        ended = await finish(running)
        assert ended.status == 1
        assert ended.stderr == (
            "The server ended while it ran the command, which may have taken effect.\n"
        )
        assert len(files_of(shell)) == 2
        assert (await shell.run("-s", name, "snapshot")).status == 1
        assert (await shell.run("sessions")).text == "No session is open.\n"
        assert files_of(shell) == []


async def test_the_next_server_removes_what_a_killed_one_left(
    open_server: StartServer, shell: Shell, tmp_path: Path
) -> None:
    async with run_server(open_server, shell, tmp_path) as (killed, _):
        killed.process.kill()
        await killed.process.wait()
        async with run_server(open_server, shell, tmp_path) as (client, _):
            assert all(str(client.process.pid) in each.name for each in files_of(shell))


async def test_a_client_without_initialize_has_a_session_since_its_first_call(
    open_server: StartServer, shell: Shell, tmp_path: Path, site: Site
) -> None:
    runtime = {"XDG_RUNTIME_DIR": str(shell.runtime)}
    async with open_server("--shell", cwd=tmp_path, env=runtime) as client:
        about: dict[str, Any] = {
            "io.modelcontextprotocol/clientInfo": {"name": "Newer", "version": "3"}
        }
        arguments = {"name": "browser_navigate", "arguments": {"url": site.page(PAGE)}}
        params = sessionless_request("tools/call", arguments, **about)["params"]
        await client.request("tools/call", params)
        assert re.search(r"  newer@\d+: Newer 3, 1 tab, ", (await shell.run("sessions")).text)
        seen = await shell.run("-s", f"newer@{client.process.pid}", "snapshot")
        assert 'textbox "Name"' in seen.text


async def test_without_the_flag_no_file_is_made(
    open_server: StartServer, shell: Shell, tmp_path: Path
) -> None:
    runtime = {"XDG_RUNTIME_DIR": str(shell.runtime)}
    async with open_server(cwd=tmp_path, env=runtime) as client:
        await client.initialize()
        assert not (shell.runtime / "viewpoint-mcp").exists()
        assert (await shell.run("sessions")).text == "No session is open.\n"


async def test_the_server_serves_its_client_where_no_socket_can_be_made(
    open_server: StartServer, tmp_path: Path, site: Site
) -> None:
    (tmp_path / "file").touch()
    nowhere = {"XDG_RUNTIME_DIR": "", "VIEWPOINT_MCP_CACHE_DIR": str(tmp_path / "file")}
    async with open_server("--shell", cwd=tmp_path, env=nowhere) as client:
        await client.initialize()
        assert "Tea" in (await client.call("browser_navigate", url=site.page(PAGE))).text
        assert "A shell cannot use the session of the client: " in client.stderr
