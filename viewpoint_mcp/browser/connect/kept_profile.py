"""The profile that the server keeps for each browser and workspace, so that logins survive.

It is in the user's cache directory. If another server holds it, or if Chromium cannot use it, the
browser starts with a temporary profile (decision 0056).
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import logging
import os
import re
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from cdp_protocol import LaunchError
from cdp_protocol.errors import LaunchCause
from cdp_protocol.launching.arguments import LaunchOptions
from cdp_protocol.launching.executable import find_channel
from cdp_protocol.launching.process import BrowserProcess
from viewpoint_mcp.browser.connect.launch import launch_browser, to_browser_error
from viewpoint_mcp.browser.install.installed_browser_lookup import get_browsers_directory
from viewpoint_mcp.config.default_directories import get_workspace_cache
from viewpoint_mcp.config.settings import Settings

log = logging.getLogger(__name__)

# With any other cause, the browser does not start with another profile either.
_CAUSES_OF_THE_PROFILE: tuple[LaunchCause, ...] = (
    "profile",
    "profile in use",
    "handed over",
    "other",
)
_VERSION = re.compile(r"(\d+)\.\d+\.\d+\.\d+")
_VERSION_TIMEOUT = 5.0  # seconds


class Launched(NamedTuple):
    """A launched browser.

    Attributes:
        notice: Why it has a temporary profile instead of the kept one, in sentences; "" if it has
            the profile that its options name.
    """

    process: BrowserProcess
    notice: str


def choose_kept_profile(
    settings: Settings, executable: Path, environ: Mapping[str, str]
) -> Path | None:
    """Return the profile to keep for a browser in the server's working directory.

    Args:
        executable: The browser. Chrome, Chromium, Edge and each of their channels have a profile,
            because a browser cannot read that of a newer one.
        environ: Environment variables, which locate the user's directories.

    Returns:
        The directory, whether it exists or not; None if the server keeps no profile, or if the user
        has no cache directory that can be written to.
    """
    if not settings.keeps_profile:
        return None
    workspace = get_workspace_cache(settings.working_dir, environ)
    if workspace is None:
        log.info("Cookies and logins are not kept, because the user has no writable cache.")
        return None
    return workspace / f"profile-{_name_browser(executable, environ)}"


async def launch_with_profile(options: LaunchOptions, *, can_replace_profile: bool) -> Launched:
    """Launch a browser with the profile of its options.

    Args:
        can_replace_profile: Whether the server chose the profile (`choose_kept_profile`), so that
            the browser may start with a temporary one instead.

    Raises:
        BrowserError: It did not start; the message quotes its output.
    """
    profile = options.user_data_dir
    if profile is None or not can_replace_profile:
        return Launched(await launch_browser(options), "")
    try:
        await asyncio.to_thread(_prepare, profile, options)
        return Launched(await BrowserProcess.launch(options), "")
    except LaunchError as error:
        if error.cause not in _CAUSES_OF_THE_PROFILE:
            raise to_browser_error(error, profile) from error
        reason = error.sentence
        if error.cause == "handed over":
            reason = f"The profile {profile} is in use by another browser."
    notice = (
        f"{reason} So this browser has a temporary profile: earlier logins are missing, and new "
        "ones are not kept."
    )
    log.warning("%s", notice)
    return Launched(await launch_browser(replace(options, user_data_dir=None)), notice)


def _prepare(profile: Path, options: LaunchOptions) -> None:
    """Create the profile with its preferences, and check that the browser can read it.

    Raises:
        LaunchError: A newer browser has written the profile.
    """
    with suppress(OSError):  # The launch reports a profile that cannot be written to.
        for directory in (profile.parent, profile, profile / "Default"):
            directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        with (profile / "Default" / "Preferences").open("x", encoding="utf-8") as file:
            json.dump(dict(options.preferences or {}), file)
    written_by = _read_version_of_last_use(profile, options.executable)
    version = written_by and _ask_version(options.executable)
    if written_by and version and version < written_by:
        raise LaunchError(
            f"The profile {profile}",
            f"was last used by version {written_by} of the browser, and this one is {version}",
            cause="profile",
        )


def _read_version_of_last_use(profile: Path, executable: Path) -> int | None:
    """Return the major version that used a profile last; None if the browser has not changed since.

    Source: `Last Version` in Chromium's chrome/browser/downgrade/downgrade_utils.cc
    """
    file = profile / "Last Version"
    try:
        status = executable.stat()
        if max(status.st_mtime, status.st_ctime) < file.stat().st_mtime:
            return None
        return _parse_major_version(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None


def _ask_version(executable: Path) -> int | None:
    """Return the major version of a browser; None if it does not print its version."""
    if sys.platform == "win32":
        return None  # Chrome would open a window.
    try:
        printed = subprocess.run(
            [executable, "--version"], capture_output=True, timeout=_VERSION_TIMEOUT, check=True
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return _parse_major_version(printed.stdout.decode(errors="replace"))


def _parse_major_version(text: str) -> int | None:
    found = _VERSION.search(text)
    return int(found[1]) if found else None


def _name_browser(executable: Path, environ: Mapping[str, str]) -> str:
    """Return a name that a browser keeps when it is updated, for its profile."""
    installed = get_browsers_directory(environ, sys.platform)
    if installed is not None and executable.is_relative_to(installed):
        return "chrome-for-testing"
    channel = find_channel(executable, environ)
    if channel is not None:
        return channel
    return f"{executable.stem}-{hashlib.sha256(os.fsencode(executable)).hexdigest()[:8]}"
