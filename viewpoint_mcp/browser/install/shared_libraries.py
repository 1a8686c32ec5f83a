"""Linux packages that provide the shared libraries a browser lacks."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import MappingProxyType

_LOADER_ERROR = re.compile(r"error while loading shared libraries: ([^:\s]+)")
_LDD_NOT_FOUND = re.compile(r"^\s*(\S+) => not found", re.MULTILINE)
_LIMIT = 20.0  # seconds for ldd

# The libraries that Chrome for Testing is linked to -> package of Debian and Ubuntu, of Fedora.
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
# Packages that Debian 13 and Ubuntu 24.04 renamed for 64-bit time.
_RENAMED_PACKAGES = frozenset(
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


def parse_loader_error(stderr: str) -> list[str]:
    """Return the missing library that the loader's error names; empty if it names none.

    The loader stops at the first missing library.
    """
    return _LOADER_ERROR.findall(stderr)


def find_missing_libraries(executable: Path, stderr: str) -> list[str]:
    """Return the names of the shared libraries that an executable lacks.

    Uses `ldd` to find all of them, if it is available. `ldd` may run code of the executable, but
    the caller has run it before.

    Args:
        stderr: The executable's error output.

    Returns:
        Their names; empty if `stderr` names none.
    """
    found = parse_loader_error(stderr)
    if found and (ldd := shutil.which("ldd")):
        try:
            finished = subprocess.run(
                [ldd, str(executable)],
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=_LIMIT,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired):
            return found
        found += parse_ldd_output(finished.stdout.decode(errors="replace"))
    return list(dict.fromkeys(found))


def parse_ldd_output(output: str) -> list[str]:
    """Return the libraries that the output of ldd marks as not found."""
    return _LDD_NOT_FOUND.findall(output)


def advise_library_installation(library_names: Iterable[str], os_release: str | None = None) -> str:
    """Return a sentence with the missing libraries and the command that installs them.

    Args:
        library_names: File names of libraries, as the loader reports them.
        os_release: The text of /etc/os-release; None to read the file.
    """
    names = list(library_names)
    if os_release is None:
        os_release = _read_os_release()
    advice = _name_missing_libraries(names)
    known = [_PACKAGES[name] for name in names if name in _PACKAGES]
    if not known:
        return f"{advice}: install what Chromium depends on (Debian: apt-get install chromium)."
    debian = [_get_debian_package(package, os_release) for package, _ in known]
    commands = {
        "debian": f"sudo apt-get install -y {_join_packages(debian)}",
        "fedora": f"sudo dnf install -y {_join_packages(package for _, package in known)}",
    }
    if (system := _get_package_family(os_release)) is not None:
        return f"{advice}: {commands[system]}"
    advice += f". Debian and Ubuntu: {commands['debian']}; Fedora: {commands['fedora']}"
    return advice


def _name_missing_libraries(names: list[str]) -> str:
    if len(names) == 1:
        return f"The library {names[0]} is missing"
    return f"The libraries {', '.join(names)} are missing"


def _join_packages(packages: Iterable[str]) -> str:
    return shlex.join(dict.fromkeys(packages))


def _get_debian_package(package: str, os_release: str) -> str:
    values = _parse_os_release(os_release)
    newest = {"debian": 13.0, "ubuntu": 24.04}.get(values.get("ID", ""), 0.0)
    try:
        is_new = float(values.get("VERSION_ID", "0")) >= newest > 0
    except ValueError:
        is_new = False
    return f"{package}t64" if is_new and package in _RENAMED_PACKAGES else package


def _get_package_family(os_release: str) -> str | None:
    values = _parse_os_release(os_release)
    families = [values.get("ID", ""), *values.get("ID_LIKE", "").split()]
    for family in families:
        if family in ("debian", "ubuntu"):
            return "debian"
        if family in ("fedora", "rhel", "centos"):
            return "fedora"
    return None


def _parse_os_release(os_release: str) -> dict[str, str]:
    lines = (line.partition("=") for line in os_release.splitlines())
    return {name.strip(): value.strip().strip("\"'") for name, _, value in lines}


def _read_os_release() -> str:
    try:
        return Path("/etc/os-release").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
