"""Where the browser that we install is kept, and which of them is there."""

from __future__ import annotations

import ntpath
import os
import posixpath
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType

DIRECTORY_VARIABLE = "VIEWPOINT_MCP_BROWSER_DIR"

_VERSION = re.compile(r"\d{1,6}(\.\d{1,6}){3}")
_MAC = "Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing"
# As they are called in Chrome for Testing's own list -> where the executable is in its archive.
_EXECUTABLES: Mapping[str, str] = MappingProxyType(
    {
        "linux64": "chrome-linux64/chrome",
        "mac-arm64": f"chrome-mac-arm64/{_MAC}",
        "mac-x64": f"chrome-mac-x64/{_MAC}",
        "win32": "chrome-win32/chrome.exe",
        "win64": "chrome-win64/chrome.exe",
    }
)
_SYSTEMS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {"linux": ("linux64",), "darwin": ("mac-arm64", "mac-x64"), "win32": ("win64", "win32")}
)


def is_version(text: str) -> bool:
    """Whether a text is a version of Chrome, four numbers; safe as a directory's name."""
    return _VERSION.fullmatch(text) is not None


def directory(environ: Mapping[str, str], platform: str) -> Path | None:
    """Where our browser is kept, whether it is there or not.

    Args:
        environ: VIEWPOINT_MCP_BROWSER_DIR names one; else the platform's place for data, as the
            environment tells it.
        platform: As in `sys.platform`.

    Returns:
        The directory; None when the environment names none and no home either.
    """
    if given := environ.get(DIRECTORY_VARIABLE):
        return Path(os.path.expanduser(given)).absolute()  # noqa: PTH111
    home = environ.get("HOME")
    if platform == "win32":
        local = environ.get("LOCALAPPDATA")
        return Path(ntpath.join(local, "viewpoint-mcp", "browser")) if local else None
    if platform == "darwin":
        parent = home and posixpath.join(home, "Library", "Application Support")
    else:
        parent = environ.get("XDG_DATA_HOME", "")
        # The specification has relative paths ignored.
        if not posixpath.isabs(parent):
            parent = home and posixpath.join(home, ".local", "share")
    return Path(posixpath.join(parent, "viewpoint-mcp", "browser")) if parent else None


def versions(place: Path) -> list[Path]:
    """The versions that are installed in a directory of ours, newest first."""
    try:
        found = [each for each in place.iterdir() if is_version(each.name)]
    except OSError:
        return []
    return sorted(found, key=lambda each: [int(part) for part in each.name.split(".")])[::-1]


def executable_in(version: Path, target: str) -> Path:
    """The executable of one installed version.

    Args:
        target: The platform, as Chrome for Testing calls it.
    """
    return version / _EXECUTABLES[target]


def find_installed(
    environ: Mapping[str, str], platform: str, runs: Callable[[str], bool]
) -> Path | None:
    """The executable of the newest browser that we installed, if there is one.

    Args:
        platform: As in `sys.platform`.
        runs: Tells whether a path can be executed.
    """
    place = directory(environ, platform)
    system = "linux" if platform.startswith("linux") else platform
    for version in versions(place) if place is not None else ():
        for target in _SYSTEMS.get(system, ()):
            if runs(str(path := executable_in(version, target))):
                return path
    return None
