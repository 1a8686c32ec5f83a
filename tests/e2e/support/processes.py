"""The processes below a server, found in /proc: its Chromium, and that one's renderers."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from collections.abc import Callable
from pathlib import Path

from tests.e2e.support.client import StdioClient

POLL = 0.02
LOST = "The connection to the browser was lost"


def below(pid: int) -> dict[int, str]:
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


def browser_of(pid: int) -> int:
    """Return the pid of the Chromium that a server runs."""
    (browser,) = [
        child
        for child, command in below(pid).items()
        if "--remote-debugging-p" in command and "--type=" not in command
    ]
    return browser


def renderers_of(pid: int) -> list[int]:
    """Return the pids of the renderers of a server's Chromium."""
    return [child for child, command in below(pid).items() if "--type=renderer" in command]


async def kill_browser(server: StdioClient) -> None:
    """Kill a server's Chromium; return when the server has noticed and every process has ended."""
    processes = below(server.process.pid)
    noticed = server.stderr.count(LOST)
    os.kill(browser_of(server.process.pid), signal.SIGKILL)
    await until(lambda: server.stderr.count(LOST) > noticed)
    assert await all_end(processes, 10)


async def until(condition: Callable[[], bool]) -> None:
    """Return once a condition holds that nothing tells of; the test's time limit ends it."""
    while not condition():  # noqa: ASYNC110 - nothing tells
        await asyncio.sleep(POLL)


async def all_end(processes: dict[int, str], seconds: float) -> bool:
    """Wait until none of these processes is left; False when some are after that time."""
    deadline = time.monotonic() + seconds
    while any((_read(pid) or (0, ""))[1] == command for pid, command in processes.items()):
        if time.monotonic() > deadline:
            return False
        await asyncio.sleep(POLL)
    return True


def _read(pid: int) -> tuple[int, str] | None:
    """The parent and the command line of a process; None when it is gone or a zombie."""
    try:
        status = Path(f"/proc/{pid}/stat").read_text()
        command = Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return None
    state, parent = status.rpartition(")")[2].split()[:2]
    return None if state == "Z" or not command else (int(parent), command.decode(errors="replace"))
