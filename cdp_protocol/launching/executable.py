"""Finds the Chromium executable: the one that the user named, or the first in the usual places."""

from __future__ import annotations

import ntpath
import os
import posixpath
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Literal

from cdp_protocol.errors import LaunchError

Channel = Literal["chrome", "chromium", "msedge"]

CHANNELS: tuple[Channel, ...] = ("chrome", "chromium", "msedge")
VARIABLE = "CHROMIUM_PATH"

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
    """Return whether a path is a file that this process may execute."""
    return os.path.isfile(path) and os.access(path, os.X_OK)  # noqa: PTH113


def find_executable(
    named: Mapping[str, str | Path | None],
    environ: Mapping[str, str],
    *,
    channel: Channel | None = None,
    rather: Iterable[Path] = (),
    platform: str = sys.platform,
    runs: Callable[[str], bool] = is_executable,
) -> Path:
    """Find the executable of the browser to launch.

    Args:
        named: Paths or commands by their origin, such as a flag or an environment variable. The
            first that is not empty is used.
        environ: The environment: PATH, and the variables that locate the usual places.
        channel: The type of browser to look for; None for any.
        rather: Executables to prefer over those in the usual places. It is iterated only if `named`
            has no value.
        platform: A value of `sys.platform`. It selects the usual places.
        runs: Returns whether a path can be executed.

    Raises:
        LaunchError: The named executable cannot be run, or the usual places contain no browser.
    """
    for origin, value in named.items():
        if value:
            return _named(str(value), origin, environ, platform, runs)
    for found in rather:
        return found
    channels = CHANNELS if channel is None else (channel,)
    places = list(dict.fromkeys(_places(channels, environ, platform)))
    for place in places:
        if runs(place):
            return Path(place)
    raise _not_found(channel, channels, places, platform)


def how_to_install(platform: str = sys.platform) -> str:
    """Return how to install a browser on a platform, as the beginning of a sentence.

    Args:
        platform: A value of `sys.platform`.
    """
    return _INSTALL.get("linux" if platform.startswith("linux") else platform, "Install one")


def installed(
    environ: Mapping[str, str],
    *,
    platform: str = sys.platform,
    runs: Callable[[str], bool] = is_executable,
) -> list[Path]:
    """Return the browsers in the usual places without duplicates; see `find_executable`."""
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
    raise LaunchError(
        f"The browser {value}, named by {origin},",
        found,
        cause="executable",
        advice=f"Correct {origin}, or leave it out to use an installed browser.",
    )


def _places(
    channels: tuple[Channel, ...], environ: Mapping[str, str], platform: str
) -> Iterator[str]:
    """Yield the usual places for executables, channel by channel.

    macOS: applications, then commands on PATH. Linux: commands on PATH, then fixed paths. Windows:
    applications only.
    """
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
) -> LaunchError:
    kind = "Chromium, Chrome or Edge" if channel is None else f"browser of the channel {channel}"
    commands = [command for kind in channels for command in _COMMANDS[kind]]
    files = [place for place in places if ntpath.basename(place) not in commands]
    looked = f"the commands {', '.join(commands)} on PATH" if platform != "win32" else ""
    looked = " and ".join(filter(None, (looked, ", ".join(files))))
    return LaunchError(
        f"No {kind}",
        f"was found. Looked for {looked or 'nothing, as PATH is empty'}",
        cause="no browser",
        advice=f"{how_to_install(platform)}, or name yours, by {VARIABLE} for instance.",
    )
