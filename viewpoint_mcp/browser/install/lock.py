"""One installer at a time, of all processes. The kernel gives the lock back whatever ends one."""

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
    """Be the only one who changes a directory of browsers; waits for another one.

    Args:
        place: The directory; it exists.
        wait_told: Hears who installs there, once, before the waiting.

    Raises:
        OSError: Nothing can be written there.
        Stopped: The waiting was broken off.
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
