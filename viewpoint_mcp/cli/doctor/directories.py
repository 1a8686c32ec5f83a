"""Checks of the directories that the server writes to, and of the free disk space."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

from cdp_protocol.launching.profile_lock import find_profile_holder
from viewpoint_mcp.browser.connect.executable import find_executable
from viewpoint_mcp.browser.connect.kept_profile import choose_kept_profile
from viewpoint_mcp.cli.doctor.finding import (
    Finding,
    failed_finding,
    note_finding,
    ok_finding,
    skipped_finding,
)
from viewpoint_mcp.config.settings import Settings
from viewpoint_mcp.errors import ViewpointError

_SOCKET_SUFFIX = "/org.chromium.Chromium.XXXXXX/SingletonSocket"
_MAX_SOCKET_PATH = 103 if sys.platform == "darwin" else 107  # sockaddr_un.sun_path, less its NUL
_SAMPLE = b"\0" * 64 * 1024
_MB = 1024 * 1024
_MIN_FREE = 100 * _MB  # the size of a new profile and a few pages
_LOW_FREE = 1024 * _MB


def check_output_directory(settings: Settings) -> Finding:
    """Check that the directory of --output-dir can be written to."""
    return _check_writable(settings.output_dir, "--output-dir")


def check_screenshot_directory(settings: Settings) -> Finding:
    """Check that the directory of --screenshot-dir can be written to."""
    return _check_writable(settings.screenshot_dir, "--screenshot-dir")


def check_temporary_directory(_settings: Settings) -> Finding:
    """Check the system's temporary directory, for downloads and temporary profiles.

    It must be writable, and its path short enough for Chromium's sockets.
    """
    try:
        directory = Path(tempfile.gettempdir())
    except FileNotFoundError as error:  # None of the directories that Python tries is usable.
        fix = "Set TMPDIR to a writable directory."
        return failed_finding(error.strerror or str(error), fix=fix)
    max_length = _MAX_SOCKET_PATH - len(_SOCKET_SUFFIX)
    if sys.platform != "win32" and len(os.fsencode(directory)) > max_length:
        return failed_finding(
            f"{directory} is longer than {max_length} bytes, too long for Chromium's sockets",
            fix="Set TMPDIR to a shorter path.",
        )
    return _check_writable(directory, "TMPDIR")


def check_profile(settings: Settings) -> Finding:
    """Check that the profile can be written to and that no other browser uses it."""
    directory = settings.user_data_dir
    if settings.should_attach:
        return skipped_finding("the running browser has its own")
    if settings.isolated:
        return ok_finding("none, because of --isolated")
    if directory is None:
        return _check_kept_profile(settings)
    user = find_profile_holder(directory)
    if user is not None:
        return failed_finding(
            f"{directory} is in use by {user}",
            fix="Close that browser, choose another --user-data-dir, use --isolated, or attach to "
            "that browser with --auto-connect.",
        )
    return _check_writable(directory, "--user-data-dir")


def _check_kept_profile(settings: Settings) -> Finding:
    try:
        executable = find_executable(settings.executable, settings.channel, os.environ)
    except ViewpointError:
        return skipped_finding("each browser has its own, and none was found")
    profile = choose_kept_profile(settings, executable, os.environ)
    if profile is None:
        return ok_finding("a temporary one for each start; --user-data-dir names one to keep")
    user = find_profile_holder(profile)
    if user is not None:
        return note_finding(
            f"{profile} is in use by {user}; until it ends, a temporary one is used",
            fix="Close that browser to use its logins here.",
        )
    return _check_writable(profile, "--user-data-dir")


def check_disk_space(settings: Settings) -> Finding:
    """Check the free space of the disks that the server writes to."""
    profiles = [settings.user_data_dir] if settings.user_data_dir else []
    directories = [settings.output_dir, settings.screenshot_dir, *profiles]
    with suppress(OSError):
        directories.append(Path(tempfile.gettempdir()))
    free_by_device: dict[int, tuple[int, Path]] = {}
    for path in directories:
        with suppress(OSError):
            directory = find_existing_parent(path)
            usage = shutil.disk_usage(directory)
            if usage.total:  # Virtual file systems such as /proc have no size.
                free_by_device.setdefault(directory.stat().st_dev, (usage.free, directory))
    if not free_by_device:
        return note_finding("cannot be determined")
    lines = tuple(
        f"{free // _MB:,} MB free in {path}" for free, path in sorted(free_by_device.values())
    )
    lowest, where = min(free_by_device.values())
    fix = f"Free space in {where}, or choose a directory on another disk."
    if lowest < _MIN_FREE:
        return failed_finding(lines[0], *lines[1:], fix=fix)
    return (
        note_finding(lines[0], *lines[1:], fix=fix)
        if lowest < _LOW_FREE
        else ok_finding(lines[0], *lines[1:])
    )


def find_existing_parent(path: Path) -> Path:
    """Return the path if it exists, else its nearest existing parent directory."""
    return next((each for each in (path, *path.parents) if each.exists()), path)


def try_writing(directory: Path) -> None:
    """Write a temporary file to a directory, creating the directory if it does not exist.

    The file, and directories that were created, are removed again.

    Raises:
        OSError: The directory or the file cannot be created, written or removed.
    """
    created: list[Path] = []
    try:
        for path in reversed((directory, *directory.parents)):
            if not path.exists():
                path.mkdir()
                created.append(path)
        handle, name = tempfile.mkstemp(prefix=".viewpoint-mcp-doctor-", dir=directory)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(_SAMPLE)
        finally:
            Path(name).unlink()
    finally:
        for path in reversed(created):
            with suppress(OSError):  # Another process may use the directory by now.
                path.rmdir()


def _check_writable(directory: Path, setting_name: str) -> Finding:
    is_new = not directory.exists()
    try:
        try_writing(directory)
    except OSError as error:
        return failed_finding(
            f"cannot write to {directory}: {error.strerror or error}",
            fix=f"Make it writable, or choose another directory with {setting_name}.",
        )
    return ok_finding(f"{directory}{' (created when needed)' if is_new else ''}")
