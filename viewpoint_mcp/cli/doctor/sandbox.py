"""Check of Chromium's sandbox."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from cdp_protocol.launching.machine import is_container, sandbox_unusable_reason
from viewpoint_mcp.browser.connect.executable import find_executable
from viewpoint_mcp.cli.doctor.finding import Finding, failed, note, ok, skipped
from viewpoint_mcp.config.settings import Settings
from viewpoint_mcp.errors import BrowserError

_CLONE = "kernel/unprivileged_userns_clone"
_MOST = "user/max_user_namespaces"
_APPARMOR = "kernel/apparmor_restrict_unprivileged_userns"
_HELPERS = ("chrome-sandbox", "chrome_sandbox")
_KEPT_ON = (
    "Leave out --sandbox, or run the server as an ordinary user who may make user namespaces."
)
_OFF = (
    "Pass --no-sandbox to say so yourself. To keep the sandbox, run the server as an ordinary user "
    "who may make user namespaces."
)

Read = Callable[[str], str | None]


def sandbox(settings: Settings) -> Finding:
    """Check whether Chromium can use its sandbox, and report whether the server switches it off."""
    if settings.attaches:
        return skipped("the browser runs already")
    if not sys.platform.startswith("linux"):
        is_off = settings.sandbox is False
        return note("off, by --no-sandbox", fix="Leave it out.") if is_off else ok("on")
    helper, obstacles = _setuid_helper(settings), namespace_obstacles(read_sysctl)
    facts = (
        f"root: {_yes(os.geteuid() == 0)}; container: {_yes(is_container())}",
        f"setuid helper: {helper or 'none'}",
        *(f"{each}: {why}" for each, why in obstacles.items()),
    )
    # With the setuid helper, Chromium needs no user namespaces.
    in_the_way = () if helper else tuple(obstacles)
    return judge(settings.sandbox, sandbox_unusable_reason(), in_the_way, facts)


def judge(
    chosen: bool | None, refusal: str | None, obstacles: Sequence[str], facts: Sequence[str]
) -> Finding:
    """Return the finding about the sandbox.

    Args:
        chosen: True for --sandbox, False for --no-sandbox; None if the server decides.
        refusal: The reason why the server would switch the sandbox off; None if it would not.
        obstacles: Names of the kernel settings that prevent the sandbox.
        facts: Details of the finding.
    """
    if chosen is False:
        return note("off, by --no-sandbox", *facts, fix="" if refusal else "Leave it out.")
    if refusal is not None and chosen:
        return failed(f"--sandbox asks for what cannot be: {refusal}", *facts, fix=_KEPT_ON)
    if refusal is not None:
        return note(f"off, as the server does by itself: {refusal}", *facts, fix=_OFF)
    if not obstacles:
        return ok("on", *facts)
    advice = f"{' && '.join(map(fix_of, obstacles))}  (or pass --no-sandbox)"
    if list(obstacles) == [_sysctl(_APPARMOR)]:
        # An AppArmor profile for the browser may permit it. The check "start" shows the result.
        return note("on, but AppArmor may keep Chromium from it", *facts, fix=advice)
    return failed("on, but no user may make the namespaces it is made of", *facts, fix=advice)


def namespace_obstacles(read: Read) -> dict[str, str]:
    """Return the kernel settings that prevent ordinary users from creating user namespaces.

    Args:
        read: Returns the content of a file below /proc/sys; None if the file does not exist.

    Returns:
        The names of the settings, each with its value and effect.
    """
    found = {}
    if read(_CLONE) == "0":
        found[_sysctl(_CLONE)] = "0, so only root may make user namespaces"
    if read(_MOST) == "0":
        found[_sysctl(_MOST)] = "0, so nobody may make user namespaces"
    if read(_APPARMOR) == "1":
        found[_sysctl(_APPARMOR)] = "1, so only programs with an AppArmor profile may"
    return found


def fix_of(setting: str) -> str:
    """Return the command that changes a kernel setting so that user namespaces are allowed."""
    wanted = {_sysctl(_CLONE): 1, _sysctl(_MOST): 15000, _sysctl(_APPARMOR): 0}[setting]
    return f"sudo sysctl -w {setting}={wanted}"


def read_sysctl(name: str) -> str | None:
    """Return the value of a kernel setting; None if it does not exist or cannot be read."""
    try:
        return Path("/proc/sys", name).read_text().strip()
    except OSError:
        return None


def _sysctl(name: str) -> str:
    return name.replace("/", ".")


def _setuid_helper(settings: Settings) -> Path | None:
    """Return the setuid helper of the browser, which creates the sandbox as root; None if none."""
    try:
        found = find_executable(settings.executable, settings.channel, os.environ)
    except BrowserError:
        return None
    directories = (found.parent, found.resolve().parent, Path("/usr/lib/chromium"))
    named = filter(None, [os.environ.get("CHROME_DEVEL_SANDBOX")])
    for path in (*map(Path, named), *(place / name for place in directories for name in _HELPERS)):
        try:
            status = path.stat()
        except OSError:
            continue
        if status.st_uid == 0 and status.st_mode & stat.S_ISUID:
            return path
    return None


def _yes(is_so: bool) -> str:
    return "yes" if is_so else "no"
