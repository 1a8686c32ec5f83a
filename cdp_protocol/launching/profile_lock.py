"""Who holds a profile, and whether it can be had.

A Chromium holds its profile by links in it: SingletonLock says "host-pid", and SingletonSocket
leads to a socket that it listens on. They stay when it is killed, and come along when a profile is
copied or its container starts anew, so they prove nothing. What proves that it lives is that
somebody listens at the socket, or keeps the databases locked; the kernel ends both with the
process.
"""

from __future__ import annotations

import asyncio
import os
import socket
import struct
import sys
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from cdp_protocol.errors import LaunchError
from cdp_protocol.launching import windows
from cdp_protocol.launching.file_lock import try_lock

# One name for all programs that launch browsers with this: they keep off each other's profiles.
_OWNER_LOCK = "cdp-protocol-owner"
_LOCK = "SingletonLock"
_SOCKET = "SingletonSocket"
_COOKIE = "SingletonCookie"
_LINKS = (_LOCK, _SOCKET, _COOKIE)
# Of the many databases these are open from the start to the end, in every Chromium.
_DATABASES = ("Default/Local Storage/leveldb/LOCK", "Default/shared_proto_db/LOCK")
_LOCKFILE = "lockfile"  # on Windows, in place of the links
_PATIENCE = 2.0  # seconds for a predecessor that is just going down
_POLL = 0.1
_CONNECT_LIMIT = 1.0
_CREDENTIALS = struct.Struct("3i")  # of Linux: pid, uid, gid


@dataclass(frozen=True, slots=True)
class Holder:
    """A running browser that has a profile.

    Args:
        pid: Its process; None when it runs where our pids mean nothing.
        host: The machine or container that its lock names; "" when there is no lock.
    """

    pid: int | None
    host: str = ""

    def __str__(self) -> str:
        if self.pid is None:
            return f'a browser on the host "{self.host}"' if self.host else "another browser"
        command = _command(self.pid)
        return f"process {self.pid} ({command})" if command else f"process {self.pid}"


def holder(user_data_dir: Path) -> Holder | None:
    """The browser that holds a profile; None when none does, or it cannot be told."""
    if sys.platform == "win32":
        return Holder(None) if windows.is_kept_open(user_data_dir / _LOCKFILE) else None
    host, pid = _locked_by(user_data_dir)
    listener = _listener(user_data_dir)
    if listener is None and not _is_in_use(user_data_dir):
        return None
    is_here = host == socket.gethostname() and pid is not None and is_alive(pid)
    return Holder(listener or (pid if is_here else None), host)


async def claim(user_data_dir: Path) -> int:
    """See that a Chromium can start on a profile; what a dead one left of its lock is removed.

    Args:
        user_data_dir: Made if it is not there.

    Returns:
        The owner's lock, which keeps others from starting one there at the same moment; to be
        closed when Chromium is gone.

    Raises:
        LaunchError: It is in use, or is no directory that can be written to.
    """
    try:
        await asyncio.to_thread(_check_writable, user_data_dir)
    except OSError as error:
        raise LaunchError(
            f"The profile {user_data_dir}",
            f"cannot be used: {error.strerror or error}",
            cause="profile",
            advice="Name a directory that can be written to, or none for a temporary profile.",
        ) from error
    deadline = asyncio.get_running_loop().time() + _PATIENCE
    while True:
        lock = lock_owner(user_data_dir, create=True)
        try:
            found = await asyncio.to_thread(holder if lock is None else _free, user_data_dir)
        except BaseException:  # cancelled
            if lock is not None:
                os.close(lock)
            raise
        if lock is not None and found is None:
            return lock
        found = found or _owner(user_data_dir)
        if lock is not None:
            os.close(lock)
        if asyncio.get_running_loop().time() > deadline:
            raise LaunchError(
                f"The profile {user_data_dir}",
                f"is in use by {found}",
                cause="profile in use",
                advice="Close that browser, connect to it, or name another directory.",
            )
        await asyncio.sleep(_POLL)


