"""The lock files of a running Chromium in a profile, without the browser."""

from __future__ import annotations

import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_KEEP_LOCKED = """
import fcntl, sys
file = open(sys.argv[1], "r+b")
fcntl.lockf(file, fcntl.LOCK_EX)
print("locked", flush=True)
sys.stdin.read()
"""


@contextmanager
def listen_on_socket(profile: Path, backlog: int = 8) -> Iterator[None]:
    """Listen at the profile's socket, which is elsewhere because its path must be short."""
    with tempfile.TemporaryDirectory() as directory, socket.socket(socket.AF_UNIX) as server:
        path = Path(directory) / "SingletonSocket"
        server.bind(str(path))
        server.listen(backlog)
        (profile / "SingletonSocket").symlink_to(path)
        yield


@contextmanager
def ignore_connections(profile: Path) -> Iterator[None]:
    """Accept no connections to the profile's socket, so that clients wait."""
    with listen_on_socket(profile, backlog=0), socket.socket(socket.AF_UNIX) as waiting:
        waiting.connect(str((profile / "SingletonSocket").readlink()))
        yield


@contextmanager
def lock_database(profile: Path) -> Iterator[None]:
    """Lock a database of the profile in another process, because locks of the same process do not
    conflict.
    """
    file = profile / "Default" / "shared_proto_db" / "LOCK"
    file.parent.mkdir(parents=True)
    file.touch()
    with subprocess.Popen(
        [sys.executable, "-c", _KEEP_LOCKED, str(file)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"locked\n"
        yield
        process.kill()
