"""Background tasks with an owner: none outlives it, none fails unheard."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine
from typing import Any

from cdp_protocol.cancellation import made_or_undone, outlast_cancellation

__all__ = ["Tasks", "drop", "first_of", "made_or_undone", "outlast_cancellation"]

log = logging.getLogger(__name__)


class Tasks:
    """Tasks that are started from plain functions, such as event handlers."""

    def __init__(self) -> None:
        self._running: set[asyncio.Task[None]] = set()

    def start(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Run the coroutine; what it raises is logged."""
        task = asyncio.create_task(work)
        self._running.add(task)
        task.add_done_callback(self._ended)
        return task

    async def close(self) -> None:
        """Cancel what still runs and wait for its end. Idempotent."""
        running = list(self._running)
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._running.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.warning("A background task failed: %s", error, exc_info=error)


async def first_of(
    task: asyncio.Future[Any], event: asyncio.Event, limit: float | None = None
) -> None:
    """Wait until the task is done or the event is set. Cancels neither.

    Args:
        limit: Seconds; None for as long as it takes.
    """
    waiting = asyncio.ensure_future(event.wait())
    try:
        await asyncio.wait({task, waiting}, timeout=limit, return_when=asyncio.FIRST_COMPLETED)
    finally:
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)


async def drop(task: asyncio.Future[Any]) -> None:
    """Cancel what is not wanted any more, and wait for its end."""
    if task.done():
        if not task.cancelled():
            task.exception()
        return
    task.cancel()
    await asyncio.wait({task})
