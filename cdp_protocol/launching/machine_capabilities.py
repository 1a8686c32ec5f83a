"""Detects what this machine offers to Chromium: shared memory, a display, sandbox support."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

SMALL_SHARED_MEMORY = 256 * 1024 * 1024  # bytes
LOW_OPEN_FILE_LIMIT = 256  # With 128, Chromium crashes when it starts. With 160, it shows one page.
_CONTAINER_MARKER_FILES = (Path("/.dockerenv"), Path("/run/.containerenv"))


def is_shared_memory_small(shared_memory: Path = Path("/dev/shm")) -> bool:
    """Return whether /dev/shm is too small for a few pages, as in most containers (64 MB)."""
    if not sys.platform.startswith("linux"):
        return False
    try:
        return shutil.disk_usage(shared_memory).total < SMALL_SHARED_MEMORY
    except OSError:
        return True


def is_open_file_limit_low() -> bool:
    """Return whether programs that this process starts may open too few files for Chromium."""
    if sys.platform == "win32":
        return False
    import resource

    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return soft != resource.RLIM_INFINITY and soft < LOW_OPEN_FILE_LIMIT


def has_display(environ: Mapping[str, str], platform: str = sys.platform) -> bool:
    """Return whether a window can be shown. On Linux, this needs an X11 or a Wayland display.

    Args:
        environ: The environment that Chromium will run in.
        platform: A value of `sys.platform`.
    """
    if not platform.startswith("linux"):
        return True
    return bool(environ.get("DISPLAY") or environ.get("WAYLAND_DISPLAY"))


def is_container() -> bool:
    """Return whether this process runs in a container of Docker or Podman."""
    return any(mark.exists() for mark in _CONTAINER_MARKER_FILES)


def sandbox_unusable_reason(
    *,
    is_root: bool | None = None,
    in_container: bool | None = None,
    can_make_namespaces: Callable[[], bool] | None = None,
) -> str | None:
    """Return why Chromium cannot use its sandbox here; None if no reason was found.

    Args:
        is_root: Whether this process runs as root; None to detect it.
        in_container: Whether this process runs in a container; None to detect it.
        can_make_namespaces: Returns whether an ordinary user may create a user namespace. It is
            called only in a container; None to use the program `unshare`.
    """
    if not sys.platform.startswith("linux"):
        return None
    if os.geteuid() == 0 if is_root is None else is_root:
        return "Chromium does not use its sandbox as root"
    if not (is_container() if in_container is None else in_container):
        return None
    if (can_make_namespaces or _can_create_user_namespaces)():
        return None
    return "this container allows no user namespaces, which the sandbox needs"


def is_sandbox_usable() -> bool:
    """Return whether Chromium can use its sandbox here; see `sandbox_unusable_reason`."""
    return sandbox_unusable_reason() is None


def _can_create_user_namespaces() -> bool:
    unshare = shutil.which("unshare")
    if unshare is None:
        return True
    try:
        probe = subprocess.run(
            [unshare, "--user", "--net", "true"],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=2,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return True
    return probe.returncode == 0
