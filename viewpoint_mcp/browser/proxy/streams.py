"""The connections of a relay, with methods to read, write and forward data."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

CHUNK = 256 * 1024  # maximum bytes of one read and of a message head
_HEAD_END = b"\r\n\r\n"
_LINE_END = b"\r\n"


@dataclass(frozen=True, slots=True)
class Stream:
    """A connection. All of its methods raise the same errors.

    Raises:
        OSError, EOFError, asyncio.LimitOverrunError: The connection broke, or sent invalid data.
    """

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter

    async def read_exactly(self, count: int) -> bytes:
        """Read exactly `count` bytes."""
        return await self.reader.readexactly(count)

    async def read_next_chunk(self) -> bytes:
        """Read the data that arrives next; b"" at the end."""
        return await self.reader.read(CHUNK)

    async def read_line(self) -> bytes:
        """Read an HTTP line, including its CRLF."""
        return await self.reader.readuntil(_LINE_END)

    async def read_head(self) -> bytes | None:
        """Read an HTTP head, including its empty line.

        None if the connection ended before the first byte.
        """
        try:
            return await self.reader.readuntil(_HEAD_END)
        except asyncio.IncompleteReadError as error:
            if error.partial:
                raise
            return None

    async def write(self, data: bytes) -> None:
        """Write data, and wait while the send buffer is full."""
        self.writer.write(data)
        await self.writer.drain()

    async def forward_all(self, target: Stream) -> None:
        """Forward all data until the end."""
        while data := await self.read_next_chunk():
            await target.write(data)

    async def forward(self, count: int, target: Stream) -> None:
        """Forward exactly `count` bytes."""
        while count:
            data = await self.reader.read(min(count, CHUNK))
            if not data:
                raise EOFError
            count -= len(data)
            await target.write(data)

    def abort(self) -> None:
        """Close the connection at once and discard unsent data."""
        self.writer.transport.abort()

    async def close(self) -> None:
        """Close the connection after all written data is sent; abort it if cancelled meanwhile."""
        self.writer.close()
        try:
            with suppress(OSError):
                await self.writer.wait_closed()
        except asyncio.CancelledError:
            self.abort()
            raise


async def run_until_first_ends(*work: Coroutine[Any, Any, None]) -> None:
    """Run coroutines concurrently until the first one ends, then cancel the others.

    Raises:
        Exception: The exception of the one that ended.
    """
    tasks = [asyncio.create_task(coroutine) for coroutine in work]
    try:
        ended, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in ended:
            task.result()
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
