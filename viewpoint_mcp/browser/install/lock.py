"""A lock between installing processes, which the kernel releases however a process ends."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from cdp_protocol.launching.file_lock import try_lock
from viewpoint_mcp.browser.install.stopping import Stop

_POLL = 0.2


@contextmanager
def sole_installer(place: Path, stop: Stop, wait_told: Callable[[str], None]) -> Iterator[None]:
    """Hold the installation lock of a directory; wait for it if another process has it.

    Args:
        place: The directory; it must exist.
        wait_told: Called once before waiting, with the holder's process id or "unknown".

    Raises:
        OSError: The lock file cannot be written.
        Stopped: The waiting was cancelled.
    """
    descriptor = os.open(place / "lock", os.O_RDWR | os.O_CREAT, 0o600)
    try:
        if not try_lock(descriptor):
            holder = b""
            if sys.platform != "win32":
                holder = os.pread(descriptor, 20, 0)
            wait_told(holder.decode("ascii", "replace").strip() or "unknown")
            while not try_lock(descriptor):
                stop.pause(_POLL)
        os.ftruncate(descriptor, 0)
        os.write(descriptor, str(os.getpid()).encode())
        yield
    finally:
        os.close(descriptor)
