"""Lets what is heavy begin in turns, where many clients want it at once."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class StartQueue:
    """Some have their turn at once, in the order in which they came. A turn ends with what is done
    in it, or when it has lasted long enough: what still goes on is waiting then, not work.

    Args:
        at_once: How many.
        seconds: How long a turn lasts at most.
    """

    def __init__(self, at_once: int, seconds: float) -> None:
        self._free = asyncio.Semaphore(at_once)
        self._seconds = seconds

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """Wait for a turn; be open while something is done in it, and beyond its end."""
        await self._free.acquire()
        is_over = False

        def end() -> None:
            nonlocal is_over
            if not is_over:
                is_over = True
                self._free.release()

        timer = asyncio.get_running_loop().call_later(self._seconds, end)
        try:
            yield
        finally:
            timer.cancel()
            end()
