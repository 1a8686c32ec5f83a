"""Reads a file of a directory, and nothing else: no link, no device, nothing that never ends."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

# Not there on Windows, where files are opened as text without the last.
_FLAGS: int = (
    os.O_RDONLY
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_BINARY", 0)
)


def is_straight(path: Path, root: Path) -> bool:
    """Whether no link is on the way from one directory to another below it, or the same."""
    between = len(path.parts) - len(root.parts)
    try:
        return not any(each.is_symlink() for each in (path, *path.parents)[:between])
    except OSError:  # it may not be looked at
        return False


def read(path: Path, root: Path, limit: int) -> bytes:
    """Return what is in a regular file below a directory.

    It is opened first and looked at then, so that nothing can take its place in between.

    Args:
        limit: Bytes; more are not read.

    Raises:
        OSError: There is none, it is longer (EFBIG), or something else is there.
    """
    file = os.open(path, _FLAGS)
    try:
        facts = os.fstat(file)
        if not stat.S_ISREG(facts.st_mode):
            raise OSError(errno.EINVAL, "it is no regular file")
        if not is_straight(path.parent, root) or not os.path.samestat(facts, path.lstat()):
            raise OSError(errno.ELOOP, "a link leads elsewhere")
        if facts.st_size > limit:
            raise OSError(errno.EFBIG, "it is too long")
        with os.fdopen(file, "rb", closefd=False) as open_file:
            data = open_file.read(limit + 1)
        if len(data) > limit:
            raise OSError(errno.EFBIG, "it is too long")
        return data
    finally:
        os.close(file)
