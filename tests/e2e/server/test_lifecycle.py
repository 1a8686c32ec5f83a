"""The end of a server: on time, with its browser and temporary files, for every cause."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from pathlib import Path

import pytest

from tests.e2e.conftest import Hold, StartServer
from tests.e2e.support.client import StdioClient
from tests.e2e.support.processes import (
    find_descendants,
    profiles_of,
    wait_for_all_to_end,
    wait_until,
)
from tests.site import Site

pytestmark = pytest.mark.time_limit(60)


async def browse(server: StdioClient, site: Site) -> dict[int, str]:
    """Start the browser, with pages in two contexts, and return the processes of it."""
    await server.initialize()
    await server.call("browser_navigate", url=site.page("<h1>Here</h1>"))
    await server.call("browser_context_create", name="a")
    await server.call("browser_tabs", action="new")
    processes = find_descendants(server.process.pid)
    assert len(processes) > 3
    assert len(profiles_of(server)) == 2  # the profile, and where downloads arrive
    return processes


@pytest.mark.timing
async def test_the_end_of_stdin_ends_everything(
    open_server: StartServer, tmp_path: Path, site: Site
) -> None:
    async with open_server(cwd=tmp_path) as server:
        processes = await browse(server, site)
        start = time.monotonic()
        status = await server.close()
        assert time.monotonic() - start < 5
        assert status == 0
        assert await wait_for_all_to_end(processes, 1)
        assert profiles_of(server) == []


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_a_signal_ends_everything(
    open_server: StartServer, tmp_path: Path, site: Site, number: signal.Signals
) -> None:
    async with open_server(cwd=tmp_path) as server:
        processes = await browse(server, site)
        server.process.send_signal(number)
        await server.wait_for_exit(within=5)
        assert await wait_for_all_to_end(processes, 1)
        assert profiles_of(server) == []
        assert "Traceback" not in server.stderr


async def test_a_killed_server_leaves_no_browser(
    open_server: StartServer, tmp_path: Path, site: Site
) -> None:
    async with open_server(cwd=tmp_path) as server:
        processes = await browse(server, site)
        server.process.kill()
        assert await wait_for_all_to_end(processes, 2)
        left = profiles_of(server)
    assert len(left) == 2
    async with open_server(cwd=tmp_path) as successor:
        await browse(successor, site)
        assert not any(path.exists() for path in left)


@pytest.mark.timing
@pytest.mark.parametrize("number", [None, signal.SIGTERM, signal.SIGINT])
async def test_calls_in_progress_do_not_delay_the_end(
    open_server: StartServer, tmp_path: Path, site: Site, hold: Hold, number: signal.Signals | None
) -> None:
    calls = {
        "waits": ("browser_wait_for", {"time": 25, "context": "default"}),
        "queues": ("browser_snapshot", {"context": "default"}),
        "navigates": ("browser_navigate", {"url": hold("/slow"), "context": "a"}),
        "creates": ("browser_context_create", {"name": "b"}),
    }
    async with open_server(cwd=tmp_path) as server:
        processes = await browse(server, site)
        for key, (name, arguments) in calls.items():
            params = {"name": name, "arguments": arguments}
            await server.send(
                {"jsonrpc": "2.0", "id": key, "method": "tools/call", "params": params}
            )
        await server.request("ping")
        start = time.monotonic()
        if number is not None:
            server.process.send_signal(number)
            await server.wait_for_exit(within=5)
        else:
            await server.close()
            answered = [(await server.receive(within=1))["id"] for _ in calls]
            assert sorted(answered) == sorted(calls)
        assert time.monotonic() - start < 5
        assert await wait_for_all_to_end(processes, 1)
        assert profiles_of(server) == []
        assert "Traceback" not in server.stderr


@pytest.mark.timing
async def test_a_page_that_loops_does_not_delay_the_end(
    open_server: StartServer, tmp_path: Path, site: Site
) -> None:
    async with open_server(cwd=tmp_path) as server:
        processes = await browse(server, site)
        loop = "() => { setTimeout(() => { for (;;) {} }, 20) }"
        await server.call("browser_evaluate", function=loop)
        start = time.monotonic()
        await server.close()
        assert time.monotonic() - start < 5
        assert await wait_for_all_to_end(processes, 1)
        assert profiles_of(server) == []


async def test_a_signal_during_the_start_of_the_browser_leaves_no_process(
    open_server: StartServer, tmp_path: Path
) -> None:
    async with open_server(cwd=tmp_path) as server:
        await server.initialize()
        params = {"name": "browser_snapshot", "arguments": {}}
        await server.send({"jsonrpc": "2.0", "id": "s", "method": "tools/call", "params": params})
        await wait_until(lambda: bool(find_descendants(server.process.pid)))
        processes = find_descendants(server.process.pid)
        server.process.send_signal(signal.SIGTERM)
        await server.wait_for_exit(within=5)
        assert await wait_for_all_to_end(processes, 2)
        assert profiles_of(server) == []


@pytest.mark.timing
async def test_a_server_that_was_never_used_ends_at_once(
    open_server: StartServer, tmp_path: Path
) -> None:
    async with open_server(cwd=tmp_path) as server:
        await server.initialize()
        start = time.monotonic()
        assert await server.close() == 0
        assert time.monotonic() - start < 1


async def test_only_requested_files_are_left_in_the_working_directory(
    open_server: StartServer, tmp_path: Path, site: Site
) -> None:
    async with open_server(cwd=tmp_path) as server:
        await browse(server, site)
    assert await asyncio.to_thread(os.listdir, tmp_path) == ["server-stderr.txt"]
