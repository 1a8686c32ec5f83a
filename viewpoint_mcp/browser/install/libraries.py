"""Which packages bring the shared libraries that a browser misses on Linux."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import MappingProxyType

_LOADER = re.compile(r"error while loading shared libraries: ([^:\s]+)")
_NOT_FOUND = re.compile(r"^\s*(\S+) => not found", re.MULTILINE)
_LIMIT = 20.0  # seconds for ldd

# Library -> package of Debian and Ubuntu, package of Fedora. What Chrome for Testing is linked to.
_PACKAGES: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "libX11.so.6": ("libx11-6", "libX11"),
        "libX11-xcb.so.1": ("libx11-xcb1", "libX11-xcb"),
        "libXcomposite.so.1": ("libxcomposite1", "libXcomposite"),
        "libXcursor.so.1": ("libxcursor1", "libXcursor"),
        "libXdamage.so.1": ("libxdamage1", "libXdamage"),
        "libXext.so.6": ("libxext6", "libXext"),
        "libXfixes.so.3": ("libxfixes3", "libXfixes"),
        "libXi.so.6": ("libxi6", "libXi"),
        "libXrandr.so.2": ("libxrandr2", "libXrandr"),
        "libXrender.so.1": ("libxrender1", "libXrender"),
        "libXtst.so.6": ("libxtst6", "libXtst"),
        "libasound.so.2": ("libasound2", "alsa-lib"),
        "libatk-1.0.so.0": ("libatk1.0-0", "atk"),
        "libatk-bridge-2.0.so.0": ("libatk-bridge2.0-0", "at-spi2-atk"),
        "libatspi.so.0": ("libatspi2.0-0", "at-spi2-core"),
        "libcairo.so.2": ("libcairo2", "cairo"),
        "libcups.so.2": ("libcups2", "cups-libs"),
        "libdbus-1.so.3": ("libdbus-1-3", "dbus-libs"),
        "libdrm.so.2": ("libdrm2", "libdrm"),
        "libexpat.so.1": ("libexpat1", "expat"),
        "libfontconfig.so.1": ("libfontconfig1", "fontconfig"),
        "libgbm.so.1": ("libgbm1", "mesa-libgbm"),
        "libgio-2.0.so.0": ("libglib2.0-0", "glib2"),
        "libglib-2.0.so.0": ("libglib2.0-0", "glib2"),
        "libgobject-2.0.so.0": ("libglib2.0-0", "glib2"),
        "libgtk-3.so.0": ("libgtk-3-0", "gtk3"),
        "libnspr4.so": ("libnspr4", "nspr"),
        "libnss3.so": ("libnss3", "nss"),
        "libnssutil3.so": ("libnss3", "nss-util"),
        "libsmime3.so": ("libnss3", "nss"),
        "libpango-1.0.so.0": ("libpango-1.0-0", "pango"),
        "libudev.so.1": ("libudev1", "systemd-libs"),
        "libuuid.so.1": ("libuuid1", "libuuid"),
        "libxcb.so.1": ("libxcb1", "libxcb"),
        "libxkbcommon.so.0": ("libxkbcommon0", "libxkbcommon"),
        "libxshmfence.so.1": ("libxshmfence1", "libxshmfence"),
    }
)
# Renamed in Debian 13 and Ubuntu 24.04, for 64 bits of time.
_RENAMED = frozenset(
    {
        "libasound2",
        "libatk-bridge2.0-0",
        "libatk1.0-0",
        "libatspi2.0-0",
        "libcups2",
        "libglib2.0-0",
        "libgtk-3-0",
    }
)


def named_in(stderr: str) -> list[str]:
    """The libraries that the loader missed, as it said itself; it stops at the first."""
    return _LOADER.findall(stderr)


def missing(executable: Path, stderr: str) -> list[str]:
    """Name the libraries that an executable does not find.

    `ldd`, where it is, names them all. It runs nothing of a browser
    that would not have been run anyway.

    Args:
        stderr: What the executable said.

    Returns:
        Their names; empty when none is missing.
    """
    found = named_in(stderr)
    if found and (ldd := shutil.which("ldd")):
        try:
            told = subprocess.run(
                [ldd, str(executable)],
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=_LIMIT,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired):
            return found
        found += read_ldd(told.stdout.decode(errors="replace"))
    return list(dict.fromkeys(found))


def read_ldd(output: str) -> list[str]:
    """The libraries that ldd did not find."""
    return _NOT_FOUND.findall(output)


def advice(names: Iterable[str], os_release: str | None = None) -> str:
    """Say what is missing, and the command that installs it.

    Args:
        names: Of libraries, as the loader calls them.
        os_release: The text of /etc/os-release; read when None.
    """
    names = list(names)
    if os_release is None:
        os_release = _os_release()
    told = _told(names)
    known = [_PACKAGES[name] for name in names if name in _PACKAGES]
    if not known:
        return f"{told}: install what Chromium depends on (Debian: apt-get install chromium)."
    debian = [_debian(package, os_release) for package, _ in known]
    commands = {
        "debian": f"sudo apt-get install -y {_joined(debian)}",
        "fedora": f"sudo dnf install -y {_joined(package for _, package in known)}",
    }
    if (system := _system(os_release)) is not None:
        return f"{told}: {commands[system]}"
    told += f". Debian and Ubuntu: {commands['debian']}; Fedora: {commands['fedora']}"
    return told


def _told(names: list[str]) -> str:
    if len(names) == 1:
        return f"The library {names[0]} is missing"
    return f"The libraries {', '.join(names)} are missing"


def _joined(packages: Iterable[str]) -> str:
    return shlex.join(dict.fromkeys(packages))


def _debian(package: str, os_release: str) -> str:
    values = _values(os_release)
    newest = {"debian": 13.0, "ubuntu": 24.04}.get(values.get("ID", ""), 0.0)
    try:
        is_new = float(values.get("VERSION_ID", "0")) >= newest > 0
    except ValueError:
        is_new = False
    return f"{package}t64" if is_new and package in _RENAMED else package


def _system(os_release: str) -> str | None:
    values = _values(os_release)
    families = [values.get("ID", ""), *values.get("ID_LIKE", "").split()]
    for family in families:
        if family in ("debian", "ubuntu"):
            return "debian"
        if family in ("fedora", "rhel", "centos"):
            return "fedora"
    return None


def _values(os_release: str) -> dict[str, str]:
    lines = (line.partition("=") for line in os_release.splitlines())
    return {name.strip(): value.strip().strip("\"'") for name, _, value in lines}


def _os_release() -> str:
    try:
        return Path("/etc/os-release").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
