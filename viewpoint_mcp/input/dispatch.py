"""Sending of the input events of one action: all are written together, then answered.

The browser answers an event when the page has handled it. While a dialog that a handler opened is
open, no answer comes. Callers race the answer against the dialog and cancel the loser.

A cancelled action does not cancel its calls, so each button or key that went down comes up again.
They continue in the background until their answer, their timeout, or the end of the CDP session.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from typing import Any, Protocol, TypeVar

from cdp_protocol import Session

T = TypeVar("T")

Event = tuple[str, Mapping[str, object]]


class CdpSender(Protocol):
    """The part of a CDP session that mouse and keyboard need."""

    def send(self, method: str, params: Mapping[str, Any], /) -> Awaitable[object]:
        """Call a CDP method; calls started together are written in their order."""
        ...


class TimeLimitedSender:
    """A CDP session with a timeout for every event.

    A page does not handle any event while its script runs forever.

    Args:
        session: CDP session of the page's target.
        timeout: Timeout in seconds.

    Attributes:
        on_event: Called with each event before it is sent; None for no call.
    """

    def __init__(self, session: Session, timeout: float) -> None:
        self._session = session
        self._timeout = timeout
        self.on_event: Callable[[str, Mapping[str, Any]], None] | None = None

    def send(self, method: str, params: Mapping[str, Any], /) -> Awaitable[object]:
        """Call a CDP method with the timeout."""
        if self.on_event is not None:
            self.on_event(method, params)
        return self._session.send(method, params, timeout=self._timeout)


class EventDispatcher:
    """Sends the events of actions, and owns the unanswered calls of cancelled actions.

    Args:
        session: CDP session of the page's target.
    """

    def __init__(self, session: CdpSender) -> None:
        self._session = session
        self._running_tasks: set[asyncio.Task[Any]] = set()

    async def send(self, *events: Event) -> None:
        """Write all events without waiting between them, then wait for all answers.

        Args:
            events: Method and parameters of each event, in order.

        Raises:
            The first error among the answers, as the CDP session raised it.
        """
        if not events:
            return
        tasks = self.send_in_background(*events)
        # Unlike gather, wait leaves the tasks alone when it is cancelled.
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_EXCEPTION)
        for task in tasks:
            if task in done:
                task.result()

    def send_in_background(self, *events: Event) -> list[asyncio.Task[object]]:
        """Write all events in the background, for actions that were cancelled.

        Args:
            events: Method and parameters of each event, in order.

        Returns:
            The calls, which the caller does not have to await.
        """
        return [self.run_in_background(self._send_event(event)) for event in events]

    def run_in_background(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """Run work in the background that must finish even if the action is cancelled."""
        task = asyncio.create_task(work)
        self._running_tasks.add(task)
        task.add_done_callback(self._remove_task)
        return task

    async def close(self) -> None:
        """Cancel the unanswered calls, after the CDP session was closed. Idempotent."""
        tasks = list(self._running_tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _send_event(self, event: Event) -> object:
        return await self._session.send(*event)

    def _remove_task(self, task: asyncio.Task[Any]) -> None:
        self._running_tasks.discard(task)
        if not task.cancelled():
            # Reading the exception prevents asyncio from logging it. A waiting caller has received
            # it, and a cancelled action does not need it.
            task.exception()
