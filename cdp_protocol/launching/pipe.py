"""Speaks the protocol on the remote debugging pipe of a Chromium of ours: no port is open then that
another user of the machine could reach.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from cdp_protocol.errors import ConnectionLost

_END = b"\0"


class PipeTransport:
    """Whole messages over the pipe, each with a NUL byte at its end; see `transport.Transport`.

    Args:
        write: Writes bytes to Chromium; raises ConnectionError when the pipe is gone.
    """

    def __init__(self, write: Callable[[bytes], None]) -> None:
        self._write = write
        self._begun = bytearray()
        self._messages: asyncio.Queue[bytes | None] = asyncio.Queue()
        self._lost = False

    def feed(self, data: bytes) -> None:
        """Take what arrived, which may be a part of a message or several."""
        *whole, rest = data.split(_END)
        for part in whole:
            self._begun += part
            self._messages.put_nowait(bytes(self._begun))
            self._begun.clear()
        self._begun += rest

    def end(self) -> None:
        """Take note that nothing more arrives."""
        self._lost = True
        self._messages.put_nowait(None)

    async def send(self, message: bytes | str) -> None:
        data = message.encode() if isinstance(message, str) else message
        try:
            self._write(data + _END)
        except ConnectionError as error:
            raise ConnectionLost(None, str(error)) from error

    async def receive(self) -> bytes | str:
        message = None if self._lost and self._messages.empty() else await self._messages.get()
        if message is None:
            raise ConnectionLost(None, "the browser closed the pipe")
        return message

    async def close(self) -> None:
        """The pipe is the process's own, and goes with it."""
