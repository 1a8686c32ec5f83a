"""What the server and its browser hold: memory, descriptors, tasks and processes. Linux only."""

from __future__ import annotations

import asyncio
import os
import signal
from collections import defaultdict
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

_POLL = 0.01  # seconds
_MIB = 1024  # KiB
_PROC = Path("/proc")


@dataclass(frozen=True, slots=True)
class Reading:
    """The state after some operations of a phase.

    Args:
        done: Operations since the start of the phase.
        server_memory: Proportional set size of the server, in MiB.
        browser_memory: That of all processes of the browser together, in MiB.
        descriptors: Open files, sockets and pipes of the server.
        tasks: Tasks of the server's event loop.
        processes: Processes of the browser.
    """

    done: int
    server_memory: float
    browser_memory: float
    descriptors: int
    tasks: int
    processes: int


@dataclass(slots=True)
class Readings:
    """The readings of one phase.

    Args:
        name: What was repeated.
        seconds: The duration of the phase.
    """

    name: str
    seconds: float = 0.0
    readings: list[Reading] = field(default_factory=list)


class Observer:
    """Reads the state of a server of `scripts.soak.server`.

    Args:
        pid: The process of the server.
        task_file: The file to which the server writes the number of its tasks.
    """

    def __init__(self, pid: int, task_file: Path) -> None:
        self._pid = pid
        self._task_file = task_file

    async def read(self, done: int) -> Reading:
        """Return the state now."""
        tasks = await self._count_tasks()
        descendants = find_descendants(self._pid)
        return Reading(
            done,
            server_memory=_read_memory([self._pid]),
            browser_memory=_read_memory(descendants),
            descriptors=len(os.listdir(_PROC / str(self._pid) / "fd")),  # noqa: PTH208
            tasks=tasks,
            processes=len(descendants),
        )

    async def _count_tasks(self) -> int:
        self._task_file.unlink(missing_ok=True)
        os.kill(self._pid, signal.SIGUSR1)
        while not self._task_file.exists():  # noqa: ASYNC110 - another process writes it
            await asyncio.sleep(_POLL)
        return int(self._task_file.read_text(encoding="utf-8"))


def find_browser(server: int) -> int:
    """Return the process of the browser that the server launched.

    Raises:
        LookupError: None runs.
    """
    for pid in find_descendants(server):
        command = (_PROC / str(pid) / "cmdline").read_bytes()
        if b"--remote-debugging" in command and b"--type=" not in command:
            return pid
    raise LookupError("The server has no browser.")


def find_descendants(pid: int) -> list[int]:
    """Return the running children of a process, and theirs."""
    children = defaultdict(list)
    for entry in _PROC.iterdir():
        if entry.name.isdigit():
            with suppress(OSError):
                status = (entry / "stat").read_text().rpartition(")")[2].split()
                if status[0] != "Z":
                    children[int(status[1])].append(int(entry.name))
    found, pending = [], [pid]
    while pending:
        found += (mine := children[pending.pop()])
        pending += mine
    return found


def _read_memory(pids: Iterable[int]) -> float:
    """Return the memory of processes in MiB; shared pages count in part."""
    total = 0
    for pid in pids:
        with suppress(OSError):
            rollup = (_PROC / str(pid) / "smaps_rollup").read_text()
            total += int(rollup.partition("\nPss:")[2].split()[0])
    return total / _MIB
