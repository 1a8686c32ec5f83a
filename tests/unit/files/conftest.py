from __future__ import annotations

import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from viewpoint_mcp.files.file_access import FileAccess
from viewpoint_mcp.files.saved_file_lookup import SavedFiles


@pytest.fixture
def files(tmp_path: Path) -> FileAccess:
    working = tmp_path / "work"
    working.mkdir()
    return FileAccess(working, working / "shots", tmp_path / "out")


@pytest.fixture
def saved_files(files: FileAccess) -> SavedFiles:
    return SavedFiles(files)


@pytest.fixture
def alarm() -> Iterator[None]:
    """End the test soon if it never comes back: no event loop runs that could."""

    def ring(number: int, frame: object) -> None:
        raise AssertionError("The call does not return.")

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, 10.0)
    yield
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, before)
