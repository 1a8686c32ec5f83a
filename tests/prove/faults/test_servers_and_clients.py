"""The server or its client ends, or the client does not read, in the middle of each kind of call.

| fault | result |
|---|---|
| server gets SIGTERM, SIGINT or SIGHUP | it ends within 5 s, with its browser and files |
| server gets SIGKILL | its browser ends; the next server removes its profile |
| client closes stdin | the server ends within 5 s, with its browser and files |
| client does not read stdout | the server stops reading requests, with limited memory |
| client of HTTP does not read a response | other clients are served, with limited memory |
"""

from __future__ import annotations

import asyncio
import json
import os
import select
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.e2e.conftest import OpenHttp, StartServer
from tests.e2e.support.client import StdioClient
from tests.e2e.support.processes import find_descendants, profiles_of, wait_for_all_to_end
from tests.prove.faults.calls import Calls
from tests.prove.faults.processes import END
from tests.site import Site

pytestmark = pytest.mark.time_limit(100)

MEMORY = 500  # MB, which is more than the server and its queue of 64 MiB need
ANSWER = 15_000  # bytes, of tools/list


async def assert_ended(server: StdioClient, processes: dict[int, str], start: float) -> None:
    await server.wait_for_exit(within=END)
    assert await wait_for_all_to_end(processes, END)
    assert time.monotonic() - start < END
    assert "Traceback" not in server.stderr


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
async def test_the_server_gets_a_signal(
    faulty: StdioClient, calls: Calls, number: signal.Signals
) -> None:
    await calls.start()
    processes, start = find_descendants(faulty.process.pid), time.monotonic()
    faulty.process.send_signal(number)
    await calls.finish_with_server()
    await assert_ended(faulty, processes, start)
    assert profiles_of(faulty) == []


async def test_the_server_is_killed(
    faulty: StdioClient, calls: Calls, open_server: StartServer, tmp_path: Path, site: Site
) -> None:
    await calls.start()
    processes, start = find_descendants(faulty.process.pid), time.monotonic()
    faulty.process.kill()
    await calls.finish_with_server()
    await assert_ended(faulty, processes, start)
    assert profiles_of(faulty)
    async with open_server(cwd=tmp_path) as successor:
        await successor.initialize()
        reply = await successor.call("browser_navigate", url=site.page("<h1>Next</h1>"))
        assert "Next" in reply.text
        assert profiles_of(faulty) == []


async def test_the_client_closes_stdin(faulty: StdioClient, calls: Calls) -> None:
    await calls.start()
    processes, start = find_descendants(faulty.process.pid), time.monotonic()
    assert faulty.process.stdin is not None
    faulty.process.stdin.close()
    await calls.finish_with_server()
    await assert_ended(faulty, processes, start)
    assert profiles_of(faulty) == []


# ---- clients that do not read


def resident_megabytes(pid: int) -> int:
    status = Path(f"/proc/{pid}/status").read_text()
    (line,) = [line for line in status.splitlines() if line.startswith("VmRSS")]
    return int(line.split()[1]) // 1024


async def test_a_client_that_does_not_read_stdout_stops_the_server_from_reading(
    tmp_path: Path,
) -> None:
    line = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}).encode() + b"\n"
    command = (sys.executable, "-m", "viewpoint_mcp", "--headless")
    process = subprocess.Popen(  # noqa: ASYNC220 - its pipes are written without asyncio
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0, cwd=tmp_path
    )
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(line)
    await asyncio.to_thread(process.stdout.readline)  # The server has started.
    sent = await asyncio.to_thread(write_until_refused, process.stdin.fileno(), line * 100)
    assert sent / len(line) * ANSWER > 64e6
    assert resident_megabytes(process.pid) < MEMORY
    process.stdin.close()
    process.stdout.close()
    assert await asyncio.to_thread(process.wait, END) == 0


def write_until_refused(fd: int, data: bytes) -> int:
    """Write data again and again until nothing is accepted for 5 s; return the number of bytes."""
    os.set_blocking(fd, False)
    sent = 0
    while sent < 200e6 and select.select([], [fd], [], 5)[1]:
        sent += os.write(fd, data[sent % len(data) :])
    return sent


async def test_a_client_of_http_that_does_not_read_does_not_affect_others(
    open_http: OpenHttp, tmp_path: Path
) -> None:
    async with open_http(cwd=tmp_path) as server, server.client() as client:
        head = (
            f"POST /mcp HTTP/1.1\r\nhost: 127.0.0.1:{server.port}\r\n"
            f"accept: application/json, text/event-stream\r\ncontent-type: application/json\r\n"
            f"mcp-session-id: {client.session}\r\nauthorization: Bearer {server.key}\r\n"
        )
        body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/list"})
        line = f"{head}content-length: {len(body)}\r\n\r\n{body}".encode()
        with socket.create_connection(("127.0.0.1", server.port)) as connection:
            sent = await asyncio.to_thread(write_until_refused, connection.fileno(), line * 100)
            assert sent < 200e6
            assert resident_megabytes(server.process.pid) < MEMORY
            assert len(await client.tools()) > 10
        assert len(await client.tools()) > 10
