"""The background server of a workspace, as its clients find it: its socket, its locks and its log.

The client imports this module at each command, so it uses the standard library only.
"""

from __future__ import annotations

import os
import socket
import stat
import sys
from collections.abc import Mapping
from typing import NamedTuple

WORKSPACE_VARIABLE = "VIEWPOINT_WORKSPACE"
SESSION_VARIABLE = "VIEWPOINT_SESSION"
DEFAULT_SESSION = "default"
NOT_ON_WINDOWS = (
    "viewpoint needs Unix sockets, which Python lacks on Windows. Use it in WSL, or use "
    "viewpoint-mcp."
)

_SUFFIX = ".sock"
_MAX_SOCKET_PATH = 100  # bytes; the address of a Unix socket has 104 on macOS and 108 on Linux


class EndpointError(Exception):
    """The server of the workspace cannot be found or started. The message is for the user."""


class Endpoint(NamedTuple):
    """The files of one server.

    Attributes:
        directory: The directory of the files, which only the user can enter.
        key: The name of the files without their suffix.
    """

    directory: str
    key: str

    @property
    def socket_path(self) -> str:
        """The Unix socket on which the server listens."""
        return os.path.join(self.directory, self.key + _SUFFIX)

    @property
    def start_lock(self) -> str:
        """The lock of the client that starts the server, and of the server until it listens."""
        return os.path.join(self.directory, self.key + ".start")

    @property
    def server_lock(self) -> str:
        """The lock that the server holds while it exists."""
        return os.path.join(self.directory, self.key + ".lock")

    @property
    def log(self) -> str:
        """The log of the server; each start replaces it."""
        return os.path.join(self.directory, self.key + ".log")

    def describe_hang(self) -> str:
        """Return a sentence about a server that does not answer."""
        with open(self.server_lock, encoding="utf-8") as lock:
            return f"The server does not answer. End its process {lock.read()}. Its log: {self.log}"

    def connect(self) -> socket.socket | None:
        """Connect to the server. Return None if no server listens."""
        if sys.platform == "win32":
            raise EndpointError(NOT_ON_WINDOWS)
        connection = socket.socket(socket.AF_UNIX)
        try:
            connection.connect(self.socket_path)
        except (FileNotFoundError, ConnectionError):
            connection.close()
            return None
        except OSError as error:
            connection.close()
            raise EndpointError(
                f"Cannot connect to {self.socket_path}: {error.strerror}."
            ) from error
        return connection


def find_workspace(directory: str, environ: Mapping[str, str]) -> str:
    """Return the workspace of a directory, to which a server and its sessions belong.

    It is VIEWPOINT_WORKSPACE, or the nearest directory upwards with a `.git`, or the directory
    itself.

    Args:
        directory: The working directory, absolute and without links.
    """
    if given := environ.get(WORKSPACE_VARIABLE):
        return os.path.realpath(os.path.join(directory, os.path.expanduser(given)))
    current = directory
    while not os.path.lexists(os.path.join(current, ".git")):
        parent = os.path.dirname(current)
        if parent == current:
            return directory
        current = parent
    return current


def make_endpoint(workspace: str, environ: Mapping[str, str]) -> Endpoint:
    """Return the files of the server of a workspace.

    Raises:
        EndpointError: No directory can have them.
    """
    import hashlib

    key = hashlib.sha256(os.fsencode(workspace)).hexdigest()[:16]
    endpoint = Endpoint(find_directory(environ), key)
    if len(os.fsencode(endpoint.socket_path)) > _MAX_SOCKET_PATH:
        raise EndpointError(
            f"{endpoint.socket_path} is too long for a socket. Set XDG_RUNTIME_DIR to a "
            "directory with a shorter path."
        )
    return endpoint


def list_endpoints(environ: Mapping[str, str]) -> list[Endpoint]:
    """Return the files of all servers of the user, including servers that ended without notice.

    Raises:
        EndpointError: No directory can have them.
    """
    directory = find_directory(environ)
    names = sorted(os.listdir(directory))
    return [Endpoint(directory, n.removesuffix(_SUFFIX)) for n in names if n.endswith(_SUFFIX)]


def find_directory(environ: Mapping[str, str]) -> str:
    """Return the directory of the files of all servers; create it if it is missing.

    It is below XDG_RUNTIME_DIR, or else in the user's cache directory. Other users cannot enter it.

    Raises:
        EndpointError: It cannot be created, or it belongs to another user.
    """
    runtime = environ.get("XDG_RUNTIME_DIR", "")
    if os.path.isabs(runtime) and os.access(runtime, os.W_OK | os.X_OK):
        return _make_private(os.path.join(runtime, "viewpoint-mcp"))
    from viewpoint_mcp.config.default_directories import get_cache_directory

    cache = get_cache_directory(environ)
    if cache is None:
        raise EndpointError("There is no directory for the socket. Set XDG_RUNTIME_DIR or HOME.")
    return _make_private(os.path.join(cache, "shell"))


def _make_private(directory: str) -> str:
    if sys.platform == "win32":
        raise EndpointError(NOT_ON_WINDOWS)
    try:
        os.makedirs(directory, mode=0o700, exist_ok=True)
        status = os.lstat(directory)
        if stat.S_IMODE(status.st_mode) != 0o700 and status.st_uid == os.getuid():
            os.chmod(directory, 0o700)
    except OSError as error:
        raise EndpointError(
            f"Cannot create {directory}: {error.strerror}. Set XDG_RUNTIME_DIR to a directory that "
            "you can write to."
        ) from error
    if not stat.S_ISDIR(status.st_mode) or status.st_uid != os.getuid():
        raise EndpointError(f"{directory} belongs to another user. Set XDG_RUNTIME_DIR.")
    return directory
