"""The HTTP side of a relay: adds the proxy's credentials to requests and enforces origin rules."""

from __future__ import annotations

import asyncio
import base64
import re
from collections.abc import Awaitable, Callable
from urllib.parse import urlsplit

from viewpoint_mcp.browser.proxy.gate import Gate, Refused
from viewpoint_mcp.browser.proxy.streams import Stream, until_one_ends
from viewpoint_mcp.browser.proxy.trouble import REFUSED, ProxyTrouble
from viewpoint_mcp.config.origins import DEFAULT_PORTS
from viewpoint_mcp.config.settings import Proxy

_ANSWER_LIMIT = 30.0  # seconds for opening a tunnel, in which the proxy connects to the site
_STATUS = re.compile(rb"HTTP/\d\.\d (\d{3})")
_STATUS_LENGTH = len("HTTP/1.1 200")
_REFUSAL = b"407"
_OPENED = re.compile(rb"HTTP/\d\.\d 2")
# A page that guesses the relay's port can only send requests in origin form, without a match.
_FOR_A_PROXY = re.compile(rb"CONNECT [^/ ]+ |[A-Z]+ https?://", re.IGNORECASE)
_LENGTH = re.compile(rb"^content-length:[ \t]*(\d+)[ \t]*\r$", re.IGNORECASE | re.MULTILINE)
_CHUNKED = re.compile(rb"^transfer-encoding:.*chunked[ \t]*\r$", re.IGNORECASE | re.MULTILINE)
_BASIC = re.compile(rb"^proxy-authenticate:.*\bbasic\b", re.IGNORECASE | re.MULTILINE)
_CREDENTIALS = re.compile(rb"^proxy-authorization:.*\r\n", re.IGNORECASE | re.MULTILINE)


class HttpRelay:
    """One connection from Chromium to an HTTP proxy.

    Args:
        dial: Connects to the proxy.
        met: Called when the proxy answers with any status but 407.
        gate: The rules for connections; None to allow all.
    """

    def __init__(
        self,
        client: Stream,
        dial: Callable[[], Awaitable[Stream]],
        met: Callable[[], None],
        gate: Gate | None = None,
    ) -> None:
        self._client = client
        self._dial = dial
        self._met = met
        self._gate = gate
        self._expects_head = False

    async def run(self, proxy: Proxy) -> None:
        """Relay the connection until either side closes it.

        Returns at once if the client's request is not one for a proxy.

        Raises:
            ProxyTrouble: The proxy refused the credentials or did not answer properly.
            Refused: A request is not allowed.

        Source: RFC 9110 sections 9.3.6 and 11.7, RFC 7617, RFC 9112 section 6.
        """
        head = await self._client.head()
        if head is None or not _FOR_A_PROXY.match(head):
            return
        token = base64.b64encode(f"{proxy.username}:{proxy.password}".encode())
        line = b"Proxy-Authorization: Basic " + token + b"\r\n" if proxy.username else b""
        if head.upper().startswith(b"CONNECT "):
            await self._tunnel(_with(head, line))
        else:
            upstream = await self._dial()
            await until_one_ends(self._requests(head, line, upstream), self._answers(upstream))

    async def _tunnel(self, head: bytes) -> None:
        first = await self._first_of_tunnel(head)
        if first == b"":
            return
        upstream = await self._dial()
        await upstream.write(head)
        try:
            async with asyncio.timeout(_ANSWER_LIMIT):
                answer = await upstream.head()
        except TimeoutError:
            raise ProxyTrouble(f"did not answer within {_ANSWER_LIMIT:g} s") from None
        self._judge(answer or b"")
        if first is None:
            await self._client.write(answer or b"")
        elif not _OPENED.match(answer or b""):
            raise ProxyTrouble("cannot reach the site, or does not let us")
        else:
            await upstream.write(first)
        await until_one_ends(self._client.pump(upstream), upstream.pump(self._client))

    async def _first_of_tunnel(self, head: bytes) -> bytes | None:
        """Check the destination of a tunnel, and read its first bytes if they decide.

        Returns:
            The first bytes; None if the destination is allowed for both schemes.
        """
        if self._gate is None:
            return None
        parts = urlsplit("//" + head.split(b" ", 2)[1].decode("ascii"))
        host, port = parts.hostname or "", parts.port or 443
        try:
            depends = self._gate.depends(host, port)
        except Refused:
            await self._client.write(b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n")
            raise
        if not depends:
            return None
        await self._client.write(b"HTTP/1.1 200 OK\r\n\r\n")
        return await self._gate.hear(self._client, host, port)

    async def _requests(self, head: bytes | None, line: bytes, upstream: Stream) -> None:
        while head is not None and _FOR_A_PROXY.match(head):
            self._check(head)
            self._expects_head = True
            await upstream.write(_with(head, line))
            await self._body(head, upstream)
            head = await self._client.head()

    def _check(self, head: bytes) -> None:
        if self._gate is not None:
            parts = urlsplit(head.split(b" ", 2)[1].decode("ascii"))
            port = parts.port or DEFAULT_PORTS.get(parts.scheme, 0)
            self._gate.check(parts.scheme, parts.hostname or "", port)

    async def _body(self, head: bytes, upstream: Stream) -> None:
        if _CHUNKED.search(head):
            size = 1
            while size:
                line = await self._client.line()
                size = int(line.partition(b";")[0], 16)
                await upstream.write(line)
                await self._client.copy(size + 2, upstream)
        elif length := _LENGTH.search(head):
            await self._client.copy(int(length[1]), upstream)

    async def _answers(self, upstream: Stream) -> None:
        # Chromium does not pipeline, so the first data after a request is the head of its answer.
        # The end of an answer need not be known.
        while data := await upstream.some():
            if self._expects_head:
                while _is_unfinished(data) and (more := await upstream.some()):
                    data += more
                self._expects_head = False
                self._judge(data)
            await self._client.write(data)

    def _judge(self, answer: bytes) -> None:
        status = _STATUS.match(answer)
        if status is None:
            raise ProxyTrouble("does not speak HTTP")
        if status[1] == _REFUSAL:
            if not _BASIC.search(answer):
                raise ProxyTrouble("wants another authentication than Basic")
            raise ProxyTrouble(REFUSED)
        self._met()


def _is_unfinished(answer: bytes) -> bool:
    """Return whether more of an answer's head must be read to judge it."""
    is_refusal = (status := _STATUS.match(answer)) is not None and status[1] == _REFUSAL
    return len(answer) < _STATUS_LENGTH or (is_refusal and b"\r\n\r\n" not in answer)


def _with(head: bytes, line: bytes) -> bytes:
    """Return the head with the line added after its first line, and without other credentials."""
    first, end, rest = head.partition(b"\r\n")
    return first + end + line + _CREDENTIALS.sub(b"", rest)
