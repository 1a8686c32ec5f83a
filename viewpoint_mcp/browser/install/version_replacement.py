"""Installed versions: a new one is renamed into place, unused old ones are deleted."""

from __future__ import annotations

import logging
import os
import shutil
import subprocess
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

from viewpoint_mcp.browser.install.installed_browser_lookup import list_versions

log = logging.getLogger(__name__)

_AWAY_PREFIX = "going-"
_UNPACKED_PREFIX = "unpacked-"
_LIMIT = 10.0  # seconds for ps


def make_unpack_directory(directory: Path) -> Path:
    """Make an empty directory inside `directory` for unpacking, so that a rename can move it."""
    return Path(tempfile.mkdtemp(prefix=_UNPACKED_PREFIX, dir=directory))


def install_version(unpacked: Path, directory: Path, version: str) -> Path:
    """Move an unpacked version to its final place, where it counts as installed.

    Raises:
        OSError: It could not be renamed; the previous version is restored.
    """
    # mkdtemp makes it private to this user, but other users need access if it is in /opt.
    unpacked.chmod(0o755)
    wanted = directory / version
    before = _move_version_aside(wanted) if wanted.exists() else None
    try:
        unpacked.rename(wanted)
    except OSError:
        if before is not None:
            before.rename(wanted)
        raise
    return wanted


def delete_old_versions(directory: Path, kept_version: str | None) -> None:
    """Delete unused old versions, and the leftovers of installers that died.

    The caller must hold the installation lock.

    Args:
        kept_version: The version to keep; None to keep all versions.
    """
    old = [
        entry
        for entry in list_versions(directory)
        if kept_version is not None and entry.name != kept_version
    ]
    for entry in old:
        if not is_in_use(entry):
            with suppress(OSError):  # on Windows, a process may have it open
                _move_version_aside(entry)
    for pattern in (_AWAY_PREFIX, _UNPACKED_PREFIX):
        for entry in directory.glob(f"{pattern}*"):
            if not is_in_use(entry):
                shutil.rmtree(entry, ignore_errors=True)


def is_in_use(directory: Path) -> bool:
    """Return whether a process runs a program from a directory.

    Always False on Windows, which refuses to rename a directory in use. True if the processes
    cannot be listed.
    """
    markers = {f"{directory}{os.sep}", f"{directory.resolve()}{os.sep}"}
    if sys.platform == "win32":
        return False
    if not sys.platform.startswith("linux"):
        commands = _list_commands()
        return commands is None or any(marker in commands for marker in markers)
    for entry in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            command = os.fsdecode((entry / "cmdline").read_bytes())
            if any(marker in command for marker in markers):
                return True
            if str((entry / "exe").readlink()).startswith(tuple(markers)):
                return True
    return False


def _list_commands() -> str | None:
    try:
        listing = subprocess.run(
            ["/bin/ps", "-axww", "-o", "command="],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_LIMIT,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        log.warning("Old browsers stay, because the running processes cannot be listed: %s", error)
        return None
    return listing.stdout.decode(errors="replace")


def _move_version_aside(version: Path) -> Path:
    away = Path(tempfile.mkdtemp(prefix=_AWAY_PREFIX, dir=version.parent))
    return version.rename(away / version.name)
