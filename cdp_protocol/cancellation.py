"""What has to come to its end though nobody waits for it any more."""

from __future__ import annotations

import asyncio


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
