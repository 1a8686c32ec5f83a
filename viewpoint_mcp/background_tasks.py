"""Background tasks with an owner, which cancels them when it closes. Failures are logged."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine
from typing import Any

from cdp_protocol.cancellation import create_or_undo_if_cancelled, wait_despite_cancellation

__all__ = [
    "BackgroundTasks",
    "cancel_and_wait",
    "create_or_undo_if_cancelled",
    "wait_despite_cancellation",
    "wait_for_task_or_event",
]

log = logging.getLogger(__name__)


class BackgroundTasks:
    """Background tasks that synchronous functions start, such as event handlers."""

    def __init__(self) -> None:
        self._running: set[asyncio.Task[None]] = set()

    def start(self, coroutine: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Start the coroutine as a task, and log the exception if it fails."""
        task = asyncio.create_task(coroutine)
        self._running.add(task)
        task.add_done_callback(self._on_task_done)
        return task

    async def close(self) -> None:
        """Cancel the running tasks and wait until they end. Idempotent."""
        running = list(self._running)
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)

    def _on_task_done(self, task: asyncio.Task[None]) -> None:
        self._running.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.warning("A background task failed: %s", error, exc_info=error)


async def wait_for_task_or_event(
    task: asyncio.Future[Any], event: asyncio.Event, timeout: float | None = None
) -> None:
    """Wait until the task is done, the event is set, or the limit is reached.

    The task continues in any case.

    Args:
        timeout: Seconds; None for no limit.
    """
    waiting = asyncio.ensure_future(event.wait())
    try:
        await asyncio.wait({task, waiting}, timeout=timeout, return_when=asyncio.FIRST_COMPLETED)
    finally:
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)


async def cancel_and_wait(task: asyncio.Future[Any]) -> None:
    """Cancel a task and wait until it ends. Ignore its result or exception."""
    if task.done():
        if not task.cancelled():
            # An exception that is never retrieved would be logged.
            task.exception()
        return
    task.cancel()
    await asyncio.wait({task})
