"""Checks of the directories that the server writes to, and of the free disk space."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

from cdp_protocol.launching.profile_lock import find_profile_holder
from viewpoint_mcp.cli.doctor.finding import Finding, failed, note, ok, skipped
from viewpoint_mcp.config.settings import Settings

_SOCKET = "/org.chromium.Chromium.XXXXXX/SingletonSocket"
_LONGEST_SOCKET = 103 if sys.platform == "darwin" else 107  # sockaddr_un.sun_path, less its NUL
_SAMPLE = b"\0" * 64 * 1024
_MB = 1024 * 1024
_TOO_LITTLE = 100 * _MB  # the size of a new profile and a few pages
_LITTLE = 1024 * _MB


def output(settings: Settings) -> Finding:
    """Check that the directory of --output-dir can be written to."""
    return _writable(settings.output_dir, "--output-dir")


def screenshots(settings: Settings) -> Finding:
    """Check that the directory of --screenshot-dir can be written to."""
    return _writable(settings.screenshot_dir, "--screenshot-dir")


def temporary(_settings: Settings) -> Finding:
    """Check the system's temporary directory, for downloads and temporary profiles.

    It must be writable, and its path short enough for Chromium's sockets.
    """
    try:
        place = Path(tempfile.gettempdir())
    except FileNotFoundError as error:  # None of the directories that Python tries is usable.
        fix = "Set TMPDIR to a directory that can be written to."
        return failed(error.strerror or str(error), fix=fix)
    longest = _LONGEST_SOCKET - len(_SOCKET)
    if sys.platform != "win32" and len(os.fsencode(place)) > longest:
        return failed(
            f"{place} is a path longer than {longest} bytes, in which Chromium can make no socket",
            fix="Set TMPDIR to a shorter path.",
        )
    return _writable(place, "TMPDIR")


def profile(settings: Settings) -> Finding:
    """Check that the profile can be written to and that no other browser uses it."""
    directory = settings.user_data_dir
    if settings.attaches:
        return skipped("that of the browser attached to")
    if settings.isolated:
        return ok("none is kept, with --isolated")
    if directory is None:
        return ok("a temporary one for each start; --user-data-dir keeps one")
    held = find_profile_holder(directory)
    if held is not None:
        return failed(
            f"{directory} is in use by {held}",
            fix="Close that browser, name another --user-data-dir, use --isolated, or attach to "
            "that browser with --auto-connect.",
        )
    return _writable(directory, "--user-data-dir")


def disk_space(settings: Settings) -> Finding:
    """Check the free space of the disks that the server writes to."""
    chosen = [settings.user_data_dir] if settings.user_data_dir else []
    wanted = [settings.output_dir, settings.screenshot_dir, *chosen]
    with suppress(OSError):
        wanted.append(Path(tempfile.gettempdir()))
    rooms: dict[int, tuple[int, Path]] = {}
    for path in wanted:
        with suppress(OSError):
            there = existing(path)
            usage = shutil.disk_usage(there)
            if usage.total:  # Virtual file systems such as /proc have no size.
                rooms.setdefault(there.stat().st_dev, (usage.free, there))
    if not rooms:
        return note("it cannot be found out")
    told = tuple(f"{free // _MB:,} MB free in {path}" for free, path in sorted(rooms.values()))
    least, where = min(rooms.values())
    fix = f"Make room in {where}, or name a directory on another disk."
    if least < _TOO_LITTLE:
        return failed(told[0], *told[1:], fix=fix)
    return note(told[0], *told[1:], fix=fix) if least < _LITTLE else ok(told[0], *told[1:])


def existing(path: Path) -> Path:
    """Return the path if it exists, else its nearest existing parent directory."""
    return next((each for each in (path, *path.parents) if each.exists()), path)


def try_writing(directory: Path) -> None:
    """Write a temporary file to a directory, creating the directory if it does not exist.

    The file, and directories that were created, are removed again.

    Raises:
        OSError: The directory or the file cannot be created, written or removed.
    """
    made: list[Path] = []
    try:
        for path in reversed((directory, *directory.parents)):
            if not path.exists():
                path.mkdir()
                made.append(path)
        handle, name = tempfile.mkstemp(prefix=".viewpoint-mcp-doctor-", dir=directory)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(_SAMPLE)
        finally:
            Path(name).unlink()
    finally:
        for path in reversed(made):
            with suppress(OSError):  # Another process may use the directory by now.
                path.rmdir()


def _writable(directory: Path, named_by: str) -> Finding:
    is_new = not directory.exists()
    try:
        try_writing(directory)
    except OSError as error:
        return failed(
            f"{directory} cannot be written to: {error.strerror or error}",
            fix=f"Make it writable for you, or name another directory with {named_by}.",
        )
    return ok(f"{directory}{' (made when it is needed)' if is_new else ''}")
