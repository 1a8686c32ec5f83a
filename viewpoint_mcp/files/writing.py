"""Atomic writing of files, and creation of files with unused names."""

from __future__ import annotations

import errno
import os
import stat
from contextlib import suppress
from pathlib import Path

from viewpoint_mcp.files.file_names import add_number

_BINARY: int = getattr(os, "O_BINARY", 0)  # on Windows


def write_atomically(path: Path, data: bytes, *, is_private: bool = False) -> None:
    """Write a file atomically. Replace an existing file, and create missing directories.

    Other processes never see a partial file. If writing fails, no partial file remains.

    Args:
        path: The file.
        data: The content.
        is_private: Whether only the owner can read and write the file. Otherwise the file gets the
            mode of the replaced file, or the default mode.

    Raises:
        OSError: The file cannot be written, is read-only, or is not a regular file.
    """
    _make_directory(path.parent)
    old_mode = path.stat().st_mode if path.exists() else None
    if old_mode is not None and not stat.S_ISREG(old_mode) and not stat.S_ISDIR(old_mode):
        raise OSError(errno.EEXIST, "it is not a regular file")
    if old_mode is not None and not os.access(path, os.W_OK):
        raise PermissionError(errno.EACCES, "it is read-only")
    part = path.with_name(f".saving-{os.urandom(8).hex()}")
    file = os.open(
        part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _BINARY, 0o600 if is_private else 0o666
    )
    try:
        with os.fdopen(file, "wb") as open_file:
            open_file.write(data)
        if old_mode is not None and not is_private:
            part.chmod(stat.S_IMODE(old_mode))
        part.replace(path)
    except BaseException:
        with suppress(OSError):
            part.unlink()
        raise


def create_unique_file(directory: Path, name: str) -> Path:
    """Create an empty file, with a number in its name if the name is in use; return its path.

    Args:
        directory: The directory. It is created if it does not exist.
        name: The preferred name.

    Raises:
        OSError: The directory or the file cannot be created.
    """
    _make_directory(directory)
    number = 1
    while True:
        path = directory / add_number(name, number)
        try:
            path.open("xb").close()
        except FileExistsError:
            number += 1
        else:
            return path


def _make_directory(directory: Path) -> None:
    try:
        directory.mkdir(parents=True, exist_ok=True)
    except FileExistsError as error:
        raise NotADirectoryError(errno.ENOTDIR, f"{directory} is not a directory") from error
