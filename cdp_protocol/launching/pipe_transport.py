"""A transport over the remote debugging pipe of a launched Chromium.

With the pipe, no port is open that other users of the machine could reach.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from cdp_protocol.errors import ConnectionLost

_MESSAGE_END = b"\0"


class PipeTransport:
    """A `transport.Transport` over the pipe, where each message ends with a NUL byte.

    Args:
        write: Writes bytes to Chromium. It raises ConnectionError if the pipe is closed.
    """

    def __init__(self, write: Callable[[bytes], None]) -> None:
        self._write = write
        self._partial_message = bytearray()
        self._messages: asyncio.Queue[bytes | None] = asyncio.Queue()
        self._has_ended = False

    def feed(self, data: bytes) -> None:
        """Process received bytes, which may be part of a message or several messages."""
        *whole, rest = data.split(_MESSAGE_END)
        for part in whole:
            self._partial_message += part
            self._messages.put_nowait(bytes(self._partial_message))
            self._partial_message.clear()
        self._partial_message += rest

    def end_input(self) -> None:
        """Mark the end of the input. After the last message, `receive` raises ConnectionLost."""
        self._has_ended = True
        self._messages.put_nowait(None)

    async def send(self, message: bytes | str) -> None:
        data = message.encode() if isinstance(message, str) else message
        try:
            self._write(data + _MESSAGE_END)
        except ConnectionError as error:
            raise ConnectionLost(None, str(error)) from error

    async def receive(self) -> bytes | str:
        message = None if self._has_ended and self._messages.empty() else await self._messages.get()
        if message is None:
            raise ConnectionLost(None, "the browser closed the pipe")
        return message

    async def close(self) -> None:
        """Do nothing, because the pipe belongs to the process and closes with it."""
