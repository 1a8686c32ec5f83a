"""One connection of a relay: what is read from it, and what is passed on to another."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

CHUNK = 256 * 1024  # bytes read at once; also the longest head
_HEAD_END = b"\r\n\r\n"
_LINE_END = b"\r\n"


@dataclass(frozen=True, slots=True)
class Stream:
    """A connection.

    Raises:
        OSError, EOFError, asyncio.LimitOverrunError: By all of its methods, when it breaks.
    """

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter

    async def read(self, count: int) -> bytes:
        """Read exactly that many bytes."""
        return await self.reader.readexactly(count)

    async def some(self) -> bytes:
        """Read what comes next; b"" at the end."""
        return await self.reader.read(CHUNK)

    async def line(self) -> bytes:
        """Read to the end of a line of HTTP."""
        return await self.reader.readuntil(_LINE_END)

    async def head(self) -> bytes | None:
        """Read to the empty line of HTTP; None when it ended before the first byte."""
        try:
            return await self.reader.readuntil(_HEAD_END)
        except asyncio.IncompleteReadError as error:
            if error.partial:
                raise
            return None

    async def write(self, data: bytes) -> None:
        self.writer.write(data)
        await self.writer.drain()

    async def pump(self, to: Stream) -> None:
        """Pass on all that comes, until the end."""
        while data := await self.some():
            await to.write(data)

    async def copy(self, count: int, to: Stream) -> None:
        """Pass on exactly that many bytes."""
        while count:
            data = await self.reader.read(min(count, CHUNK))
            if not data:
                raise EOFError
            count -= len(data)
            await to.write(data)

    def abort(self) -> None:
        """Cut it, whatever was not sent yet."""
        self.writer.transport.abort()

    async def close(self) -> None:
        """Close it when all that was written is sent; cut it when cancelled meanwhile."""
        self.writer.close()
        try:
            with suppress(OSError):
                await self.writer.wait_closed()
        except asyncio.CancelledError:
            self.abort()
            raise


async def until_one_ends(*work: Coroutine[Any, Any, None]) -> None:
    """Run side by side until the first has ended; the others are cancelled.

    Raises:
        Exception: What the first one raised.
    """
    tasks = [asyncio.create_task(each) for each in work]
    try:
        ended, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in ended:
            task.result()
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
