"""The HTTP server: binds the sockets, serves the application, and shuts down in order."""

from __future__ import annotations

import asyncio
import errno
import logging
import os
import socket
from collections.abc import Iterable
from typing import Any, Final

from viewpoint_mcp.errors import ViewpointError
from viewpoint_mcp.transports.http.uvicorn_server import BACKLOG, Application, UvicornServer

log = logging.getLogger(__name__)

_CLOSE_TIMEOUT: Final = 0.5  # seconds to close the contexts of the clients
_MAX_ATTEMPTS: Final = 10  # attempts to find a port that is free on all addresses of a host
_MISSING_ADDRESS: Final = (errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT)  # IPv6 on a machine without it

_Address = tuple[socket.AddressFamily, tuple[Any, ...]]


class ListenError(ViewpointError):
    """The server cannot listen on the requested address."""


def bind_sockets(host: str, port: int) -> list[socket.socket]:
    """Return sockets that listen on all addresses of a host, on the same port.

    Args:
        host: A name or an address.
        port: The port; 0 for any free one.

    Raises:
        ListenError: The host is unknown, or the port cannot be bound.
    """
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except (OSError, UnicodeError):
        raise ListenError(f"Cannot resolve the host {host!r}.", "Correct --host.") from None
    addresses = list(dict.fromkeys((family, address) for family, *_, address in found))
    for _ in range(_MAX_ATTEMPTS):
        try:
            return _bind_addresses(addresses, port)
        except OSError as error:
            failure = error
            if port:
                break
    raise ListenError(
        f"Cannot listen on {host}:{port}: {os.strerror(failure.errno or 0)}.",
        "Choose another --port (0 for any free one), or stop the program that uses it.",
    )


def _bind_addresses(addresses: Iterable[_Address], port: int) -> list[socket.socket]:
    """Listen on those of the addresses that this machine has."""
    bound: list[socket.socket] = []
    missing: OSError | None = None
    for family, address in addresses:
        try:
            listener = _open_listener(family, (address[0], port, *address[2:]))
        except OSError as error:
            if error.errno in _MISSING_ADDRESS:
                missing = error
                continue
            _close_sockets(bound)
            raise
        bound.append(listener)
        port = listener.getsockname()[1]
    if not bound and missing is not None:
        raise missing
    return bound


def _open_listener(family: socket.AddressFamily, address: tuple[Any, ...]) -> socket.socket:
    # asyncio disables Nagle's algorithm only on sockets with an explicit protocol. Otherwise the
    # second half of each response waits 40 ms for the client to acknowledge the first half.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        if os.name == "posix":  # On Windows this would let another program take the port.
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6:
            listener.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        listener.bind(address)
        listener.listen(BACKLOG)
    except OSError:
        listener.close()
        raise
    return listener


def _close_sockets(sockets: Iterable[socket.socket]) -> None:
    for each in sockets:
        each.close()


class HttpServer:
    """Serves an application on sockets.

    Args:
        app: The application; closed with the server.
        sockets: Listening sockets; closed with the server.
        grace: Seconds that calls in progress get to finish when the server stops.
    """

    def __init__(
        self, app: Application, sockets: list[socket.socket], *, grace: float = 1.0
    ) -> None:
        self._app = app
        self._sockets = sockets
        self._grace = grace

    async def serve(self) -> None:
        """Serve until cancelled. Then finish the calls in progress, end all streams, and stop."""
        server = UvicornServer(self._app)
        serving = asyncio.create_task(server.serve(self._sockets))
        try:
            await asyncio.shield(serving)
        finally:
            try:
                # Contexts that close too slowly are closed with the browser later.
                async with asyncio.timeout(self._grace + _CLOSE_TIMEOUT):
                    await self._app.close(grace=self._grace)
            except TimeoutError:
                log.info("Some sessions did not close in time.")
            server.stop()
            await serving
