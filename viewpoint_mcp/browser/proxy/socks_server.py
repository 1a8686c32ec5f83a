"""The SOCKS5 side of a relay with origin rules.

It reads the destination from Chromium's request and connects to it, directly or through a SOCKS5
proxy.
"""

from __future__ import annotations

import struct
from collections.abc import Awaitable, Callable
from ipaddress import ip_address

from viewpoint_mcp.browser.proxy.origin_filter import OriginFilter, OriginRefusedError
from viewpoint_mcp.browser.proxy.proxy_error import ProxyError
from viewpoint_mcp.browser.proxy.streams import Stream, run_until_first_ends

Connect = Callable[[str, int], Awaitable[Stream]]

_VERSION, _CONNECT, _NO_AUTHENTICATION = 5, 1, 0
_NAME, _ADDRESS_LENGTHS = 3, {1: 4, 4: 16}
_GRANTED, _FORBIDDEN, _UNREACHABLE = 0, 2, 4


async def serve_socks(client: Stream, origin_filter: OriginFilter, connect: Connect) -> None:
    """Serve one connection from Chromium if the rules allow it.

    Before the decision, no data is sent and no name is resolved. If the decision depends on the
    scheme, the relay first accepts and reads the client's first bytes.

    Args:
        connect: Connects to a host and port.

    Raises:
        OriginRefusedError: The connection is not allowed.
        ProxyError: The destination or the proxy could not be reached.

    Source: RFC 1928.
    """
    destination = await read_connect_request(client)
    if destination is None:
        return
    host, port = destination
    try:
        depends = origin_filter.depends_on_scheme(host, port)
    except OriginRefusedError:
        await _send_connect_status(client, _FORBIDDEN)
        raise
    if depends:
        await _send_connect_status(client, _GRANTED)
        first = await origin_filter.read_first_bytes_and_check_origin(client, host, port)
        if not first:
            return
        upstream = await connect(host, port)
        await upstream.write(first)
    else:
        try:
            upstream = await connect(host, port)
        except ProxyError:
            await _send_connect_status(client, _UNREACHABLE)
            raise
        await _send_connect_status(client, _GRANTED)
    await run_until_first_ends(client.forward_all(upstream), upstream.forward_all(client))


async def read_connect_request(client: Stream) -> tuple[str, int] | None:
    """Read a SOCKS5 greeting and request; return the destination's host and port.

    Returns None if the client does not speak SOCKS5 or sends an unsupported command.
    """
    version, count = await client.read_exactly(2)
    if version != _VERSION:
        return None
    await client.read_exactly(count)
    await client.write(bytes([_VERSION, _NO_AUTHENTICATION]))
    version, command, _, kind = await client.read_exactly(4)
    if (version, command) != (_VERSION, _CONNECT):
        return None
    if kind == _NAME:
        host = (await client.read_exactly((await client.read_exactly(1))[0])).decode("ascii")
    elif kind in _ADDRESS_LENGTHS:
        host = str(ip_address(await client.read_exactly(_ADDRESS_LENGTHS[kind])))
    else:
        return None
    (port,) = struct.unpack("!H", await client.read_exactly(2))
    return host, port


def encode_connect_request(host: str, port: int) -> bytes:
    """Return the bytes of a SOCKS5 connect request; host names are resolved by the proxy."""
    try:
        address = ip_address(host)
    except ValueError:
        name = host.encode("ascii")
        encoded_address = bytes([_NAME, len(name)]) + name
    else:
        encoded_address = bytes([1 if address.version == 4 else 4]) + address.packed
    return bytes([_VERSION, _CONNECT, 0]) + encoded_address + struct.pack("!H", port)


async def read_whether_connect_granted(upstream: Stream) -> bool:
    """Read a proxy's answer to a connect request and return whether it was granted."""
    _, status, _, kind = await upstream.read_exactly(4)
    length = (await upstream.read_exactly(1))[0] if kind == _NAME else _ADDRESS_LENGTHS.get(kind, 0)
    await upstream.read_exactly(length + 2)
    return status == _GRANTED


async def _send_connect_status(client: Stream, status: int) -> None:
    await client.write(bytes([_VERSION, status, 0, 1]) + bytes(6))
