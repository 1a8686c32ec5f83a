"""A limit on how many expensive operations run at the same time."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class ConcurrencyLimiter:
    """Limit on how many operations run at once, started in the order of arrival.

    A turn ends with its operation or after a time limit. A longer operation is assumed to wait
    rather than to use the CPU.

    Args:
        max_concurrent: The number of turns at the same time.
        turn_limit: The time limit of one turn.
    """

    def __init__(self, max_concurrent: int, turn_limit: float) -> None:
        self._free = asyncio.Semaphore(max_concurrent)
        self._turn_limit = turn_limit

    @asynccontextmanager
    async def wait_for_turn(self) -> AsyncIterator[None]:
        """Wait for a turn, and hold it while the `async with` block runs, up to the time limit."""
        await self._free.acquire()
        is_over = False

        def release_turn_once() -> None:
            nonlocal is_over
            if not is_over:
                is_over = True
                self._free.release()

        timer = asyncio.get_running_loop().call_later(self._turn_limit, release_turn_once)
        try:
            yield
        finally:
            timer.cancel()
            release_turn_once()
