"""The start of a background server by the client that needs it first."""

from __future__ import annotations

import json
import os
import select
import socket
import subprocess
import sys

from viewpoint_mcp.shell.endpoint import NOT_ON_WINDOWS, Endpoint, EndpointError

READY = "ready"
"""What the server writes to its stdout when it listens; anything else is why it does not."""

_START_LIMIT = 60  # seconds
_LOG_TAIL = 500  # characters


class StartError(EndpointError):
    """The server did not start. The message names the reason."""


def connect_or_start(
    endpoint: Endpoint, workspace: str, flags: list[str]
) -> tuple[socket.socket, bool]:
    """Connect to the server of a workspace; start it if it does not run.

    Many clients may call this at once. The first of them holds the start lock, and the server
    inherits it until it listens. So even a client that is killed meanwhile starts no second server.

    Args:
        flags: The flags of the server.

    Returns:
        The connection, and whether this call started the server.

    Raises:
        StartError: The server did not start.
    """
    if sys.platform == "win32":
        raise EndpointError(NOT_ON_WINDOWS)
    import fcntl

    try:
        lock = os.open(endpoint.start_lock, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        raise StartError(f"Cannot write {endpoint.start_lock}: {error.strerror}.") from error
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        connection = endpoint.connect()
        if connection is not None:
            return connection, False
        _start(endpoint, workspace, flags, lock)
    finally:
        os.close(lock)
    connection = endpoint.connect()
    if connection is None:
        raise StartError(f"The server ended after its start. See {endpoint.log}.")
    return connection, True


def _start(endpoint: Endpoint, workspace: str, flags: list[str], lock: int) -> None:
    """Start the server, and wait until it listens."""
    place = {"workspace": workspace, "endpoint": list(endpoint), "lock": lock}
    command = (
        sys.executable,
        "-P",
        "-m",
        "viewpoint_mcp.shell.background.server",
        json.dumps(place),
        *flags,
    )
    try:
        with open(endpoint.log, "wb", opener=_open_private) as log:
            process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=log,
                cwd=workspace,
                start_new_session=True,
                pass_fds=(lock,),
            )
    except OSError as error:
        raise StartError(f"Cannot start the server: {error}.") from error
    assert process.stdout is not None
    with process.stdout as output:
        if not select.select([output], [], [], _START_LIMIT)[0]:
            process.kill()
        message = output.read().decode(errors="replace").strip()
    if message != READY:
        process.wait()
        raise StartError(message or _describe_log(endpoint))


def _open_private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def _describe_log(endpoint: Endpoint) -> str:
    with open(endpoint.log, encoding="utf-8", errors="replace") as log:
        end = log.read()[-_LOG_TAIL:].strip()
    return f"The server did not start. {endpoint.log} ends with:\n{end or '(nothing)'}"
