"""A proxy as a separate process: `python -m tests.e2e.support.proxy_server http user:password`.

Prints its port, then one line for each event of a connection. It resolves names below `.test` to
loopback, so that a test's sites can have names that only the proxy can resolve.
"""

from __future__ import annotations

import asyncio
import socket
import ssl
import sys
from typing import Any

import pproxy  # type: ignore[import-untyped]  # it has no types

_resolve = socket.getaddrinfo


def resolve(host: Any, *args: Any, **kwargs: Any) -> Any:
    """Resolve a host name; names below `.test` resolve to this machine."""
    is_ours = isinstance(host, str) and host.endswith(".test")
    return _resolve("127.0.0.1" if is_ours else host, *args, **kwargs)


def print_line(text: str) -> None:
    """Print a line for the test."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


async def serve(scheme: str, credentials: str = "", certificate: str = "") -> None:
    """Serve until killed.

    Args:
        scheme: Of pproxy: http, socks5.
        certificate: File with a certificate and its key, for a proxy that speaks TLS.
    """
    server = pproxy.Server(f"{scheme}{'+ssl' if certificate else ''}://127.0.0.1:0#{credentials}")
    if certificate:
        server.sslserver = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        server.sslserver.load_cert_chain(certificate)
    # Every connection must authenticate, even soon after another one from the same address.
    options = {"rserver": [], "verbose": print_line, "authtime": -1}
    listening = await server.start_server(options)
    print_line(str(listening.sockets[0].getsockname()[1]))
    await listening.serve_forever()


if __name__ == "__main__":
    socket.getaddrinfo = resolve
    asyncio.run(serve(*sys.argv[1:]))
