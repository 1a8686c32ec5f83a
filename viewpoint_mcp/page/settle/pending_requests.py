"""Pending requests, and pending navigations of child frames."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from cdp_protocol import Session
from viewpoint_mcp.page.settle.page_network_state import (
    RequestKey,
    is_usable_before_end,
    make_key_of_followed_request,
)
from viewpoint_mcp.page.settle.pending_document_changes import (
    BlankDocument,
    DocumentChanges,
    ExpectedConsequence,
    FurtherChanges,
)
from viewpoint_mcp.page.settle.pending_kind_base import EventHandler, PendingKindBase
from viewpoint_mcp.page.settle.pending_navigations import NEW_TAB_DISPOSITIONS, Navigation

if TYPE_CHECKING:
    from collections.abc import Hashable

    from cdp_protocol.types import network, page
    from viewpoint_mcp.page.settle.pending_work import PendingWork

# Maximum requests with one key during an action; the next one counts as a poll.
_MAX_REPETITIONS = 3
# Maximum seconds from a handler's change to the event that reports its cause.
_MAX_RENDER_LEAD = 0.1


class Requests(PendingKindBase, signal="change", is_consequence=True, should_delay_next_step=True):
    """Requests until their response, and navigations of child frames until they have loaded."""

    def __init__(self, work: PendingWork) -> None:
        super().__init__(work)
        self._urls: dict[Hashable, str] = {}
        # A repetition of an open request continues a long poll.
        self._request_counts = Counter(
            dict.fromkeys(work.network_state.open_requests, _MAX_REPETITIONS)
        )
        self._has_loaded_frame = False

    @classmethod
    def list_event_handlers(cls, session: Session) -> tuple[EventHandler, ...]:
        return (
            EventHandler(
                session.Page.frameRequestedNavigation, cls._on_child_frame_navigation_requested
            ),
            EventHandler(session.Page.frameStoppedLoading, cls._on_frame_stopped_loading),
            EventHandler(session.Page.frameDetached, cls._end_load_of_detached_frame),
            EventHandler(session.Network.requestWillBeSent, cls._on_request),
            EventHandler(session.Network.responseReceived, cls._on_response),
            EventHandler(session.Network.loadingFinished, cls._on_loading_finished),
            EventHandler(session.Network.loadingFailed, cls._on_loading_failed),
        )

    @property
    def deadline(self) -> float:
        is_late = self.work[Navigation].has_committed and not self.work[BlankDocument].is_blank
        limit = self.limits.requests_after_load if is_late else self.limits.requests
        return min(max(self.open_since.values()) + limit, self.work.requests_deadline)

    def note_document_replaced(self) -> None:
        self.open_since.clear()

    @property
    def has_occurred(self) -> bool:
        return not self.is_over or self._has_loaded_frame

    @property
    def unanswered_urls(self) -> list[str]:
        """The URLs, without query, of the requests that have no response yet."""
        return [self._urls[piece] for piece in self.open_since if piece in self._urls]

    def note_start(self, request_id: str, now: float, key: RequestKey | None = None) -> None:
        """Note that a request, or the load of a child frame, began.

        Args:
            request_id: Id of the request or of the frame.
            key: Key of the request; None for a frame, which has no repetitions.
        """
        if key is not None:
            self._request_counts[key] += 1
            if self._request_counts[key] > _MAX_REPETITIONS:
                return
            self._urls[request_id] = key.url
        self.begin_work(now, request_id)

    def note_response(
        self,
        request_id: str,
        now: float,
        *,
        is_complete: bool = False,
        has_script_handler: bool = True,
    ) -> None:
        """Note a response or a failure; its handler may change the page now.

        Args:
            is_complete: Whether the whole body has arrived. The handler may have changed the page
                before this event.
            has_script_handler: False for a document, because the load of its frame is pending
                instead.
        """
        if not self.end_work(request_id) or not has_script_handler:
            return
        self.work[FurtherChanges].restart_if_loading()
        if not is_complete or now - self.work[DocumentChanges].last_change_at > _MAX_RENDER_LEAD:
            self.work[ExpectedConsequence].start_expecting(now)

    def note_frame_loaded(self, frame_id: str) -> None:
        """Note that a child frame loaded its new document, or was removed.

        The content of the frame is the consequence, so no other one is expected.
        """
        if self.end_work(frame_id):
            self.work.note_consequence()
            self._has_loaded_frame = True

    def _on_child_frame_navigation_requested(
        self, event: page.FrameRequestedNavigationEvent, now: float
    ) -> None:
        is_main = event["frameId"] == self.work.network_state.main_frame_id
        if not is_main and event["disposition"] not in NEW_TAB_DISPOSITIONS:
            self.note_start(event["frameId"], now)

    def _on_frame_stopped_loading(self, event: page.FrameStoppedLoadingEvent, now: float) -> None:
        if event["frameId"] != self.work.network_state.main_frame_id:
            self.note_frame_loaded(event["frameId"])

    def _end_load_of_detached_frame(self, event: page.FrameDetachedEvent, now: float) -> None:
        if event.get("reason") != "swap":  # a swapped frame continues to load in another process
            self.note_frame_loaded(event["frameId"])

    def _on_request(self, event: network.RequestWillBeSentEvent, now: float) -> None:
        key = make_key_of_followed_request(event)
        if key is None or self.work.network_state.is_poll(key):
            return
        main_frame = self.work.network_state.main_frame_id
        frame_id = event.get("frameId", main_frame)
        if event.get("type") == "Document" and frame_id != main_frame:
            self.note_start(frame_id, now)
        self.note_start(event["requestId"], now, key)

    def _on_response(self, event: network.ResponseReceivedEvent, now: float) -> None:
        if is_usable_before_end(event):
            self.note_response(
                event["requestId"], now, has_script_handler=event.get("type") != "Document"
            )

    def _on_loading_finished(self, event: network.LoadingFinishedEvent, now: float) -> None:
        self.note_response(event["requestId"], now, is_complete=True)

    def _on_loading_failed(self, event: network.LoadingFailedEvent, now: float) -> None:
        self.note_response(
            event["requestId"], now, has_script_handler=event.get("type") != "Document"
        )
