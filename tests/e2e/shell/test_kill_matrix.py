"""A client, a server or a browser is killed at each step. Nothing is left, and the next command
works.

| killed | at the start | at the launch | in a command | between commands | at the end |
|---|---|---|---|---|---|
| server | here | here | lifetime | lifetime | here |
| client | here | here | lifetime | here | here |
| browser | | here | here | lifetime | here |

"lifetime" is test_server_lifetime.py. `Shell` looks for processes, addresses and files after each
test.
"""

from __future__ import annotations

import os
import signal
from contextlib import suppress

import pytest

from tests.e2e.shell.conftest import LOOPBACK, SOCKET, Printed, Shell, SlowPage, finish
from tests.e2e.shell.steps import (
    CLIENT,
    SERVER,
    Step,
    start_with_stop,
    wait_for_stop,
    wait_for_stopped_server,
)
from tests.e2e.support.processes import find_browser, wait_for_all_to_end, wait_until
from tests.site import Site

pytestmark = pytest.mark.time_limit(60)

NEEDS_NO_BROWSER = ("get-config", "--raw")

START = {
    "before its lock": Step(SERVER, "fcntl.flock"),
    "with its lock": Step(SERVER, "os.truncate"),
    "before it listens": Step(SERVER, "socket.bind"),
    "before clients can find it": Step(SERVER, "open", 1, ".port"),
}
LAUNCH = Step(SERVER, "subprocess.Popen", 1, "--remote-debugging-p")
END = {
    # The server removes what a killed one left when it starts.
    "before it stops listening": Step(SERVER, "os.remove", 2, ".sock"),
    "before it removes the profile": Step(SERVER, "shutil.rmtree", 1, "profile"),
}


def assert_failed(printed: Printed, beginning: str) -> None:
    """Assert that a command failed with a message."""
    assert printed.status == 1
    assert printed.stderr.startswith(beginning), printed
    assert "Traceback" not in printed.stderr


async def assert_works(shell: Shell, site: Site) -> None:
    """Assert that the next command works, in a new browser."""
    assert "Tea" in (await shell.run("open", site.page("<h1>Tea</h1>"))).text
    assert len(shell.find_servers()) == 1


# ---- the server


@pytest.mark.parametrize("transport", [SOCKET, LOOPBACK], indirect=True)
@pytest.mark.parametrize("step", START.values(), ids=START)
async def test_the_server_is_killed_while_it_starts(
    shell: Shell, step: Step, transport: str
) -> None:
    if step.text == ".port" and transport == SOCKET:
        step = Step(SERVER, "os.chmod", 1, ".sock")
    command = await start_with_stop(shell, step, *NEEDS_NO_BROWSER)
    os.kill(await wait_for_stopped_server(shell), signal.SIGKILL)
    assert_failed(await finish(command), "The server did not start.")
    assert (await shell.run(*NEEDS_NO_BROWSER)).status == 0
    assert len(shell.find_servers()) == 1


async def test_the_server_is_killed_before_it_launches_the_browser(
    shell: Shell, site: Site
) -> None:
    command = await start_with_stop(shell, LAUNCH, "open", site.page(""))
    server = await wait_for_stopped_server(shell)
    assert shell.profiles
    os.kill(server, signal.SIGKILL)
    assert_failed(await finish(command), "The server ended while it ran the command")
    await assert_works(shell, site)


async def test_the_server_is_killed_while_the_browser_starts(shell: Shell, site: Site) -> None:
    command = await shell.start("open", site.page(""))
    await wait_until(lambda: has_browser(shell))
    (server,) = shell.find_servers()
    os.kill(server, signal.SIGKILL)
    assert_failed(await finish(command), "The server ended while it ran the command")
    await wait_until(lambda: not shell.has_processes())
    await assert_works(shell, site)


@pytest.mark.parametrize("step", END.values(), ids=END)
async def test_the_server_is_killed_while_it_ends(shell: Shell, site: Site, step: Step) -> None:
    assert (await finish(await start_with_stop(shell, step, "open", site.page("")))).status == 0
    command = await shell.start("close")
    os.kill(await wait_for_stopped_server(shell), signal.SIGKILL)
    assert_failed(await finish(command), "The server ended while it ran the command")
    await wait_until(lambda: not shell.has_processes())
    await assert_works(shell, site)


# ---- the client


