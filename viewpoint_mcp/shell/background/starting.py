"""The start of a background server by the client that needs it first."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from viewpoint_mcp.shell.endpoint import Endpoint, EndpointError

READY = "ready"
RUNNING = "running"
"""What the server writes to its stdout when it listens, and when another server listens. Anything
else is the reason why none does."""

_START_LIMIT = 60  # seconds
_TURN_LIMIT = 60  # seconds
_POLL = 0.02
_LOG_TAIL = 500  # characters


class StartError(EndpointError):
    """The server did not start. The message names the reason."""


def connect_or_start(
    endpoint: Endpoint, workspace: str, flags: list[str]
) -> tuple[socket.socket, bool]:
    """Connect to the server of a workspace; start it if it does not run.

    Many clients may call this at once. The start lock makes them wait for the first of them. It
    only saves work: a process that becomes the server takes another lock (see `server`).

    Args:
        flags: The flags of the server.

    Returns:
        The connection, and whether this call started the server.

    Raises:
        StartError: The server did not start.
        EndpointError: The address cannot be used, or the server does not answer.
    """
    with _hold_start_lock(endpoint):
        connection = endpoint.connect()
        if connection is not None:
            return connection, False
        has_started = _start(endpoint, workspace, flags)
    connection = endpoint.connect()
    if connection is None:
        raise StartError(f"The server ended after its start. See {endpoint.log}.")
    return connection, has_started


@contextmanager
def _hold_start_lock(endpoint: Endpoint) -> Iterator[None]:
    """Hold the lock, or stop waiting for it when a process that holds it seems to be stopped."""
    try:
        lock = os.open(endpoint.start_lock, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        raise StartError(f"Cannot write {endpoint.start_lock}: {error.strerror}.") from error
    deadline = time.monotonic() + _TURN_LIMIT
    try:
        while not _try_lock(lock) and time.monotonic() < deadline:
            time.sleep(_POLL)
        yield
    finally:
        os.close(lock)


def _try_lock(descriptor: int) -> bool:
    """Acquire a lock. The client does not import that of `cdp_protocol`, which takes 0.2 s."""
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        return False
    return True


def _start(endpoint: Endpoint, workspace: str, flags: list[str]) -> bool:
    """Start the server, and wait until it listens. Return False if another one listens."""
    place = {"workspace": workspace, "endpoint": list(endpoint)}
    command = (
        sys.executable,
        "-P",
        "-m",
        "viewpoint_mcp.shell.background.server",
        json.dumps(place),
        *flags,
    )
    try:
        # A server that another client started before it was killed may still write to the file.
        with open(endpoint.log, "ab", opener=_open_private) as log:
            log.truncate(0)
            process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=log,
                cwd=workspace,
                start_new_session=True,
                creationflags=_get_creation_flags(),
            )
    except OSError as error:
        raise StartError(f"Cannot start the server: {error}.") from error
    assert process.stdout is not None
    timer = threading.Timer(_START_LIMIT, process.kill)
    timer.daemon = True
    timer.start()
    with process.stdout as output:
        message = output.read().decode(errors="replace").strip()
    timer.cancel()
    if message != READY:
        process.wait()
    if message not in (READY, RUNNING):
        raise StartError(message or _describe_log(endpoint))
    return message == READY


def _get_creation_flags() -> int:
    if sys.platform == "win32":
        # The server gets a console without a window, which closes with no other one. A process
        # without a console would open a window for each program that it starts.
        return subprocess.CREATE_NO_WINDOW | subprocess.CREATE_NEW_PROCESS_GROUP
    return 0


def _open_private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def _describe_log(endpoint: Endpoint) -> str:
    with open(endpoint.log, encoding="utf-8", errors="replace") as log:
        end = log.read()[-_LOG_TAIL:].strip()
    return f"The server did not start. {endpoint.log} ends with:\n{end or '(nothing)'}"
