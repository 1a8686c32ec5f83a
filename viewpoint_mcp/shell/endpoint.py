"""The background server of a workspace, as its clients find it: its address, its locks and its log.

A server listens on a Unix socket; on Windows, and if VIEWPOINT_LOOPBACK is set, on a port of
127.0.0.1 (see `loopback`). Clients use the address that exists.

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
LOOPBACK_VARIABLE = "VIEWPOINT_LOOPBACK"
SERVER_VARIABLE = "VIEWPOINT_ATTACH_SERVER"
DEFAULT_SESSION = "default"
MCP_PREFIX = "mcp-"
"""The beginning of the names of the files of MCP servers. The rest is the process id."""

_DIRECTORY_VARIABLE = "VIEWPOINT_MCP_CACHE_DIR" if sys.platform == "win32" else "XDG_RUNTIME_DIR"
_SOCKET, _PORT = ".sock", ".port"
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
        """The Unix socket of the server."""
        return os.path.join(self.directory, self.key + _SOCKET)

    @property
    def port_file(self) -> str:
        """The file with the port of the server, and with the keys."""
        return os.path.join(self.directory, self.key + _PORT)

    @property
    def start_lock(self) -> str:
        """The lock of the client that starts the server."""
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
        pid = self.read_server_pid()
        return f"The server does not answer. End its process {pid}. Its log: {self.log}"

    def read_server_pid(self) -> str:
        """Return the process id of the last server."""
        with open(self.server_lock, encoding="utf-8") as lock:
            return lock.read()

    def connect(self, limit: float | None = None) -> socket.socket | None:
        """Connect to the server. Return None if no server listens.

        Args:
            limit: Seconds until the server answers on a port; None for the default.

        Raises:
            EndpointError: The address cannot be used, or the server does not answer.
        """
        if connection := self._connect_to_socket():
            return connection
        if not os.path.exists(self.port_file):
            return None
        from viewpoint_mcp.shell.loopback import connect_to_port

        try:
            return connect_to_port(self.port_file, self.server_lock, limit)
        except TimeoutError:
            raise EndpointError(self.describe_hang()) from None
        except OSError as error:
            raise EndpointError(f"Cannot use {self.port_file}: {error.strerror}.") from error

    def _connect_to_socket(self) -> socket.socket | None:
        if sys.platform == "win32" or self.has_long_path():
            return None
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

    def has_long_path(self) -> bool:
        """Return whether the path of the socket is too long for the system."""
        return len(os.fsencode(self.socket_path)) > _MAX_SOCKET_PATH


def uses_loopback(environ: Mapping[str, str]) -> bool:
    """Return whether servers listen on a port instead of a Unix socket."""
    return sys.platform == "win32" or environ.get(LOOPBACK_VARIABLE, "0") not in ("", "0")


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

    name = os.path.normcase(workspace)  # Windows ignores the case of letters.
    key = hashlib.sha256(os.fsencode(name)).hexdigest()[:16]
    endpoint = Endpoint(find_directory(environ), key)
    if endpoint.has_long_path() and not uses_loopback(environ):
        raise EndpointError(
            f"{endpoint.socket_path} is too long for a socket. Set XDG_RUNTIME_DIR to a "
            f"directory with a shorter path, or {LOOPBACK_VARIABLE}=1."
        )
    return endpoint


def list_endpoints(environ: Mapping[str, str]) -> list[Endpoint]:
    """Return the files of all servers of the user, including servers that ended without notice.

    Raises:
        EndpointError: No directory can have them.
    """
    directory = find_directory(environ)
    parts = (os.path.splitext(each) for each in os.listdir(directory))
    keys = {key for key, suffix in parts if suffix in (_SOCKET, _PORT)}
    return [Endpoint(directory, each) for each in sorted(keys)]


def find_directory(environ: Mapping[str, str]) -> str:
    """Return the directory of the files of all servers; create it if it is missing.

    It is below XDG_RUNTIME_DIR, or else in the user's cache directory. Other users cannot enter it.
    On Windows it is below LOCALAPPDATA, which is private.

    Raises:
        EndpointError: It cannot be created, or it belongs to another user.
    """
    runtime = environ.get("XDG_RUNTIME_DIR", "")
    if os.path.isabs(runtime) and os.access(runtime, os.W_OK | os.X_OK):
        return _make_private(os.path.join(runtime, "viewpoint-mcp"))
    from viewpoint_mcp.config.default_directories import get_cache_directory

    cache = get_cache_directory(environ)
    if cache is None:
        home = "LOCALAPPDATA" if sys.platform == "win32" else "XDG_RUNTIME_DIR or HOME"
        raise EndpointError(f"There is no directory for the files of the server. Set {home}.")
    return _make_private(os.path.join(cache, "shell"))


def _make_private(directory: str) -> str:
    try:
        os.makedirs(directory, mode=0o700, exist_ok=True)
        status = os.lstat(directory)
        belongs_to_user = sys.platform == "win32" or status.st_uid == os.getuid()
        if sys.platform != "win32" and belongs_to_user and stat.S_IMODE(status.st_mode) != 0o700:
            os.chmod(directory, 0o700)
    except OSError as error:
        raise EndpointError(
            f"Cannot create {directory}: {error.strerror}. Set {_DIRECTORY_VARIABLE} to a "
            "directory that you can write to."
        ) from error
    if not stat.S_ISDIR(status.st_mode) or not belongs_to_user:
        raise EndpointError(f"{directory} belongs to another user. Set {_DIRECTORY_VARIABLE}.")
    return directory
