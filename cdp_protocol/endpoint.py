"""From what users give (an address, a port, a profile directory) to a WebSocket address."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import SplitResult, urlsplit

import orjson

from cdp_protocol.errors import EndpointError

MOST_BYTES = 1 << 20  # an answer of /json/version has some 500

# What Chromium answers when the Host header names neither an address nor localhost.
HOST_REFUSED = "Host header"


async def websocket_url(
    endpoint: str, *, headers: Mapping[str, str] | None = None, timeout: float = 10.0
) -> str:
    """Find the WebSocket address of a browser.

    Args:
        endpoint: `ws(s)://` (returned as it is), `http(s)://`, `host:port`, or a port.
        headers: Sent with the request for `/json/version`.
        timeout: Seconds for all of it.

    Raises:
        EndpointError: nobody answers there, or what answers is no browser.
    """
    try:
        parts = urlsplit(_with_scheme(endpoint))
        if parts.scheme in ("ws", "wss"):
            return endpoint
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError("it is no http, https, ws or wss address")
        async with asyncio.timeout(timeout):
            return await _ask(parts, headers or {})
    except TimeoutError:
        raise EndpointError(endpoint, f"no answer within {timeout:g} s") from None
    except (OSError, ValueError, asyncio.IncompleteReadError) as error:
        raise EndpointError(endpoint, str(error).rstrip(".") or type(error).__name__) from error


def endpoint_from_profile(directory: str | Path) -> str:
    """Read the WebSocket address of the browser that runs on a profile (DevToolsActivePort).

    Args:
        directory: The browser's user data directory.

    Raises:
        EndpointError: no browser with remote debugging runs on it.
    """
    file = Path(directory) / "DevToolsActivePort"
    try:
        port, path = file.read_text(encoding="utf-8").split("\n")[:2]
        return f"ws://127.0.0.1:{int(port)}{path.strip()}"
    except FileNotFoundError:
        raise EndpointError(
            str(directory), "it has no DevToolsActivePort file, so no debuggable browser uses it"
        ) from None
    except (OSError, ValueError) as error:
        raise EndpointError(str(directory), f"{file.name} cannot be read ({error})") from error


def _with_scheme(endpoint: str) -> str:
    if endpoint.isdigit():
        return f"http://127.0.0.1:{endpoint}"
    return endpoint if "://" in endpoint else f"http://{endpoint}"


async def _ask(parts: SplitResult, headers: Mapping[str, str]) -> str:
    status, body = await _get(parts, parts.netloc.rpartition("@")[2], headers)
    if status >= 400 and HOST_REFUSED in body.decode(errors="replace"):
        parts = await _by_address(parts)
        status, body = await _get(parts, parts.netloc, headers)
    if status != 200:
        raise ValueError(f"/json/version answered with status {status}")
    try:
        url = orjson.loads(body)["webSocketDebuggerUrl"]
    except (orjson.JSONDecodeError, KeyError, TypeError):
        raise ValueError("/json/version names no webSocketDebuggerUrl") from None
    return _as_seen_from_here(urlsplit(url), parts)


async def _get(parts: SplitResult, host: str, headers: Mapping[str, str]) -> tuple[int, bytes]:
    query = f"?{parts.query}" if parts.query else ""
    lines = [
        f"GET {parts.path.rstrip('/')}/json/version{query} HTTP/1.1",
        f"Host: {host}",
        "Connection: close",
        *(f"{name}: {value}" for name, value in headers.items()),
    ]
    tls = parts.scheme == "https"
    port = parts.port or (443 if tls else 80)
    reader, writer = await asyncio.open_connection(parts.hostname, port, ssl=tls or None)
    try:
        writer.write("\r\n".join([*lines, "", ""]).encode())
        return await _read_answer(reader)
    finally:
        writer.close()


async def _read_answer(reader: asyncio.StreamReader) -> tuple[int, bytes]:
    first = (await reader.readline()).split()
    if len(first) < 2 or not first[0].startswith(b"HTTP/") or not first[1].isdigit():
        raise ValueError("what answers there speaks no HTTP")
    fields = {}
    while line := (await reader.readline()).strip():
        name, _, value = line.partition(b":")
        fields[name.strip().lower()] = value.strip().lower()
    if fields.get(b"transfer-encoding") == b"chunked":
        return int(first[1]), await _read_chunks(reader)
    if b"content-length" in fields:
        return int(first[1]), await reader.readexactly(_sane(int(fields[b"content-length"])))
    return int(first[1]), await reader.read(MOST_BYTES)


async def _read_chunks(reader: asyncio.StreamReader) -> bytes:
    body = b""
    while size := int((await reader.readline()).partition(b";")[0], 16):
        body += await reader.readexactly(_sane(len(body) + size) - len(body))
        await reader.readline()
    return body


def _sane(size: int) -> int:
    if size > MOST_BYTES:
        raise ValueError(f"/json/version is {size} bytes long, which no browser's is")
    return size


async def _by_address(parts: SplitResult) -> SplitResult:
    loop = asyncio.get_running_loop()
    found = await loop.getaddrinfo(parts.hostname, parts.port)
    address = str(found[0][4][0])
    host = f"[{address}]" if ":" in address else address
    return parts._replace(netloc=f"{host}:{parts.port}" if parts.port else host)


def _as_seen_from_here(url: SplitResult, endpoint: SplitResult) -> str:
    # A browser behind a forwarded port or a TLS proxy names itself by what it sees.
    own = url.hostname in ("localhost", "127.0.0.1", "0.0.0.0", "::1", "::")
    if own or url.hostname == endpoint.hostname:
        scheme = "wss" if endpoint.scheme == "https" else "ws"
        url = url._replace(scheme=scheme, netloc=endpoint.netloc)
    return url.geturl()
