"""The directory of installed browsers, and the versions in it."""

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
_MAC_EXECUTABLE = "Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing"
# Platform name of Chrome for Testing -> path of the executable in its archive.
_EXECUTABLES: Mapping[str, str] = MappingProxyType(
    {
        "linux64": "chrome-linux64/chrome",
        "mac-arm64": f"chrome-mac-arm64/{_MAC_EXECUTABLE}",
        "mac-x64": f"chrome-mac-x64/{_MAC_EXECUTABLE}",
        "win32": "chrome-win32/chrome.exe",
        "win64": "chrome-win64/chrome.exe",
    }
)
_PLATFORM_NAMES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {"linux": ("linux64",), "darwin": ("mac-arm64", "mac-x64"), "win32": ("win64", "win32")}
)


def is_version(text: str) -> bool:
    """Return whether a text is a Chrome version of four numbers, safe as a directory name."""
    return _VERSION.fullmatch(text) is not None


def get_browsers_directory(environ: Mapping[str, str], platform: str) -> Path | None:
    """Return the directory for installed browsers, whether it exists or not.

    Args:
        environ: VIEWPOINT_MCP_BROWSER_DIR sets the directory. Otherwise other variables locate the
            platform's data directory.
        platform: As in `sys.platform`.

    Returns:
        The directory; None if the environment sets neither it nor a home directory.
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
        # The XDG Base Directory specification requires that relative paths are ignored.
        if not posixpath.isabs(parent):
            parent = home and posixpath.join(home, ".local", "share")
    return Path(posixpath.join(parent, "viewpoint-mcp", "browser")) if parent else None


def list_versions(directory: Path) -> list[Path]:
    """Return the directories of the installed versions, newest first."""
    try:
        found = [entry for entry in directory.iterdir() if is_version(entry.name)]
    except OSError:
        return []
    return sorted(found, key=lambda entry: [int(part) for part in entry.name.split(".")])[::-1]


def get_executable_path(version_directory: Path, platform_name: str) -> Path:
    """Return the path of the executable in the directory of an installed version.

    Args:
        platform_name: The platform name of Chrome for Testing.
    """
    return version_directory / _EXECUTABLES[platform_name]


def find_installed_browser(
    environ: Mapping[str, str], platform: str, is_executable: Callable[[str], bool]
) -> Path | None:
    """Return the executable of the newest installed browser, or None.

    Args:
        platform: As in `sys.platform`.
        is_executable: Returns whether a path can be executed.
    """
    directory = get_browsers_directory(environ, platform)
    system = "linux" if platform.startswith("linux") else platform
    for version in list_versions(directory) if directory is not None else ():
        for target in _PLATFORM_NAMES.get(system, ()):
            if is_executable(str(path := get_executable_path(version, target))):
                return path
    return None
