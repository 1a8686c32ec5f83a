"""Processes the benchmark started: their memory, and their certain end."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import tempfile
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path

CLOSE_TIMEOUT = 10.0
PROC = Path("/proc")


class ContestantFailed(Exception):
    """A contestant failed; the message is the reason printed in the table."""


def resident_mib(pid: int) -> float:
    """Return the resident memory of one process in MiB, without its children.

    Raises:
        ContestantFailed: The process has ended, or the system does not report its memory.
    """
    try:
        if PROC.is_dir():
            pages = int((PROC / str(pid) / "statm").read_text().split()[1])
            return pages * os.sysconf("SC_PAGE_SIZE") / 2**20
        told = subprocess.run(
            ["ps", "-o", "rss=", "-p", str(pid)], capture_output=True, text=True, check=True
        )
        return int(told.stdout) / 1024
    except (OSError, ValueError, subprocess.CalledProcessError) as error:
        raise ContestantFailed(f"the memory of process {pid} cannot be read: {error}") from error


async def end_process(process: asyncio.subprocess.Process) -> None:
    """Close the process's stdin, and end its process group when it does not go by itself."""
    if process.stdin is not None:
        process.stdin.close()
    try:
        async with asyncio.timeout(CLOSE_TIMEOUT):
            await process.wait()
    except TimeoutError:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        await process.wait()


def end_leftovers(scratch: Path) -> list[int]:
    """Kill processes that have a path inside `scratch` on their command line.

    A server that died may leave its browser behind in another process group. The browser's profile
    is in `scratch`, a directory that only this run knows, so no other process can match.

    Args:
        scratch: The temporary directory of this run.

    Returns:
        The ids of the killed processes.
    """
    found = [pid for pid in _process_ids() if os.fsencode(scratch) in _command_line(pid)]
    for pid in found:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    return found


def run_in_scratch(name: str, run: Callable[[Path], Awaitable[None]]) -> None:
    """Run a measurement with a temporary directory, and kill the processes that it leaves.

    Args:
        name: The beginning of the directory's name.
        run: Does the measurement; takes the directory.
    """
    with tempfile.TemporaryDirectory(prefix=f"{name}-", ignore_cleanup_errors=True) as directory:
        scratch = Path(directory).resolve()

        async def measure() -> None:
            await run(scratch)

        try:
            asyncio.run(measure())
        finally:
            end_leftovers(scratch)


def _process_ids() -> list[int]:
    if not PROC.is_dir():
        return []
    ids = [int(entry.name) for entry in PROC.iterdir() if entry.name.isdigit()]
    return [pid for pid in ids if pid != os.getpid()]


def _command_line(pid: int) -> bytes:
    try:
        return (PROC / str(pid) / "cmdline").read_bytes()
    except OSError:
        return b""
