"""Pending downloads of the page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cdp_protocol import Session
from viewpoint_mcp.page.isolated_world import DOWNLOAD_BINDING
from viewpoint_mcp.page.settle.pending_kind_base import EventHandler, PendingKindBase

if TYPE_CHECKING:
    from cdp_protocol.types import network, runtime
    from viewpoint_mcp.page.settle.pending_work import PendingWork

_MAX_DOWNLOADS = 10  # maximum downloads that Chromium starts for one page within a second


class Downloads(
    PendingKindBase, signal="change", is_consequence=True, should_delay_next_step=False
):
    """Downloads until they are saved, and requested downloads that have not begun.

    The browser may report the start before the page reports the request.
    """

    def __init__(self, work: PendingWork) -> None:
        super().__init__(work)
        self._requested_count = 0
        self._started_count = 0
        self._request_deadline = 0.0

    @classmethod
    def list_event_handlers(cls, session: Session) -> tuple[EventHandler, ...]:
        return (
            EventHandler(session.Network.loadingFailed, cls._note_download_of_cancelled_document),
            EventHandler(session.Runtime.bindingCalled, cls._on_download_binding_called),
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

    def note_document_replaced(self) -> None:
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

    def _note_download_of_cancelled_document(
        self, event: network.LoadingFailedEvent, now: float
    ) -> None:
        # If the browser cancels a document after its response, it saves the document as a file.
        if event.get("canceled") and self.work.network_state.is_uncommitted_document(
            event["requestId"]
        ):
            self.note_request(now, has_response=True)

    def _on_download_binding_called(self, event: runtime.BindingCalledEvent, now: float) -> None:
        if event["name"] == DOWNLOAD_BINDING:
            self.note_request(now)
