"""Helpers for work that must finish although its caller is cancelled."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import Any, TypeVar

T = TypeVar("T")


async def wait_despite_cancellation(task: asyncio.Task[None]) -> None:
    """Wait until a short task ends, even if the caller is cancelled meanwhile.

    After the task has ended, raise the cancellation; without one, raise the exception of the task.
    """
    cancelled: asyncio.CancelledError | None = None
    while not task.done():
        try:
            await asyncio.wait({task})
        except asyncio.CancelledError as error:
            cancelled = error
    if cancelled is not None:
        task.cancelled() or task.exception()  # mark it as retrieved, or asyncio logs it as lost
        raise cancelled
    task.result()


async def create_or_undo_if_cancelled(
    create: Coroutine[Any, Any, T], undo: Callable[[T], Coroutine[Any, Any, object]]
) -> T:
    """Create a resource and return it; if the caller is cancelled meanwhile, release it again.

    After a cancellation, the caller never receives the resource. So wait until it exists, pass it
    to `undo`, and only then raise the cancellation. Errors of both steps are ignored.

    Args:
        create: Creates the resource. It needs a time limit, because a cancellation waits for it.
        undo: Releases the resource.
    """
    task = asyncio.create_task(create)
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:

        async def undo_after_creation() -> None:
            with suppress(Exception):  # Creation failed, or the browser is gone.
                await undo(await task)

        await wait_despite_cancellation(asyncio.create_task(undo_after_creation()))
        raise
