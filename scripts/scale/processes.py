"""The processor time of a process and of its children. Linux only."""

from __future__ import annotations

import os
from pathlib import Path

from scripts.soak.observer import find_descendants

_TICKS = os.sysconf("SC_CLK_TCK")


def read_seconds(*pids: int) -> float:
    """Return the processor time of running processes, in seconds."""
    total = 0
    for pid in pids:
        try:
            fields = (Path("/proc") / str(pid) / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        total += int(fields[11]) + int(fields[12])
    return total / _TICKS


def read_seconds_of_children(pid: int) -> float:
    """Return the processor time of the running descendants of a process, in seconds."""
    return read_seconds(*find_descendants(pid))
