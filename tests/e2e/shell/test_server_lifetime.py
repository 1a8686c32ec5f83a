"""The server in the background: one for each workspace, and nothing left when anything ends."""

from __future__ import annotations

import asyncio
import os
import signal
import stat
from pathlib import Path

import pytest

from tests.e2e.shell.conftest import LOOPBACK, SOCKET, Shell, SlowPage, finish
from tests.e2e.support.processes import find_browser, wait_for_all_to_end, wait_until
from tests.site import Site

pytestmark = [
    pytest.mark.time_limit(60),
    pytest.mark.parametrize("transport", [SOCKET, LOOPBACK], indirect=True),
]

NEEDS_NO_BROWSER = ("get-config", "--raw")


async def open_page(shell: Shell, site: Site) -> dict[int, str]:
    """Open a page, and return the processes of the server and of its browser."""
    assert (await shell.run("open", site.page("<h1>Tea</h1>"))).status == 0
    processes = shell.find_processes()
    assert len(processes) > 3
    return processes


async def kill_server(shell: Shell) -> None:
    (server,) = shell.find_servers()
    os.kill(server, signal.SIGKILL)


async def test_twenty_first_commands_start_one_server(shell: Shell) -> None:
    printed = await asyncio.gather(*(shell.run(*NEEDS_NO_BROWSER) for _ in range(20)))
    assert {each.status for each in printed} == {0}
    assert len(shell.find_servers()) == 1


async def test_only_the_user_can_use_the_address(shell: Shell) -> None:
    await shell.run(*NEEDS_NO_BROWSER)
    (address,) = shell.addresses
    assert stat.S_IMODE(address.stat().st_mode) == 0o600
    assert stat.S_IMODE(address.parent.stat().st_mode) == 0o700


async def test_closing_the_last_session_ends_the_server_and_the_browser(
    shell: Shell, site: Site
) -> None:
    processes = await open_page(shell, site)
    assert (await shell.run("close")).text == f"Closed default of {shell.workspace}.\n"
    assert shell.addresses == []
    assert await wait_for_all_to_end(processes, 1)
    assert (await shell.run(*NEEDS_NO_BROWSER)).status == 0


