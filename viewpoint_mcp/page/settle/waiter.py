"""Waiting for the consequences of an action; `pending` decides what to wait for."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Container, Coroutine
from contextlib import suppress
from typing import Any, TypeVar

from cdp_protocol import CallTimeout, CdpError, Session
from viewpoint_mcp.page.frames import Frame
from viewpoint_mcp.page.isolated_world import WorldGone
from viewpoint_mcp.page.settle.document_kinds import (
    BlankDocument,
    DocumentChanges,
    ExpectedConsequence,
)
from viewpoint_mcp.page.settle.document_watch import DocumentWatch
from viewpoint_mcp.page.settle.navigation_kinds import Navigation
from viewpoint_mcp.page.settle.pending import PendingWork
from viewpoint_mcp.page.settle.pending_kind import Signal, Wait
from viewpoint_mcp.tasks import first_of

T = TypeVar("T")

_FRAME_TIMEOUT = 5.0  # seconds
_HERE: tuple[Signal, ...] = ("done", "change", "still")  # all signals except of a navigation


class Settler:
    """The wait for the pending work of one action.

    Args:
        frames: Returns the frames to watch; called again after a navigation.
    """

    def __init__(self, work: PendingWork, frames: Callable[[], list[Frame]]) -> None:
        self._work = work
        self._frames = frames
        self._watch = DocumentWatch(frames())
        self._script_before: float | None = None
        self._is_text = False
        self._warming: asyncio.Future[None] | None = None

    async def note_baseline(self, *, text: bool = False) -> None:
        """Record the state before the action; called right before its first event.

        Args:
            text: Whether the action only inserts text into a field. If no script runs, such an
                action has no consequence.
        """
        self._is_text = text
        self._watch = DocumentWatch(self._frames())
        _, self._script_before = await asyncio.gather(self._watch.start(), self._measure_script())

    def expect_script(self) -> None:
        """Assume that a script continues which an earlier action started and a dialog stopped."""
        self._script_before = -1.0

    @property
    def should_hold_steps(self) -> bool:
        """Whether the page waits for the network or the browser because of the action."""
        return self._work.should_hold_steps(self._now())

    async def catch_up(self, wake: asyncio.Event, limit: float) -> None:
        """Wait, in the middle of an action, for the work that it has caused so far.

        Args:
            wake: See `finish`.
            limit: Maximum seconds.
        """
        deadline = self._now() + limit
        while self._now() < deadline and self.should_hold_steps:
            await self._sleep_until(deadline, wake)

    async def ask_unless_leaving(
        self, question: Callable[[], Awaitable[T]], wake: asyncio.Event
    ) -> T | None:
        """Return the answer of a document about the action; None if the action leaves the document.

        Once a navigation has begun, the old document may not answer.

        Args:
            wake: See `finish`.
        """
        task = asyncio.ensure_future(question())
        try:
            while not task.done() and not self._work.is_leaving:
                wake.clear()
                await first_of(task, wake)
            return task.result() if task.done() else None
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    async def finish(self, wake: asyncio.Event) -> None:
        """Wait for the work that the action caused; called after the browser handled its events.

        Args:
            wake: Set whenever the work may have changed.
        """
        try:
            await self._run_while(_HERE, self._observe(), wake)
            await self._follow(wake)
            if self._warming is not None:
                await self._warming
        finally:
            if self._warming is not None:
                self._warming.cancel()
                await asyncio.gather(self._warming, return_exceptions=True)

    async def _follow(self, wake: asyncio.Event) -> None:
        while True:
            if self._work.accept_new_document(self._now()):
                await self._enter_new_document(wake)
            wait = self._next_wait()
            if wait.signal == "done":
                return
            if wait.signal == "events":
                self._warm_up()
                await self._sleep_until(wait.until, wake)
            else:
                await self._run_while((wait.signal,), self._probe(wait), wake)

    def _warm_up(self) -> None:
        """Create the isolated world of the new document while it loads, for the next snapshot."""
        if self._warming is None and self._work[Navigation].has_committed:
            self._warming = asyncio.ensure_future(self._make_world())

    async def _make_world(self) -> None:
        with suppress(WorldGone, CdpError):
            world = await self._frames()[0].world()
            await world.find_document(timeout=_FRAME_TIMEOUT)

    async def _observe(self) -> None:
        """Wait for one drawn frame and one round trip, to see the immediate effects of handlers."""
        look = self._watch.has_changed() if self._is_text else self._watch.wait_for_frame()
        script, changed = await asyncio.gather(self._measure_script(), look)
        ran = self._script_before is not None and script > self._script_before
        if self._is_text and (ran or changed):
            changed = await self._watch.wait_for_frame() or changed
        if changed:
            self._work[DocumentChanges].change(self._now())
        if ran:
            self._work[ExpectedConsequence].run_script(self._now())

    async def _probe(self, wait: Wait) -> None:
        seconds = wait.until - self._now()
        if wait.signal == "still":
            is_busy = await self._watch.wait_for_rest(seconds)
            if self._work[BlankDocument].is_blank:
                await self._look()
            self._work[DocumentChanges].rest(self._now(), is_busy=is_busy)
        elif await self._watch.wait_for_change(seconds):
            self._work[DocumentChanges].change(self._now())

    async def _enter_new_document(self, wake: asyncio.Event) -> None:
        """Watch another document that the action led to.

        The changes that its scripts make at the start are still consequences of the action.
        """
        self._watch = DocumentWatch(self._frames())
        if await self._measure_script() > 0:
            await self._run_while(_HERE, self._observe_new_document(), wake)

    async def _observe_new_document(self) -> None:
        await self._watch.start()
        if await self._watch.wait_for_frame():
            self._work[DocumentChanges].change(self._now())
        await self._look()

    async def _look(self) -> None:
        now = self._now()
        self._work[BlankDocument].look(now, is_blank=await self._watch.is_blank())

    async def _run_while(
        self, useful: Container[Signal], waiting: Coroutine[Any, Any, None], wake: asyncio.Event
    ) -> None:
        """Run a coroutine while the next wait is for one of the `useful` signals.

        The next wait is checked whenever the work may have changed or a deadline passes.
        """
        task = asyncio.ensure_future(waiting)
        try:
            while not task.done() and not self._work.is_interrupted:
                wake.clear()
                wait = self._next_wait()
                if wait.signal not in useful:
                    break
                limit = wait.until - self._now() if wait.signal != "done" else None
                await first_of(task, wake, limit)
            if task.done():
                task.result()
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    def _next_wait(self) -> Wait:
        return self._work.next_wait(self._now())

    async def _sleep_until(self, until: float, wake: asyncio.Event) -> None:
        wake.clear()
        with suppress(TimeoutError):
            async with asyncio.timeout_at(until):
                await wake.wait()

    async def _measure_script(self) -> float:
        """Return the seconds of script execution in the processes of the watched frames.

        The number stays exactly the same if no script ran.
        """
        sessions = dict.fromkeys(frame.session for frame in self._frames())
        return sum(await asyncio.gather(*(_measure_script(session) for session in sessions)))

    @staticmethod
    def _now() -> float:
        return asyncio.get_running_loop().time()


async def _measure_script(session: Session) -> float:
    """Return the seconds of script execution in a process.

    Source: CDP `Performance.getMetrics`, `ScriptDuration`.
    """
    try:
        answer = await session.send("Performance.getMetrics", timeout=_FRAME_TIMEOUT)
    except CallTimeout:
        raise
    except CdpError:
        # The process has ended. Events report its replacement.
        return 0.0
    return next(
        (float(m["value"]) for m in answer["metrics"] if m["name"] == "ScriptDuration"), 0.0
    )
