"""File descriptors read and written by threads of their own, so that the event loop never waits.

Threads rather than the loop's own pipes, because stdin and stdout may be pipes, sockets, files or
terminals, on Windows too. They are daemons: one that hangs in a system call never holds up exit.
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
    """Reads a descriptor in chunks, the next one only when the last was taken.

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
        """What is read, until its end or an error that means the same."""
        while chunk := await self._chunks.get():
            yield chunk
            self._wanted.release()

    def stop(self) -> None:
        """Take nothing more; the thread ends when the read that it is in returns."""
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
    """Writes to a descriptor in the order of `write` calls, which never wait.

    Args:
        fd: The descriptor; the writer closes it when its thread ends.
        backlog: Bytes that may be waiting before `room` does.
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
        """Write this after everything before; dropped once the reader of it has gone."""
        if self._closed or self._ended.is_set():
            return
        self._waiting += len(data)
        if self._waiting > self._backlog:
            self._has_room.clear()
        self._lines.put(data)

    async def room(self) -> None:
        """Wait until what is still to be written fits the backlog, or nobody reads any more."""
        await self._has_room.wait()

    async def ended(self) -> None:
        """Wait until nothing can be written any more."""
        await self._ended.wait()

    async def close(self, *, timeout: float) -> bool:
        """Write what is waiting and end. Idempotent.

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
            pass  # nobody reads any more, which `ended` tells
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
    """The next bytes; empty at the end, or when the descriptor can no longer be read."""
    while True:
        try:
            return os.read(fd, _CHUNK)
        except BlockingIOError:  # the peer made it non-blocking for both of us
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
        pass  # the loop is closed: nobody is left to tell
