"""Finds the processes below a server in /proc: its Chromium and the renderers of that."""

from __future__ import annotations

import asyncio
import os
import signal
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from tests.e2e.support.client import StdioClient

POLL = 0.02
LOST = "The connection to the browser was lost"


def find_descendants(pid: int) -> dict[int, str]:
    """Return the command line of every descendant of a process, by pid."""
    commands: dict[int, str] = {}
    children: dict[int, list[int]] = {}
    for entry in Path("/proc").glob("[0-9]*"):
        if found := _read(int(entry.name)):
            parent, commands[int(entry.name)] = found
            children.setdefault(parent, []).append(int(entry.name))
    pending, result = [pid], dict[int, str]()
    while pending:
        for child in children.get(pending.pop(), []):
            result[child] = commands[child]
            pending.append(child)
    return result


def find_browser(pid: int) -> int:
    """Return the pid of the Chromium that a server runs.

    Raises ValueError if there is none, or more than one. A process that Chromium has just forked
    has the command line of Chromium until it executes its own program. It does not count.
    """
    browsers = {
        child
        for child, command in find_descendants(pid).items()
        if "--remote-debugging-p" in command and "--type=" not in command
    }
    (browser,) = browsers.difference(*map(find_descendants, browsers))
    return browser


def find_renderers(pid: int) -> list[int]:
    """Return the pids of the renderers of a server's Chromium."""
    return [
        child for child, command in find_descendants(pid).items() if "--type=renderer" in command
    ]


def profiles_of(server: StdioClient) -> list[Path]:
    """Return the temporary directories of a server that still exist."""
    pattern = f"viewpoint-mcp-profile-{server.process.pid}-*"
    return list(Path(tempfile.gettempdir()).glob(pattern))


async def kill_browser(server: StdioClient) -> None:
    """Kill a server's Chromium. Return when the server has noticed it and every process has
    ended.
    """
    processes = find_descendants(server.process.pid)
    noticed = server.stderr.count(LOST)
    os.kill(find_browser(server.process.pid), signal.SIGKILL)
    await wait_until(lambda: server.stderr.count(LOST) > noticed)
    assert await wait_for_all_to_end(processes, 10)


async def wait_until(condition: Callable[[], bool]) -> None:
    """Poll until a condition holds. The time limit of the test ends the wait."""
    while not condition():  # noqa: ASYNC110 - no event
        await asyncio.sleep(POLL)


async def wait_for_all_to_end(processes: dict[int, str], seconds: float) -> bool:
    """Wait until all these processes have ended; return False if some still run after that time."""
    deadline = time.monotonic() + seconds
    while any((_read(pid) or (0, ""))[1] == command for pid, command in processes.items()):
        if time.monotonic() > deadline:
            return False
        await asyncio.sleep(POLL)
    return True


def _read(pid: int) -> tuple[int, str] | None:
    """Return the parent and the command line of a process; None for a zombie or if the process has
    ended."""
    try:
        status = Path(f"/proc/{pid}/stat").read_text()
        command = Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return None
    state, parent = status.rpartition(")")[2].split()[:2]
    return None if state == "Z" or not command else (int(parent), command.decode(errors="replace"))
