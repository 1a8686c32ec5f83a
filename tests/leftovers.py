"""Finds what a test run left behind: processes and profiles under its temporary directory."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path

GRACE = 5.0
POLL = 0.05
PROFILES = (
    "*-profile-[0-9]*-*",
    "gw*/*-profile-[0-9]*-*",
)  # directories of pytest-xdist's workers are below gw*


def describe_leftovers(run_directory: Path) -> list[str]:
    """Return one line for each process and profile that still exists after a grace period.

    Args:
        run_directory: The run's TMPDIR.
    """
    deadline = time.monotonic() + GRACE
    while (lines := _lines(run_directory)) and time.monotonic() < deadline:
        time.sleep(POLL)
    return lines


def end_processes(run_directory: Path) -> None:
    """Kill the processes that the run started and that still run."""
    for pid, _ in _processes(run_directory):
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            pass  # it ended meanwhile


def _lines(run_directory: Path) -> list[str]:
    processes = [f"process {pid}: {command[:200]}" for pid, command in _processes(run_directory)]
    found = sorted(path for pattern in PROFILES for path in run_directory.glob(pattern))
    profiles = [f"profile {path}" for path in found]
    return processes + profiles


def _processes(run_directory: Path) -> Iterator[tuple[int, str]]:
    """Yield the processes that have the run's directory in their command line or environment."""
    marker = os.fsencode(run_directory)
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            command = (entry / "cmdline").read_bytes()
            environment = (entry / "environ").read_bytes()
        except OSError:
            continue  # it ended meanwhile, or belongs to another user
        if int(entry.name) != os.getpid() and (marker in command or marker in environment):
            yield int(entry.name), command.replace(b"\0", b" ").decode(errors="replace").strip()
