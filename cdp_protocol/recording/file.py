"""The file of a recording: a regular one, and one writer alone."""

from __future__ import annotations

import errno
import logging
import os
import stat
from pathlib import Path

from cdp_protocol.launching.file_lock import try_lock

log = logging.getLogger(__name__)

_MODE = 0o600  # what pages show is nobody else's business


def claim(path: Path) -> int:
    """Open a file for a recording, made if it is not there; what is in it stays for now.

    Returns:
        A descriptor. Until it is closed nobody else can claim the file, in this process or in
        another, where the file system has locks.

    Raises:
        OSError: The file cannot be written, is no regular one, or is somebody else's.
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
    """Leave out what was in a file, and give it to its owner alone.

    Args:
        descriptor: Of a file that was claimed.

    Raises:
        OSError: The file cannot be written.
    """
    os.ftruncate(descriptor, 0)
    if hasattr(os, "fchmod"):
        os.fchmod(descriptor, _MODE)


def refuse_special(path: Path) -> None:
    """Refuse pipes, which would be waited for, and devices, which are not to be changed.

    Raises:
        OSError: It is no regular file. One that is not there is not refused.
    """
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        return
    if not stat.S_ISREG(mode):
        code = errno.EISDIR if stat.S_ISDIR(mode) else errno.EINVAL
        raise OSError(code, "it is no regular file", str(path))
