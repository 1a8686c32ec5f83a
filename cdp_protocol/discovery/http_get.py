"""A minimal HTTP client for discovery: one request, with redirects and a limited answer.

It follows redirects as browsers do: never from https to http, and it does not send the headers and
credentials for one host to another host.
"""

from __future__ import annotations

import asyncio
from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import SplitResult, unquote, urljoin, urlsplit

MOST_BYTES = 1 << 23  # of an answer; the longest, that of /json/protocol, has 1.6 MB

_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_MOST_REDIRECTS = 5


@dataclass(frozen=True, slots=True)
class Answer:
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


async def get(url: SplitResult, headers: Mapping[str, str], *, method: str = "GET") -> Answer:
    """Send a request and return the response after all redirects.

    Args:
        url: An http or https URL. A user and password in it are sent as Basic authorization.
        headers: HTTP headers of the request. Redirects to another host do not get them.
        method: The request method, one without a body. Chrome opens a tab with PUT.

    Raises:
        OSError: No server answers there.
        ValueError: The answer is not HTTP, is too long, or redirects where it must not.
        asyncio.IncompleteReadError: The server closed the connection inside its answer.
    """
    for _ in range(_MOST_REDIRECTS + 1):
        answer = await _ask(url, headers, method)
        if answer.status not in _REDIRECTS or not answer.location:
            return answer
        target = parsed(url.geturl(), answer.location)
        if target.scheme != "https" and target.scheme != url.scheme:
            raise ValueError("it redirects to an address that is not to be followed")
        if target.hostname != url.hostname:
            headers = {}
        elif "@" not in target.netloc and "@" in url.netloc:
            user = url.netloc.rpartition("@")[0]
            target = target._replace(netloc=f"{user}@{target.netloc}")
        url = target
    raise ValueError("it redirects without end")


def parsed(url: str, location: str = "") -> SplitResult:
    """Split a URL into its parts.

    Args:
        url: An absolute URL.
        location: A redirect from that URL, absolute or relative; "" for none.

    Raises:
        ValueError: The URL is malformed. The message does not quote it, as it may contain secrets.
    """
    try:
        parts = urlsplit(urljoin(url, location) if location else url)
        _ = parts.port  # raises as well
    except ValueError:
        raise ValueError("it is no address") from None
    return parts


async def _ask(url: SplitResult, headers: Mapping[str, str], method: str) -> Answer:
    query = f"?{url.query}" if url.query else ""
    given = {name.lower() for name in headers}
    lines = [
        f"{method} {url.path or '/'}{query} HTTP/1.1",
        f"Host: {url.netloc.rpartition('@')[2]}",
        "Connection: close",
        *(f"{name}: {value}" for name, value in headers.items()),
    ]
    if url.username is not None and "authorization" not in given:
        user = f"{unquote(url.username)}:{unquote(url.password or '')}"
        lines.append(f"Authorization: Basic {b64encode(user.encode()).decode()}")
    tls = url.scheme == "https"
    port = url.port or (443 if tls else 80)
    reader, writer = await asyncio.open_connection(url.hostname, port, ssl=tls or None)
    try:
        writer.write("\r\n".join([*lines, "", ""]).encode())
        return await _read_answer(url, reader)
    finally:
        writer.close()


async def _read_answer(url: SplitResult, reader: asyncio.StreamReader) -> Answer:
    first = (await reader.readline()).split()
    if len(first) < 2 or not first[0].startswith(b"HTTP/") or not first[1].isdigit():
        raise ValueError("what answers there speaks no HTTP")
    fields = {}
    while line := (await reader.readline()).strip():
        name, _, value = line.partition(b":")
        fields[name.strip().lower()] = value.strip()
    if fields.get(b"transfer-encoding", b"").lower() == b"chunked":
        body = await _read_chunks(reader)
    elif b"content-length" in fields:
        body = await reader.readexactly(_sane(int(fields[b"content-length"])))
    else:
        body = await _read_to_the_end(reader)
    return Answer(url, int(first[1]), body, fields.get(b"location", b"").decode("latin-1"))


async def _read_chunks(reader: asyncio.StreamReader) -> bytes:
    body = b""
    while size := int((await reader.readline()).partition(b";")[0], 16):
        body += await reader.readexactly(_sane(len(body) + size) - len(body))
        await reader.readline()
    return body


async def _read_to_the_end(reader: asyncio.StreamReader) -> bytes:
    body = b""
    while piece := await reader.read(MOST_BYTES):
        body += piece
        _sane(len(body))
    return body


def _sane(size: int) -> int:
    if size > MOST_BYTES:
        raise ValueError(f"its answer is {size} bytes long, which no browser's is")
    return size