async def test_close_all_ends_the_servers_of_all_workspaces(shell: Shell, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    for directory in (shell.workspace, other):
        await shell.run(*NEEDS_NO_BROWSER, cwd=directory)
    processes = shell.find_servers()
    assert len(processes) == 2
    listed = (await shell.run("sessions")).text
    assert f"{other} (pid " in listed
    assert (await shell.run("close", "--all")).text.count("Closed default of ") == 2
    assert await wait_for_all_to_end(processes, 1)


async def test_the_next_command_works_after_the_server_was_killed(shell: Shell, site: Site) -> None:
    processes = await open_page(shell, site)
    await kill_server(shell)
    assert await wait_for_all_to_end(processes, 5)
    assert len(shell.addresses) == 1  # it is stale
    await open_page(shell, site)
    assert len(shell.find_servers()) == 1


async def test_a_server_that_is_killed_during_a_command_is_reported(
    shell: Shell, site: Site, slow: SlowPage
) -> None:
    processes = await open_page(shell, site)
    command = await shell.start("open", slow.url)
    await wait_until(slow.is_requested.is_set)
    await kill_server(shell)
    printed = await finish(command)
    assert printed.status == 1
    assert printed.stderr.startswith("The server ended while it ran the command")
    assert await wait_for_all_to_end(processes, 5)
    await open_page(shell, site)


async def test_the_next_command_works_after_the_browser_was_killed(
    shell: Shell, site: Site
) -> None:
    await open_page(shell, site)
    (server,) = shell.find_servers()
    os.kill(find_browser(server), signal.SIGKILL)
    opened = await shell.run("open", site.page("<h1>Coffee</h1>"))
    if opened.status:  # the command met the dying browser
        opened = await shell.run("open", site.page("<h1>Coffee</h1>"))
    assert "Coffee" in opened.text
    assert list(shell.find_servers()) == [server]


async def test_a_killed_client_ends_its_command(shell: Shell, site: Site, slow: SlowPage) -> None:
    await open_page(shell, site)
    command = await shell.start("open", slow.url)
    await wait_until(slow.is_requested.is_set)
    command.kill()
    await finish(command)
    async with asyncio.timeout(15):  # the time limit of a navigation is 60 s
        assert (await shell.run("open", site.page("<h1>Coffee</h1>"))).status == 0


async def test_a_client_that_is_killed_while_the_server_starts_starts_no_second_one(
    shell: Shell,
) -> None:
    command = await shell.start(*NEEDS_NO_BROWSER)
    await wait_until(lambda: bool(shell.find_servers()))
    command.kill()
    await finish(command)
    assert (await shell.run(*NEEDS_NO_BROWSER)).status == 0
    assert len(shell.find_servers()) == 1


async def test_a_server_without_the_file_of_its_address_ends(shell: Shell, site: Site) -> None:
    processes = await open_page(shell, site)
    (address,) = shell.addresses
    address.unlink()
    # The next server waits for the end of this one.
    assert (await shell.run(*NEEDS_NO_BROWSER)).status == 0
    assert await wait_for_all_to_end(processes, 1)
    assert len(shell.find_servers()) == 1
    assert shell.addresses == [address]


async def test_an_idle_server_ends(shell: Shell, site: Site) -> None:
    assert "is ready" in (await shell.run("start", "--idle-timeout", "1500")).text
    processes = await open_page(shell, site)
    assert await wait_for_all_to_end(processes, 10)
    assert shell.addresses == []


async def test_the_server_ends_with_its_owner(shell: Shell, site: Site) -> None:
    owner = await shell.start_python("-c", "input()")
    assert (await shell.run("start", "--owner-pid", str(owner.pid))).status == 0
    processes = await open_page(shell, site)
    await finish(owner, "\n")
    assert await wait_for_all_to_end(processes, 10)
    assert shell.addresses == []


async def test_an_owner_that_has_ended_already_is_refused(shell: Shell) -> None:
    owner = await shell.start_python("-c", "pass")
    await finish(owner)
    refused = await shell.run("start", "--owner-pid", str(owner.pid))
    assert (refused.status, refused.stderr) == (2, f"No process has the id {owner.pid}.\n")


async def test_an_owner_that_is_a_zombie_ends_the_server(shell: Shell) -> None:
    starts_owner = (
        "import subprocess, sys\n"
        "child = subprocess.Popen([sys.executable, '-c', 'input()'], stdin=subprocess.PIPE)\n"
        "print(child.pid, flush=True)\n"
        "input()\n"
        "child.stdin.close()\n"
        "input()"
    )
    parent = await shell.start_python("-c", starts_owner)
    assert parent.stdout is not None
    assert parent.stdin is not None
    pid = (await parent.stdout.readline()).decode().strip()
    assert (await shell.run("start", "--owner-pid", pid)).status == 0
    processes = shell.find_servers()
    parent.stdin.write(b"\n")  # the child ends, and stays a zombie
    assert await wait_for_all_to_end(processes, 10)
    await finish(parent, "\n")


async def test_a_signal_ends_the_server(shell: Shell, site: Site) -> None:
    processes = await open_page(shell, site)
    (server,) = shell.find_servers()
    os.kill(server, signal.SIGTERM)
    assert await wait_for_all_to_end(processes, 5)
    assert shell.addresses == []


async def test_a_server_that_does_not_answer_is_named(shell: Shell) -> None:
    await shell.run(*NEEDS_NO_BROWSER)
    (server,) = shell.find_servers()
    impatient = (
        "from viewpoint_mcp.shell import client, loopback\n"
        "client._ACCEPT_LIMIT = loopback._HANDSHAKE_LIMIT = 0.3\n"
        "client.main()"
    )
    os.kill(server, signal.SIGSTOP)
    try:
        for command in (["tabs"], ["close", "--all"]):
            hung = await finish(await shell.start_python("-c", impatient, *command))
            assert hung.status == 1
            assert f"The server does not answer. End its process {server}." in hung.stderr
    finally:
        os.kill(server, signal.SIGCONT)


async def test_a_client_of_another_version_learns_which_command_helps(shell: Shell) -> None:
    await shell.run(*NEEDS_NO_BROWSER)
    processes = shell.find_servers()
    newer = (
        "import sys, viewpoint_mcp; viewpoint_mcp.__version__ = '9.9'\n"
        "from viewpoint_mcp.shell.client import main; main()"
    )
    refused = await finish(await shell.start_python("-c", newer, "tabs"))
    assert refused.status == 1
    assert "This is viewpoint 9.9, and the server of" in refused.stderr
    assert "Run `viewpoint close --all`" in refused.stderr
    closed = await finish(await shell.start_python("-c", newer, "close", "--all"))
    assert closed.text.startswith("Closed default of ")
    assert await wait_for_all_to_end(processes, 1)
