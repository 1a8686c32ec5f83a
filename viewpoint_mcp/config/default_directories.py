"""The default directories of the server, for files and for kept profiles.

Files are saved below the working directory. Clients often start servers in `/`, where an ordinary
user cannot write; then they are saved in the user's cache directory.
"""

from __future__ import annotations

import ntpath
import os
import posixpath
import re
import stat
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

CACHE_VARIABLE = "VIEWPOINT_MCP_CACHE_DIR"

_FILES = "files"
_MAX_NAME = 24  # characters of the working directory's name in that of its cache directory


def get_cache_directory(environ: Mapping[str, str], platform: str = sys.platform) -> Path | None:
    """Return the server's directory in the user's cache, whether it exists or not.

    Args:
        environ: VIEWPOINT_MCP_CACHE_DIR sets the directory. Otherwise other variables locate the
            platform's cache directory.
        platform: As in `sys.platform`.

    Returns:
        The directory; None if the environment sets neither it nor a home directory.

    Source: https://specifications.freedesktop.org/basedir-spec/latest/
    """
    if given := environ.get(CACHE_VARIABLE):
        return Path(os.path.expanduser(given)).absolute()  # noqa: PTH111
    home = environ.get("HOME")
    if platform == "win32":
        local = environ.get("LOCALAPPDATA")
        return Path(ntpath.join(local, "viewpoint-mcp", "cache")) if local else None
    if platform == "darwin":
        parent = home and posixpath.join(home, "Library", "Caches")
    else:
        parent = environ.get("XDG_CACHE_HOME", "")
        # The XDG Base Directory specification requires that relative paths are ignored.
        if not posixpath.isabs(parent):
            parent = home and posixpath.join(home, ".cache")
    return Path(posixpath.join(parent, "viewpoint-mcp")) if parent else None


def get_workspace_cache(working_dir: Path, environ: Mapping[str, str]) -> Path | None:
    """Return the cache directory of a workspace, whether it exists or not.

    Args:
        working_dir: The working directory of the server, which identifies the workspace.
        environ: As for `get_cache_directory`.

    Returns:
        The directory; None if the user has no cache directory, or cannot write to it.
    """
    cache = get_cache_directory(environ)
    if cache is None or not can_write_to(cache):
        return None
    return cache / _make_workspace_key(working_dir)


def choose_directory_for_files(name: str) -> Path:
    """Return the default directory for files.

    Args:
        name: The name of the directory below the working directory.

    Returns:
        The directory below the working directory; or, if it cannot be written to, one in the user's
        cache, or else in the system's temporary directory.
    """
    working_dir = Path.cwd()
    preferred = (working_dir / name).resolve()
    if can_write_to(preferred) and (preferred.is_dir() or not _is_system_directory(working_dir)):
        return preferred
    parent = get_workspace_cache(working_dir, os.environ)
    if parent is None:
        parent = _make_private_temporary_directory() / _make_workspace_key(working_dir)
    return parent / _FILES


def is_replacement(directory: Path, working_dir: Path) -> bool:
    """Return whether `choose_directory_for_files` returned a directory outside the working one."""
    return directory.name == _FILES and directory.parent.name == _make_workspace_key(working_dir)


def can_write_to(directory: Path) -> bool:
    """Return whether files can be created in a directory, after creating it if it is missing."""
    places = (directory, *directory.parents)
    existing = next((each for each in places if os.path.lexists(each)), None)
    if existing is None or not existing.is_dir():
        return False
    if sys.platform == "win32":
        return _can_create_file(existing)  # os.access ignores access control lists.
    is_effective = os.access in os.supports_effective_ids
    return os.access(existing, os.W_OK | os.X_OK, effective_ids=is_effective)


def _can_create_file(directory: Path) -> bool:
    import tempfile

    try:
        with tempfile.TemporaryFile(dir=directory):
            return True
    except OSError:
        return False


def _is_system_directory(directory: Path) -> bool:
    """Return whether clients start servers in a directory because they know no better one."""
    windows = os.environ.get("SYSTEMROOT") if sys.platform == "win32" else None
    return directory == directory.parent or (
        windows is not None and directory.is_relative_to(windows)
    )


def _make_workspace_key(working_dir: Path) -> str:
    """Return a name for a working directory: readable, and different for different directories."""
    import hashlib  # not needed at most starts, and slow to import

    digest = hashlib.sha256(os.fsencode(working_dir)).hexdigest()[:8]
    name = re.sub(r"[^\w.-]+", "-", working_dir.name, flags=re.ASCII)[:_MAX_NAME].strip("-.")
    return f"{name}-{digest}" if name else digest


def _make_private_temporary_directory() -> Path:
    """Return a directory of this user in the system's temporary directory."""
    import tempfile

    parent = Path(tempfile.gettempdir())
    if sys.platform == "win32":
        return parent / "viewpoint-mcp"  # Each user has a temporary directory there.
    path = parent / f"viewpoint-mcp-{os.getuid()}"
    with suppress(OSError):
        path.mkdir(mode=0o700, exist_ok=True)
        # All users can write to the parent directory, so this may be another user's directory.
        status = path.lstat()
        if stat.S_ISDIR(status.st_mode) and status.st_uid == os.getuid():
            path.chmod(0o700)
            return path
    return Path(tempfile.mkdtemp(prefix="viewpoint-mcp-"))
