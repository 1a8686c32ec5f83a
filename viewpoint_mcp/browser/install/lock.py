"""One installer at a time, of all processes. The kernel gives the lock back whatever ends one."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from viewpoint_mcp.browser.install.stopping import Stop

_POLL = 0.2
_BUSY = (errno.EAGAIN, errno.EACCES, errno.EDEADLK)
_LOCKED_BYTE = 1 << 20  # Windows lets nobody read what is locked, so it is none that is written


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
        if not _try_lock(descriptor):
            holder = b""
            if sys.platform != "win32":
                holder = os.pread(descriptor, 20, 0)
            wait_told(holder.decode("ascii", "replace").strip() or "unknown")
            while not _try_lock(descriptor):
                stop.pause(_POLL)
        os.ftruncate(descriptor, 0)
        os.write(descriptor, str(os.getpid()).encode())
        yield
    finally:
        os.close(descriptor)


def _try_lock(descriptor: int) -> bool:
    try:
        if sys.platform == "win32":
            import msvcrt

            os.lseek(descriptor, _LOCKED_BYTE, os.SEEK_SET)
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
            os.lseek(descriptor, 0, os.SEEK_SET)
        else:
            import fcntl

            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno in _BUSY:
            return False
        raise
    return True
