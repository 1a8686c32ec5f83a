"""The address of the server: a Unix socket, or a port with keys."""

from __future__ import annotations

import asyncio
import hmac
import logging
import os
import secrets
import socket
import sys
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress

from viewpoint_mcp.shell.endpoint import Endpoint, uses_loopback
from viewpoint_mcp.shell.loopback import HOST, PortAddress

log = logging.getLogger(__name__)

OnConnection = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]

_MAX_REQUEST = 64 * 1024 * 1024  # bytes
_KEY_BYTES = 32
_KEY_LIMIT = 10.0  # seconds from the connection to its key


class Listener:
    """Accepts the connections of the user's clients.

    Only the process with the lock of the server may listen, so it removes what a killed server
    left.

    Args:
        endpoint: Where to listen.
    """

    def __init__(self, endpoint: Endpoint) -> None:
        self._endpoint = endpoint
        self._server: asyncio.Server | None = None
        self._file = ""
        self._inode = 0

    async def listen(self, environ: Mapping[str, str], on_connection: OnConnection) -> None:
        """Start to accept connections.

        Args:
            environ: Chooses between the socket and the port.
            on_connection: Serves a connection of the user.

        Raises:
            OSError: The address cannot be used.
        """
        self._remove_files()
        try:
            if sys.platform == "win32" or uses_loopback(environ):
                await self._listen_on_port(on_connection)
            else:
                await self._listen_on_socket(on_connection)
            self._inode = os.stat(self._file).st_ino
        except OSError:
            self._remove_files()
            raise

    def has_file(self) -> bool:
        """Return whether clients can still find the server."""
        try:
            return os.stat(self._file).st_ino == self._inode
        except OSError:
            return False

    def close(self) -> None:
        """Accept no more connections. Idempotent."""
        if self.has_file():
            self._remove_files()
        if self._server is not None:
            self._server.close()

    def _remove_files(self) -> None:
        for path in (self._endpoint.socket_path, self._endpoint.port_file):
            # Windows refuses it while a client reads the file. The file of a dead server does no
            # harm.
            with suppress(OSError):
                os.unlink(path)

    if sys.platform != "win32":

        async def _listen_on_socket(self, on_connection: OnConnection) -> None:
            self._file = self._endpoint.socket_path
            self._server = await asyncio.start_unix_server(
                on_connection, self._file, limit=_MAX_REQUEST
            )
            os.chmod(self._file, 0o600)

    async def _listen_on_port(self, on_connection: OnConnection) -> None:
        listening = _bind_to_free_port()
        keys = (secrets.token_hex(_KEY_BYTES), secrets.token_hex(_KEY_BYTES))
        address = PortAddress(str(listening.getsockname()[1]), *keys)

        async def authenticate(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            if await _has_key(reader, address):
                writer.write(address.server_key.encode())
                await on_connection(reader, writer)
            else:
                log.info("A connection without the key was closed")
                writer.close()

        self._server = await asyncio.start_server(authenticate, sock=listening, limit=_MAX_REQUEST)
        self._file = self._endpoint.port_file
        _write_address(self._file, address)


def _bind_to_free_port() -> socket.socket:
    listening = socket.socket()
    if sys.platform == "win32":
        # Otherwise another program can bind to the same port, and get the connections.
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
    listening.bind((HOST, 0))
    return listening


def _write_address(path: str, address: PortAddress) -> None:
    # Written in place: Windows cannot replace a file that a client reads. Clients ignore a line
    # without its end.
    with open(path, "w", encoding="ascii", opener=_open_private) as file:
        file.write(" ".join(address) + "\n")


async def _has_key(reader: asyncio.StreamReader, address: PortAddress) -> bool:
    expected = address.client_key.encode()
    try:
        async with asyncio.timeout(_KEY_LIMIT):
            key = await reader.readexactly(len(expected))
    except (TimeoutError, asyncio.IncompleteReadError, ConnectionError):
        return False
    return hmac.compare_digest(key, expected)


def _open_private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)