async def test_a_client_is_killed_before_it_starts_the_server(shell: Shell) -> None:
    command = await start_with_stop(shell, Step(CLIENT, "subprocess.Popen"), *NEEDS_NO_BROWSER)
    await wait_for_stop(command)
    waits = await shell.start(*NEEDS_NO_BROWSER)
    command.kill()
    await finish(command)
    assert (await finish(waits)).status == 0
    assert len(shell.find_servers()) == 1


@pytest.mark.parametrize("step", START.values(), ids=START)
@pytest.mark.parametrize("transport", [LOOPBACK], indirect=True)
async def test_a_client_is_killed_while_its_server_starts(shell: Shell, step: Step) -> None:
    command = await start_with_stop(shell, step, *NEEDS_NO_BROWSER)
    server = await wait_for_stopped_server(shell)
    command.kill()
    await finish(command)
    following = await shell.start(*NEEDS_NO_BROWSER)
    await wait_until(lambda: len(shell.find_servers()) == 2)
    os.kill(server, signal.SIGCONT)
    assert (await finish(following)).status == 0
    # The process that came second ends, unless it has become the server.
    await wait_until(lambda: len(shell.find_servers()) == 1)


async def test_a_client_is_killed_before_it_sends_its_request(shell: Shell) -> None:
    assert (await shell.run(*NEEDS_NO_BROWSER)).status == 0
    command = await start_with_stop(shell, Step(CLIENT, "socket.connect"), *NEEDS_NO_BROWSER)
    await wait_for_stop(command)
    command.kill()
    await finish(command)
    assert (await shell.run(*NEEDS_NO_BROWSER)).status == 0


async def test_a_client_is_killed_while_the_browser_is_launched(shell: Shell, site: Site) -> None:
    command = await start_with_stop(shell, LAUNCH, "open", site.page(""))
    server = await wait_for_stopped_server(shell)
    command.kill()
    await finish(command)
    os.kill(server, signal.SIGCONT)
    await assert_works(shell, site)
    assert list(shell.find_servers()) == [server]


async def test_a_client_is_killed_while_it_closes_the_session(shell: Shell, site: Site) -> None:
    step = END["before it stops listening"]
    assert (await finish(await start_with_stop(shell, step, "open", site.page("")))).status == 0
    processes = shell.find_processes()
    command = await shell.start("close")
    server = await wait_for_stopped_server(shell)
    command.kill()
    await finish(command)
    os.kill(server, signal.SIGCONT)
    assert await wait_for_all_to_end(processes, 5)
    assert (shell.addresses, shell.profiles) == ([], [])
    await assert_works(shell, site)


# ---- the browser


async def test_the_browser_is_killed_while_it_starts(shell: Shell, site: Site) -> None:
    command = await shell.start("open", site.page("<h1>Tea</h1>"))
    await wait_until(lambda: kill_browser(shell))
    printed = await finish(command)
    if printed.status:  # It was too late for another attempt.
        assert_failed(printed, "### Error")
    await assert_works(shell, site)


async def test_the_browser_is_killed_in_a_command(shell: Shell, site: Site, slow: SlowPage) -> None:
    await assert_works(shell, site)
    command = await shell.start("open", slow.url)
    await wait_until(slow.is_requested.is_set)
    assert kill_browser(shell)
    assert_failed(await finish(command), "### Error")
    await assert_works(shell, site)


async def test_the_browser_is_killed_while_the_server_ends(shell: Shell, site: Site) -> None:
    step = END["before it stops listening"]
    assert (await finish(await start_with_stop(shell, step, "open", site.page("")))).status == 0
    processes = shell.find_processes()
    command = await shell.start("close")
    server = await wait_for_stopped_server(shell)
    assert kill_browser(shell)
    os.kill(server, signal.SIGCONT)
    assert (await finish(command)).text.startswith("Closed default of ")
    assert await wait_for_all_to_end(processes, 5)
    await assert_works(shell, site)


def has_browser(shell: Shell) -> bool:
    """Return whether a server has started Chromium."""
    with suppress(ValueError):
        return any(map(find_browser, shell.find_servers()))
    return False


def kill_browser(shell: Shell) -> bool:
    """Kill the Chromium of the server. Return False if it has none."""
    if not has_browser(shell):
        return False
    (server,) = shell.find_servers()
    os.kill(find_browser(server), signal.SIGKILL)
    return True
