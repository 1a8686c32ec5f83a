"""Checks of the machine: Python and its packages, the display, shared memory."""

from __future__ import annotations

import importlib
import importlib.metadata
import os
import platform
import re
import shutil
import socket
import sys
from pathlib import Path

from cdp_protocol.launching.machine_capabilities import (
    SMALL_SHARED_MEMORY,
    has_display,
    is_shared_memory_small,
)
from viewpoint_mcp.cli.doctor.finding import (
    Finding,
    failed_finding,
    note_finding,
    ok_finding,
    skipped_finding,
)
from viewpoint_mcp.config.settings import Settings

_MODULE_BY_PACKAGE = {
    "click": "click",
    "msgspec": "msgspec",
    "orjson": "orjson",
    "pillow": "PIL",
    "websockets": "websockets",
}
_REQUIREMENT = re.compile(r"(?P<name>[\w-]+)[^;]*?>=\s*(?P<version>[\d.]+)(?!.*extra)")
_DISPLAY = re.compile(r"(?P<host>[^:]*):(?P<number>\d+)(?:\.\d+)?")
_FIRST_X_PORT = 6000
_CONNECT_TIMEOUT = 3.0
_MB = 1024 * 1024


def check_python_packages(_settings: Settings) -> Finding:
    """Check that the required packages can be imported and are recent enough.

    The version of Python is reported but not checked, because a version that is too old cannot run
    this code.
    """
    problems, found = [], []
    for name, oldest in read_required_package_versions().items():
        try:
            importlib.import_module(_MODULE_BY_PACKAGE.get(name, name))
            version = importlib.metadata.version(name)
        except Exception as error:  # noqa: BLE001 - broken packages raise anything
            problems.append(f"cannot import {name}: {error}")
            continue
        found.append(f"{name} {version}")
        if parse_version(version) < parse_version(oldest):
            problems.append(f"{name} {version} is older than {oldest}")
    summary = f"Python {platform.python_version()} ({sys.executable})"
    if problems:
        fix = f"{sys.executable} -m pip install --upgrade --force-reinstall viewpoint-mcp"
        return failed_finding(f"{summary}: packages are missing or too old", *problems, fix=fix)
    return ok_finding(summary, ", ".join(found))


def read_required_package_versions() -> dict[str, str]:
    """Return the required packages with their minimum versions."""
    try:
        lines = importlib.metadata.requires("viewpoint-mcp") or []
    except importlib.metadata.PackageNotFoundError:  # The product runs from its sources.
        return dict.fromkeys(_MODULE_BY_PACKAGE, "0")
    found = filter(None, map(_REQUIREMENT.match, lines))
    return {each["name"].lower(): each["version"] for each in found}


def parse_version(version: str) -> tuple[int, ...]:
    """Return the leading numbers of a version, for comparison; () if it has none."""
    leading = re.match(r"\d+(?:\.\d+)*", version)
    return tuple(map(int, leading[0].split("."))) if leading else ()


def check_display(settings: Settings) -> Finding:
    """Check that a window can be shown, unless the browser is headless."""
    if settings.should_attach:
        return skipped_finding("the browser is already running")
    if settings.headless:
        return ok_finding("not needed with --headless")
    if not has_display(os.environ):
        return note_finding(
            "none (DISPLAY and WAYLAND_DISPLAY are not set), so Chromium will run headless",
            fix="Pass --headless to remove this note. To see the browser, run the server with a "
            "display, or under xvfb-run.",
        )
    if not sys.platform.startswith("linux"):
        return ok_finding("available")
    if wayland := os.environ.get("WAYLAND_DISPLAY"):
        return ok_finding(f"WAYLAND_DISPLAY={wayland}")
    name = os.environ["DISPLAY"]
    if can_reach_x_server(name):
        return ok_finding(f"DISPLAY={name}")
    return failed_finding(
        f"no X server answers at DISPLAY={name}, so Chromium cannot open a window",
        fix="Correct DISPLAY, or pass --headless.",
    )


def list_x_server_addresses(display: str) -> list[tuple[str, int] | str]:
    """Return the addresses where the X server of a display may listen.

    Args:
        display: A value of DISPLAY, such as ":0" or "host:0.0".

    Returns:
        Paths of Unix sockets, or a host and a port; empty if the name is malformed.

    Source: X(7), "Display names".
    """
    found = _DISPLAY.fullmatch(display)
    if found is None:
        return []
    host, number = found["host"], int(found["number"])
    if host in ("", "unix"):
        path = f"/tmp/.X11-unix/X{number}"
        return [path, f"\0{path}"]
    return [(host, _FIRST_X_PORT + number)]


def can_reach_x_server(display: str) -> bool:
    """Return whether an X server accepts connections for a display. False on Windows."""
    if sys.platform == "win32":
        return False
    for address in list_x_server_addresses(display):
        family = socket.AF_UNIX if isinstance(address, str) else socket.AF_INET
        try:
            if isinstance(address, str):
                with socket.socket(family) as connection:
                    connection.settimeout(_CONNECT_TIMEOUT)
                    connection.connect(address)
            else:
                socket.create_connection(address, _CONNECT_TIMEOUT).close()
        except OSError:
            continue
        return True
    return False


def check_shared_memory(settings: Settings, directory: Path = Path("/dev/shm")) -> Finding:
    """Check that /dev/shm is large enough for Chromium.

    Args:
        settings: The settings of the server.
        directory: The directory of shared memory.
    """
    if settings.should_attach:
        return skipped_finding("the browser is already running")
    if not sys.platform.startswith("linux"):
        return skipped_finding("only Linux has /dev/shm")
    try:
        size = f"{shutil.disk_usage(directory).total // _MB} MB"
    except OSError:
        size = "missing"
    if not is_shared_memory_small(directory):
        return ok_finding(f"{directory} has {size}")
    return note_finding(
        f"{directory} is {size}, so Chromium will run with --disable-dev-shm-usage and use the "
        "temporary directory instead, which may be slower",
        fix=f"Give the container more than {SMALL_SHARED_MEMORY // _MB} MB: "
        "docker run --shm-size=1g",
    )
