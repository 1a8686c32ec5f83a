"""Finds the Chromium executable: the one that the user named, or the first in the usual places."""

from __future__ import annotations

import ntpath
import os
import posixpath
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Literal, get_args

from cdp_protocol.errors import LaunchError

Channel = Literal[
    "chrome",
    "chromium",
    "msedge",
    "chrome-beta",
    "chrome-dev",
    "chrome-canary",
    "msedge-beta",
    "msedge-dev",
    "msedge-canary",
]

CHANNELS: tuple[Channel, ...] = get_args(Channel)
STABLE_CHANNELS: tuple[Channel, ...] = ("chrome", "chromium", "msedge")
"""The channels to look for if none is selected, in this order."""
EXECUTABLE_VARIABLE = "CHROMIUM_PATH"

_COMMANDS: Mapping[Channel, tuple[str, ...]] = MappingProxyType(
    {
        "chrome": ("google-chrome-stable", "google-chrome", "chrome"),
        "chromium": ("chromium", "chromium-browser"),
        "msedge": ("microsoft-edge-stable", "microsoft-edge", "msedge"),
        "chrome-beta": ("google-chrome-beta",),
        "chrome-dev": ("google-chrome-unstable",),
        "chrome-canary": ("google-chrome-canary",),
        "msedge-beta": ("microsoft-edge-beta",),
        "msedge-dev": ("microsoft-edge-dev",),
        "msedge-canary": ("microsoft-edge-canary",),
    }
)
_LINUX_PATHS: Mapping[Channel, tuple[str, ...]] = MappingProxyType(
    {
        "chrome": ("/opt/google/chrome/chrome",),
        "chromium": ("/usr/lib/chromium/chromium", "/snap/bin/chromium"),
        "msedge": ("/opt/microsoft/msedge/msedge",),
        "chrome-beta": ("/opt/google/chrome-beta/chrome",),
        "chrome-dev": ("/opt/google/chrome-unstable/chrome",),
        "chrome-canary": ("/opt/google/chrome-canary/chrome",),
        "msedge-beta": ("/opt/microsoft/msedge-beta/msedge",),
        "msedge-dev": ("/opt/microsoft/msedge-dev/msedge",),
        "msedge-canary": ("/opt/microsoft/msedge-canary/msedge",),
    }
)
_MACOS_APPLICATIONS: Mapping[Channel, str] = MappingProxyType(
    {
        "chrome": "Google Chrome",
        "chromium": "Chromium",
        "msedge": "Microsoft Edge",
        "chrome-beta": "Google Chrome Beta",
        "chrome-dev": "Google Chrome Dev",
        "chrome-canary": "Google Chrome Canary",
        "msedge-beta": "Microsoft Edge Beta",
        "msedge-dev": "Microsoft Edge Dev",
        "msedge-canary": "Microsoft Edge Canary",
    }
)
_WINDOWS_PATHS: Mapping[Channel, str] = MappingProxyType(
    {
        "chrome": r"Google\Chrome\Application\chrome.exe",
        "chromium": r"Chromium\Application\chrome.exe",
        "msedge": r"Microsoft\Edge\Application\msedge.exe",
        "chrome-beta": r"Google\Chrome Beta\Application\chrome.exe",
        "chrome-dev": r"Google\Chrome Dev\Application\chrome.exe",
        "chrome-canary": r"Google\Chrome SxS\Application\chrome.exe",
        "msedge-beta": r"Microsoft\Edge Beta\Application\msedge.exe",
        "msedge-dev": r"Microsoft\Edge Dev\Application\msedge.exe",
        "msedge-canary": r"Microsoft\Edge SxS\Application\msedge.exe",
    }
)
_WINDOWS_ROOTS = ("LOCALAPPDATA", "PROGRAMFILES", "PROGRAMFILES(X86)")
_INSTALL_ADVICE: Mapping[str, str] = MappingProxyType(
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
    named_by_origin: Mapping[str, str | Path | None],
    environ: Mapping[str, str],
    *,
    channel: Channel | None = None,
    preferred: Iterable[Path] = (),
    platform: str = sys.platform,
    can_run: Callable[[str], bool] = is_executable,
) -> Path:
    """Find the executable of the browser to launch.

    Args:
        named_by_origin: Paths or commands by their origin, such as a flag or an environment
            variable. The first that is not empty is used.
        environ: The environment: PATH, and the variables that locate the usual places.
        channel: The type of browser to look for; None for the first of `STABLE_CHANNELS`.
        preferred: Executables to prefer over those in the usual places. It is iterated only if
            `named_by_origin` has no value.
        platform: A value of `sys.platform`. It selects the usual places.
        can_run: Returns whether a path can be executed.

    Raises:
        LaunchError: The named executable cannot be run, or the usual places contain no browser.
    """
    for origin, value in named_by_origin.items():
        if value:
            return _find_named_executable(str(value), origin, environ, platform, can_run)
    for found in preferred:
        return found
    channels = STABLE_CHANNELS if channel is None else (channel,)
    paths = list(dict.fromkeys(_usual_executable_paths(channels, environ, platform)))
    for path in paths:
        if can_run(path):
            return Path(path)
    raise _make_not_found_error(channel, channels, paths, platform)


