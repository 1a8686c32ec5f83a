"""The current action of a page: recording the state before it, sending its events, settling."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import TypeVar

from viewpoint_mcp.config.settings import Timeouts
from viewpoint_mcp.errors import PageError
from viewpoint_mcp.page.blockers import Blockers
from viewpoint_mcp.page.frames import Frame, FrameTree
from viewpoint_mcp.page.settle.activity import Activity
from viewpoint_mcp.page.settle.document_kinds import BlankDocument
from viewpoint_mcp.page.settle.kinds import Limits
from viewpoint_mcp.page.settle.navigation_kinds import Navigation
from viewpoint_mcp.page.settle.waiter import Settler

T = TypeVar("T")


class CurrentAction:
    """The action in progress on a page; a page has at most one.

    Args:
        note: Called with a sentence for the reply.
    """

    def __init__(
        self,
        frames: FrameTree,
        activity: Activity,
        blockers: Blockers,
        timeouts: Timeouts,
        note: Callable[[str], None],
    ) -> None:
        self._frames = frames
        self._activity = activity
        self._blockers = blockers
        self._limits = Limits(navigation=timeouts.navigation, patience=timeouts.settle)
        self._note = note
        self._settler: Settler | None = None
        self._frame: Frame | None = None
        self._wake = asyncio.Event()
        self._blank_document = ""

    @asynccontextmanager
    async def settled(self, *, patient: bool = True) -> AsyncIterator[None]:
        """Run the block, then wait for the work that it caused.

        Args:
            patient: See `PendingWork`.

        Raises:
            PageError: A navigation did not end within its limit.
        """
        with self._activity.follow(self._limits, is_patient=patient) as (work, wake):
            settler = Settler(work, self._list_frames)
            self._settler, outer = settler, self._settler
            self._wake = wake
            try:
                yield
                if self._blockers.reason() is None:
                    await self._blockers.act(settler.finish(wake))
            finally:
                self._settler, self._frame = outer, None
        is_blank = work[BlankDocument].is_blank
        self._blank_document = self._frames.main.document if is_blank else ""
        if work.is_overdue:
            self._report_overdue(has_content=work[Navigation].has_content)
        for url in dict.fromkeys(work.unanswered):
            self._note(f"The page still waits for an answer from {url}")

    @property
    def left_blank(self) -> bool:
        """Whether the last action led to a document that showed nothing when settling ended."""
        return self._blank_document == self._frames.main.document != ""

    async def begin(self, frame: Frame | None = None, *, text: bool = False) -> None:
        """Record the state before the next events.

        Args:
            frame: The frame that receives the events; None for the main frame.
            text: See `Settler.note_baseline`.
        """
        self._frame = frame
        if self._settler is not None:
            await self._blockers.race(self._settler.note_baseline(text=text))

    def resume(self) -> None:
        """Assume that a script continues after the next events; see `Settler.expect_script`."""
        if self._settler is not None:
            self._settler.expect_script()

    async def catch_up(self, limit: float) -> bool:
        """Wait for the requests and navigations that the action has caused so far.

        Args:
            limit: Maximum seconds.

        Returns:
            False without waiting if no such work is pending; True after waiting.
        """
        if self._settler is None or not self._settler.should_hold_steps:
            return False
        await self._blockers.act(self._settler.catch_up(self._wake, limit))
        return True

    async def do(self, events: Awaitable[T]) -> T | None:
        """Send the events and wait until the browser has handled them.

        Returns:
            The result; None if a dialog or file chooser opened first.
        """
        return await self._blockers.act(events)

    async def ask(self, question: Callable[[], Awaitable[T]]) -> T | None:
        """Return the answer of a document about the action.

        Returns:
            None if a dialog or file chooser opened first, or if the action leaves the document.
        """
        if self._settler is None:
            return await self._blockers.act(question())
        return await self._blockers.act(self._settler.ask_unless_leaving(question, self._wake))

    def _list_frames(self) -> list[Frame]:
        main = self._frames.main
        return [main] if self._frame is None or self._frame is main else [main, self._frame]

    def _report_overdue(self, *, has_content: bool) -> None:
        if has_content:
            self._note("The page is still loading; what is there can be used.")
            return
        raise PageError(
            f"The page did not answer within {self._limits.navigation:g} s.",
            "Try again, or raise --timeout-navigation.",
        )
