"""Check of Chromium's sandbox."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from cdp_protocol.launching.machine_capabilities import is_container, sandbox_unusable_reason
from viewpoint_mcp.browser.connect.executable import find_executable
from viewpoint_mcp.cli.doctor.finding import (
    Finding,
    failed_finding,
    note_finding,
    ok_finding,
    skipped_finding,
)
from viewpoint_mcp.config.settings import Settings
from viewpoint_mcp.errors import BrowserError

_USERNS_CLONE = "kernel/unprivileged_userns_clone"
_MAX_USERNS = "user/max_user_namespaces"
_APPARMOR = "kernel/apparmor_restrict_unprivileged_userns"
_HELPER_NAMES = ("chrome-sandbox", "chrome_sandbox")
_FIX_FORCED_ON = (
    "Remove --sandbox, or run the server as an ordinary user who may create user namespaces."
)
_FIX_OFF = (
    "Pass --no-sandbox to remove this note. To use the sandbox, run the server as an ordinary user "
    "who may create user namespaces."
)

ReadSetting = Callable[[str], str | None]


def check_sandbox(settings: Settings) -> Finding:
    """Check whether Chromium can use its sandbox, and report whether the server switches it off."""
    if settings.should_attach:
        return skipped_finding("the browser is already running")
    if not sys.platform.startswith("linux"):
        is_off = settings.sandbox is False
        return (
            note_finding("off, by --no-sandbox", fix="Remove it.") if is_off else ok_finding("on")
        )
    helper, obstacles = _find_setuid_helper(settings), find_namespace_obstacles(read_sysctl)
    details = (
        f"root: {_format_yes_no(os.geteuid() == 0)}; container: {_format_yes_no(is_container())}",
        f"setuid helper: {helper or 'none'}",
        *(f"{each}: {why}" for each, why in obstacles.items()),
    )
    # With the setuid helper, Chromium needs no user namespaces.
    effective_obstacles = () if helper else tuple(obstacles)
    return judge_sandbox(settings.sandbox, sandbox_unusable_reason(), effective_obstacles, details)


def judge_sandbox(
    is_requested: bool | None,
    refusal_reason: str | None,
    obstacles: Sequence[str],
    details: Sequence[str],
) -> Finding:
    """Return the finding about the sandbox.

    Args:
        is_requested: True for --sandbox, False for --no-sandbox; None if the server decides.
        refusal_reason: Why the server would switch the sandbox off; None if it would not.
        obstacles: Names of the kernel settings that prevent the sandbox.
        details: Details of the finding.
    """
    if is_requested is False:
        return note_finding(
            "off, by --no-sandbox", *details, fix="" if refusal_reason else "Remove it."
        )
    if refusal_reason is not None and is_requested:
        return failed_finding(
            f"--sandbox is impossible: {refusal_reason}", *details, fix=_FIX_FORCED_ON
        )
    if refusal_reason is not None:
        return note_finding(f"off automatically: {refusal_reason}", *details, fix=_FIX_OFF)
    if not obstacles:
        return ok_finding("on", *details)
    advice = f"{' && '.join(map(make_sysctl_command, obstacles))}  (or pass --no-sandbox)"
    if list(obstacles) == [_to_sysctl_name(_APPARMOR)]:
        # An AppArmor profile for the browser may permit it. The check "start" shows the result.
        return note_finding("on, but AppArmor may block it", *details, fix=advice)
    return failed_finding(
        "on, but the kernel forbids the user namespaces that it needs", *details, fix=advice
    )


def find_namespace_obstacles(read_setting: ReadSetting) -> dict[str, str]:
    """Return the kernel settings that prevent ordinary users from creating user namespaces.

    Args:
        read_setting: Returns the content of a file below /proc/sys; None if there is no such file.

    Returns:
        The names of the settings, each with its value and effect.
    """
    found = {}
    if read_setting(_USERNS_CLONE) == "0":
        found[_to_sysctl_name(_USERNS_CLONE)] = "0, so only root may create user namespaces"
    if read_setting(_MAX_USERNS) == "0":
        found[_to_sysctl_name(_MAX_USERNS)] = "0, so no user may create user namespaces"
    if read_setting(_APPARMOR) == "1":
        found[_to_sysctl_name(_APPARMOR)] = (
            "1, so only programs with an AppArmor profile may create them"
        )
    return found


def make_sysctl_command(setting: str) -> str:
    """Return the command that changes a kernel setting so that user namespaces are allowed."""
    value = {
        _to_sysctl_name(_USERNS_CLONE): 1,
        _to_sysctl_name(_MAX_USERNS): 15000,
        _to_sysctl_name(_APPARMOR): 0,
    }[setting]
    return f"sudo sysctl -w {setting}={value}"


def read_sysctl(path: str) -> str | None:
    """Return the value of a kernel setting; None if it does not exist or cannot be read."""
    try:
        return Path("/proc/sys", path).read_text().strip()
    except OSError:
        return None


def _to_sysctl_name(path: str) -> str:
    return path.replace("/", ".")


def _find_setuid_helper(settings: Settings) -> Path | None:
    """Return the setuid helper of the browser, which creates the sandbox as root; None if none."""
    try:
        executable = find_executable(settings.executable, settings.channel, os.environ)
    except BrowserError:
        return None
    directories = (executable.parent, executable.resolve().parent, Path("/usr/lib/chromium"))
    configured = filter(None, [os.environ.get("CHROME_DEVEL_SANDBOX")])
    for path in (
        *map(Path, configured),
        *(directory / name for directory in directories for name in _HELPER_NAMES),
    ):
        try:
            status = path.stat()
        except OSError:
            continue
        if status.st_uid == 0 and status.st_mode & stat.S_ISUID:
            return path
    return None


def _format_yes_no(value: bool) -> str:
    return "yes" if value else "no"
