"""Locks of profile directories: finds the browser that uses a profile, and reserves a profile.

Chromium marks a profile as used with symbolic links in it. SingletonLock contains "host-pid", and
SingletonSocket points to a socket that Chromium listens on. The links remain when Chromium is
killed, when the profile is copied, and when its container restarts. So they do not prove that a
browser runs. The proof is a process that listens on the socket or keeps the databases locked,
because the kernel ends both with the process.
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
from cdp_protocol.launching import windows_platform
from cdp_protocol.launching.file_lock import FileDescriptor, try_lock

# All programs that use this library share this name, so they respect each other's profiles.
_OWNER_LOCK_FILE = "cdp-protocol-owner"
_SINGLETON_LOCK = "SingletonLock"
_SINGLETON_SOCKET = "SingletonSocket"
_SINGLETON_COOKIE = "SingletonCookie"
_SINGLETON_LINKS = (_SINGLETON_LOCK, _SINGLETON_SOCKET, _SINGLETON_COOKIE)
# Every Chromium keeps these databases open from its start to its end.
_DATABASES = ("Default/Local Storage/leveldb/LOCK", "Default/shared_proto_db/LOCK")
_WINDOWS_LOCK_FILE = "lockfile"  # used on Windows instead of the links
_WAIT_FOR_EXIT = 2.0  # seconds to wait for a previous browser that is exiting
_POLL_INTERVAL = 0.1  # seconds
_CONNECT_TIMEOUT = 1.0  # seconds
_CREDENTIALS = struct.Struct("3i")  # `struct ucred` of Linux: pid, uid, gid


@dataclass(frozen=True, slots=True)
class ProfileHolder:
    """A running browser that uses a profile.

    Args:
        pid: Its process id; None if unknown, as for a browser in another container.
        host: The host or container in the profile's lock; "" if there is no lock.
    """

    pid: int | None
    host: str = ""

    def __str__(self) -> str:
        if self.pid is None:
            return f'a browser on the host "{self.host}"' if self.host else "another browser"
        command = _read_process_command(self.pid)
        return f"process {self.pid} ({command})" if command else f"process {self.pid}"


def find_profile_holder(user_data_dir: Path) -> ProfileHolder | None:
    """Return the browser that uses a profile; None if no browser is found."""
    if sys.platform == "win32":
        return (
            ProfileHolder(None)
            if windows_platform.is_open_in_other_process(user_data_dir / _WINDOWS_LOCK_FILE)
            else None
        )
    host, pid = _read_lock_host_and_pid(user_data_dir)
    listener_pid = _find_listener_pid(user_data_dir)
    if listener_pid is None and not _has_locked_database(user_data_dir):
        return None
    is_on_this_host = host == socket.gethostname() and pid is not None and is_process_alive(pid)
    return ProfileHolder(listener_pid or (pid if is_on_this_host else None), host)


async def reserve_profile(user_data_dir: Path) -> FileDescriptor:
    """Reserve a profile for a new Chromium, and remove the links that a dead Chromium left.

    Wait up to 2 s for a previous browser that is exiting.

    Args:
        user_data_dir: The profile directory; created if missing.

    Returns:
        The file descriptor of the owner's lock. The lock keeps other programs from starting a
        browser with this profile. Close it when Chromium has exited.

    Raises:
        LaunchError: The profile is in use, or is not a writable directory.
    """
    try:
        await asyncio.to_thread(_create_and_check_writable, user_data_dir)
    except OSError as error:
        raise LaunchError(
            f"The profile {user_data_dir}",
            f"cannot be used: {error.strerror or error}",
            cause="profile",
            advice="Pass a writable directory, or none for a temporary profile.",
        ) from error
    deadline = asyncio.get_running_loop().time() + _WAIT_FOR_EXIT
    while True:
        lock = acquire_owner_lock(user_data_dir, create=True)
        try:
            holder = await asyncio.to_thread(
                find_profile_holder if lock is None else _remove_links_unless_held, user_data_dir
            )
        except BaseException:  # such as a cancellation
            if lock is not None:
                os.close(lock)
            raise
        if lock is not None and holder is None:
            return lock
        holder = holder or _read_lock_owner(user_data_dir)
        if lock is not None:
            os.close(lock)
        if asyncio.get_running_loop().time() > deadline:
            raise LaunchError(
                f"The profile {user_data_dir}",
                f"is in use by {holder}",
                cause="profile in use",
                advice="Close that browser, connect to it, or pass another directory.",
            )
        await asyncio.sleep(_POLL_INTERVAL)


def acquire_owner_lock(directory: Path, *, create: bool) -> FileDescriptor | None:
    """Acquire the owner's lock of a profile. The kernel releases it when this process ends.

    Args:
        directory: The profile directory.
        create: Whether to create the lock file if missing, and write the pid of this process to it.

    Returns:
        The file descriptor of the lock; None if another process has the lock, or if the file
        cannot be opened or locked.
    """
    try:
        flags = os.O_RDWR | (os.O_CREAT if create else 0)
        descriptor = os.open(directory / _OWNER_LOCK_FILE, flags, 0o600)
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


def has_owner_lock_file(directory: Path) -> bool:
    """Return whether a process with this library, alive or dead, has owned the profile."""
    return (directory / _OWNER_LOCK_FILE).exists()


def remove_stale_socket(user_data_dir: Path) -> None:
    """Remove the socket of a dead browser, and the temporary directory that contains it.

    Chromium creates both outside the profile, and leaves them when it is killed.
    """
    remove_socket(find_socket(user_data_dir))


def find_socket(user_data_dir: Path) -> Path | None:
    """Return the path of the socket that the browser of a profile listens on; None without one."""
    with suppress(OSError):
        path = (user_data_dir / _SINGLETON_SOCKET).readlink()
        if path.is_absolute() and path.name == _SINGLETON_SOCKET:
            return path
    return None


def remove_socket(path: Path | None) -> None:
    """Remove a socket that `find_socket` found, and its directory, if they still exist."""
    if path is not None:
        with suppress(OSError):
            for name in (_SINGLETON_SOCKET, _SINGLETON_COOKIE):
                path.with_name(name).unlink(missing_ok=True)
            path.parent.rmdir()  # Fails if the directory contains other files.


def _read_lock_owner(directory: Path) -> ProfileHolder:
    """Return the process that has the owner's lock, as its browser may not have started yet."""
    with suppress(OSError, ValueError):
        return ProfileHolder(int((directory / _OWNER_LOCK_FILE).read_bytes()))
    return ProfileHolder(None)


