"""Pending popups: windows that the page requested."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cdp_protocol import Session
from viewpoint_mcp.page.settle.pending_kind_base import EventHandler, PendingKindBase
from viewpoint_mcp.page.settle.pending_navigations import NEW_TAB_DISPOSITIONS

if TYPE_CHECKING:
    from cdp_protocol.types import page
    from viewpoint_mcp.page.settle.pending_work import PendingWork


class Popups(PendingKindBase, signal="change", is_consequence=True, should_delay_next_step=False):
    """Windows that the page requested and that are not open yet.

    The browser may report the window before the page reports the request.
    """

    def __init__(self, work: PendingWork) -> None:
        super().__init__(work)
        self._surplus = 0  # number of opened windows minus number of requested windows
        self._has_opened = False

    @classmethod
    def list_event_handlers(cls, session: Session) -> tuple[EventHandler, ...]:
        return (
            EventHandler(session.Page.frameRequestedNavigation, cls._on_navigation_requested),
            EventHandler(session.Page.windowOpen, cls._on_window_open),
        )

    @property
    def deadline(self) -> float:
        return self.open_since[""] + self.limits.popup

    def note_document_replaced(self) -> None:
        """Keep the windows, because they open even after the page that requested them has left."""

    @property
    def has_occurred(self) -> bool:
        return not self.is_over or self._has_opened

    def note_request(self, now: float) -> None:
        """Note that the page requested a window."""
        self._surplus -= 1
        self.work.note_consequence()
        if self._surplus < 0:
            self.begin_work(now)

    def note_window_opened(self) -> None:
        """Note that a window opened."""
        self._surplus += 1
        self._has_opened = True
        self.work.note_consequence()
        if self._surplus >= 0:
            self.end_work()

    def _on_navigation_requested(
        self, event: page.FrameRequestedNavigationEvent, now: float
    ) -> None:
        if event["disposition"] in NEW_TAB_DISPOSITIONS:
            self.note_request(now)

    def _on_window_open(self, _: page.WindowOpenEvent, now: float) -> None:
        self.note_request(now)
