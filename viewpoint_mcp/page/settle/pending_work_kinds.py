"""The list of all kinds of pending work, and their limits.

To add a kind, write its class here, add a field to `SettleLimits`, and put the class into `KINDS`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cdp_protocol import Session
from viewpoint_mcp.page.isolated_world import DOWNLOAD_BINDING
from viewpoint_mcp.page.settle.document_changes import (
    BlankDocument,
    DocumentChanges,
    ExpectedConsequence,
    FurtherChanges,
)
from viewpoint_mcp.page.settle.navigation_kinds import (
    NEW_TAB_DISPOSITIONS,
    Navigation,
    RequestedNavigation,
)
from viewpoint_mcp.page.settle.pending_kind import PendingKind, Reaction
from viewpoint_mcp.page.settle.request_kinds import Requests

if TYPE_CHECKING:
    from cdp_protocol.types import network, page, runtime
    from viewpoint_mcp.page.settle.pending_work import PendingWork

_MAX_DOWNLOADS = 10  # maximum downloads that Chromium starts for one page within a second


@dataclass(frozen=True, slots=True)
class SettleLimits:
    """Maximum waits, in seconds.

    Attributes:
        navigation: From the start of a navigation to its load event.
        late_load: From DOMContentLoaded to the load event, which one slow picture can delay
            forever.
        requested_navigation: From the request for a navigation to its start. A link that opens
            another program never starts one.
        requests: From the start of a request to its response.
        requests_after_load: The same in a new document that already shows content. There, the
            request may be a long poll.
        all_requests: For all requests and their consequences together, because a page may send
            requests forever.
        pause_in_changes: From a change of the document to a pause.
        patience: For the first consequence of a script, and for a new document to show content.
        further_change: From a change by a timer to the next change. All these changes together get
            `patience`.
        popup: For a requested window to open.
        download: From the start of a download to its end.
    """

    navigation: float = 60.0
    late_load: float = 5.0
    requested_navigation: float = 1.0
    requests: float = 5.0
    requests_after_load: float = 2.5
    all_requests: float = 10.0
    pause_in_changes: float = 0.5
    patience: float = 0.5
    further_change: float = 0.15
    popup: float = 1.0
    download: float = 5.0


class Popups(PendingKind, signal="change", is_consequence=True, should_delay_next_step=False):
    """Windows that the page requested and that are not open yet.

    The browser may report the window before the page reports the request.
    """

    def __init__(self, work: PendingWork) -> None:
        super().__init__(work)
        self._surplus = 0  # number of opened windows minus number of requested windows
        self._has_opened = False

    @classmethod
    def list_reactions(cls, session: Session) -> tuple[Reaction, ...]:
        return (
            Reaction(session.Page.frameRequestedNavigation, cls._on_navigation_requested),
            Reaction(session.Page.windowOpen, cls._on_window_open),
        )

    @property
    def deadline(self) -> float:
        return self.open_since[""] + self.limits.popup

    def forget_old_document(self) -> None:
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


class Downloads(PendingKind, signal="change", is_consequence=True, should_delay_next_step=False):
    """Downloads until they are saved, and requested downloads that have not begun.

    The browser may report the start before the page reports the request.
    """

    def __init__(self, work: PendingWork) -> None:
        super().__init__(work)
        self._requested_count = 0
        self._started_count = 0
        self._request_deadline = 0.0

    @classmethod
    def list_reactions(cls, session: Session) -> tuple[Reaction, ...]:
        return (
            Reaction(session.Network.loadingFailed, cls._on_loading_failed),
            Reaction(session.Runtime.bindingCalled, cls._on_binding_called),
        )

    @property
    def is_over(self) -> bool:
        return not self.open_since and self._requested_count <= self._started_count

    @property
    def deadline(self) -> float:
        deadlines = [start + self.limits.download for start in self.open_since.values()]
        if self._requested_count > self._started_count:
            deadlines.append(self._request_deadline)
        return min(max(deadlines), self.work.requests_deadline)

    def forget_old_document(self) -> None:
        self._requested_count = self._started_count = 0

    @property
    def has_occurred(self) -> bool:
        return self._request_deadline > 0 or bool(self.open_since)

    def note_request(self, now: float, *, has_response: bool = False) -> None:
        """Note that the page requested a file.

        Args:
            has_response: Whether the response has arrived, so that the download begins soon.
        """
        limit = self.limits.requested_navigation if has_response else self.limits.requests
        self._requested_count = min(self._requested_count + 1, _MAX_DOWNLOADS)
        self._request_deadline = max(self._request_deadline, now + limit)
        self.work.note_consequence()

    def note_download_start(self, guid: str, now: float) -> None:
        """Note that a download began."""
        self._started_count += 1
        self.begin_work(now, guid)

    def _on_loading_failed(self, event: network.LoadingFailedEvent, now: float) -> None:
        # If the browser cancels a document after its response, it saves the document as a file.
        if event.get("canceled") and self.work.page_state.is_uncommitted_document(
            event["requestId"]
        ):
            self.note_request(now, has_response=True)

    def _on_binding_called(self, event: runtime.BindingCalledEvent, now: float) -> None:
        if event["name"] == DOWNLOAD_BINDING:
            self.note_request(now)


KINDS: tuple[type[PendingKind], ...] = (
    Navigation,
    RequestedNavigation,
    DocumentChanges,
    Requests,
    Popups,
    Downloads,
    ExpectedConsequence,
    FurtherChanges,
    BlankDocument,
)
"""Settling waits for the first kind in this list that is not over and before its deadline."""
