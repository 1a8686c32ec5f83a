"""Safe reading of a regular file inside a directory, without following links."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

# Windows has only O_BINARY, without which it opens files in text mode.
_DIRECTORY: int = getattr(os, "O_DIRECTORY", 0)
_NO_LINK: int = getattr(os, "O_NOFOLLOW", 0)
_FILE: int = _NO_LINK | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)


def is_free_of_links(path: Path, root: Path) -> bool:
    """Return whether a path below a root directory contains no symbolic link below the root.

    Args:
        path: The path; the root itself, or below it.
        root: The root directory. Links in its own path are allowed.
    """
    between = len(path.parts) - len(root.parts)
    try:
        return not any(each.is_symlink() for each in (path, *path.parents)[:between])
    except OSError:  # such as a missing permission
        return False


def explain_absence(path: Path) -> str | None:
    """Return why there is no file or directory to read, such as "does not exist"; None if there is.

    Named pipes and devices are none, because reading them may never end.
    """
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        return "does not exist"
    except OSError as error:  # such as a name that is too long, or a missing permission
        return f"cannot be read: {error.strerror or error}"
    is_readable = stat.S_ISREG(mode) or stat.S_ISDIR(mode)
    return None if is_readable else "is neither a regular file nor a directory"


def read_file(path: Path, root: Path, limit: int) -> bytes:
    """Return the content of a regular file below a root directory.

    Args:
        path: The file.
        root: The root directory. Links below it are not followed.
        limit: The maximum size in bytes.

    Raises:
        OSError: The file does not exist, is larger than the limit (EFBIG), is not a regular file,
            or cannot be read.
    """
    data = read_start(path, root, limit + 1)
    if len(data) > limit:
        raise OSError(errno.EFBIG, "it is too large")
    return data


def read_start(path: Path, root: Path, length: int) -> bytes:
    """Return the first bytes of a regular file below a root directory.

    Args:
        path: The file.
        root: The root directory. Links below it are not followed.
        length: The maximum number of bytes.

    Raises:
        OSError: The file does not exist, is not a regular file, or cannot be read.
    """
    file = _open_without_links(path, root)
    try:
        if not stat.S_ISREG(os.fstat(file).st_mode):
            raise OSError(errno.EINVAL, "it is not a regular file")
        with os.fdopen(file, "rb", closefd=False) as open_file:
            return open_file.read(length)
    finally:
        os.close(file)


def _open_without_links(path: Path, root: Path) -> int:
    """Open a file below a root directory, directory by directory, without following links.

    A link that another process creates at the same time is not followed either, except on Windows.
    """
    if os.open not in os.supports_dir_fd:  # on Windows
        if not is_free_of_links(path, root):
            raise OSError(errno.ELOOP, "the path contains a link")
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
