"""The HTTP side of a relay: adds the proxy's credentials to requests and enforces origin rules."""

from __future__ import annotations

import asyncio
import base64
import re
from collections.abc import Awaitable, Callable
from urllib.parse import urlsplit

from viewpoint_mcp.browser.proxy.origin_filter import OriginFilter, OriginRefusedError
from viewpoint_mcp.browser.proxy.proxy_error import CREDENTIALS_REFUSED, ProxyError
from viewpoint_mcp.browser.proxy.streams import Stream, run_until_first_ends
from viewpoint_mcp.config.origins import DEFAULT_PORTS
from viewpoint_mcp.config.settings import Proxy

_ANSWER_LIMIT = 30.0  # seconds for opening a tunnel, in which the proxy connects to the site
_STATUS = re.compile(rb"HTTP/\d\.\d (\d{3})")
_STATUS_LENGTH = len("HTTP/1.1 200")
_LOGIN_REQUIRED = b"407"
_TUNNEL_OPENED = re.compile(rb"HTTP/\d\.\d 2")
# A page that guesses the relay's port can only send requests in origin form, without a match.
_PROXY_REQUEST = re.compile(rb"CONNECT [^/ ]+ |[A-Z]+ https?://", re.IGNORECASE)
_LENGTH = re.compile(rb"^content-length:[ \t]*(\d+)[ \t]*\r$", re.IGNORECASE | re.MULTILINE)
_CHUNKED = re.compile(rb"^transfer-encoding:.*chunked[ \t]*\r$", re.IGNORECASE | re.MULTILINE)
_BASIC = re.compile(rb"^proxy-authenticate:.*\bbasic\b", re.IGNORECASE | re.MULTILINE)
_CREDENTIALS = re.compile(rb"^proxy-authorization:.*\r\n", re.IGNORECASE | re.MULTILINE)


