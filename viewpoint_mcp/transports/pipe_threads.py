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

_CHUNK_SIZE = 64 * 1024


class PipeReader:
    """Reads a descriptor in chunks, each only after the consumer has processed the one before.

    Args:
        fd: The descriptor; the reader closes it when its thread ends.
    """

    def __init__(self, fd: int) -> None:
        self._fd = fd
        self._loop = asyncio.get_running_loop()
        self._chunks: asyncio.Queue[bytes] = asyncio.Queue()
        self._read_permit = threading.Semaphore(1)
        self._is_stopped = False
        self._thread = threading.Thread(target=self._run_thread, name="stdin", daemon=True)
        self._thread.start()

    async def read_chunks(self) -> AsyncIterator[bytes]:
        """Yield the chunks until the end of the file or a read error."""
        while chunk := await self._chunks.get():
            yield chunk
            self._read_permit.release()

    def stop(self) -> None:
        """Stop reading. The thread ends when its current read returns."""
        self._is_stopped = True
        self._read_permit.release()

    def _run_thread(self) -> None:
        try:
            while self._read_permit.acquire() and not self._is_stopped:
                chunk = _read_chunk(self._fd)
                _call_in_loop(self._loop, self._chunks.put_nowait, chunk)
                if not chunk:
                    return
        finally:
            os.close(self._fd)


class PipeWriter:
    """Writes to a descriptor in the order of the calls of `write`, which never block.

    Args:
        fd: The descriptor; the writer closes it when its thread ends.
        max_queued: Number of queued bytes above which `wait_for_room` waits.
    """

    def __init__(self, fd: int, *, max_queued: int) -> None:
        self._fd = fd
        self._loop = asyncio.get_running_loop()
        self._queue: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._max_queued = max_queued
        self._queued_bytes = 0
        self._has_room = asyncio.Event()
        self._has_room.set()
        self._ended = asyncio.Event()
        self._is_closed = False
        self._thread = threading.Thread(target=self._run_thread, name="stdout", daemon=True)
        self._thread.start()

    def write(self, data: bytes) -> None:
        """Queue data, or drop it if the writer is closed or the peer stopped reading."""
        if self._is_closed or self._ended.is_set():
            return
        self._queued_bytes += len(data)
        if self._queued_bytes > self._max_queued:
            self._has_room.clear()
        self._queue.put(data)

    async def wait_for_room(self) -> None:
        """Wait until the queued bytes fit the backlog, or the writer has ended."""
        await self._has_room.wait()

    async def wait_until_ended(self) -> None:
        """Wait until the writer has ended, because it was closed or the peer stopped reading."""
        await self._ended.wait()

    async def close_within(self, *, timeout: float) -> bool:
        """Write the queued data and end the thread. Idempotent.

        Args:
            timeout: Seconds to wait for a peer that does not read.

        Returns:
            Whether the thread has ended.
        """
        if not self._is_closed:
            self._is_closed = True
            self._queue.put(None)
        try:
            async with asyncio.timeout(timeout):
                await self._ended.wait()
        except TimeoutError:
            return False
        return True

    def _run_thread(self) -> None:
        try:
            while (data := self._queue.get()) is not None:
                _write_bytes(self._fd, data)
                _call_in_loop(self._loop, self._subtract_written_bytes, len(data))
        except OSError:
            pass  # The peer stopped reading. `wait_until_ended` returns now.
        finally:
            os.close(self._fd)
            _call_in_loop(self._loop, self._set_ended)

    def _subtract_written_bytes(self, byte_count: int) -> None:
        self._queued_bytes -= byte_count
        if self._queued_bytes <= self._max_queued:
            self._has_room.set()

    def _set_ended(self) -> None:
        self._ended.set()
        self._has_room.set()


def _read_chunk(fd: int) -> bytes:
    """Return the next bytes; empty at the end of the file or after a read error."""
    while True:
        try:
            return os.read(fd, _CHUNK_SIZE)
        except BlockingIOError:  # The peer set O_NONBLOCK, which both processes share.
            select.select([fd], [], [])
        except OSError:
            return b""


def _write_bytes(fd: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        try:
            rest = rest[os.write(fd, rest[:_CHUNK_SIZE]) :]
        except BlockingIOError:
            select.select([], [fd], [])


def _call_in_loop(
    loop: asyncio.AbstractEventLoop, callback: Callable[..., object], *args: object
) -> None:
    try:
        loop.call_soon_threadsafe(callback, *args)
    except RuntimeError:
        pass  # The loop is closed, so no task waits for this.
