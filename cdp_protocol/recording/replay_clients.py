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
_WAIT_PARTS: Final = 5
_MAX_PINGS: Final = 12  # event loop iterations in which the client can react to a message
_PING_TIMEOUT: Final = 1.0  # limit in seconds for these iterations
_PIPE_REACTION_TIME: Final = 0.015  # seconds to wait on a pipe, where iterations cannot be observed


class ReplayClient(ABC):
    """A client that is connected to a replayed browser.

    Attributes:
        has_disconnected: Whether the client closed the connection.
    """

    def __init__(self) -> None:
        self._unread: deque[bytes | str] = deque()
        self._has_changed = asyncio.Event()
        self.has_disconnected = False

    def pop_message(self) -> bytes | str | None:
        """Remove and return the oldest unread message, or return None if no message is unread."""
        return self._unread.popleft() if self._unread else None

    async def wait_for_message_or_disconnect(self, timeout: float | None) -> bool:
        """Wait until the client sends a message or closes the connection.

        Args:
            timeout: Limit in seconds; None for no limit.

        Returns:
            Whether a message is unread or the client disconnected; False after the time limit.
        """
        part_timeouts = [None] if timeout is None else [timeout / _WAIT_PARTS] * _WAIT_PARTS
        for part_timeout in part_timeouts:
            if self._unread or self.has_disconnected:
                return True
            self._has_changed.clear()
            try:
                async with asyncio.timeout(part_timeout):
                    await self._has_changed.wait()
            except TimeoutError:
                pass
        return bool(self._unread) or self.has_disconnected

    @abstractmethod
    async def send(self, messages: Sequence[bytes]) -> None:
        """Send messages together, so that the client can receive them with one read."""

    @abstractmethod
    async def wait_for_client_reaction(self) -> None:
        """Wait until the client has read all sent messages and had time to react to them."""

    def _queue_received_message(self, message: bytes | str) -> None:
        self._unread.append(message)
        self._has_changed.set()

    def _mark_disconnected(self) -> None:
        self.has_disconnected = True
        self._has_changed.set()


class SocketClient(ReplayClient):
    """A client that is connected by WebSocket.

    Args:
        socket: An open WebSocket. Only `reading_messages` reads from it.
    """

    def __init__(self, socket: ServerConnection) -> None:
        super().__init__()
        self._socket = socket

    @asynccontextmanager
    async def reading_messages(self) -> AsyncIterator[None]:
        """Return a context manager in which the messages of the client are read."""
        reader = asyncio.create_task(self._read_messages(), name="cdp-replay-reader")
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
            self._mark_disconnected()
            return
        for message in messages:
            protocol.send_text(message)
        self._socket.transport.write(b"".join(protocol.data_to_send()))
        await asyncio.sleep(0)

    async def wait_for_client_reaction(self) -> None:
        """Send pings until the client sends a message, at most `_MAX_PINGS` pings.

        The client's event loop answers each ping, in order with the client's messages.
        """
        try:
            async with asyncio.timeout(_PING_TIMEOUT):
                for _ in range(_MAX_PINGS):
                    await (await self._socket.ping())
                    if self._unread:
                        break
        except TimeoutError:
            pass  # The client is busy, or paused in a debugger.

    async def _read_messages(self) -> None:
        from websockets.exceptions import ConnectionClosed

        try:
            while True:
                self._queue_received_message(await self._socket.recv(decode=False))
        except ConnectionClosed:
            self._mark_disconnected()


class PipeClient(ReplayClient):
    """A client that launched this program instead of a browser, connected by pipes.

    The client writes to file descriptor 3 and reads from 4. A NUL byte ends each message. A thread
    reads descriptor 3, because asyncio cannot read every kind of file.

    Attributes:
        client_disconnected: Set when the client closed the pipe.
    """

    _INPUT_FD: Final = 3
    _OUTPUT_FD: Final = 4
    _MESSAGE_END: Final = b"\0"
    _READ_SIZE: Final = 1 << 16

    def __init__(self) -> None:
        super().__init__()
        self.client_disconnected = asyncio.Event()
        self._loop = asyncio.get_running_loop()
        threading.Thread(target=self._read_messages, name="cdp-replay-pipe", daemon=True).start()

    async def send(self, messages: Sequence[bytes]) -> None:
        data = memoryview(b"".join(message + self._MESSAGE_END for message in messages))
        while data:
            data = data[await asyncio.to_thread(os.write, self._OUTPUT_FD, data) :]

    async def wait_for_client_reaction(self) -> None:
        """Wait until the client sends a message or disconnects, at most `_PIPE_REACTION_TIME`."""
        await self.wait_for_message_or_disconnect(_PIPE_REACTION_TIME)

    def _mark_disconnected(self) -> None:
        super()._mark_disconnected()
        self.client_disconnected.set()

    def _read_messages(self) -> None:
        partial_message = bytearray()
        try:
            while chunk := os.read(self._INPUT_FD, self._READ_SIZE):
                *complete_parts, rest = chunk.split(self._MESSAGE_END)
                for part in complete_parts:
                    partial_message += part
                    self._loop.call_soon_threadsafe(
                        self._queue_received_message, bytes(partial_message)
                    )
                    partial_message.clear()
                partial_message += rest
        except OSError:
            pass  # The descriptor does not exist, so the client has left.
        try:
            self._loop.call_soon_threadsafe(self._mark_disconnected)
        except RuntimeError:
            pass  # The event loop is closed, because this program is ending.
