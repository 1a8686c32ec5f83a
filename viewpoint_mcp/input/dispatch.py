"""Input events of one act, written to the browser in one go and answered together.

An event's answer comes when the page has handled it, so never while a dialog that its handler
opened is up. Callers race that answer and cancel the loser. What has been started is therefore
never torn apart: the cancelled act's calls go on, nobody waits for them, and a button or a key
that went down comes up again. They end with their answer, their time limit or the session.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Coroutine, Mapping
from typing import Any, Protocol, TypeVar

from cdp_protocol import Session

T = TypeVar("T")

Event = tuple[str, Mapping[str, object]]


class Sender(Protocol):
    """What mouse and keyboard need of a CDP session."""

    def send(self, method: str, params: Mapping[str, Any], /) -> Awaitable[object]:
        """Call a CDP method; calls started in one go are written in the order given."""
        ...


class Limited:
    """A session whose every event must be taken in time: a page that runs a script without end
    takes none.

    Args:
        session: Of the page's target.
        limit: Seconds.
    """

    def __init__(self, session: Session, limit: float) -> None:
        self._session = session
        self._limit = limit

    def send(self, method: str, params: Mapping[str, Any], /) -> Awaitable[object]:
        """Call a CDP method, with the limit."""
        return self._session.send(method, params, timeout=self._limit)


class Dispatcher:
    """Sends the events of acts, and owns what cancelled acts left unanswered.

    Args:
        session: The session of the page's target.
    """

    def __init__(self, session: Sender) -> None:
        self._session = session
        self._unanswered: set[asyncio.Task[Any]] = set()

    async def send(self, *events: Event) -> None:
        """Write all events without waiting in between, then wait for all answers.

        Args:
            events: Method and parameters of each, in their order.

        Raises:
            The first error among the answers, as the session raised it.
        """
        if not events:
            return
        tasks = self.post(*events)
        # Unlike gather, wait leaves the tasks alone when it is cancelled.
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_EXCEPTION)
        for task in tasks:
            if task in done:
                task.result()

    def post(self, *events: Event) -> list[asyncio.Task[object]]:
        """Write all events without waiting, not even to be written: for acts that are given up.

        Args:
            events: Method and parameters of each, in their order.

        Returns:
            The calls; nobody has to wait for them.
        """
        return [self.own(self._call(event)) for event in events]

    def own(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """Do what an act that was given up still has to do, whoever waits for it."""
        task = asyncio.create_task(work)
        self._unanswered.add(task)
        task.add_done_callback(self._forget)
        return task

    async def close(self) -> None:
        """Cancel what cancelled acts left unanswered, once the session is closed. Idempotent."""
        tasks = list(self._unanswered)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _call(self, event: Event) -> object:
        return await self._session.send(*event)

    def _forget(self, task: asyncio.Task[Any]) -> None:
        self._unanswered.discard(task)
        if not task.cancelled():
            # Whoever waited has been told; of an act given up, nobody wants to hear.
            task.exception()
