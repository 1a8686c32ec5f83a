"""The SOCKS5 side of a relay: adds the credentials, which Chromium cannot send."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from viewpoint_mcp.browser.proxy.proxy_error import CREDENTIALS_REFUSED, ProxyError
from viewpoint_mcp.browser.proxy.socks_server import (
    encode_connect_request,
    read_whether_connect_granted,
)
from viewpoint_mcp.browser.proxy.streams import Stream, run_until_first_ends
from viewpoint_mcp.config.settings import Proxy

_VERSION = 5
_NO_AUTHENTICATION, _PASSWORD, _NONE_OF_THEM = 0, 2, 0xFF
_PASSWORD_VERSION, _GRANTED = 1, 0
_ANSWER_LIMIT = 20.0  # seconds


async def relay_through_socks(
    client: Stream,
    dial: Callable[[], Awaitable[Stream]],
    proxy: Proxy,
    on_success: Callable[[], None],
) -> None:
    """Authenticate at the proxy, then relay the client's connection until either side closes it.

    The client needs no credentials. Its request is passed on unchanged, so the proxy resolves host
    names.

    Args:
        dial: Connects to the proxy.
        on_success: Called when the proxy has accepted the credentials.

    Raises:
        ProxyError: The proxy does not answer, or refuses the credentials.

    Source: RFC 1928 section 3, RFC 1929 section 2.
    """
    version, count = await client.read_exactly(2)
    if version != _VERSION:
        return  # a client that does not speak SOCKS5
    await client.read_exactly(count)
    upstream = await dial()
    try:
        async with asyncio.timeout(_ANSWER_LIMIT):
            await authenticate(upstream, proxy)
    except TimeoutError:
        raise ProxyError(f"did not answer within {_ANSWER_LIMIT:g} s") from None
    on_success()
    await client.write(bytes([_VERSION, _NO_AUTHENTICATION]))
    await run_until_first_ends(client.forward_all(upstream), upstream.forward_all(client))


async def connect_through(upstream: Stream, proxy: Proxy, host: str, port: int) -> None:
    """Make the proxy connect to a destination, so that `upstream` then carries its data.

    Raises:
        ProxyError: The proxy did not connect.
    """
    try:
        async with asyncio.timeout(_ANSWER_LIMIT):
            await authenticate(upstream, proxy)
            await upstream.write(encode_connect_request(host, port))
            is_there = await read_whether_connect_granted(upstream)
    except TimeoutError:
        raise ProxyError(f"did not answer within {_ANSWER_LIMIT:g} s") from None
    if not is_there:
        raise ProxyError("cannot reach the site, or refuses it")


async def authenticate(upstream: Stream, proxy: Proxy) -> None:
    """Greet the proxy, and authenticate if it requires that.

    Raises:
        ProxyError: The proxy refused the credentials or does not speak SOCKS5.
    """
    methods = [_NO_AUTHENTICATION, _PASSWORD] if proxy.username else [_NO_AUTHENTICATION]
    greeting = bytes([_VERSION, len(methods), *methods])
    version, method = await _exchange(
        upstream, greeting, "does not speak SOCKS5: it closes the connection"
    )
    if version != _VERSION or method not in (_NO_AUTHENTICATION, _PASSWORD, _NONE_OF_THEM):
        raise ProxyError("does not speak SOCKS5")
    if method == _NONE_OF_THEM:
        raise ProxyError("does not accept a user name and password")
    if method == _PASSWORD:
        name, password = proxy.username.encode(), proxy.password.encode()
        fields = [bytes([len(field)]) + field for field in (name, password)]
        _, status = await _exchange(
            upstream, bytes([_PASSWORD_VERSION]) + b"".join(fields), CREDENTIALS_REFUSED
        )
        if status != _GRANTED:
            raise ProxyError(CREDENTIALS_REFUSED)


async def _exchange(upstream: Stream, message: bytes, fault: str) -> bytes:
    """Send a message and return the two bytes of the answer.

    Raises:
        ProxyError: The proxy closed the connection; the text is `fault`.
    """
    try:
        await upstream.write(message)
        return await upstream.read_exactly(2)
    except (EOFError, ConnectionError):
        raise ProxyError(fault) from None
