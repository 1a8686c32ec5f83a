"""The SOCKS5 side of a relay: adds the credentials, which Chromium cannot send."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from viewpoint_mcp.browser.proxy.gated import read_answer, written_request
from viewpoint_mcp.browser.proxy.streams import Stream, until_one_ends
from viewpoint_mcp.browser.proxy.trouble import REFUSED, ProxyTrouble
from viewpoint_mcp.config.settings import Proxy

_VERSION = 5
_NO_AUTHENTICATION, _PASSWORD, _NONE_OF_THEM = 0, 2, 0xFF
_PASSWORD_VERSION, _GRANTED = 1, 0
_ANSWER_LIMIT = 20.0  # seconds


async def relay_socks(
    client: Stream, dial: Callable[[], Awaitable[Stream]], proxy: Proxy, met: Callable[[], None]
) -> None:
    """Authenticate at the proxy, then relay the client's connection until either side closes it.

    The client needs no credentials. Its request is passed on unchanged, so the proxy resolves host
    names.

    Args:
        dial: Connects to the proxy.
        met: Called when the proxy has accepted the credentials.

    Raises:
        ProxyTrouble: The proxy does not answer, or refuses the credentials.

    Source: RFC 1928 section 3, RFC 1929 section 2.
    """
    version, count = await client.read(2)
    if version != _VERSION:
        return  # a client that does not speak SOCKS5
    await client.read(count)
    upstream = await dial()
    try:
        async with asyncio.timeout(_ANSWER_LIMIT):
            await introduce(upstream, proxy)
    except TimeoutError:
        raise ProxyTrouble(f"did not answer within {_ANSWER_LIMIT:g} s") from None
    met()
    await client.write(bytes([_VERSION, _NO_AUTHENTICATION]))
    await until_one_ends(client.pump(upstream), upstream.pump(client))


async def connect_through(upstream: Stream, proxy: Proxy, host: str, port: int) -> None:
    """Make the proxy connect to a destination, so that `upstream` then carries its data.

    Raises:
        ProxyTrouble: The proxy did not connect.
    """
    try:
        async with asyncio.timeout(_ANSWER_LIMIT):
            await introduce(upstream, proxy)
            await upstream.write(written_request(host, port))
            is_there = await read_answer(upstream)
    except TimeoutError:
        raise ProxyTrouble(f"did not answer within {_ANSWER_LIMIT:g} s") from None
    if not is_there:
        raise ProxyTrouble("cannot reach the site, or does not let us")


async def introduce(upstream: Stream, proxy: Proxy) -> None:
    """Greet the proxy, and authenticate if it requires that.

    Raises:
        ProxyTrouble: The proxy refused the credentials or does not speak SOCKS5.
    """
    methods = [_NO_AUTHENTICATION, _PASSWORD] if proxy.username else [_NO_AUTHENTICATION]
    greeting = bytes([_VERSION, len(methods), *methods])
    version, method = await _ask(upstream, greeting, "does not speak SOCKS5: it hangs up")
    if version != _VERSION or method not in (_NO_AUTHENTICATION, _PASSWORD, _NONE_OF_THEM):
        raise ProxyTrouble("does not speak SOCKS5")
    if method == _NONE_OF_THEM:
        raise ProxyTrouble("takes no user name and password")
    if method == _PASSWORD:
        name, password = proxy.username.encode(), proxy.password.encode()
        fields = [bytes([len(field)]) + field for field in (name, password)]
        _, status = await _ask(upstream, bytes([_PASSWORD_VERSION]) + b"".join(fields), REFUSED)
        if status != _GRANTED:
            raise ProxyTrouble(REFUSED)


async def _ask(upstream: Stream, message: bytes, otherwise: str) -> bytes:
    """Send a message and return the two bytes of the answer.

    Raises:
        ProxyTrouble: The proxy closed the connection; the text is `otherwise`.
    """
    try:
        await upstream.write(message)
        return await upstream.read(2)
    except (EOFError, ConnectionError):
        raise ProxyTrouble(otherwise) from None
