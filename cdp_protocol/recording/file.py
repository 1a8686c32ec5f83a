"""The file of a recording: a regular file with one writer at a time."""

from __future__ import annotations

import errno
import logging
import os
import stat
from pathlib import Path

from cdp_protocol.launching.file_lock import try_lock

log = logging.getLogger(__name__)

_MODE = 0o600  # A recording holds the content of pages, so only its owner may read it.


def claim(path: Path) -> int:
    """Open and lock the file of a recording, and create it if it does not exist.

    The content of the file does not change; see `clear`.

    Returns:
        A file descriptor. Until the caller closes it, a second `claim` of the file fails, in this
        process and in others. On a file system without locks, a second `claim` succeeds.

    Raises:
        OSError: The file cannot be written, is not a regular file, or is locked by another writer.
    """
    refuse_special(path)
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | getattr(os, "O_BINARY", 0), _MODE)
    try:
        is_ours = try_lock(descriptor)
    except OSError as error:
        log.debug("%s is written without a lock: %s", path, error)
        return descriptor
    if not is_ours:
        os.close(descriptor)
        raise OSError(errno.EBUSY, "somebody else records in it", str(path))
    return descriptor


def clear(descriptor: int) -> None:
    """Empty a claimed file, and make it readable and writable by its owner only.

    Args:
        descriptor: The file descriptor that `claim` returned.

    Raises:
        OSError: The file cannot be written.
    """
    os.ftruncate(descriptor, 0)
    if hasattr(os, "fchmod"):
        os.fchmod(descriptor, _MODE)


def refuse_special(path: Path) -> None:
    """Raise an error if the path exists and is not a regular file.

    Opening a pipe could block, and writing to a device could change it.

    Raises:
        OSError: The path is a directory, a pipe, a device or another special file, or it cannot be
            examined. A path that does not exist is accepted.
    """
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        return
    if not stat.S_ISREG(mode):
        code = errno.EISDIR if stat.S_ISDIR(mode) else errno.EINVAL
        raise OSError(code, "it is no regular file", str(path))
