"""A lock between installing processes, which the kernel releases however a process ends."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from cdp_protocol.launching.file_lock import try_lock
from viewpoint_mcp.browser.install.stoppable_thread import StopFlag

_POLL = 0.2


@contextmanager
def hold_install_lock(
    directory: Path, stop: StopFlag, report_waiting: Callable[[str], None]
) -> Iterator[None]:
    """Hold the installation lock of a directory; wait for it if another process has it.

    Args:
        directory: The directory; it must exist.
        report_waiting: Called once before waiting, with the holder's process id or "unknown".

    Raises:
        OSError: The lock file cannot be written.
        StoppedError: The waiting was cancelled.
    """
    descriptor = os.open(directory / "lock", os.O_RDWR | os.O_CREAT, 0o600)
    try:
        if not try_lock(descriptor):
            holder = b""
            if sys.platform != "win32":
                holder = os.pread(descriptor, 20, 0)
            report_waiting(holder.decode("ascii", "replace").strip() or "unknown")
            while not try_lock(descriptor):
                stop.sleep(_POLL)
        os.ftruncate(descriptor, 0)
        os.write(descriptor, str(os.getpid()).encode())
        yield
    finally:
        os.close(descriptor)
