"""A test whether a proxy works, by a request like Chromium's."""

from __future__ import annotations

import asyncio
import os
import re
import ssl

from viewpoint_mcp.browser.proxy.proxy_relay import ProxyRelay
from viewpoint_mcp.config.settings import Proxy

_STATUS = re.compile(rb"HTTP/\d\.\d (\d{3})")
_GREETING = bytes([5, 1, 0])  # SOCKS5: one method, no authentication
_WELCOME = bytes([5, 0])
_STATUS_LENGTH = len("HTTP/1.1 200")
_WANTS_LOGIN = "requires a user name and password"
_HANGS_UP = "closes the connection; it may require a user name and password"


async def find_proxy_fault(proxy: Proxy) -> str | None:
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
        return await _probe(proxy, proxy.host, proxy.port, tls)
    relay = await ProxyRelay.open(proxy)
    try:
        host, _, port = relay.server.rpartition("/")[2].rpartition(":")
        trouble = await _probe(proxy, host, int(port), None)
        return relay.fault or trouble
    finally:
        await relay.close()


async def _probe(proxy: Proxy, host: str, port: int, tls: ssl.SSLContext | None) -> str | None:
    try:
        reader, writer = await asyncio.open_connection(host, port, ssl=tls)
    except ssl.SSLError as error:
        return f"has no TLS that can be trusted ({error.reason})"
    except OSError as error:
        return f"cannot be reached ({_get_reason(error)})"
    try:
        if proxy.scheme == "socks4":
            return None
        is_socks = proxy.scheme == "socks5"
        writer.write(_GREETING if is_socks else _make_tunnel_request(proxy))
        answer = await reader.readexactly(len(_WELCOME) if is_socks else _STATUS_LENGTH)
    except asyncio.IncompleteReadError as error:
        answer = error.partial
    except OSError:
        return _HANGS_UP
    finally:
        writer.transport.abort()
    return _find_socks_fault(answer) if is_socks else _find_http_fault(answer)


def _get_reason(error: OSError) -> str:
    if error.errno is not None and error.errno > 0:
        return os.strerror(error.errno)  # asyncio's message would repeat the address
    return error.strerror or str(error)


def _make_tunnel_request(proxy: Proxy) -> bytes:
    return f"CONNECT {proxy.address} HTTP/1.1\r\nHost: {proxy.address}\r\n\r\n".encode()


def _find_http_fault(answer: bytes) -> str | None:
    if not answer:
        return _HANGS_UP
    status = _STATUS.match(answer)
    if status is None:
        return "does not speak HTTP"
    return _WANTS_LOGIN if status[1] == b"407" else None


def _find_socks_fault(answer: bytes) -> str | None:
    if not answer:
        return _HANGS_UP
    if answer[:1] != _WELCOME[:1]:
        return "does not speak SOCKS5"
    return None if answer[:2] == _WELCOME else _WANTS_LOGIN
