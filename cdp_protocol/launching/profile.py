"""Temporary profile directories, and what dead owners left of them.

It carries its owner's pid in its name and a file that the owner keeps locked: the
kernel gives the lock back whatever the owner dies of, and pids are used again.
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
from cdp_protocol.launching.profile_lock import (
    has_owner_file,
    holder,
    is_alive,
    lock_owner,
    remove_socket,
)

log = logging.getLogger(__name__)

PREFIX = "cdp-protocol-profile-"
_PID = re.compile(r"(?P<pid>\d+)-")
# A Chromium that is going down still writes for a moment: about 1.5 seconds in all.
_PAUSES = (0.02, 0.05, 0.1, 0.2, 0.4, 0.8)
_YOUNG = 30.0


class TemporaryDirectory:
    """A fresh directory that belongs to this process until it is removed."""

    def __init__(self, path: Path, lock: int | None) -> None:
        self.path = path
        self._lock = lock

    @classmethod
    def create(cls, prefix: str) -> TemporaryDirectory:
        """Make the directory in the system's temporary directory, for this user only.

        Args:
            prefix: What its name begins with, before this process's pid.

        Raises:
            LaunchError: Nothing can be written there.
        """
        try:
            path = Path(tempfile.mkdtemp(prefix=f"{prefix}{os.getpid()}-"))
        except OSError as error:
            raise LaunchError(
                "No temporary directory",
                f"can be made for the browser: {error}",
                cause="temporary directory",
                advice="Set TMPDIR to a directory that can be written to.",
            ) from error
        return cls(path, lock_owner(path, create=True))

    def write_preferences(self, preferences: Mapping[str, object]) -> None:
        """Have a browser find these preferences when it starts on it."""
        file = self.path / "Default" / "Preferences"
        file.parent.mkdir()
        file.write_text(json.dumps(dict(preferences)), encoding="utf-8")

    async def remove(self) -> None:
        """Delete the directory; what cannot be deleted is logged, never raised. Idempotent."""
        if sys.platform == "win32":
            self.release()  # there an open file cannot be deleted
        # In a thread, so that a cancelled caller does not leave half of it behind.
        await asyncio.to_thread(remove_directory, self.path)
        self.release()

    def release(self) -> None:
        """Give the owner's lock back, so that the next sweep may have what is left."""
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None


def remove_directory(path: Path) -> bool:
    """Delete a directory that something may still be writing to, and what its browser has outside
    of it; say whether it is gone.
    """
    remove_socket(path)
    for pause in (*_PAUSES, None):
        shutil.rmtree(path, ignore_errors=True)
        if not path.exists():
            return True
        if pause is not None:
            time.sleep(pause)
    log.warning("The temporary profile %s could not be deleted; delete it by hand.", path)
    return False


def sweep_leftovers(prefix: str, directory: Path | None = None) -> list[Path]:
    """Delete the temporary profiles whose owner is dead and whose Chromium is gone.

    Args:
        prefix: What their names begin with.
        directory: Where they are; None for the system's temporary directory.

    Returns:
        What was deleted.
    """
    parent = directory or Path(tempfile.gettempdir())
    try:
        candidates = sorted(parent.glob(f"{glob.escape(prefix)}*"))
    except OSError as error:
        log.warning("Left-over profiles in %s cannot be listed: %s", parent, error)
        return []
    return [path for path in candidates if _is_left_over(path, prefix) and remove_directory(path)]


def _is_left_over(path: Path, prefix: str) -> bool:
    name = _PID.match(path.name.removeprefix(prefix))
    if name is None or path.is_symlink() or not _is_ours(path):
        return False
    return not _has_owner(path, int(name["pid"])) and holder(path) is None


def _is_ours(path: Path) -> bool:
    try:
        status = path.stat()
    except OSError:
        return False
    return sys.platform == "win32" or status.st_uid == os.getuid()


def _has_owner(path: Path, pid: int) -> bool:
    """Ask the lock where there is one: another process may have the owner's pid by now."""
    if not has_owner_file(path):
        return is_alive(pid)
    lock = lock_owner(path, create=False)
    if lock is None:
        return True
    os.close(lock)
    # An owner that has made the file and not yet locked it is alive, and young.
    return is_alive(pid) and time.time() - path.stat().st_mtime < _YOUNG
