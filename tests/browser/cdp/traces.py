"""Finds processes and files that a launched browser must not leave behind."""

from __future__ import annotations

import asyncio
import os
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from cdp_protocol.launching.temporary_profile import PROFILE_PREFIX

NO_NETWORK = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1"


@contextmanager
def use_short_directory(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Have temporary profiles made in a directory of this test's own, with a path that is short
    enough for the socket that Chromium puts into it."""
    with tempfile.TemporaryDirectory() as directory:
        monkeypatch.setenv("TMPDIR", directory)
        monkeypatch.setattr(tempfile, "tempdir", directory)
        yield directory


def find_profiles() -> list[Path]:
    return list(Path(tempfile.gettempdir()).glob(f"{PROFILE_PREFIX}*"))


def find_processes(marker: str) -> list[int]:
    """Return the processes that have the marker in their command line or environment, without this
    one.
    """
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            texts = (entry / "cmdline").read_bytes() + (entry / "environ").read_bytes()
        except OSError:
            continue
        if marker.encode() in texts and int(entry.name) != os.getpid():
            found.append(int(entry.name))
    return found


async def wait_until_gone(marker: str, seconds: float) -> bool:
    deadline = time.monotonic() + seconds
    while find_processes(marker):
        if time.monotonic() > deadline:
            return False
        await asyncio.sleep(0.02)
    return True
