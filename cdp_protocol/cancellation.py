"""What has to come to its end though nobody waits for it any more."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import Any, TypeVar

T = TypeVar("T")


async def outlast_cancellation(task: asyncio.Task[None]) -> None:
    """Wait for a short task to the end even when cancelled meanwhile; then let it be known."""
    cancelled: asyncio.CancelledError | None = None
    while not task.done():
        try:
            await asyncio.shield(task)
        except asyncio.CancelledError as error:
            cancelled = error
    if cancelled is not None:
        raise cancelled
    task.result()


async def made_or_undone(
    making: Coroutine[Any, Any, T], undo: Callable[[T], Coroutine[Any, Any, object]]
) -> T:
    """Make what somebody has to close. When cancelled meanwhile, it is awaited and undone, for
    nobody else would hear of it.

    Args:
        making: Makes it, within a limit of its own.
        undo: Called with it.
    """
    task = asyncio.create_task(making)
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:

        async def finish() -> None:
            with suppress(Exception):  # neither is there then, or what it was in is gone
                await undo(await task)

        await outlast_cancellation(asyncio.create_task(finish()))
        raise
