"""The files by which a shell finds the MCP servers on this machine.

Each server has a name with its process id, and holds a lock on a file of that name. The kernel
releases the lock however the process ends, so the next server, and `viewpoint sessions`, remove the
files of servers that were killed.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress

from cdp_protocol.launching.file_lock import try_lock
from viewpoint_mcp.shell.endpoint import MCP_PREFIX, Endpoint, find_directory

_SUFFIX = ".lock"
_MODE = 0o600


def claim_endpoint(environ: Mapping[str, str]) -> tuple[Endpoint, int]:
    """Return the files of this process, and the descriptor of its lock.

    Raises:
        EndpointError: No directory can have them.
        OSError: The lock cannot be created.
    """
    endpoint = Endpoint(find_directory(environ), f"{MCP_PREFIX}{os.getpid()}")
    while True:
        lock = os.open(endpoint.server_lock, os.O_RDWR | os.O_CREAT, _MODE)
        if try_lock(lock) and _is_file(lock, endpoint.server_lock):
            os.ftruncate(lock, 0)
            os.write(lock, str(os.getpid()).encode())
            return endpoint, lock
        os.close(lock)  # Another process is just removing the file.


def release_endpoint(endpoint: Endpoint, lock: int) -> None:
    """Remove the files of this process."""
    _remove(endpoint)
    os.close(lock)


def remove_files_of_ended_servers(environ: Mapping[str, str]) -> None:
    """Remove the files of MCP servers that do not run any more.

    Raises:
        EndpointError: No directory can have them.
    """
    directory = find_directory(environ)
    for name in os.listdir(directory):
        key, suffix = os.path.splitext(name)
        if not key.startswith(MCP_PREFIX) or suffix != _SUFFIX:
            continue
        endpoint = Endpoint(directory, key)
        with suppress(OSError):  # Another process removes them, too.
            lock = os.open(endpoint.server_lock, os.O_RDWR)
            try:
                if try_lock(lock) and _is_file(lock, endpoint.server_lock):
                    _remove(endpoint)
            finally:
                os.close(lock)


def _remove(endpoint: Endpoint) -> None:
    # The lock is the last, because it is what shows that the others are left.
    for path in (endpoint.socket_path, endpoint.port_file, endpoint.server_lock):
        with suppress(OSError):
            os.unlink(path)


def _is_file(descriptor: int, path: str) -> bool:
    """Return whether a path still names the file of a descriptor."""
    try:
        return os.path.samestat(os.fstat(descriptor), os.stat(path))
    except FileNotFoundError:
        return False
