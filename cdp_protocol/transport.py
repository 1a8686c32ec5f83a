"""Carries messages to and from a browser: the interface, and its WebSocket implementation.

The one place that knows the websockets library, which is imported only when a socket is opened.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Protocol

from cdp_protocol.errors import ConnectionLost, EndpointError

if TYPE_CHECKING:
    from websockets.asyncio.client import ClientConnection

# A browser that has gone away answers no closing handshake; nobody should wait long for it.
CLOSE_SECONDS = 1.0

NO_LIMIT = 1 << 62


class Transport(Protocol):
    """What a connection needs: whole messages out, whole messages in."""

    async def send(self, message: bytes | str) -> None:
        """Write one message, in the order of the calls, without waiting until it is read.

        There is no flow control on the way out: a caller waits for its answer before it goes on.

        Raises:
            ConnectionLost: the other side is gone.
        """

    async def receive(self) -> bytes | str:
        """Wait for the next message.

        Raises:
            ConnectionLost: the other side is gone.
        """

    async def close(self) -> None:
        """Let go of the other side; any number of times."""


class WebSocketTransport:
    """A WebSocket to a browser or to one of its targets."""

    def __init__(self, socket: ClientConnection) -> None:
        from websockets.exceptions import ConnectionClosed, InvalidState

        self._socket = socket
        self._closed_error = ConnectionClosed
        self._not_open = InvalidState
        self._loop = asyncio.get_running_loop()
        self._is_gathering = False

    @classmethod
    async def connect(
        cls, url: str, *, headers: Mapping[str, str] | None = None, timeout: float | None = 10.0
    ) -> WebSocketTransport:
        """Open a WebSocket. Environment proxies are not used. Redirects are followed.

        Args:
            url: `ws://` or `wss://` address.
            headers: Sent with the opening request, to hosts of that name only.
            timeout: Seconds for the whole opening; None for as long as it takes.

        Raises:
            EndpointError: nobody listens there, or it is no WebSocket.
        """
        from websockets import exceptions
        from websockets.asyncio.client import connect

        try:
            # No keep-alive pings, which a stopped Chrome leaves unanswered, and no limits: inwards
            # the reader empties the queue at once, outwards every caller waits for its answer.
            socket = await connect(
                url,
                additional_headers=headers,
                create_connection=_reserved() if headers else None,
                open_timeout=timeout,
                close_timeout=CLOSE_SECONDS,
                max_size=None,
                max_queue=None,
                write_limit=NO_LIMIT,
                compression=None,
                ping_interval=None,
                proxy=None,
            )
        except TimeoutError as error:
            said = f"no answer within {timeout:g} s" if timeout else "no answer"
            raise EndpointError(url, said) from error
        except exceptions.InvalidStatus as error:
            status = error.response.status_code
            reason = f"its WebSocket was refused with HTTP status {status}"
            raise EndpointError(url, reason, status=status) from error
        except exceptions.SecurityError:
            reason = "it redirects to an address that is not to be followed, or without end"
            raise EndpointError(url, reason) from None
        except OSError as error:  # before ValueError: what refuses a certificate is both
            raise EndpointError(url, _said(error)) from error
        except (exceptions.InvalidURI, ValueError):  # they quote the address, secrets and all
            reason = "it is no WebSocket address, or redirects to what is none"
            raise EndpointError(url, reason) from None
        except (EOFError, exceptions.WebSocketException) as error:
            raise EndpointError(url, _said(error)) from error
        return cls(socket)

    async def send(self, message: bytes | str) -> None:
        try:
            self._socket.protocol.send_text(
                message.encode() if isinstance(message, str) else message
            )
        except self._not_open:
            await self._tell_the_end()
        # The first message of a round of the event loop goes at once, those that follow it in the
        # same round together: most of what a call costs is the system call that writes it.
        if not self._is_gathering:
            self._is_gathering = True
            self._loop.call_soon(self._end_round)
            self._write()

    async def _tell_the_end(self) -> None:
        try:
            await self._socket.send(b"", text=True)  # waits until the end is known, and raises it
        except self._closed_error as error:
            raise self._lost(error) from error

    def _end_round(self) -> None:
        self._is_gathering = False
        self._write()

    def _write(self) -> None:
        data = self._socket.protocol.data_to_send()
        if data:
            self._socket.transport.write(data[0] if len(data) == 1 else b"".join(data))

    async def receive(self) -> bytes | str:
        try:
            return await self._socket.recv(decode=False)
        except self._closed_error as error:
            raise self._lost(error) from error

    async def close(self) -> None:
        await self._socket.close()

    def _lost(self, error: Exception) -> ConnectionLost:
        code, said = self._socket.close_code, self._socket.close_reason
        if code is None or code == 1006:
            cause = error.__cause__
            return ConnectionLost(None, f"the socket broke{f' ({cause})' if cause else ''}")
        return ConnectionLost(
            None, f"the browser closed the socket (code {code}{f', {said}' if said else ''})"
        )


def _reserved() -> type[ClientConnection]:
    """Return a kind of connection that keeps our headers from other hosts than the first, to which
    a redirect may lead; websockets keeps back those of a few names, or none.
    """
    from websockets.asyncio.client import ClientConnection

    meant: list[str] = []

    class Reserved(ClientConnection):
        async def handshake(self, additional_headers: Any = None, *args: Any, **kw: Any) -> None:
            host = self.protocol.uri.host.lower()
            meant.append(host)
            own = additional_headers if host == meant[0] else None
            await super().handshake(own, *args, **kw)

    return Reserved


def _said(error: Exception) -> str:
    return str(error).rstrip(".") or type(error).__name__
