"""Reads a file of a directory, and nothing else: no link, no device, nothing that never ends."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

# Windows has but the last, without which files are opened as text.
_DIRECTORY: int = getattr(os, "O_DIRECTORY", 0)
_NO_LINK: int = getattr(os, "O_NOFOLLOW", 0)
_FILE: int = _NO_LINK | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)


def is_straight(path: Path, root: Path) -> bool:
    """Whether no link is on the way from one directory to another below it, or the same."""
    between = len(path.parts) - len(root.parts)
    try:
        return not any(each.is_symlink() for each in (path, *path.parents)[:between])
    except OSError:  # it may not be looked at
        return False


def read(path: Path, root: Path, limit: int) -> bytes:
    """Return what is in a regular file below a directory.

    Args:
        limit: Bytes.

    Raises:
        OSError: There is none, it is longer (EFBIG), or something else is there.
    """
    data = begin(path, root, limit + 1)
    if len(data) > limit:
        raise OSError(errno.EFBIG, "it is too long")
    return data


def begin(path: Path, root: Path, length: int) -> bytes:
    """Return the first bytes of a regular file below a directory.

    Raises:
        OSError: There is none, or something else is there.
    """
    file = _open(path, root)
    try:
        if not stat.S_ISREG(os.fstat(file).st_mode):
            raise OSError(errno.EINVAL, "it is no regular file")
        with os.fdopen(file, "rb", closefd=False) as open_file:
            return open_file.read(length)
    finally:
        os.close(file)


def _open(path: Path, root: Path) -> int:
    """Open a file by one step after the other, none of which follows a link, so that none can be
    put in the way meanwhile.
    """
    if os.open not in os.supports_dir_fd:  # on Windows
        if not is_straight(path, root):
            raise OSError(errno.ELOOP, "a link leads elsewhere")
        return os.open(path, os.O_RDONLY | _FILE)
    *between, name = path.parts[len(root.parts) :]
    directory = os.open(root, os.O_RDONLY | _DIRECTORY)
    try:
        for part in between:
            inner = os.open(part, os.O_RDONLY | _DIRECTORY | _NO_LINK, dir_fd=directory)
            os.close(directory)
            directory = inner
        return os.open(name, os.O_RDONLY | _FILE, dir_fd=directory)
    finally:
        os.close(directory)
