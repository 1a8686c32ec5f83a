"""A test whether a proxy works, by a request like Chromium's."""

from __future__ import annotations

import asyncio
import os
import re
import ssl

from viewpoint_mcp.browser.proxy.relay import Relay
from viewpoint_mcp.config.settings import Proxy

_STATUS = re.compile(rb"HTTP/\d\.\d (\d{3})")
_GREETING = bytes([5, 1, 0])  # SOCKS5: one method, no authentication
_WELCOME = bytes([5, 0])
_STATUS_LENGTH = len("HTTP/1.1 200")
_WANTS_LOGIN = "wants a user name and password"
_HANGS_UP = "hangs up; it may want a user name and password"


async def trouble_with(proxy: Proxy) -> str | None:
    """Test a proxy as Chromium would use it.

    An HTTP proxy is asked for a tunnel to itself, the one address that it can surely reach. A
    SOCKS5 proxy is tested by the greeting and the login, a SOCKS4 proxy only by the TCP connection.

    Returns:
        The fault as a phrase that follows the proxy's name, without credentials; None if the proxy
        works.

    Source: RFC 9110 section 9.3.6, RFC 1928 section 3.
    """
    if not proxy.username:
        tls = ssl.create_default_context() if proxy.scheme == "https" else None
        return await _ask(proxy, proxy.host, proxy.port, tls)
    relay = await Relay.open(proxy)
    try:
        host, _, port = relay.server.rpartition("/")[2].rpartition(":")
        trouble = await _ask(proxy, host, int(port), None)
        return relay.trouble or trouble
    finally:
        await relay.close()


async def _ask(proxy: Proxy, host: str, port: int, tls: ssl.SSLContext | None) -> str | None:
    try:
        reader, writer = await asyncio.open_connection(host, port, ssl=tls)
    except ssl.SSLError as error:
        return f"has no TLS that can be trusted ({error.reason})"
    except OSError as error:
        return f"cannot be reached ({_reason(error)})"
    try:
        if proxy.scheme == "socks4":
            return None
        is_socks = proxy.scheme == "socks5"
        writer.write(_GREETING if is_socks else _tunnel(proxy))
        answer = await reader.readexactly(len(_WELCOME) if is_socks else _STATUS_LENGTH)
    except asyncio.IncompleteReadError as error:
        answer = error.partial
    except OSError:
        return _HANGS_UP
    finally:
        writer.transport.abort()
    return _judge_socks(answer) if is_socks else _judge_http(answer)


def _reason(error: OSError) -> str:
    if error.errno is not None and error.errno > 0:
        return os.strerror(error.errno)  # asyncio's message would repeat the address
    return error.strerror or str(error)


def _tunnel(proxy: Proxy) -> bytes:
    return f"CONNECT {proxy.address} HTTP/1.1\r\nHost: {proxy.address}\r\n\r\n".encode()


def _judge_http(answer: bytes) -> str | None:
    if not answer:
        return _HANGS_UP
    status = _STATUS.match(answer)
    if status is None:
        return "does not speak HTTP"
    return _WANTS_LOGIN if status[1] == b"407" else None


def _judge_socks(answer: bytes) -> str | None:
    if not answer:
        return _HANGS_UP
    if answer[:1] != _WELCOME[:1]:
        return "does not speak SOCKS5"
    return None if answer[:2] == _WELCOME else _WANTS_LOGIN
