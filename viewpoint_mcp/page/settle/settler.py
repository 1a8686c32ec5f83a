"""Waiting for the consequences of an action; `pending_work` decides what to wait for."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Container, Coroutine
from contextlib import suppress
from typing import Any, TypeVar

from cdp_protocol import CallTimeout, CdpError, Session
from viewpoint_mcp.background_tasks import wait_for_task_or_event
from viewpoint_mcp.page.frames import Frame
from viewpoint_mcp.page.isolated_world import WorldGoneError
from viewpoint_mcp.page.settle.document_watch import DocumentWatch
from viewpoint_mcp.page.settle.pending_document_changes import (
    BlankDocument,
    DocumentChanges,
    ExpectedConsequence,
)
from viewpoint_mcp.page.settle.pending_kind_base import Signal, Wait
from viewpoint_mcp.page.settle.pending_navigations import Navigation
from viewpoint_mcp.page.settle.pending_work import PendingWork
from viewpoint_mcp.page.snapshot.process_metrics import read_process_metrics

T = TypeVar("T")

_FRAME_TIMEOUT = 5.0  # seconds
# All signals except that of a navigation.
_DOCUMENT_SIGNALS: tuple[Signal, ...] = ("done", "change", "still")


class Settler:
    """The wait for the pending work of one action.

    Args:
        list_watched_frames: Returns the frames to watch; called again after a navigation.

    Attributes:
        has_script_run: Whether a script ran right after the events; None if that is unknown.
    """

    def __init__(self, work: PendingWork, list_watched_frames: Callable[[], list[Frame]]) -> None:
        self._work = work
        self._list_watched_frames = list_watched_frames
        self._watch = DocumentWatch(list_watched_frames())
        self._script_time_before: float | None = None
        self._is_text_insertion = False
        self.has_script_run: bool | None = None
        self._world_task: asyncio.Future[None] | None = None

    async def record_state_before_events(self, *, is_text_insertion: bool = False) -> None:
        """Record the state before the action; called right before its first event.

        Args:
            is_text_insertion: Whether the action only inserts text into a field. If no script
                runs, such an action has no consequence.
        """
        self._is_text_insertion = is_text_insertion
        self._watch = DocumentWatch(self._list_watched_frames())
        _, self._script_time_before = await asyncio.gather(
            self._watch.start_counting(), self._measure_script_time()
        )

    def expect_script_to_resume_after_dialog(self) -> None:
        """Assume that a script continues which an earlier action started and a dialog stopped."""
        self._script_time_before = -1.0

    @property
    def should_delay_next_step(self) -> bool:
        """Whether the page waits for the network or the browser because of the action."""
        return self._work.should_delay_next_step(self._now())

    async def wait_for_network(self, work_changed: asyncio.Event, timeout: float) -> None:
        """Wait, in the middle of an action, for the work that it has caused so far.

        Args:
            work_changed: See `settle`.
            timeout: Maximum seconds.
        """
        deadline = self._now() + timeout
        while self._now() < deadline and self.should_delay_next_step:
            await self._sleep_until(deadline, work_changed)

    async def query_unless_navigating(
        self, query: Callable[[], Awaitable[T]], work_changed: asyncio.Event
    ) -> T | None:
        """Return the answer of a document about the action; None if the action leaves the document.

        Once a navigation has begun, the old document may not answer.

        Args:
            work_changed: See `settle`.
        """
        task = asyncio.ensure_future(query())
        try:
            while not task.done() and not self._work.is_navigating:
                work_changed.clear()
                await wait_for_task_or_event(task, work_changed)
            return task.result() if task.done() else None
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    async def settle(self, work_changed: asyncio.Event) -> None:
        """Wait for the work that the action caused; called after the browser handled its events.

        Args:
            work_changed: Set whenever the work may have changed.
        """
        try:
            await self._run_while_next_wait_is_for(
                _DOCUMENT_SIGNALS, self._note_immediate_changes_and_script_run(), work_changed
            )
            await self._wait_for_pending_work(work_changed)
            if self._world_task is not None:
                await self._world_task
        finally:
            if self._world_task is not None:
                self._world_task.cancel()
                await asyncio.gather(self._world_task, return_exceptions=True)

    async def _wait_for_pending_work(self, work_changed: asyncio.Event) -> None:
        while True:
            if self._work.note_if_new_document_loaded(self._now()):
                await self._watch_new_document(work_changed)
            wait = self._next_wait()
            if wait.signal == "done":
                return
            if wait.signal == "events":
                self._start_creating_new_world()
                await self._sleep_until(wait.deadline, work_changed)
            else:
                await self._run_while_next_wait_is_for(
                    (wait.signal,), self._wait_in_document(wait), work_changed
                )

    def _start_creating_new_world(self) -> None:
        """Create the isolated world of the new document while it loads, for the next snapshot."""
        if self._world_task is None and self._work[Navigation].has_committed:
            self._world_task = asyncio.ensure_future(self._create_world())

    async def _create_world(self) -> None:
        with suppress(WorldGoneError, CdpError):
            world = await self._list_watched_frames()[0].world()
            await world.get_main_world_document_object_id(timeout=_FRAME_TIMEOUT)

    async def _note_immediate_changes_and_script_run(self) -> None:
        """Wait for one drawn frame and one round trip, to see the immediate effects of handlers."""
        watch = self._watch
        checking = (
            watch.has_changed_since_last_check()
            if self._is_text_insertion
            else watch.has_changed_after_drawn_frame()
        )
        script_time, has_changed = await asyncio.gather(self._measure_script_time(), checking)
        has_script_run = False
        if self._script_time_before is not None:
            self.has_script_run = has_script_run = script_time > self._script_time_before
        if self._is_text_insertion and (has_script_run or has_changed):
            has_changed = await watch.has_changed_after_drawn_frame() or has_changed
        if has_changed:
            self._work[DocumentChanges].note_change(self._now())
        if has_script_run:
            self._work[ExpectedConsequence].note_script_run(self._now())

    async def _wait_in_document(self, wait: Wait) -> None:
        seconds = wait.deadline - self._now()
        if wait.signal == "still":
            has_loading_sign = await self._watch.has_loading_sign_when_still(seconds)
            if self._work[BlankDocument].is_blank:
                await self._note_whether_page_is_blank()
            self._work[DocumentChanges].note_pause(self._now(), has_loading_sign=has_loading_sign)
        elif await self._watch.wait_for_change(seconds):
            self._work[DocumentChanges].note_change(self._now())

    async def _watch_new_document(self, work_changed: asyncio.Event) -> None:
        """Watch another document that the action led to.

        The changes that its scripts make at the start are still consequences of the action.
        """
        self._watch = DocumentWatch(self._list_watched_frames())
        if await self._measure_script_time() > 0:
            await self._run_while_next_wait_is_for(
                _DOCUMENT_SIGNALS, self._note_first_changes_and_blank_state(), work_changed
            )

    async def _note_first_changes_and_blank_state(self) -> None:
        await self._watch.start_counting()
        if await self._watch.has_changed_after_drawn_frame():
            self._work[DocumentChanges].note_change(self._now())
        await self._note_whether_page_is_blank()

    async def _note_whether_page_is_blank(self) -> None:
        now = self._now()
        self._work[BlankDocument].note_blank_state(now, is_blank=await self._watch.is_blank())

    async def _run_while_next_wait_is_for(
        self,
        signals: Container[Signal],
        operation: Coroutine[Any, Any, None],
        work_changed: asyncio.Event,
    ) -> None:
        """Run a coroutine while the next wait is for one of the signals.

        The next wait is checked whenever the work may have changed or a deadline passes.
        """
        task = asyncio.ensure_future(operation)
        try:
            while not task.done() and not self._work.is_interrupted:
                work_changed.clear()
                wait = self._next_wait()
                if wait.signal not in signals:
                    break
                limit = wait.deadline - self._now() if wait.signal != "done" else None
                await wait_for_task_or_event(task, work_changed, limit)
            if task.done():
                task.result()
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    def _next_wait(self) -> Wait:
        return self._work.next_wait(self._now())

    async def _sleep_until(self, deadline: float, work_changed: asyncio.Event) -> None:
        work_changed.clear()
        with suppress(TimeoutError):
            async with asyncio.timeout_at(deadline):
                await work_changed.wait()

    async def _measure_script_time(self) -> float:
        """Return the seconds of script execution in the processes of the watched frames.

        The number stays exactly the same if no script ran.
        """
        sessions = dict.fromkeys(frame.session for frame in self._list_watched_frames())
        return sum(
            await asyncio.gather(*(self._measure_process_script_time(each) for each in sessions))
        )

    async def _measure_process_script_time(self, session: Session) -> float:
        try:
            metrics = await read_process_metrics(session, timeout=_FRAME_TIMEOUT)
        except CallTimeout:
            raise
        except CdpError:
            # The process has ended. Events report its replacement.
            return 0.0
        for frame in self._list_watched_frames():
            if frame.session is session:
                frame.layout_counts = metrics.layout_counts
        return metrics.script_time

    @staticmethod
    def _now() -> float:
        return asyncio.get_running_loop().time()
