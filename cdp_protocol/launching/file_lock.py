"""A kernel lock on an open file. The kernel releases it when its owner ends for any reason."""

from __future__ import annotations

import errno
import os
import sys
from typing import Final

FileDescriptor = int

_BUSY_ERRORS: Final = (errno.EAGAIN, errno.EACCES, errno.EDEADLK)
# Windows refuses to read a locked range. So the lock covers a byte beyond the content of the file.
_LOCKED_BYTE: Final = (1 << 31) - 1


def try_lock(descriptor: FileDescriptor) -> bool:
    """Acquire the lock if it is free, without waiting.

    Args:
        descriptor: The file descriptor of a file open for writing. Closing it releases the lock.

    Returns:
        Whether the lock was acquired.

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
        if error.errno in _BUSY_ERRORS:
            return False
        raise
    return True
