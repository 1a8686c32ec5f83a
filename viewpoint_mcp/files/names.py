"""File names that a page or a server suggests, made safe for every system."""

from __future__ import annotations

import re
import sys
import unicodedata
from pathlib import PurePosixPath

_LONGEST = 200  # bytes; file systems take 255, and a number may be added
_UNSAFE = re.compile(r'[<>:"|?*]')
_SEPARATORS = re.compile(r"[/\\]")
_RESERVED = re.compile(  # on Windows, with any suffix
    r"(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[\d¹²³]) *(\.|$)", re.IGNORECASE
)
_INVISIBLE = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})


def safe(suggested: str) -> str:
    """Return a name that leads nowhere, hides nothing and can be written: without directories,
    controls, direction marks and leading dots, and not too long.
    """
    last = _SEPARATORS.split(suggested)[-1]
    visible = "".join(char for char in last if unicodedata.category(char) not in _INVISIBLE)
    name = _UNSAFE.sub("_", visible).strip(" .")
    if _RESERVED.match(name):
        name = f"_{name}"
    return _shortened(name) or "download"


def means_device(path: str, platform: str = sys.platform) -> bool:
    """Whether a part of a path is the name of a device, which on Windows it is in every directory.

    Args:
        platform: As in `sys.platform`.
    """
    return platform == "win32" and any(map(_RESERVED.match, _SEPARATORS.split(path)))


def numbered(name: str, number: int) -> str:
    """Return the name with a number before its suffix: `data-2.txt`; as it is for 1."""
    if number == 1:
        return name
    path = PurePosixPath(name)
    return f"{path.stem}-{number}{path.suffix}"


def _shortened(name: str) -> str:
    if len(name.encode()) <= _LONGEST:
        return name
    path = PurePosixPath(name)
    suffix = path.suffix if len(path.suffix.encode()) < _LONGEST // 2 else ""
    room = _LONGEST - len(suffix.encode())
    stem = path.stem if suffix else name
    return stem.encode()[:room].decode(errors="ignore").rstrip(" .") + suffix
