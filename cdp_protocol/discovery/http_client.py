"""A minimal HTTP client for discovery: one request, with redirects and a limited response.

It follows redirects as browsers do: never from https to http, and it does not send the headers and
credentials for one host to another host.
"""

from __future__ import annotations

import asyncio
from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import SplitResult, unquote, urljoin, urlsplit

MAX_RESPONSE_BYTES = 1 << 23  # the longest response, of /json/protocol, has 1.6 MB

_REDIRECT_STATUSES = frozenset({301, 302, 303, 307, 308})
_MAX_REDIRECTS = 5


@dataclass(frozen=True, slots=True)
class HttpResponse:
    """An HTTP response.

    Attributes:
        url: The URL of the request; after redirects, the last one.
        status: The HTTP status.
        body: The decoded body.
        location: The Location header; "" if there is none.
    """

    url: SplitResult
    status: int
    body: bytes
    location: str = ""


async def send_request(
    url: SplitResult, headers: Mapping[str, str], *, method: str = "GET"
) -> HttpResponse:
    """Send a request and return the response after all redirects.

    Args:
        url: An http or https URL. A user and password in it are sent as Basic authorization.
        headers: HTTP headers of the request. Redirects to another host do not get them.
        method: The request method, one without a body. Chrome opens a tab with PUT.

    Raises:
        OSError: No server answers there.
        ValueError: The response is not HTTP, is too long, or redirects where it must not.
        asyncio.IncompleteReadError: The server closed the connection inside its response.
    """
    for _ in range(_MAX_REDIRECTS + 1):
        response = await _send_once(url, headers, method)
        if response.status not in _REDIRECT_STATUSES or not response.location:
            return response
        target = parse_url(url.geturl(), response.location)
        if target.scheme != "https" and target.scheme != url.scheme:
            raise ValueError("it redirects to an unsafe address")
        if target.hostname != url.hostname:
            headers = {}
        elif "@" not in target.netloc and "@" in url.netloc:
            user = url.netloc.rpartition("@")[0]
            target = target._replace(netloc=f"{user}@{target.netloc}")
        url = target
    raise ValueError("it redirects too often")


def parse_url(url: str, redirect: str = "") -> SplitResult:
    """Split a URL into its parts.

    Args:
        url: An absolute URL.
        redirect: A redirect from that URL, absolute or relative; "" for none.

    Raises:
        ValueError: The URL is malformed. The message does not quote it, as it may contain secrets.
    """
    try:
        parts = urlsplit(urljoin(url, redirect) if redirect else url)
        _ = parts.port  # raises as well
    except ValueError:
        raise ValueError("it is not a valid address") from None
    return parts


async def _send_once(url: SplitResult, headers: Mapping[str, str], method: str) -> HttpResponse:
    query = f"?{url.query}" if url.query else ""
    given_names = {name.lower() for name in headers}
    lines = [
        f"{method} {url.path or '/'}{query} HTTP/1.1",
        f"Host: {url.netloc.rpartition('@')[2]}",
        "Connection: close",
        *(f"{name}: {value}" for name, value in headers.items()),
    ]
    if url.username is not None and "authorization" not in given_names:
        user = f"{unquote(url.username)}:{unquote(url.password or '')}"
        lines.append(f"Authorization: Basic {b64encode(user.encode()).decode()}")
    is_tls = url.scheme == "https"
    port = url.port or (443 if is_tls else 80)
    reader, writer = await asyncio.open_connection(url.hostname, port, ssl=is_tls or None)
    try:
        writer.write("\r\n".join([*lines, "", ""]).encode())
        return await _read_response(url, reader)
    finally:
        writer.close()


async def _read_response(url: SplitResult, reader: asyncio.StreamReader) -> HttpResponse:
    status_line = (await reader.readline()).split()
    if (
        len(status_line) < 2
        or not status_line[0].startswith(b"HTTP/")
        or not status_line[1].isdigit()
    ):
        raise ValueError("the server does not use HTTP")
    fields = {}
    while line := (await reader.readline()).strip():
        name, _, value = line.partition(b":")
        fields[name.strip().lower()] = value.strip()
    if fields.get(b"transfer-encoding", b"").lower() == b"chunked":
        body = await _read_chunks(reader)
    elif b"content-length" in fields:
        body = await reader.readexactly(
            _raise_if_response_too_large(int(fields[b"content-length"]))
        )
    else:
        body = await _read_to_end(reader)
    return HttpResponse(
        url, int(status_line[1]), body, fields.get(b"location", b"").decode("latin-1")
    )


async def _read_chunks(reader: asyncio.StreamReader) -> bytes:
    body = b""
    while size := int((await reader.readline()).partition(b";")[0], 16):
        body += await reader.readexactly(_raise_if_response_too_large(len(body) + size) - len(body))
        await reader.readline()
    return body


async def _read_to_end(reader: asyncio.StreamReader) -> bytes:
    body = b""
    while piece := await reader.read(MAX_RESPONSE_BYTES):
        body += piece
        _raise_if_response_too_large(len(body))
    return body


def _raise_if_response_too_large(size: int) -> int:
    if size > MAX_RESPONSE_BYTES:
        raise ValueError(f"its response has {size} bytes, which is more than a browser sends")
    return size