def _create_and_check_writable(directory: Path) -> None:
    directory.mkdir(mode=0o700, parents=True, exist_ok=True)
    with tempfile.TemporaryFile(dir=directory):
        pass


def _remove_links_unless_held(directory: Path) -> ProfileHolder | None:
    """Remove the links that a dead Chromium left; if a living browser uses the profile, return it.

    Without this, Chromium starts after a crash only on the same host, and only if no other process
    has the old pid.
    """
    links = _read_singleton_links(directory)
    holder = find_profile_holder(directory)
    if holder is None:
        for name, target in links.items():
            # A link that changed meanwhile belongs to a new browser.
            if _read_singleton_links(directory).get(name) == target:
                if name == _SINGLETON_SOCKET:
                    remove_stale_socket(directory)
                (directory / name).unlink(missing_ok=True)
    return holder


def _read_singleton_links(directory: Path) -> dict[str, str]:
    targets = {}
    for name in _SINGLETON_LINKS:
        with suppress(OSError):
            targets[name] = str((directory / name).readlink())
    return targets


def _read_lock_host_and_pid(directory: Path) -> tuple[str, int | None]:
    """Return the host and the pid in the lock, even if stale; ("", None) without a lock."""
    try:
        host, _, pid = str((directory / _SINGLETON_LOCK).readlink()).rpartition("-")
    except OSError:
        return "", None
    return host, int(pid) if pid.isdecimal() else None


def _find_listener_pid(directory: Path) -> int | None:
    """Return the pid of the process that listens on the profile's socket.

    The pid is 0 if it cannot be determined. Return None if no process listens.
    """
    if sys.platform == "win32":
        return None
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(_CONNECT_TIMEOUT)
        try:
            # The link is resolved here, because the path of a socket must be short.
            connection.connect(str((directory / _SINGLETON_SOCKET).readlink()))
            if not sys.platform.startswith("linux"):
                return 0
            size = _CREDENTIALS.size
            credentials = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, size)
        except OSError:
            return None
    return int(_CREDENTIALS.unpack(credentials)[0])


def _has_locked_database(directory: Path) -> bool:
    """Return whether a process, even in another container, keeps the databases locked."""
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


def is_process_alive(pid: int) -> bool:
    """Return whether a process with this pid exists."""
    if sys.platform == "win32":
        return windows_platform.is_process_alive(pid)  # os.kill(pid, 0) would end the process.
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):
        return True
    return True


def _read_process_command(pid: int) -> str:
    try:
        return os.fsdecode(Path(f"/proc/{pid}/cmdline").read_bytes().partition(b"\0")[0])
    except OSError:
        return ""
