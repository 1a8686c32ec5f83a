"""Pending navigations of the main frame."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cdp_protocol import Session
from viewpoint_mcp.page.settle.pending_kind_base import EventHandler, PendingKindBase

if TYPE_CHECKING:
    from cdp_protocol.types import network, page
    from viewpoint_mcp.page.settle.pending_work import PendingWork

NEW_TAB_DISPOSITIONS = ("newTab", "newWindow")
"""Values of CDP `Page.ClientNavigationDisposition` for a navigation in another tab."""

_REFRESH_REASONS = ("httpHeaderRefresh", "metaTagRefresh")


class Navigation(
    PendingKindBase, signal="events", is_consequence=True, should_delay_next_step=True
):
    """A navigation of the main frame, from its start to the load event or another end.

    Attributes:
        has_committed: Whether the main frame shows the document of the last navigation.
        has_new_document: Whether settling still has to follow the start of that document.
        has_content: Whether DOMContentLoaded has fired; pictures and other resources may be
            missing.
    """

    def __init__(self, work: PendingWork) -> None:
        super().__init__(work)
        self.has_committed = False
        self.has_new_document = False
        self._content_loaded_at: float | None = None

    @classmethod
    def list_event_handlers(cls, session: Session) -> tuple[EventHandler, ...]:
        return (
            EventHandler(session.Page.frameStartedNavigating, cls._on_started_navigating),
            EventHandler(session.Page.frameNavigated, cls._on_frame_navigated),
            EventHandler(
                session.Page.domContentEventFired, cls._on_content_loaded, is_main_frame_only=True
            ),
            EventHandler(session.Page.loadEventFired, cls._on_load_event, is_main_frame_only=True),
            EventHandler(session.Page.frameStoppedLoading, cls._on_stopped_loading),
            EventHandler(session.Network.loadingFailed, cls._on_loading_failed),
        )

    @property
    def deadline(self) -> float:
        until = self.open_since[""] + self.limits.navigation
        if self._content_loaded_at is not None:
            until = min(until, self._content_loaded_at + self.limits.late_load)
        return until

    def note_document_replaced(self) -> None:
        """Keep everything, because the navigation itself replaces the document."""

    @property
    def has_content(self) -> bool:
        return self._content_loaded_at is not None

    @property
    def has_occurred(self) -> bool:
        return not self.is_over or self.has_new_document

    def note_start(self, now: float) -> None:
        """Note that the browser started to load another document into the main frame."""
        self.work[RequestedNavigation].note_end(include_refresh=True)
        self._content_loaded_at = None
        self.has_committed = False
        self.begin_work(self.open_since.get("", now))

    def note_commit(self, now: float) -> None:
        """Note that the main frame shows a new document."""
        self.note_start(now)
        self.has_new_document = self.has_committed = True
        self.work.note_document_replaced()

    def note_content_loaded(self, now: float) -> None:
        """Note the DOMContentLoaded event of the main frame."""
        if not self.is_over:
            self._content_loaded_at = now

    def note_end(self) -> None:
        """Note the load event, or the end of a navigation without a document (204, download)."""
        self.work[RequestedNavigation].note_end()
        self.end_work()

    def note_loading_stopped(self) -> None:
        """Note that the main frame stopped loading.

        After the commit, this ends a load that has no load event (`window.stop`). Before the
        commit, the old document stops because of the new one.
        """
        if self.has_committed:
            self.note_end()

    def _on_started_navigating(self, event: page.FrameStartedNavigatingEvent, now: float) -> None:
        if self.work.network_state.is_document_start(event):
            self.note_start(now)

    def _on_frame_navigated(self, event: page.FrameNavigatedEvent, now: float) -> None:
        if not event["frame"].get("parentId"):
            self.note_commit(now)
            if event.get("type") == "BackForwardCacheRestore":
                self.note_end()  # the restored document is already loaded and sends no load event

    def _on_content_loaded(self, _: page.DomContentEventFiredEvent, now: float) -> None:
        self.note_content_loaded(now)

    def _on_load_event(self, _: page.LoadEventFiredEvent, now: float) -> None:
        self.note_end()

    def _on_stopped_loading(self, event: page.FrameStoppedLoadingEvent, now: float) -> None:
        if event["frameId"] == self.work.network_state.main_frame_id:
            self.note_loading_stopped()

    def _on_loading_failed(self, event: network.LoadingFailedEvent, now: float) -> None:
        if self.work.network_state.is_main_document_request(event["requestId"]):
            # If the browser cancels the navigation (204, download), the old document stays.
            is_error_page_next = not self.has_committed and not event.get("canceled")
            self.note_end()
            if is_error_page_next:
                self.work[RequestedNavigation].note_request(now)


class RequestedNavigation(
    PendingKindBase, signal="events", is_consequence=True, should_delay_next_step=True
):
    """A navigation of the main frame that the page requested and that has not started yet.

    Also a failed navigation, until the error page of the browser starts to load.
    """

    @classmethod
    def list_event_handlers(cls, session: Session) -> tuple[EventHandler, ...]:
        return (
            EventHandler(session.Page.frameRequestedNavigation, cls._on_requested),
            EventHandler(session.Page.frameScheduledNavigation, cls._on_scheduled),
        )

    @property
    def deadline(self) -> float:
        requested_at = self.open_since["request" if self.is_requested else "refresh"]
        return requested_at + self.limits.requested_navigation

    def note_document_replaced(self) -> None:
        """Do nothing, because the start of the navigation has already ended the request."""

    @property
    def has_occurred(self) -> bool:
        return self.is_requested

    @property
    def is_requested(self) -> bool:
        """Whether the page requested the navigation, in contrast to a scheduled refresh."""
        return "request" in self.open_since

    def note_request(self, now: float) -> None:
        """Note that the page requested another document in the main frame."""
        self.begin_work(now, "request")

    def note_scheduled_refresh(self, now: float) -> None:
        """Note that the document replaces itself without delay after its load.

        The refresh stays pending when the load of the document ends.
        """
        self.open_since["refresh"] = now

    def note_end(self, *, include_refresh: bool = False) -> None:
        """Note that the requested navigation started or ended without a start.

        Args:
            include_refresh: End the wait for a scheduled refresh, too.
        """
        self.end_work("request")
        if include_refresh:
            self.end_work("refresh")

    def _on_requested(self, event: page.FrameRequestedNavigationEvent, now: float) -> None:
        is_main = event["frameId"] == self.work.network_state.main_frame_id
        if is_main and event["disposition"] not in NEW_TAB_DISPOSITIONS:
            self.note_request(now)

    def _on_scheduled(self, event: page.FrameScheduledNavigationEvent, now: float) -> None:
        # This event comes with the load event, but a timer starts the navigation later. Without
        # this wait, settling could end before the navigation starts.
        is_at_once = event["reason"] in _REFRESH_REASONS and event["delay"] == 0
        if is_at_once and event["frameId"] == self.work.network_state.main_frame_id:
            self.note_scheduled_refresh(now)
