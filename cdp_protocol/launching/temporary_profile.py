"""Temporary profile directories, and the deletion of those that a dead process left.

The name of the directory contains the pid of its owner, which is the process that created it. The
owner also keeps a file in it locked. The kernel releases this lock when the owner ends for any
reason, so the lock is reliable. The pid alone is not, because pids are reused.
"""

from __future__ import annotations

import asyncio
import glob
import json
import logging
import os
import re
import shutil
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path

from cdp_protocol.errors import LaunchError
from cdp_protocol.launching.file_lock import FileDescriptor
from cdp_protocol.launching.profile_lock import (
    acquire_owner_lock,
    find_profile_holder,
    has_owner_lock_file,
    is_process_alive,
    remove_stale_socket,
)

log = logging.getLogger(__name__)

PROFILE_PREFIX = "cdp-protocol-profile-"
_PID = re.compile(r"(?P<pid>\d+)-")
# Seconds between attempts to delete, about 1.5 in all: an exiting Chromium still writes files.
_RETRY_DELAYS = (0.02, 0.05, 0.1, 0.2, 0.4, 0.8)
_NEW_PROFILE_AGE = 30.0  # seconds


class TemporaryProfile:
    """A new directory that this process owns until it removes it."""

    def __init__(self, path: Path, lock: FileDescriptor | None) -> None:
        self.path = path
        self._lock = lock

    @classmethod
    def create(cls, prefix: str, parent: Path | None = None) -> TemporaryProfile:
        """Create the directory, for this user only.

        Args:
            prefix: The beginning of its name, before the pid of this process.
            parent: The directory that contains it; None for the system's temporary directory.

        Raises:
            LaunchError: The temporary directory is not writable.
        """
        try:
            path = Path(tempfile.mkdtemp(prefix=f"{prefix}{os.getpid()}-", dir=parent))
        except OSError as error:
            raise _make_launch_error("created", error) from error
        return cls(path, acquire_owner_lock(path, create=True))

    def write_preferences(self, preferences: Mapping[str, object]) -> None:
        """Write preferences for the browser that will start with this profile.

        Raises:
            LaunchError: They cannot be written.
        """
        file = self.path / "Default" / "Preferences"
        try:
            file.parent.mkdir()
            file.write_text(json.dumps(dict(preferences)), encoding="utf-8")
        except OSError as error:
            raise _make_launch_error("written", error) from error

    async def remove(self) -> None:
        """Delete the directory. A failure is logged, not raised. Idempotent."""
        if sys.platform == "win32":
            self.release_lock()  # Windows cannot delete an open file.
        # A thread deletes the whole directory even if the caller is cancelled.
        await asyncio.to_thread(remove_profile, self.path)
        self.release_lock()

    def release_lock(self) -> None:
        """Release the owner's lock, so that a later sweep may delete the remaining files."""
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None


def _make_launch_error(failed: str, error: OSError) -> LaunchError:
    return LaunchError(
        "The temporary directory",
        f"of the browser cannot be {failed}: {error}",
        cause="temporary directory",
        advice="Free some space there, or set TMPDIR to another directory.",
    )


def remove_profile(path: Path) -> bool:
    """Delete a profile directory, and the socket of its browser outside that directory.

    Retry for about 1.5 seconds, because an exiting browser may still write to the directory.

    Returns:
        Whether the directory is gone.
    """
    remove_stale_socket(path)
    for delay in (*_RETRY_DELAYS, None):
        shutil.rmtree(path, ignore_errors=True)
        if not path.exists():
            return True
        if delay is not None:
            time.sleep(delay)
    log.warning("Cannot delete the temporary profile %s. Delete it by hand.", path)
    return False


def remove_leftover_profiles(prefix: str, directory: Path | None = None) -> list[Path]:
    """Delete the temporary profiles that a dead process left, if their Chromium has exited.

    Args:
        prefix: The beginning of their names.
        directory: The directory that contains them; None for the system's temporary directory.

    Returns:
        The deleted directories.
    """
    try:
        parent = directory or Path(
            tempfile.gettempdir()
        )  # Fails if no directory can be written to.
        candidates = sorted(parent.glob(f"{glob.escape(prefix)}*"))
    except OSError as error:
        log.warning("Cannot list leftover profiles: %s", error)
        return []
    return [
        path for path in candidates if _is_leftover_profile(path, prefix) and remove_profile(path)
    ]


def _is_leftover_profile(path: Path, prefix: str) -> bool:
    pid_match = _PID.match(path.name.removeprefix(prefix))
    if pid_match is None or path.is_symlink() or not _belongs_to_this_user(path):
        return False
    return not _has_living_owner(path, int(pid_match["pid"])) and find_profile_holder(path) is None


def _belongs_to_this_user(path: Path) -> bool:
    try:
        status = path.stat()
    except OSError:
        return False
    return sys.platform == "win32" or status.st_uid == os.getuid()


def _has_living_owner(path: Path, pid: int) -> bool:
    """Return whether the owner of a temporary profile is alive.

    If the profile has a lock file, its lock decides, because another process may have the pid now.
    """
    if not has_owner_lock_file(path):
        return is_process_alive(pid)
    lock = acquire_owner_lock(path, create=False)
    if lock is None:
        return True
    has_been_locked = os.fstat(lock).st_size > 0  # The owner wrote its pid after it had the lock.
    os.close(lock)
    if has_been_locked:
        return False  # A zombie still has its pid.
    # The owner may have created the file and not locked it yet. Then the owner is alive and the
    # profile is new.
    return is_process_alive(pid) and time.time() - path.stat().st_mtime < _NEW_PROFILE_AGE
