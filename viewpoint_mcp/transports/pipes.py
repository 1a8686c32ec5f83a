"""Threads that read and write file descriptors, so that the event loop never blocks.

asyncio's pipe transports do not suffice, because stdin and stdout can be pipes, sockets, files or
terminals, also on Windows. The threads are daemons, so that a blocked system call never delays the
exit of the process.
"""

from __future__ import annotations

import asyncio
import os
import queue
import select
import threading
from collections.abc import AsyncIterator, Callable

_CHUNK = 64 * 1024


class PipeReader:
    """Reads a descriptor in chunks, each only after the consumer has processed the one before.

    Args:
        fd: The descriptor; the reader closes it when its thread ends.
    """

    def __init__(self, fd: int) -> None:
        self._fd = fd
        self._loop = asyncio.get_running_loop()
        self._chunks: asyncio.Queue[bytes] = asyncio.Queue()
        self._wanted = threading.Semaphore(1)
        self._stopped = False
        self._thread = threading.Thread(target=self._read, name="stdin", daemon=True)
        self._thread.start()

    async def chunks(self) -> AsyncIterator[bytes]:
        """Yield the chunks until the end of the file or a read error."""
        while chunk := await self._chunks.get():
            yield chunk
            self._wanted.release()

    def stop(self) -> None:
        """Stop reading. The thread ends when its current read returns."""
        self._stopped = True
        self._wanted.release()

    def _read(self) -> None:
        try:
            while self._wanted.acquire() and not self._stopped:
                chunk = _read_some(self._fd)
                _tell(self._loop, self._chunks.put_nowait, chunk)
                if not chunk:
                    return
        finally:
            os.close(self._fd)


class PipeWriter:
    """Writes to a descriptor in the order of the calls of `write`, which never block.

    Args:
        fd: The descriptor; the writer closes it when its thread ends.
        backlog: Number of queued bytes above which `room` waits.
    """

    def __init__(self, fd: int, *, backlog: int) -> None:
        self._fd = fd
        self._loop = asyncio.get_running_loop()
        self._lines: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._backlog = backlog
        self._waiting = 0
        self._has_room = asyncio.Event()
        self._has_room.set()
        self._ended = asyncio.Event()
        self._closed = False
        self._thread = threading.Thread(target=self._write_all, name="stdout", daemon=True)
        self._thread.start()

    def write(self, data: bytes) -> None:
        """Queue data, or drop it if the writer is closed or the peer stopped reading."""
        if self._closed or self._ended.is_set():
            return
        self._waiting += len(data)
        if self._waiting > self._backlog:
            self._has_room.clear()
        self._lines.put(data)

    async def room(self) -> None:
        """Wait until the queued bytes fit the backlog, or the writer has ended."""
        await self._has_room.wait()

    async def ended(self) -> None:
        """Wait until the writer has ended, because it was closed or the peer stopped reading."""
        await self._ended.wait()

    async def close(self, *, timeout: float) -> bool:
        """Write the queued data and end the thread. Idempotent.

        Args:
            timeout: Seconds to wait for a peer that does not read.

        Returns:
            Whether the thread has ended.
        """
        if not self._closed:
            self._closed = True
            self._lines.put(None)
        try:
            async with asyncio.timeout(timeout):
                await self._ended.wait()
        except TimeoutError:
            return False
        return True

    def _write_all(self) -> None:
        try:
            while (data := self._lines.get()) is not None:
                _write_whole(self._fd, data)
                _tell(self._loop, self._written, len(data))
        except OSError:
            pass  # The peer stopped reading. `ended` returns now.
        finally:
            os.close(self._fd)
            _tell(self._loop, self._end)

    def _written(self, size: int) -> None:
        self._waiting -= size
        if self._waiting <= self._backlog:
            self._has_room.set()

    def _end(self) -> None:
        self._ended.set()
        self._has_room.set()


def _read_some(fd: int) -> bytes:
    """Return the next bytes; empty at the end of the file or after a read error."""
    while True:
        try:
            return os.read(fd, _CHUNK)
        except BlockingIOError:  # The peer set O_NONBLOCK, which both processes share.
            select.select([fd], [], [])
        except OSError:
            return b""


def _write_whole(fd: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        try:
            rest = rest[os.write(fd, rest[:_CHUNK]) :]
        except BlockingIOError:
            select.select([], [fd], [])


def _tell(loop: asyncio.AbstractEventLoop, callback: Callable[..., object], *args: object) -> None:
    try:
        loop.call_soon_threadsafe(callback, *args)
    except RuntimeError:
        pass  # The loop is closed, so no task waits for this.