def lock_owner(directory: Path, *, create: bool) -> int | None:
    """Take the lock of the process that owns a profile, and write its pid there; the kernel gives
    it back whatever the owner dies of.

    Returns:
        Its file descriptor; None when another has it.
    """
    try:
        flags = os.O_RDWR | (os.O_CREAT if create else 0)
        descriptor = os.open(directory / _OWNER_LOCK, flags, 0o600)
    except OSError:
        return None
    with suppress(OSError):
        if try_lock(descriptor):
            if create:
                os.ftruncate(descriptor, 0)
                os.write(descriptor, str(os.getpid()).encode())
            return descriptor
    os.close(descriptor)
    return None


def has_owner_file(directory: Path) -> bool:
    """Whether a process like ours has owned the profile, be it dead or not."""
    return (directory / _OWNER_LOCK).exists()


def remove_socket(user_data_dir: Path) -> None:
    """Remove the socket that a profile's dead browser listened at, with the directory in the
    temporary one that it made for it: a browser that is killed leaves both.
    """
    with suppress(OSError):
        path = (user_data_dir / _SOCKET).readlink()
        if path.is_absolute() and path.name == _SOCKET:
            for name in (_SOCKET, _COOKIE):
                path.with_name(name).unlink(missing_ok=True)
            path.parent.rmdir()  # only if nothing else is in it


def _owner(directory: Path) -> Holder:
    """The process that has the owner's lock, for the browser that it is about to start."""
    with suppress(OSError, ValueError):
        return Holder(int((directory / _OWNER_LOCK).read_bytes()))
    return Holder(None)


def _check_writable(directory: Path) -> None:
    directory.mkdir(mode=0o700, parents=True, exist_ok=True)
    with tempfile.TemporaryFile(dir=directory):
        pass


def _free(directory: Path) -> Holder | None:
    """Remove the links that a dead Chromium left, or return the living one.

    Chromium itself starts after a crash only on the same host, and if no other process has got the
    pid since.
    """
    links = _links(directory)
    found = holder(directory)
    if found is None:
        for name, target in links.items():
            # What came meanwhile is not stale.
            if _links(directory).get(name) == target:
                if name == _SOCKET:
                    remove_socket(directory)
                (directory / name).unlink(missing_ok=True)
    return found


def _links(directory: Path) -> dict[str, str]:
    targets = {}
    for name in _LINKS:
        with suppress(OSError):
            targets[name] = str((directory / name).readlink())
    return targets


def _locked_by(directory: Path) -> tuple[str, int | None]:
    """The host and the pid that the lock names, whether they mean anything or not."""
    try:
        host, _, pid = str((directory / _LOCK).readlink()).rpartition("-")
    except OSError:
        return "", None
    return host, int(pid) if pid.isdecimal() else None


def _listener(directory: Path) -> int | None:
    """The pid of who listens at the profile's socket, 0 when it cannot be told; None for nobody."""
    if sys.platform == "win32":
        return None
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(_CONNECT_LIMIT)
        try:
            # Followed by hand: the path of a socket must be short.
            connection.connect(str((directory / _SOCKET).readlink()))
            if not sys.platform.startswith("linux"):
                return 0
            size = _CREDENTIALS.size
            told = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, size)
        except OSError:
            return None
    return int(_CREDENTIALS.unpack(told)[0])


def _is_in_use(directory: Path) -> bool:
    """Whether somebody keeps the databases locked, be it in another container."""
    return any(_is_locked(directory / name) for name in _DATABASES)


def _is_locked(file: Path) -> bool:
    if sys.platform == "win32":
        return False
    import fcntl

    try:
        with file.open("r+b") as opened:
            fcntl.lockf(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return False
    return False


def is_alive(pid: int) -> bool:
    """Whether there is such a process."""
    if sys.platform == "win32":
        return windows.is_alive(pid)  # it has no signal 0: os.kill would end the process
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):
        return True
    return True


def _command(pid: int) -> str:
    try:
        return os.fsdecode(Path(f"/proc/{pid}/cmdline").read_bytes().partition(b"\0")[0])
    except OSError:
        return ""
