"""What this machine allows a Chromium: shared memory, a display, its sandbox."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

SMALL_SHARED_MEMORY = 256 * 1024 * 1024
_CONTAINER_MARKS = (Path("/.dockerenv"), Path("/run/.containerenv"))


def shared_memory_is_small(shared_memory: Path = Path("/dev/shm")) -> bool:
    """Whether /dev/shm is smaller than a few pages need, as it is in most containers (64 MB)."""
    if not sys.platform.startswith("linux"):
        return False
    try:
        return shutil.disk_usage(shared_memory).total < SMALL_SHARED_MEMORY
    except OSError:
        return True


def has_display(environ: Mapping[str, str], platform: str = sys.platform) -> bool:
    """Whether a window can be shown; on Linux that takes an X11 or a Wayland display.

    Args:
        environ: The environment that Chromium will have.
        platform: As in `sys.platform`.
    """
    if not platform.startswith("linux"):
        return True
    return bool(environ.get("DISPLAY") or environ.get("WAYLAND_DISPLAY"))


def is_container() -> bool:
    """Whether this is a container of Docker or Podman."""
    return any(mark.exists() for mark in _CONTAINER_MARKS)


def sandbox_refusal(
    *,
    is_root: bool | None = None,
    in_container: bool | None = None,
    can_make_namespaces: Callable[[], bool] | None = None,
) -> str | None:
    """Why Chromium cannot use its sandbox here; None when nothing speaks against it.

    Args:
        is_root: Whether we are root; found out when None.
        in_container: Whether this is a container; found out when None.
        can_make_namespaces: Asked in a container only: may an ordinary user make a namespace?
    """
    if not sys.platform.startswith("linux"):
        return None
    if os.geteuid() == 0 if is_root is None else is_root:
        return "Chromium refuses its sandbox to root"
    if not (is_container() if in_container is None else in_container):
        return None
    if (can_make_namespaces or _can_make_namespaces)():
        return None
    return "this container allows no user namespaces, which the sandbox is made of"


def sandbox_usable() -> bool:
    """Whether Chromium can use its sandbox here; `sandbox_refusal` says why not."""
    return sandbox_refusal() is None


def _can_make_namespaces() -> bool:
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
