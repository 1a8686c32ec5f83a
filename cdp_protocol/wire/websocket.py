"""The WebSocket transport: the Sans-I/O protocol of `websockets` on an asyncio transport.

This module imports `websockets`, so it is imported only when a socket is opened.
Source: https://websockets.readthedocs.io/en/stable/howto/sansio.html
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Mapping
from typing import Final, Self
from urllib.parse import urljoin, urlsplit

from websockets.client import ClientProtocol
from websockets.exceptions import (
    InvalidState,
    InvalidStatus,
    InvalidURI,
    SecurityError,
    WebSocketException,
)
from websockets.frames import Frame, Opcode
from websockets.protocol import State
from websockets.uri import WebSocketURI, parse_uri

from cdp_protocol.errors import ConnectionLost, EndpointError

CLOSE_TIMEOUT: Final = 1.0
"""Seconds to wait for the end of the closing handshake, before the socket is aborted."""

_READ_SIZE: Final = 256 * 1024  # bytes
_REDIRECT_STATUSES: Final = frozenset({300, 301, 302, 303, 307, 308})
_MAX_REDIRECTS: Final = 10
_ABNORMAL_CLOSE_CODE: Final = 1006


class WebSocketTransport(asyncio.BufferedProtocol):
    """A WebSocket connection to a browser or to one of its targets; `connect` opens it.

    It sends no keep-alive pings, because a suspended Chrome does not answer them. It limits neither
    the size nor the number of messages: the reader task reads all messages at once, and each caller
    waits for its response before it sends more.
    """

    def __init__(self, uri: WebSocketURI) -> None:
        self._protocol = ClientProtocol(uri, max_size=None)
        self._loop = asyncio.get_running_loop()
        self._handshake_response: asyncio.Future[None] = self._loop.create_future()
        # One buffer serves all reads. For a plain Protocol, asyncio allocates a buffer of this size
        # for each read. The allocator may return it to the system each time, which costs a call up
        # to 15 µs.
        self._buffer = memoryview(bytearray(_READ_SIZE))
        self._ended = asyncio.Event()
        self._messages: deque[bytes] = deque()
        self._fragments: list[bytes] = []
        self._waiting_receive: asyncio.Future[None] | None = None
        self._abort_timer: asyncio.TimerHandle | None = None
        self._error: BaseException | None = None
        self._is_batching = False

    @classmethod
    async def connect(
        cls, url: str, *, headers: Mapping[str, str] | None = None, timeout: float | None = 10.0
    ) -> Self:
        """Open a WebSocket and follow redirects. Proxy settings of the environment are ignored.

        Args:
            url: A `ws://` or `wss://` address.
            headers: HTTP headers of the opening request. Redirects to another host do not get them.
            timeout: Limit in seconds for opening the connection; None for no limit.

        Raises:
            EndpointError: No server listens there, it refuses the WebSocket, or it does not answer
                in time.
        """
        try:
            async with asyncio.timeout(timeout):
                return await cls._open_with_redirects(url, headers or {})
        except TimeoutError as error:
            reason = f"no response within {timeout:g} s" if timeout else "no response"
            raise EndpointError(url, reason) from error
        except InvalidStatus as error:
            status = error.response.status_code
            reason = f"the server refused the WebSocket with HTTP status {status}"
            raise EndpointError(url, reason, status=status) from error
        except SecurityError:
            reason = "it redirects to an unsafe address, or too often"
            raise EndpointError(url, reason) from None
        except OSError as error:  # Before ValueError: a certificate error is both.
            raise EndpointError(url, _describe_error(error)) from error
        except (InvalidURI, ValueError):  # Their texts quote the address with its secrets.
            reason = "it is not a WebSocket address, or redirects to an invalid one"
            raise EndpointError(url, reason) from None
        except (EOFError, WebSocketException) as error:
            raise EndpointError(url, _describe_error(error)) from error

    @classmethod
    async def _open_with_redirects(cls, url: str, headers: Mapping[str, str]) -> Self:
        uri = _parse_address(url)
        first_host = uri.host.lower()
        for _ in range(_MAX_REDIRECTS):
            is_first_host = uri.host.lower() == first_host
            try:
                return await cls._open(uri, headers if is_first_host else {})
            except InvalidStatus as error:
                location = error.response.headers.get("Location")
                if error.response.status_code not in _REDIRECT_STATUSES or location is None:
                    raise
            url = urljoin(url, location)
            was_secure, uri = uri.secure, _parse_address(url)
            if was_secure and not uri.secure:
                raise SecurityError("redirect from TLS to plain text")
        raise SecurityError("too many redirects")

    @classmethod
    async def _open(cls, uri: WebSocketURI, headers: Mapping[str, str]) -> Self:
        loop = asyncio.get_running_loop()
        transport, self = await loop.create_connection(
            lambda: cls(uri), uri.host, uri.port, ssl=True if uri.secure else None
        )
        try:
            await self._shake_hands(headers)
        except BaseException:
            transport.abort()
            raise
        return self

    async def _shake_hands(self, headers: Mapping[str, str]) -> None:
        request = self._protocol.connect()
        request.headers.update(headers)
        request.headers.setdefault("User-Agent", "cdp_protocol")
        self._protocol.send_request(request)
        self._write_pending_data()
        await self._handshake_response
        if self._protocol.handshake_exc is not None:
            raise self._protocol.handshake_exc

    # ---- messages

    async def send(self, message: bytes | str) -> None:
        try:
            self._protocol.send_text(message.encode() if isinstance(message, str) else message)
        except InvalidState:
            await self._ended.wait()  # Only then the cause is known.
            raise self._make_lost_error() from self._protocol.close_exc
        # The first message in an iteration of the event loop is written at once. All later messages
        # of that iteration are written together, because the system call is most of a call's cost.
        if not self._is_batching:
            self._is_batching = True
            self._loop.call_soon(self._flush_batch)
            self._write_pending_data()

    def _flush_batch(self) -> None:
        self._is_batching = False
        self._write_pending_data()

    async def receive(self) -> bytes:
        while not self._messages:
            if self._ended.is_set():
                raise self._make_lost_error() from self._protocol.close_exc
            self._waiting_receive = self._loop.create_future()
            await self._waiting_receive
        return self._messages.popleft()

    async def close(self) -> None:
        if self._protocol.state is State.OPEN:
            self._protocol.send_close(1000)
            self._write_pending_data()
        await self._ended.wait()

    def _make_lost_error(self) -> ConnectionLost:
        code, reason = self._protocol.close_code, self._protocol.close_reason
        cause = self._error or self._protocol.close_exc.__cause__
        if code == _ABNORMAL_CLOSE_CODE:
            return ConnectionLost(None, f"the socket failed{f' ({cause})' if cause else ''}")
        return ConnectionLost(
            None, f"the browser closed the socket (code {code}{f', {reason}' if reason else ''})"
        )

    # ---- called by asyncio

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        self._transport = transport

    def get_buffer(self, sizehint: int) -> memoryview:
        return self._buffer

    def buffer_updated(self, nbytes: int) -> None:
        self._protocol.receive_data(bytes(self._buffer[:nbytes]))
        self._process_received_frames()

    def eof_received(self) -> None:
        self._protocol.receive_eof()
        self._process_received_frames()

    def connection_lost(self, error: Exception | None) -> None:
        if self._abort_timer is not None:
            self._abort_timer.cancel()
        self._error = self._error or error
        self._protocol.receive_eof()
        self._ended.set()
        self._wake_waiter(self._handshake_response)
        self._wake_waiter(self._waiting_receive)

    def _process_received_frames(self) -> None:
        """Send responses to pings and closing frames, and queue the received messages."""
        self._write_pending_data()
        for event in self._protocol.events_received():
            if not isinstance(event, Frame):
                self._wake_waiter(self._handshake_response)
            elif event.opcode in (Opcode.TEXT, Opcode.BINARY, Opcode.CONT):
                self._queue_message(event)

    def _queue_message(self, frame: Frame) -> None:
        data = bytes(frame.data)  # Copies nothing if it is already bytes.
        if not frame.fin or self._fragments:
            self._fragments.append(data)
            if not frame.fin:
                return
            data = b"".join(self._fragments)
            self._fragments.clear()
        self._messages.append(data)
        self._wake_waiter(self._waiting_receive)

    def _wake_waiter(self, future: asyncio.Future[None] | None) -> None:
        if future is not None and not future.done():
            future.set_result(None)

    def _write_pending_data(self) -> None:
        if data := self._protocol.data_to_send():
            self._transport.write(b"".join(data))
            if not data[-1]:  # Empty data marks the end of the output.
                self._transport.close()
        if self._abort_timer is None and self._protocol.close_expected():
            self._abort_timer = self._loop.call_later(CLOSE_TIMEOUT, self._abort)

    def _abort(self) -> None:
        self._error = TimeoutError("timed out while closing connection")
        self._transport.abort()


def _parse_address(url: str) -> WebSocketURI:
    """Parse an address.

    A user without a password gets an empty one, because gateways accept a token as the user, but
    `parse_uri` requires both.
    """
    parts = urlsplit(url)
    if parts.username is not None and parts.password is None:
        user, _, host = parts.netloc.rpartition("@")
        url = parts._replace(netloc=f"{user}:@{host}").geturl()
    return parse_uri(url)


def _describe_error(error: Exception) -> str:
    return str(error).rstrip(".") or type(error).__name__
