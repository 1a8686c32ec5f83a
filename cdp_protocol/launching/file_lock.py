"""A lock of the kernel's on an open file. The kernel gives it back whatever its owner dies of."""

from __future__ import annotations

import errno
import os
import sys
from typing import Final

_BUSY: Final = (errno.EAGAIN, errno.EACCES, errno.EDEADLK)
# Windows lets nobody read what is locked, so it is a byte that is never written.
_LOCKED_BYTE: Final = (1 << 31) - 1


def try_lock(descriptor: int) -> bool:
    """Take the lock, if nobody has it.

    Args:
        descriptor: Of a file that is open for writing; closing it gives the lock back.

    Returns:
        Whether it is ours.

    Raises:
        OSError: The file cannot be locked at all.
    """
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
