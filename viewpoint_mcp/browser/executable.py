"""Which Chromium to run: the one that was named, the one that we installed, or the first in the
usual places.
"""

from __future__ import annotations

import ntpath
import os
import posixpath
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Literal

from viewpoint_mcp.browser.install.places import find_installed
from viewpoint_mcp.errors import BrowserError

Channel = Literal["chrome", "chromium", "msedge"]

CHANNELS: tuple[Channel, ...] = ("chrome", "chromium", "msedge")
VARIABLES = ("VIEWPOINT_MCP_EXECUTABLE", "CHROMIUM_PATH")

_COMMANDS: Mapping[Channel, tuple[str, ...]] = MappingProxyType(
    {
        "chrome": ("google-chrome-stable", "google-chrome", "chrome"),
        "chromium": ("chromium", "chromium-browser"),
        "msedge": ("microsoft-edge-stable", "microsoft-edge", "msedge"),
    }
)
_LINUX: Mapping[Channel, tuple[str, ...]] = MappingProxyType(
    {
        "chrome": ("/opt/google/chrome/chrome",),
        "chromium": ("/usr/lib/chromium/chromium", "/snap/bin/chromium"),
        "msedge": ("/opt/microsoft/msedge/msedge",),
    }
)
_MACOS: Mapping[Channel, str] = MappingProxyType(
    {
        "chrome": "Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
        "chromium": "Applications/Chromium.app/Contents/MacOS/Chromium",
        "msedge": "Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
    }
)
_WINDOWS: Mapping[Channel, str] = MappingProxyType(
    {
        "chrome": r"Google\Chrome\Application\chrome.exe",
        "chromium": r"Chromium\Application\chrome.exe",
        "msedge": r"Microsoft\Edge\Application\msedge.exe",
    }
)
_WINDOWS_ROOTS = ("LOCALAPPDATA", "PROGRAMFILES", "PROGRAMFILES(X86)")
_INSTALL: Mapping[str, str] = MappingProxyType(
    {
        "linux": "Install one (Debian and Ubuntu: sudo apt-get install chromium)",
        "darwin": "Install one (brew install --cask google-chrome)",
        "win32": "Install one (winget install Google.Chrome)",
    }
)


def is_executable(path: str) -> bool:
    """Whether a path is a file that we may run."""
    return os.path.isfile(path) and os.access(path, os.X_OK)  # noqa: PTH113


def find_executable(
    explicit: Path | None,
    channel: Channel | None,
    environ: Mapping[str, str],
    *,
    platform: str = sys.platform,
    runs: Callable[[str], bool] = is_executable,
) -> Path:
    """Find the browser to launch.

    Args:
        explicit: The one named by --executable-path; it counts before all others.
        channel: The kind of browser to look for; None for any.
        environ: Names one in VIEWPOINT_MCP_EXECUTABLE or CHROMIUM_PATH, and has PATH and what tells
            where ours is (`install.places.directory`).
        platform: As in `sys.platform`; decides what the usual places are.
        runs: Tells whether a path can be executed.

    Raises:
        BrowserError: The one named cannot be run, or there is none in the usual places.
    """
    if explicit is not None:
        return _named(str(explicit), "--executable-path", environ, platform, runs)
    for variable in VARIABLES:
        if value := environ.get(variable):
            return _named(value, variable, environ, platform, runs)
    if channel != "msedge" and (ours := find_installed(environ, platform, runs)) is not None:
        return ours
    channels = CHANNELS if channel is None else (channel,)
    places = list(dict.fromkeys(_places(channels, environ, platform)))
    for place in places:
        if runs(place):
            return Path(place)
    raise _not_found(channel, channels, places, platform)


def installed(
    environ: Mapping[str, str],
    *,
    platform: str = sys.platform,
    runs: Callable[[str], bool] = is_executable,
) -> list[Path]:
    """Return the browsers in the usual places, each once; see `find_executable`."""
    found: dict[str, Path] = {}
    for place in filter(runs, _places(CHANNELS, environ, platform)):
        found.setdefault(os.path.realpath(place), Path(place))
    return list(found.values())


def _named(
    value: str,
    origin: str,
    environ: Mapping[str, str],
    platform: str,
    runs: Callable[[str], bool],
) -> Path:
    path = os.path.expanduser(value)  # noqa: PTH111
    names = [path]
    if platform == "win32" and not path.lower().endswith(".exe"):
        names.append(f"{path}.exe")
    candidates = list(names)
    if not os.path.dirname(path):  # noqa: PTH120
        separator = ";" if platform == "win32" else ":"
        candidates += [place for name in names for place in _on_path(name, environ, separator)]
    for candidate in candidates:
        if runs(candidate):
            return Path(candidate).absolute()
    found = "cannot be executed" if os.path.exists(path) else "does not exist"  # noqa: PTH110
    raise BrowserError(
        f"The browser {value}, named by {origin}, {found}.",
        f"Correct {origin}, or leave it out to use an installed browser.",
    )


def _places(
    channels: tuple[Channel, ...], environ: Mapping[str, str], platform: str
) -> Iterator[str]:
    """Kind by kind: the applications of the system first, then the commands on PATH."""
    for channel in channels:
        if platform == "darwin":
            yield posixpath.join("/", _MACOS[channel])
            if home := environ.get("HOME"):
                yield posixpath.join(home, _MACOS[channel])
        if platform == "win32":
            for root in filter(None, map(environ.get, _WINDOWS_ROOTS)):
                yield ntpath.join(root, _WINDOWS[channel])
            continue
        for command in _COMMANDS[channel]:
            yield from _on_path(command, environ, ":")
        if platform.startswith("linux"):
            yield from _LINUX[channel]


def _on_path(command: str, environ: Mapping[str, str], separator: str) -> Iterator[str]:
    for directory in environ.get("PATH", "").split(separator):
        if directory:
            yield os.path.join(directory, command)  # noqa: PTH118


def _not_found(
    channel: Channel | None, channels: tuple[Channel, ...], places: list[str], platform: str
) -> BrowserError:
    kind = "Chromium, Chrome or Edge" if channel is None else f"browser of the channel {channel}"
    commands = [command for kind in channels for command in _COMMANDS[kind]]
    files = [place for place in places if ntpath.basename(place) not in commands]
    looked = f"the commands {', '.join(commands)} on PATH" if platform != "win32" else ""
    looked = " and ".join(filter(None, (looked, ", ".join(files))))
    system = "linux" if platform.startswith("linux") else platform
    install = _INSTALL.get(system, "Install one")
    ours = "Have one downloaded by browser_install (in a shell: viewpoint-mcp install-browser). "
    return BrowserError(
        f"No {kind} was found. Looked for {looked or 'nothing, as PATH is empty'}.",
        f"{ours if channel != 'msedge' else ''}{install}, or name yours with --executable-path.",
    )
