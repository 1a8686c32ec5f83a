"""The files that one call saves, for callers that need their paths apart from the reply."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

_files_of_call: ContextVar[list[Path] | None] = ContextVar("files_of_call", default=None)


@contextmanager
def collect_saved_files() -> Iterator[list[Path]]:
    """Collect the paths of the files that `FileAccess` writes within the block."""
    paths: list[Path] = []
    token = _files_of_call.set(paths)
    try:
        yield paths
    finally:
        _files_of_call.reset(token)


def note_saved_file(path: Path) -> Path:
    """Add a path to those of the current call, if they are collected, and return it."""
    paths = _files_of_call.get()
    if paths is not None and path not in paths:
        paths.append(path)
    return path
