"""The Chrome for Testing release for this machine, and its download address."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

from viewpoint_mcp.browser.install.installed_browser_lookup import is_version
from viewpoint_mcp.errors import BrowserError

HOST_VARIABLE = "VIEWPOINT_MCP_DOWNLOAD_HOST"
MANUAL_INSTALL = "Name the executable of any Chromium or Chrome with --executable-path."
"""Advice for users who cannot or do not want to download."""

_LIST_FILE = "last-known-good-versions-with-downloads.json"
_DEFAULT_SITE = "https://googlechromelabs.github.io/chrome-for-testing"
_X86 = ("x86_64", "amd64")
_ARM = ("arm64", "aarch64")
_GLIBC = "/lib64/ld-linux-x86-64.so.2"


@dataclass(frozen=True, slots=True)
class Release:
    """One version for one platform, and the URL of its archive."""

    version: str
    platform_name: str
    url: str


def get_platform_name(platform: str, machine: str, *, has_glibc: bool | None = None) -> str:
    """Return this machine's platform name in Chrome for Testing.

    Args:
        platform: As in `sys.platform`.
        machine: As returned by `platform.machine()`.
        has_glibc: Whether programs for glibc run here; None to detect it. Linux only.

    Raises:
        BrowserError: Chrome for Testing does not support this platform.
    """
    kind = machine.lower()
    if platform.startswith("linux") and kind in _X86:
        if os.path.exists(_GLIBC) if has_glibc is None else has_glibc:  # noqa: PTH110
            return "linux64"
        raise BrowserError(
            "Chrome for Testing needs glibc, which this Linux does not have.",
            f"Install the system's own Chromium (Alpine: apk add chromium). {MANUAL_INSTALL}",
        )
    if platform == "darwin" and kind in (*_ARM, *_X86):
        return "mac-arm64" if kind in _ARM else "mac-x64"
    if platform == "win32":
        # Windows on ARM runs programs made for x64.
        return "win64" if kind in (*_ARM, *_X86) else "win32"
    raise BrowserError(
        f"There is no Chrome for Testing for {platform} on {machine}.",
        f"Install the system's own Chromium (Debian and Ubuntu: sudo apt-get install chromium). "
        f"{MANUAL_INSTALL}",
    )


def read_mirror(environ: Mapping[str, str]) -> str | None:
    """Return the mirror from VIEWPOINT_MCP_DOWNLOAD_HOST, without a trailing slash; None if unset.

    Raises:
        BrowserError: It is not a valid URL, or has credentials, which messages would reveal.
    """
    given = environ.get(HOST_VARIABLE, "").strip()
    if not given:
        return None
    parts = urlsplit(given if "://" in given else f"https://{given}")
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise BrowserError(
            f"{HOST_VARIABLE} is not an http or https address.",
            f"Set it to the base address of a mirror that serves {_LIST_FILE} and "
            "VERSION/PLATFORM/chrome-PLATFORM.zip.",
        )
    if "@" in parts.netloc:
        raise BrowserError(
            f"{HOST_VARIABLE} has a user name or password, which downloads cannot use.",
            "Remove the part before the @.",
        )
    return parts.geturl().rstrip("/")


def get_list_url(mirror: str | None) -> str:
    """Return the URL of the list of versions."""
    return f"{mirror or _DEFAULT_SITE}/{_LIST_FILE}"


def parse_release(data: bytes, platform_name: str, mirror: str | None) -> Release:
    """Return the stable release from the list of versions.

    Source: GoogleChromeLabs/chrome-for-testing, "JSON API endpoints".

    Args:
        data: The list as downloaded.
        platform_name: The platform name; see `get_platform_name`.
        mirror: Base URL of the archive; None for the URL in the list.

    Raises:
        BrowserError: The data is not the expected list, or has no release for this platform.
    """
    try:
        stable = json.loads(data)["channels"]["Stable"]
        version = stable["version"]
        urls = {download["platform"]: download["url"] for download in stable["downloads"]["chrome"]}
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        version, urls = None, {}
    if not isinstance(version, str) or not is_version(version):
        raise BrowserError(
            f"{get_list_url(mirror)} is not the list of Chrome versions: it begins with "
            f"{data[:60]!r}.",
            f"Check {HOST_VARIABLE} and the proxy. {MANUAL_INSTALL}",
        )
    url = (
        f"{mirror}/{version}/{platform_name}/chrome-{platform_name}.zip"
        if mirror
        else urls.get(platform_name)
    )
    if not isinstance(url, str) or urlsplit(url).scheme not in ("http", "https"):
        raise BrowserError(
            f"There is no Chrome for Testing {version} for {platform_name}.",
            MANUAL_INSTALL,
        )
    return Release(version, platform_name, url)
