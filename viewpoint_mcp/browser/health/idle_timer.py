"""A timer that fires after a period without tool calls."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from typing import Any


class IdleTimer:
    """Timer that runs an action some time after the last running call ended.

    Args:
        seconds: The idle time before the action; None for never.
        on_idle: The action. It is never cancelled. If it has to wait first, it must check
            `has_running_calls` again itself.
    """

    def __init__(
        self, seconds: float | None, on_idle: Callable[[], Coroutine[Any, Any, None]]
    ) -> None:
        self._seconds = seconds
        self._on_idle = on_idle
        self._running_calls = 0
        self._timer: asyncio.TimerHandle | None = None
        self._idle_task: asyncio.Task[None] | None = None

    @property
    def has_running_calls(self) -> bool:
        """Whether a call is running."""
        return self._running_calls > 0

    @contextmanager
    def pause(self) -> Iterator[None]:
        """Count a call while the `with` block runs, and stop the timer."""
        self._running_calls += 1
        self._stop_timer()
        try:
            yield
        finally:
            self._running_calls -= 1
            if self._running_calls == 0 and self._seconds is not None:
                loop = asyncio.get_running_loop()
                self._timer = loop.call_later(self._seconds, self._start_idle_action)

    async def close(self) -> None:
        """Stop the timer for good, and wait for a running action. Idempotent."""
        self._seconds = None
        self._stop_timer()
        if self._idle_task is not None:
            await asyncio.wait([self._idle_task])

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()

    def _start_idle_action(self) -> None:
        self._idle_task = asyncio.create_task(self._on_idle())
