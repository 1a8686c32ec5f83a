"""The course of an action: note the state before, send the events, follow what they cause."""

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
from viewpoint_mcp.page.settle.pending import Consequences, Limits
from viewpoint_mcp.page.settle.waiter import Settle

T = TypeVar("T")


class CurrentAction:
    """The action that a page carries out now, one at a time.

    Args:
        note: Takes a sentence for the reply, when an act left something that the agent must know.
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
        self._settle: Settle | None = None
        self._frame: Frame | None = None
        self._wake = asyncio.Event()
        self._blank_document = ""

    @asynccontextmanager
    async def settled(self, *, patient: bool = True) -> AsyncIterator[None]:
        """Follow what is done inside to the end of its consequences.

        Args:
            patient: See `Consequences`.

        Raises:
            PageError: A navigation that was begun did not end within its limit.
        """
        consequences = Consequences(asyncio.get_running_loop().time(), self._limits, patient)
        with self._activity.following(consequences) as wake:
            settle = Settle(consequences, self._watched)
            self._settle, outer = settle, self._settle
            self._wake = wake
            try:
                yield
                if self._blockers.reason() is None:
                    await self._blockers.act(settle.finish(wake))
            finally:
                self._settle, self._frame = outer, None
        self._blank_document = self._frames.main.document if consequences.is_blank else ""
        if consequences.overdue:
            self._report_overdue(still_loading=consequences.content_is_there)
        for url in dict.fromkeys(consequences.unanswered):
            self._note(f"The page still waits for an answer from {url}")

    @property
    def left_blank(self) -> bool:
        """Whether the last act led to a document that showed nothing when the waiting ended."""
        return self._blank_document == self._frames.main.document != ""

    async def begin(self, frame: Frame | None = None, *, text: bool = False) -> None:
        """Note the state that the coming events, meant for `frame`, are compared with.

        Args:
            text: See `Settle.baseline`.
        """
        self._frame = frame
        if self._settle is not None:
            await self._blockers.race(self._settle.baseline(text=text))

    def resume(self) -> None:
        """Count on script that goes on with the coming events, whatever they are."""
        if self._settle is not None:
            self._settle.script_goes_on()

    async def catch_up(self, limit: float) -> bool:
        """Wait, at most `limit` seconds, for the answers to what the events so far made the page
        ask for; returns at once, with False, where that is nothing."""
        if self._settle is None or not self._settle.awaits_answer:
            return False
        await self._blockers.act(self._settle.catch_up(self._wake, limit))
        return True

    async def do(self, events: Awaitable[T]) -> T | None:
        """Send the events and wait until they are taken; None when a dialog came first."""
        return await self._blockers.act(events)

    async def ask(self, question: Callable[[], Awaitable[T]]) -> T | None:
        """Wait for what a document answers about the act; None when a dialog came first, or the
        act takes the page to another document.
        """
        if self._settle is None:
            return await self._blockers.act(question())
        return await self._blockers.act(self._settle.unless_leaving(question, self._wake))

    def _watched(self) -> list[Frame]:
        main = self._frames.main
        return [main] if self._frame is None or self._frame is main else [main, self._frame]

    def _report_overdue(self, *, still_loading: bool) -> None:
        if still_loading:
            self._note("The page is still loading; what is there can be used.")
            return
        raise PageError(
            f"The page did not answer within {self._limits.navigation:g} s.",
            "Try again, or raise --timeout-navigation.",
        )
