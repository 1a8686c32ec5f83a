"""Clients of a replayed browser, connected by WebSocket or by pipe."""

from __future__ import annotations

import asyncio
import os
import threading
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from websockets.asyncio.server import ServerConnection

# A wait consists of this many parts. A busy machine prolongs each of them, which gives the client
# more time.
_TICKS: Final = 5
_TURNS: Final = 12  # event loop iterations in which the client can react to a message
_HUNG: Final = 1.0  # limit in seconds for these iterations
_TURN: Final = 0.015  # seconds to wait on a pipe, where iterations cannot be observed


class Client(ABC):
    """A client that is connected to a replayed browser.

    Attributes:
        has_left: Whether the client closed the connection.
    """

    def __init__(self) -> None:
        self._said: deque[bytes | str] = deque()
        self._news = asyncio.Event()
        self.has_left = False

    def next(self) -> bytes | str | None:
        """Remove and return the oldest unread message, or return None if no message is unread."""
        return self._said.popleft() if self._said else None

    async def speaks(self, seconds: float | None) -> bool:
        """Wait until the client sends a message or closes the connection.

        Args:
            seconds: The time limit; None for no limit.

        Returns:
            Whether a message is unread or the client left; False after the time limit.
        """
        parts = [None] if seconds is None else [seconds / _TICKS] * _TICKS
        for part in parts:
            if self._said or self.has_left:
                return True
            self._news.clear()
            try:
                async with asyncio.timeout(part):
                    await self._news.wait()
            except TimeoutError:
                pass
        return bool(self._said) or self.has_left

    @abstractmethod
    async def send(self, messages: Sequence[bytes]) -> None:
        """Send messages together, so that the client can receive them with one read."""

    @abstractmethod
    async def have_a_turn(self) -> None:
        """Wait until the client has read all sent messages and had time to react to them."""

    def _hear(self, message: bytes | str) -> None:
        self._said.append(message)
        self._news.set()

    def _leave(self) -> None:
        self.has_left = True
        self._news.set()


class SocketClient(Client):
    """A client that is connected by WebSocket.

    Args:
        socket: An open WebSocket. Only `listening` reads from it.
    """

    def __init__(self, socket: ServerConnection) -> None:
        super().__init__()
        self._socket = socket

    @asynccontextmanager
    async def listening(self) -> AsyncIterator[None]:
        """Return a context manager in which the messages of the client are read."""
        reader = asyncio.create_task(self._read(), name="cdp-replay-reader")
        try:
            yield
        finally:
            reader.cancel()
            await asyncio.gather(reader, return_exceptions=True)

    async def send(self, messages: Sequence[bytes]) -> None:
        # The messages are written with one system call. Otherwise the client may act between two
        # messages that it read together in the recording. The public API of websockets writes each
        # message separately, so this method uses the undocumented attributes `protocol` and
        # `transport` of a connection. pyproject.toml limits the version, and
        # test_messages_for_one_read_are_written_together fails when they change.
        protocol = self._socket.protocol
        if protocol.state.name != "OPEN":
            self._leave()
            return
        for message in messages:
            protocol.send_text(message)
        self._socket.transport.write(b"".join(protocol.data_to_send()))
        await asyncio.sleep(0)

    async def have_a_turn(self) -> None:
        """Send pings until the client sends a message, at most `_TURNS` pings.

        The client's event loop answers each ping, in order with the client's messages.
        """
        try:
            async with asyncio.timeout(_HUNG):
                for _ in range(_TURNS):
                    await (await self._socket.ping())
                    if self._said:
                        break
        except TimeoutError:
            pass  # The client is busy, or paused in a debugger.

    async def _read(self) -> None:
        from websockets.exceptions import ConnectionClosed

        try:
            while True:
                self._hear(await self._socket.recv(decode=False))
        except ConnectionClosed:
            self._leave()


class PipeClient(Client):
    """A client that launched this program instead of a browser, connected by pipes.

    The client writes to file descriptor 3 and reads from 4. A NUL byte ends each message. A thread
    reads descriptor 3, because asyncio cannot read every kind of file.

    Attributes:
        left: Set when the client closed the pipe.
    """

    _IN: Final = 3
    _OUT: Final = 4
    _END: Final = b"\0"
    _CHUNK: Final = 1 << 16

    def __init__(self) -> None:
        super().__init__()
        self.left = asyncio.Event()
        self._loop = asyncio.get_running_loop()
        threading.Thread(target=self._read, name="cdp-replay-pipe", daemon=True).start()

    async def send(self, messages: Sequence[bytes]) -> None:
        data = memoryview(b"".join(message + self._END for message in messages))
        while data:
            data = data[await asyncio.to_thread(os.write, self._OUT, data) :]

    async def have_a_turn(self) -> None:
        """Wait until the client sends a message or leaves, at most for `_TURN` seconds."""
        await self.speaks(_TURN)

    def _leave(self) -> None:
        super()._leave()
        self.left.set()

    def _read(self) -> None:
        begun = bytearray()
        try:
            while chunk := os.read(self._IN, self._CHUNK):
                *whole, rest = chunk.split(self._END)
                for part in whole:
                    begun += part
                    self._loop.call_soon_threadsafe(self._hear, bytes(begun))
                    begun.clear()
                begun += rest
        except OSError:
            pass  # The descriptor does not exist, so the client has left.
        try:
            self._loop.call_soon_threadsafe(self._leave)
        except RuntimeError:
            pass  # The event loop is closed, because this program is ending.
