"""The connection of a client to a server that listens on a port of 127.0.0.1.

Every user of the machine can connect to a port, and after the end of a server any program can
listen on it. So client and server prove to each other that they can read the file of the port,
which belongs to the user: the client sends the first key in it, and the server answers with the
second one. Only then the client sends its request.

The client uses the standard library only.
"""

from __future__ import annotations

import os
import socket
from typing import NamedTuple

HOST = "127.0.0.1"

_HANDSHAKE_LIMIT = 30.0  # seconds


class PortAddress(NamedTuple):
    """The line of the file: where the server listens, and what both sides send."""

    port: str
    client_key: str
    server_key: str


def connect_to_port(
    port_file: str, server_lock: str, limit: float | None = None
) -> socket.socket | None:
    """Connect to the server that a file names. Return None if the server has ended.

    Args:
        port_file: The file.
        server_lock: The lock that the server holds.
        limit: Seconds until the server answers; None for the default.

    Raises:
        OSError: The file cannot be read.
        TimeoutError: The server does not answer.
    """
    with open(port_file, encoding="ascii") as file:
        line = file.read()
    words = line.split()
    if not line.endswith("\n") or len(words) != len(PortAddress._fields):
        return None  # The server is just writing it, or was killed while it wrote.
    address = PortAddress(*words)
    connection = None
    try:
        connection = socket.create_connection((HOST, int(address.port)), limit or _HANDSHAKE_LIMIT)
        connection.sendall(address.client_key.encode())
        if _receive(connection, len(address.server_key)) == address.server_key.encode():
            return connection
    except ConnectionError:
        pass  # No process listens on the port.
    except TimeoutError:
        if _is_locked(server_lock):
            raise
        # Another program listens on the port of a server that was killed.
    if connection is not None:
        connection.close()
    return None


def _receive(connection: socket.socket, count: int) -> bytes:
    received = b""
    while len(received) < count and (data := connection.recv(count - len(received))):
        received += data
    return received


def _is_locked(path: str) -> bool:
    from cdp_protocol.launching.file_lock import try_lock  # slow to import, and seldom needed

    lock = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        return not try_lock(lock)
    finally:
        os.close(lock)
