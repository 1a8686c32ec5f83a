"""Runs a server as an ordinary user, also where the tests run as root."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

NOBODY = 65534
# The Python of the tests may be in a directory that only root can read.
_CAN_READ = "+dac_read_search"


def make_prefix() -> list[str]:
    """Return a command that runs another one as an ordinary user."""
    if os.geteuid() != 0:
        return []
    setpriv = shutil.which("setpriv")
    assert setpriv is not None, "As root, this test needs setpriv of util-linux."
    ids = (f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups")
    return [setpriv, *ids, f"--inh-caps={_CAN_READ}", f"--ambient-caps={_CAN_READ}"]


def make_reachable(path: Path) -> None:
    """Let every user pass through the directories of the test run that contain a path."""
    parents = list(path.parents)
    # A worker of pytest-xdist has a directory of its own in the directory of the run.
    top = next(index for index, each in enumerate(parents) if each.name.startswith("vmt-"))
    for each in parents[: top + 1]:
        each.chmod(each.stat().st_mode | 0o011)


def make_directory() -> Path:
    """Make a directory that belongs to the user of `make_prefix`. Its path is short enough for
    sockets of Chromium."""
    path = Path(tempfile.mkdtemp(prefix="user-"))
    make_reachable(path)
    if os.geteuid() == 0:
        os.chown(path, NOBODY, NOBODY)
    return path
