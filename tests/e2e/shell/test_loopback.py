"""A server on a port of 127.0.0.1, as on Windows. test_server_lifetime.py has the general tests."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from asyncio.subprocess import PIPE
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from tests.e2e.shell.conftest import LOOPBACK, SOCKET, Shell, finish
from tests.e2e.support.processes import wait_for_all_to_end
from viewpoint_mcp.shell.endpoint import Endpoint, make_endpoint

NEEDS_NO_BROWSER = ("get-config", "--raw")
CLIENT_KEY, SERVER_KEY = "1" * 64, "2" * 64
IMPATIENT = (
    "from viewpoint_mcp.shell import client, loopback\n"
    "loopback._HANDSHAKE_LIMIT = 0.3\n"
    "client.main()"
)


def find_endpoint(shell: Shell) -> Endpoint:
    return make_endpoint(str(shell.workspace), shell.env)


@asynccontextmanager
async def other_program(endpoint: Endpoint, answer: bytes | None) -> AsyncIterator[list[bytes]]:
    """Listen on the port of a killed server. Yields what clients send.

    Args:
        answer: What the program sends before it closes the connection; None if it is silent.
    """
    received: list[bytes] = []

    async def respond(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        received.append(await reader.read(1000))
        if answer is not None:
            writer.write(answer)
            writer.write_eof()
        received.append(await reader.read())
        writer.close()

    server = await asyncio.start_server(respond, "127.0.0.1")
    port = server.sockets[0].getsockname()[1]
    port_file = Path(endpoint.port_file)
    await asyncio.to_thread(port_file.write_text, f"{port} {CLIENT_KEY} {SERVER_KEY}\n")
    async with server:
        yield received


@pytest.mark.parametrize("transport", [LOOPBACK], indirect=True)
@pytest.mark.parametrize("answer", [None, b"", b"\n", b"HTTP/1.1 400 Bad Request\r\n\r\n" * 9])
async def test_another_program_on_the_port_of_a_killed_server_gets_no_request(
    shell: Shell, answer: bytes | None
) -> None:
    async with other_program(find_endpoint(shell), answer) as received:
        argv = ("-c", IMPATIENT, *NEEDS_NO_BROWSER)
        assert (await finish(await shell.start_python(*argv))).status == 0
        assert set(received) <= {CLIENT_KEY.encode(), b""}
        assert received
    assert len(shell.find_servers()) == 1


@pytest.mark.parametrize("transport", [LOOPBACK], indirect=True)
async def test_a_client_finds_the_server_without_the_variable(shell: Shell) -> None:
    await shell.run(*NEEDS_NO_BROWSER)
    servers = shell.find_servers()
    variable = {"VIEWPOINT_LOOPBACK": ""}
    assert (await shell.run(*NEEDS_NO_BROWSER, env=variable)).status == 0
    assert shell.find_servers() == servers
    assert "Closed default" in (await shell.run("close", "--all", env=variable)).text
    assert await wait_for_all_to_end(servers, 1)


@pytest.mark.parametrize("transport", [SOCKET, LOOPBACK], indirect=True)
async def test_of_many_processes_one_becomes_the_server(shell: Shell) -> None:
    """Start them without the lock of the clients, which is no part of this guarantee."""
    place = {"workspace": str(shell.workspace), "endpoint": list(find_endpoint(shell))}
    command = (sys.executable, "-m", "viewpoint_mcp.shell.background.server", json.dumps(place))
    processes = [
        await asyncio.create_subprocess_exec(*command, stdout=PIPE, env=shell.env) for _ in range(5)
    ]
    reports = []
    for each in processes:
        assert each.stdout is not None
        reports.append(await each.stdout.read())
    assert sorted(reports) == [b"ready", *[b"running"] * 4]
    assert len(shell.addresses) == 1
    assert (await shell.run(*NEEDS_NO_BROWSER)).status == 0
    await shell.run("close")
    assert {await each.wait() for each in processes} == {0}


async def test_a_stopped_client_that_starts_the_server_does_not_stop_others(shell: Shell) -> None:
    import fcntl

    lock = os.open(find_endpoint(shell).start_lock, os.O_RDWR | os.O_CREAT)
    fcntl.flock(lock, fcntl.LOCK_EX)
    impatient = (
        "from viewpoint_mcp.shell.background import starting\n"
        "starting._TURN_LIMIT = 0.1\n"
        "from viewpoint_mcp.shell.client import main\n"
        "main()"
    )
    try:
        started = await shell.start_python("-c", impatient, *NEEDS_NO_BROWSER)
        assert (await finish(started)).status == 0
    finally:
        os.close(lock)