def find_channel(
    path: Path, environ: Mapping[str, str], *, platform: str = sys.platform
) -> Channel | None:
    """Return the channel that has an executable in its usual places; None if none has.

    Args:
        path: The executable.
        environ: The environment: PATH, and the variables that locate the usual places.
        platform: A value of `sys.platform`. It selects the usual places.
    """
    for channel in CHANNELS:
        if str(path) in _usual_executable_paths((channel,), environ, platform):
            return channel
    return None


def install_advice(platform: str = sys.platform) -> str:
    """Return how to install a browser on a platform, as the beginning of a sentence.

    Args:
        platform: A value of `sys.platform`.
    """
    return _INSTALL_ADVICE.get("linux" if platform.startswith("linux") else platform, "Install one")


def find_installed_browsers(
    environ: Mapping[str, str],
    *,
    platform: str = sys.platform,
    can_run: Callable[[str], bool] = is_executable,
) -> list[Path]:
    """Return the browsers in the usual places without duplicates; see `find_executable`."""
    browsers: dict[str, Path] = {}
    for path in filter(can_run, _usual_executable_paths(CHANNELS, environ, platform)):
        browsers.setdefault(os.path.realpath(path), Path(path))
    return list(browsers.values())


def _find_named_executable(
    value: str,
    origin: str,
    environ: Mapping[str, str],
    platform: str,
    can_run: Callable[[str], bool],
) -> Path:
    path = os.path.expanduser(value)  # noqa: PTH111
    names = [path]
    if platform == "win32" and not path.lower().endswith(".exe"):
        names.append(f"{path}.exe")
    candidates = list(names)
    if not os.path.dirname(path):  # noqa: PTH120
        separator = ";" if platform == "win32" else ":"
        candidates += [
            place
            for name in names
            for place in _candidates_on_path_variable(name, environ, separator)
        ]
    for candidate in candidates:
        if can_run(candidate):
            return Path(candidate).absolute()
    problem = "cannot be executed" if os.path.exists(path) else "does not exist"  # noqa: PTH110
    raise LaunchError(
        f"The browser {value}, named by {origin},",
        problem,
        cause="executable",
        advice=f"Correct {origin}, or omit it to use an installed browser.",
    )


def _usual_executable_paths(
    channels: tuple[Channel, ...], environ: Mapping[str, str], platform: str
) -> Iterator[str]:
    """Yield the usual places for executables, channel by channel.

    macOS: applications, then commands on PATH. Linux: commands on PATH, then fixed paths. Windows:
    applications only.
    """
    for channel in channels:
        if platform == "darwin":
            name = _MACOS_APPLICATIONS[channel]
            application = f"Applications/{name}.app/Contents/MacOS/{name}"
            yield posixpath.join("/", application)
            if home := environ.get("HOME"):
                yield posixpath.join(home, application)
        if platform == "win32":
            for root in filter(None, map(environ.get, _WINDOWS_ROOTS)):
                yield ntpath.join(root, _WINDOWS_PATHS[channel])
            continue
        for command in _COMMANDS[channel]:
            yield from _candidates_on_path_variable(command, environ, ":")
        if platform.startswith("linux"):
            yield from _LINUX_PATHS[channel]


def _candidates_on_path_variable(
    command: str, environ: Mapping[str, str], separator: str
) -> Iterator[str]:
    for directory in environ.get("PATH", "").split(separator):
        if directory:
            yield os.path.join(directory, command)  # noqa: PTH118


def _make_not_found_error(
    channel: Channel | None, channels: tuple[Channel, ...], paths: list[str], platform: str
) -> LaunchError:
    kind = "Chromium, Chrome or Edge" if channel is None else f"browser of the channel {channel}"
    commands = [command for kind in channels for command in _COMMANDS[kind]]
    files = [path for path in paths if ntpath.basename(path) not in commands]
    searched = f"the commands {', '.join(commands)} on PATH" if platform != "win32" else ""
    searched = " and ".join(filter(None, (searched, ", ".join(files))))
    return LaunchError(
        f"No {kind}",
        f"was found. Searched for {searched or 'nothing, because PATH is empty'}",
        cause="no browser",
        advice=f"{install_advice(platform)}, or set {EXECUTABLE_VARIABLE} to a browser.",
    )
