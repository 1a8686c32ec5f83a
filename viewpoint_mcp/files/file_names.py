"""Conversion of file names suggested by pages and servers into names safe on every system."""

from __future__ import annotations

import re
import sys
import unicodedata
from datetime import UTC, datetime
from pathlib import PurePosixPath

_MAX_BYTES = 200  # bytes; file systems allow 255, and `numbered` may add a number
_UNSAFE = re.compile(r'[<>:"|?*]')
_SEPARATORS = re.compile(r"[/\\]")
_RESERVED = re.compile(  # names of devices on Windows, with any suffix
    r"(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[\d¹²³]) *(\.|$)", re.IGNORECASE
)
_INVISIBLE = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})


def make_safe_name(suggested: str) -> str:
    """Return a safe file name made from a suggested one; "download" if nothing remains.

    Directories, control characters, direction marks and leading dots are removed. Characters and
    names that Windows does not allow are replaced. Long names are cut to 200 bytes, and the suffix
    is kept if it is shorter than 100 bytes.
    """
    last = _SEPARATORS.split(suggested)[-1]
    visible = "".join(char for char in last if unicodedata.category(char) not in _INVISIBLE)
    name = _UNSAFE.sub("_", visible).strip(" .")
    if _RESERVED.match(name):
        name = f"_{name}"
    return _shorten(name) or "download"


def is_device_name(path: str, platform: str = sys.platform) -> bool:
    """Return whether a part of a path is the name of a Windows device, such as `con` or `nul`.

    On Windows, these names refer to the device in every directory.

    Args:
        path: The path.
        platform: The platform, as in `sys.platform`; False for all others than "win32".
    """
    return platform == "win32" and any(map(_RESERVED.match, _SEPARATORS.split(path)))


def add_number(name: str, number: int) -> str:
    """Return a name with a number before its suffix, such as `data-2.txt`; unchanged for 1."""
    if number == 1:
        return name
    path = PurePosixPath(name)
    return f"{path.stem}-{number}{path.suffix}"


def _shorten(name: str) -> str:
    if len(name.encode()) <= _MAX_BYTES:
        return name
    path = PurePosixPath(name)
    suffix = path.suffix if len(path.suffix.encode()) < _MAX_BYTES // 2 else ""
    room = _MAX_BYTES - len(suffix.encode())
    stem = path.stem if suffix else name
    return stem.encode()[:room].decode(errors="ignore").rstrip(" .") + suffix


def make_dated_name(prefix: str, suffix: str) -> str:
    """Return `{prefix}-{time}.{suffix}` with the time in UTC."""
    stamp = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    return f"{prefix}-{re.sub('[:.]', '-', stamp)}.{suffix}"
