"""Pending navigations of the main frame."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cdp_protocol import Session
from viewpoint_mcp.page.settle.pending_kind import PendingKind, Reaction

if TYPE_CHECKING:
    from cdp_protocol.types import network, page
    from viewpoint_mcp.page.settle.pending import PendingWork

NEW_WINDOW = ("newTab", "newWindow")
"""Values of CDP `Page.ClientNavigationDisposition` for a navigation in another tab."""

_REFRESHES = ("httpHeaderRefresh", "metaTagRefresh")


class Navigation(PendingKind, signal="events", is_consequence=True, should_hold_steps=True):
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
    def reactions(cls, session: Session) -> tuple[Reaction, ...]:
        return (
            Reaction(session.Page.frameStartedNavigating, cls._on_started),
            Reaction(session.Page.frameNavigated, cls._on_committed),
            Reaction(session.Page.domContentEventFired, cls._on_content, is_main_only=True),
            Reaction(session.Page.loadEventFired, cls._on_load, is_main_only=True),
            Reaction(session.Page.frameStoppedLoading, cls._on_stopped),
            Reaction(session.Network.loadingFailed, cls._on_failed),
        )

    @property
    def deadline(self) -> float:
        until = self.open[""] + self.limits.navigation
        if self._content_loaded_at is not None:
            until = min(until, self._content_loaded_at + self.limits.late_load)
        return until

    def leave_document(self) -> None:
        """Keep everything, because the navigation itself replaces the document."""

    @property
    def has_content(self) -> bool:
        return self._content_loaded_at is not None

    @property
    def has_shown(self) -> bool:
        return not self.is_over or self.has_new_document

    def start(self, now: float) -> None:
        """Note that the browser started to load another document into the main frame."""
        self.work[RequestedNavigation].stop(with_refresh=True)
        self._content_loaded_at = None
        self.has_committed = False
        self.begin(self.open.get("", now))

    def commit(self, now: float) -> None:
        """Note that the main frame shows a new document."""
        self.start(now)
        self.has_new_document = self.has_committed = True
        self.work.leave_document()

    def load_content(self, now: float) -> None:
        """Note the DOMContentLoaded event of the main frame."""
        if not self.is_over:
            self._content_loaded_at = now

    def finish(self) -> None:
        """Note the load event, or the end of a navigation without a document (204, download)."""
        self.work[RequestedNavigation].stop()
        self.end()

    def stop_loading(self) -> None:
        """Note that the main frame stopped loading.

        After the commit, this ends a load that has no load event (`window.stop`). Before the
        commit, the old document stops because of the new one.
        """
        if self.has_committed:
            self.finish()

    def _on_started(self, event: page.FrameStartedNavigatingEvent, now: float) -> None:
        if self.work.page.starts_document(event):
            self.start(now)

    def _on_committed(self, event: page.FrameNavigatedEvent, now: float) -> None:
        if not event["frame"].get("parentId"):
            self.commit(now)
            if event.get("type") == "BackForwardCacheRestore":
                self.finish()  # the restored document is already loaded and sends no load event

    def _on_content(self, _: page.DomContentEventFiredEvent, now: float) -> None:
        self.load_content(now)

    def _on_load(self, _: page.LoadEventFiredEvent, now: float) -> None:
        self.finish()

    def _on_stopped(self, event: page.FrameStoppedLoadingEvent, now: float) -> None:
        if event["frameId"] == self.work.page.main_frame:
            self.stop_loading()

    def _on_failed(self, event: network.LoadingFailedEvent, now: float) -> None:
        if self.work.page.is_main_request(event["requestId"]):
            # If the browser cancels the navigation (204, download), the old document stays.
            is_error_page_next = not self.has_committed and not event.get("canceled")
            self.finish()
            if is_error_page_next:
                self.work[RequestedNavigation].request(now)


class RequestedNavigation(
    PendingKind, signal="events", is_consequence=True, should_hold_steps=True
):
    """A navigation of the main frame that the page requested and that has not started yet.

    Also a failed navigation, until the error page of the browser starts to load.
    """

    @classmethod
    def reactions(cls, session: Session) -> tuple[Reaction, ...]:
        return (
            Reaction(session.Page.frameRequestedNavigation, cls._on_requested),
            Reaction(session.Page.frameScheduledNavigation, cls._on_scheduled),
        )

    @property
    def deadline(self) -> float:
        requested_at = self.open["request" if self.is_requested else "refresh"]
        return requested_at + self.limits.requested

    def leave_document(self) -> None:
        """Do nothing, because the start of the navigation has already ended the request."""

    @property
    def has_shown(self) -> bool:
        return self.is_requested

    @property
    def is_requested(self) -> bool:
        """Whether the page requested the navigation, in contrast to a scheduled refresh."""
        return "request" in self.open

    def request(self, now: float) -> None:
        """Note that the page requested another document in the main frame."""
        self.begin(now, "request")

    def schedule_refresh(self, now: float) -> None:
        """Note that the document replaces itself without delay after its load.

        The refresh stays pending when the load of the document ends.
        """
        self.open["refresh"] = now

    def stop(self, *, with_refresh: bool = False) -> None:
        """Note that the requested navigation started or ended without a start.

        Args:
            with_refresh: End the wait for a scheduled refresh, too.
        """
        self.end("request")
        if with_refresh:
            self.end("refresh")

    def _on_requested(self, event: page.FrameRequestedNavigationEvent, now: float) -> None:
        is_main = event["frameId"] == self.work.page.main_frame
        if is_main and event["disposition"] not in NEW_WINDOW:
            self.request(now)

    def _on_scheduled(self, event: page.FrameScheduledNavigationEvent, now: float) -> None:
        # This event comes with the load event, but a timer starts the navigation later. Without
        # this wait, settling could end before the navigation starts.
        is_at_once = event["reason"] in _REFRESHES and event["delay"] == 0
        if is_at_once and event["frameId"] == self.work.page.main_frame:
            self.schedule_refresh(now)
