"""The current action of a page: recording the state before it, sending its events, settling."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import TypeVar

from cdp_protocol import CdpError
from viewpoint_mcp.config.settings import Timeouts
from viewpoint_mcp.errors import PageTimeoutError
from viewpoint_mcp.page.blocking_conditions import BlockingConditions
from viewpoint_mcp.page.frames import Frame, FrameTree
from viewpoint_mcp.page.settle.pending_document_changes import BlankDocument
from viewpoint_mcp.page.settle.pending_navigations import Navigation
from viewpoint_mcp.page.settle.pending_work_dispatcher import WorkDispatcher
from viewpoint_mcp.page.settle.settle_limits import SettleLimits
from viewpoint_mcp.page.settle.settler import Settler

T = TypeVar("T")

_HAS_CONTENT = "!!document.body && document.body.hasChildNodes()"
_ANSWER_LIMIT = 0.5  # seconds


class CurrentAction:
    """The action in progress on a page; a page has at most one.

    Args:
        add_event: Called with a sentence for the reply.
    """

    def __init__(
        self,
        frames: FrameTree,
        work_dispatcher: WorkDispatcher,
        blockers: BlockingConditions,
        timeouts: Timeouts,
        add_event: Callable[[str], None],
    ) -> None:
        self._frames = frames
        self._work_tracker = work_dispatcher
        self._blockers = blockers
        self._limits = SettleLimits(navigation=timeouts.navigation, patience=timeouts.settle)
        self._add_event = add_event
        self._settler: Settler | None = None
        self._frame: Frame | None = None
        self._work_changed = asyncio.Event()
        self._blank_document = ""
        self._has_had_consequence = True
        self._has_run_script: bool | None = None

    @asynccontextmanager
    async def settle_afterwards(self, *, is_patient: bool = True) -> AsyncIterator[None]:
        """Run the block, then wait for the work that it caused.

        Args:
            is_patient: See `PendingWork`.

        Raises:
            PageError: A navigation did not end within its limit.
        """
        with self._work_tracker.follow_action(self._limits, is_patient=is_patient) as (
            work,
            work_changed,
        ):
            settler = Settler(work, self._list_watched_frames)
            self._settler, outer = settler, self._settler
            self._work_changed = work_changed
            try:
                yield
                if self._blockers.blocking_error() is None:
                    await self._blockers.run_until_dialog(settler.settle(work_changed))
            finally:
                self._settler, self._frame = outer, None
        self._has_had_consequence = work.has_consequence
        self._has_run_script = settler.has_script_run
        is_blank = work[BlankDocument].is_blank
        self._blank_document = self._frames.main.document_id if is_blank else ""
        if work.is_navigation_overdue:
            navigation = work[Navigation]
            self._report_overdue_navigation(
                has_content=navigation.has_content
                or (navigation.has_committed and await self._does_main_frame_show_content())
            )
        for url in dict.fromkeys(work.unanswered_urls):
            self._add_event(f"The page still waits for a response from {url}")

    @property
    def has_had_no_consequence(self) -> bool:
        """Whether the last action changed no document, and caused no request or navigation."""
        return not self._has_had_consequence

    @property
    def is_ignored_by_scripts(self) -> bool:
        """Whether the last action had no consequence, and certainly ran no script of the page."""
        return self._has_run_script is False and self.has_had_no_consequence

    @property
    def is_blank_after_action(self) -> bool:
        """Whether the last action led to a document that showed nothing when settling ended."""
        return self._blank_document == self._frames.main.document_id != ""

    async def record_state_before_events(
        self, frame: Frame | None = None, *, is_text_insertion: bool = False
    ) -> None:
        """Record the state before the next events.

        Args:
            frame: The frame that receives the events; None for the main frame.
            is_text_insertion: See `Settler.record_state_before_events`.
        """
        self._frame = frame
        if self._settler is not None:
            await self._blockers.run_unless_blocked(
                self._settler.record_state_before_events(is_text_insertion=is_text_insertion)
            )

    def expect_script_to_resume_after_dialog(self) -> None:
        """Assume that a script continues after the next events; see `Settler`."""
        if self._settler is not None:
            self._settler.expect_script_to_resume_after_dialog()

    @property
    def is_network_pending(self) -> bool:
        """Whether requests or navigations that the action has caused are pending."""
        return self._settler is not None and self._settler.should_delay_next_step

    async def wait_for_network(self, timeout: float) -> None:
        """Wait for the requests and navigations that the action has caused so far.

        Args:
            timeout: Maximum seconds.
        """
        if self._settler is not None and self._settler.should_delay_next_step:
            await self._blockers.run_until_dialog(
                self._settler.wait_for_network(self._work_changed, timeout)
            )

    async def perform_until_dialog(self, operation: Awaitable[T]) -> T | None:
        """Send the events and wait until the browser has handled them.

        Returns:
            The result; None if a dialog or file chooser opened first.
        """
        return await self._blockers.run_until_dialog(operation)

    async def query_document_unless_navigating(self, query: Callable[[], Awaitable[T]]) -> T | None:
        """Return the answer of a document about the action.

        Returns:
            None if a dialog or file chooser opened first, or if the action leaves the document.
        """
        if self._settler is None:
            return await self._blockers.run_until_dialog(query())
        return await self._blockers.run_until_dialog(
            self._settler.query_unless_navigating(query, self._work_changed)
        )

    def _list_watched_frames(self) -> list[Frame]:
        main = self._frames.main
        return [main] if self._frame is None or self._frame is main else [main, self._frame]

    async def _does_main_frame_show_content(self) -> bool:
        """Return whether a document has a part of its content already, although it still loads.

        Source: CDP `Runtime.evaluate`.
        """
        params = {"expression": _HAS_CONTENT, "returnByValue": True}
        try:
            answer = await self._frames.main.session.send(
                "Runtime.evaluate", params, timeout=_ANSWER_LIMIT
            )
        except CdpError:
            return False  # a script of the page runs, or the document is gone
        return answer["result"].get("value") is True

    def _report_overdue_navigation(self, *, has_content: bool) -> None:
        if has_content:
            self._add_event("The page is still loading; its content can be used.")
            return
        raise PageTimeoutError(
            f"The page did not answer within {self._limits.navigation:g} s.",
            "Try again, raise --timeout-navigation, or close the tab with browser_close.",
        )
