"""Clients that a recorded browser is played to: what they say, when they have had their turn."""

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

_TICKS: Final = 5  # of patience; a machine that is busy makes each of them longer
_TURNS: Final = 12  # of an event loop, in which what waited for a message does its next thing
_HUNG: Final = 1.0  # seconds that a turn may take
_TURN: Final = 0.015  # seconds, where nothing tells that a turn is over


class Client(ABC):
    """Somebody who speaks with the browser that is played."""

    def __init__(self) -> None:
        self._said: deque[bytes | str] = deque()
        self._news = asyncio.Event()
        self.has_left = False

    def next(self) -> bytes | str | None:
        """Return the oldest message that was not taken yet; None if there is none."""
        return self._said.popleft() if self._said else None

    async def speaks(self, seconds: float | None) -> bool:
        """Wait until it says something or leaves; False if it was quiet for that long.

        Args:
            seconds: None for ever. In them this task has its turns.
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
        """Tell it what it is to read at once."""

    @abstractmethod
    async def have_a_turn(self) -> None:
        """Wait until it has read what it was told, and has had the time to do its next thing."""

    def _hear(self, message: bytes | str) -> None:
        self._said.append(message)
        self._news.set()

    def _leave(self) -> None:
        self.has_left = True
        self._news.set()


class SocketClient(Client):
    """A client at a WebSocket.

    Args:
        socket: Is open; `listening` reads it.
    """

    def __init__(self, socket: ServerConnection) -> None:
        super().__init__()
        self._socket = socket

    @asynccontextmanager
    async def listening(self) -> AsyncIterator[None]:
        """Hear the client meanwhile."""
        reader = asyncio.create_task(self._read(), name="cdp-replay-reader")
        try:
            yield
        finally:
            reader.cancel()
            await asyncio.gather(reader, return_exceptions=True)

    async def send(self, messages: Sequence[bytes]) -> None:
        # Written with one system call, or the client may act between two messages that it read
        # together when they were recorded. The public API writes each message by itself, so this is
        # the one place that uses attributes of websockets that are not documented (`protocol` and
        # `transport` of a connection); pyproject.toml limits the version, and
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
        """Pings are answered by the client's own event loop, in order with what it says."""
        try:
            async with asyncio.timeout(_HUNG):
                for _ in range(_TURNS):
                    await (await self._socket.ping())
                    if self._said:
                        break
        except TimeoutError:
            pass  # it is busy, or paused in a debugger

    async def _read(self) -> None:
        from websockets.exceptions import ConnectionClosed

        try:
            while True:
                self._hear(await self._socket.recv(decode=False))
        except ConnectionClosed:
            self._leave()


class PipeClient(Client):
    """A client that launched this program in a browser's place, at the descriptors 3 and 4.

    They are read by a thread, for they may be of any kind. Each message has a NUL byte at its end.
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
            pass  # there is no such descriptor, which is an end as well
        try:
            self._loop.call_soon_threadsafe(self._leave)
        except RuntimeError:
            pass  # this program has ended already
