"""Puts files in place: whole or not at all, and new ones never over another's."""

from __future__ import annotations

import errno
import os
import stat
from contextlib import suppress
from pathlib import Path

from viewpoint_mcp.files.names import numbered

_BINARY: int = getattr(os, "O_BINARY", 0)  # on Windows


def put(path: Path, data: bytes, *, private: bool = False) -> None:
    """Write a file, in place of one that has its name. Nobody sees half of it, and nothing of it
    stays if it fails.

    Args:
        private: For its owner's eyes alone; else whoever could read the one before it can.

    Raises:
        OSError: It cannot be written, or something that is no file has its name.
    """
    _make(path.parent)
    before = path.stat().st_mode if path.exists() else None
    if before is not None and not stat.S_ISREG(before) and not stat.S_ISDIR(before):
        raise OSError(errno.EEXIST, "something that is no file has its name")
    if before is not None and not os.access(path, os.W_OK):
        raise PermissionError(errno.EACCES, "it is read-only")
    part = path.with_name(f".saving-{os.urandom(8).hex()}")
    file = os.open(
        part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _BINARY, 0o600 if private else 0o666
    )
    try:
        with os.fdopen(file, "wb") as open_file:
            open_file.write(data)
        if before is not None and not private:
            part.chmod(stat.S_IMODE(before))
        part.replace(path)
    except BaseException:
        with suppress(OSError):
            part.unlink()
        raise


def claim(directory: Path, name: str) -> Path:
    """Make an empty file of that name; where there is one already, with a number in its name.

    Raises:
        OSError: The directory cannot be made, or takes no file.
    """
    _make(directory)
    number = 1
    while True:
        path = directory / numbered(name, number)
        try:
            path.open("xb").close()
        except FileExistsError:
            number += 1
        else:
            return path


def _make(directory: Path) -> None:
    try:
        directory.mkdir(parents=True, exist_ok=True)
    except FileExistsError as error:
        raise NotADirectoryError(errno.ENOTDIR, f"{directory} is no directory") from error
