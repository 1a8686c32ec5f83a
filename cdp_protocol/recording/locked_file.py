"""The file of a recording: a regular file with one writer at a time."""

from __future__ import annotations

import errno
import logging
import os
import stat
from pathlib import Path

from cdp_protocol.launching.file_lock import FileDescriptor, try_lock

log = logging.getLogger(__name__)

_FILE_MODE = 0o600  # A recording holds the content of pages, so only its owner may read it.


def open_locked(path: Path) -> FileDescriptor:
    """Open and lock the file of a recording, and create it if it does not exist.

    The content of the file does not change; see `truncate`.

    Returns:
        A file descriptor. Until the caller closes it, a second call for the file fails, in this
        process and in others. On a file system without locks, a second call succeeds.

    Raises:
        OSError: The file cannot be written, is not a regular file, or is locked by another writer.
    """
    require_regular_file(path)
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | getattr(os, "O_BINARY", 0), _FILE_MODE)
    try:
        is_locked = try_lock(descriptor)
    except OSError as error:
        log.debug("%s is written without a lock: %s", path, error)
        return descriptor
    if not is_locked:
        os.close(descriptor)
        raise OSError(errno.EBUSY, "another recorder writes to it", str(path))
    return descriptor


def truncate(descriptor: FileDescriptor) -> None:
    """Empty a claimed file, and make it readable and writable by its owner only.

    Args:
        descriptor: The file descriptor that `open_locked` returned.

    Raises:
        OSError: The file cannot be written.
    """
    os.ftruncate(descriptor, 0)
    if hasattr(os, "fchmod"):
        os.fchmod(descriptor, _FILE_MODE)


def require_regular_file(path: Path) -> None:
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
        raise OSError(code, "it is not a regular file", str(path))