class HttpRelay:
    """One connection from Chromium to an HTTP proxy.

    Args:
        dial: Connects to the proxy.
        on_success: Called when the proxy answers with any status but 407.
        origin_filter: The rules for connections; None to allow all.
    """

    def __init__(
        self,
        client: Stream,
        dial: Callable[[], Awaitable[Stream]],
        on_success: Callable[[], None],
        origin_filter: OriginFilter | None = None,
    ) -> None:
        self._client = client
        self._dial = dial
        self._on_success = on_success
        self._origin_filter = origin_filter
        self._expects_head = False

    async def run(self, proxy: Proxy) -> None:
        """Relay the connection until either side closes it.

        Returns at once if the client's request is not one for a proxy.

        Raises:
            ProxyError: The proxy refused the credentials or did not answer properly.
            OriginRefusedError: A request is not allowed.

        Source: RFC 9110 sections 9.3.6 and 11.7, RFC 7617, RFC 9112 section 6.
        """
        head = await self._client.read_head()
        if head is None or not _PROXY_REQUEST.match(head):
            return
        token = base64.b64encode(f"{proxy.username}:{proxy.password}".encode())
        credentials_line = (
            b"Proxy-Authorization: Basic " + token + b"\r\n" if proxy.username else b""
        )
        if head.upper().startswith(b"CONNECT "):
            await self._relay_tunnel(_replace_credentials(head, credentials_line))
        else:
            upstream = await self._dial()
            await run_until_first_ends(
                self._relay_requests(head, credentials_line, upstream),
                self._relay_answers(upstream),
            )

    async def _relay_tunnel(self, connect_head: bytes) -> None:
        first = await self._read_tunnel_bytes_to_check_origin(connect_head)
        if first == b"":
            return
        upstream = await self._dial()
        await upstream.write(connect_head)
        try:
            async with asyncio.timeout(_ANSWER_LIMIT):
                answer = await upstream.read_head()
        except TimeoutError:
            raise ProxyError(f"did not answer within {_ANSWER_LIMIT:g} s") from None
        self._note_whether_proxy_accepted_login(answer or b"")
        if first is None:
            await self._client.write(answer or b"")
        elif not _TUNNEL_OPENED.match(answer or b""):
            raise ProxyError("cannot reach the site, or refuses it")
        else:
            await upstream.write(first)
        await run_until_first_ends(
            self._client.forward_all(upstream), upstream.forward_all(self._client)
        )

    async def _read_tunnel_bytes_to_check_origin(self, connect_head: bytes) -> bytes | None:
        """Check the destination of a tunnel, and read its first bytes if they decide.

        Returns:
            The first bytes; None if the destination is allowed for both schemes.
        """
        if self._origin_filter is None:
            return None
        parts = urlsplit("//" + connect_head.split(b" ", 2)[1].decode("ascii"))
        host, port = parts.hostname or "", parts.port or 443
        try:
            depends = self._origin_filter.depends_on_scheme(host, port)
        except OriginRefusedError:
            await self._client.write(b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n")
            raise
        if not depends:
            return None
        await self._client.write(b"HTTP/1.1 200 OK\r\n\r\n")
        return await self._origin_filter.read_first_bytes_and_check_origin(self._client, host, port)

    async def _relay_requests(
        self, head: bytes | None, credentials_line: bytes, upstream: Stream
    ) -> None:
        while head is not None and _PROXY_REQUEST.match(head):
            self._refuse_if_origin_not_allowed(head)
            self._expects_head = True
            await upstream.write(_replace_credentials(head, credentials_line))
            await self._relay_body(head, upstream)
            head = await self._client.read_head()

    def _refuse_if_origin_not_allowed(self, head: bytes) -> None:
        if self._origin_filter is not None:
            parts = urlsplit(head.split(b" ", 2)[1].decode("ascii"))
            port = parts.port or DEFAULT_PORTS.get(parts.scheme, 0)
            self._origin_filter.raise_if_not_allowed(parts.scheme, parts.hostname or "", port)

    async def _relay_body(self, head: bytes, upstream: Stream) -> None:
        if _CHUNKED.search(head):
            size = 1
            while size:
                line = await self._client.read_line()
                size = int(line.partition(b";")[0], 16)
                await upstream.write(line)
                await self._client.forward(size + 2, upstream)
        elif length := _LENGTH.search(head):
            await self._client.forward(int(length[1]), upstream)

    async def _relay_answers(self, upstream: Stream) -> None:
        # Chromium does not pipeline, so the first data after a request is the head of its answer.
        # The end of an answer need not be known.
        while data := await upstream.read_next_chunk():
            if self._expects_head:
                while _is_answer_head_incomplete(data) and (
                    more := await upstream.read_next_chunk()
                ):
                    data += more
                self._expects_head = False
                self._note_whether_proxy_accepted_login(data)
            await self._client.write(data)

    def _note_whether_proxy_accepted_login(self, answer: bytes) -> None:
        status = _STATUS.match(answer)
        if status is None:
            raise ProxyError("does not speak HTTP")
        if status[1] == _LOGIN_REQUIRED:
            if not _BASIC.search(answer):
                raise ProxyError("requires an authentication other than Basic")
            raise ProxyError(CREDENTIALS_REFUSED)
        self._on_success()


def _is_answer_head_incomplete(answer: bytes) -> bool:
    """Return whether more of an answer's head must be read to judge it."""
    is_refusal = (status := _STATUS.match(answer)) is not None and status[1] == _LOGIN_REQUIRED
    return len(answer) < _STATUS_LENGTH or (is_refusal and b"\r\n\r\n" not in answer)


def _replace_credentials(head: bytes, credentials_line: bytes) -> bytes:
    """Return the head with the line added after its first line, and without other credentials."""
    first, end, rest = head.partition(b"\r\n")
    return first + end + credentials_line + _CREDENTIALS.sub(b"", rest)
