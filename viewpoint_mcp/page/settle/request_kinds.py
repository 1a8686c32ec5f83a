"""Pending requests, and pending navigations of child frames."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from cdp_protocol import Session
from viewpoint_mcp.page.settle.document_kinds import (
    BlankDocument,
    DocumentChanges,
    ExpectedConsequence,
    FurtherChanges,
)
from viewpoint_mcp.page.settle.navigation_kinds import NEW_WINDOW, Navigation
from viewpoint_mcp.page.settle.page_state import Address, address_of, is_usable
from viewpoint_mcp.page.settle.pending_kind import PendingKind, Reaction

if TYPE_CHECKING:
    from collections.abc import Hashable

    from cdp_protocol.types import network, page
    from viewpoint_mcp.page.settle.pending import PendingWork

_POLL = 3  # maximum requests to one address during an action; the next one counts as a poll
_RENDER_LEAD = 0.1  # maximum seconds from a handler's change to the event that reports its cause


class Requests(PendingKind, signal="change", is_consequence=True, should_hold_steps=True):
    """Requests until their response, and navigations of child frames until they have loaded."""

    def __init__(self, work: PendingWork) -> None:
        super().__init__(work)
        self._urls: dict[Hashable, str] = {}
        # A request to an address that already has an open request continues a long poll.
        self._counts = Counter(dict.fromkeys(work.page.running, _POLL))
        self._has_loaded_frame = False

    @classmethod
    def reactions(cls, session: Session) -> tuple[Reaction, ...]:
        return (
            Reaction(session.Page.frameRequestedNavigation, cls._on_frame_requested),
            Reaction(session.Page.frameStoppedLoading, cls._on_frame_stopped),
            Reaction(session.Page.frameDetached, cls._on_frame_detached),
            Reaction(session.Network.requestWillBeSent, cls._on_request),
            Reaction(session.Network.responseReceived, cls._on_response),
            Reaction(session.Network.loadingFinished, cls._on_finished),
            Reaction(session.Network.loadingFailed, cls._on_failed),
        )

    @property
    def deadline(self) -> float:
        is_late = self.work[Navigation].has_committed and not self.work[BlankDocument].is_blank
        limit = self.limits.late_requests if is_late else self.limits.requests
        return min(max(self.open.values()) + limit, self.work.following_until)

    def leave_document(self) -> None:
        self.open.clear()

    @property
    def has_shown(self) -> bool:
        return not self.is_over or self._has_loaded_frame

    @property
    def unanswered(self) -> list[str]:
        """The URLs, without query, of the requests that have no response yet."""
        return [self._urls[piece] for piece in self.open if piece in self._urls]

    def start(self, request_id: str, now: float, address: Address | None = None) -> None:
        """Note that a request, or the load of a child frame, began.

        Args:
            request_id: Id of the request or of the frame.
            address: Address of the request; None for a frame, which has no repetitions.
        """
        if address is not None:
            self._counts[address] += 1
            if self._counts[address] > _POLL:
                return
            self._urls[request_id] = address.url
        self.begin(now, request_id)

    def answer(
        self, request_id: str, now: float, *, is_complete: bool = False, has_handler: bool = True
    ) -> None:
        """Note a response or a failure; its handler may change the page now.

        Args:
            is_complete: Whether the whole body has arrived. The handler may have changed the page
                before this event.
            has_handler: False for a document, because the load of its frame is pending instead.
        """
        if not self.end(request_id) or not has_handler:
            return
        self.work[FurtherChanges].restart()
        if not is_complete or now - self.work[DocumentChanges].last_change > _RENDER_LEAD:
            self.work[ExpectedConsequence].expect(now)

    def load_frame(self, frame_id: str) -> None:
        """Note that a child frame loaded its new document, or was removed.

        The content of the frame is the consequence, so no other one is expected.
        """
        if self.end(frame_id):
            self.work.note_consequence()
            self._has_loaded_frame = True

    def _on_frame_requested(self, event: page.FrameRequestedNavigationEvent, now: float) -> None:
        is_main = event["frameId"] == self.work.page.main_frame
        if not is_main and event["disposition"] not in NEW_WINDOW:
            self.start(event["frameId"], now)

    def _on_frame_stopped(self, event: page.FrameStoppedLoadingEvent, now: float) -> None:
        if event["frameId"] != self.work.page.main_frame:
            self.load_frame(event["frameId"])

    def _on_frame_detached(self, event: page.FrameDetachedEvent, now: float) -> None:
        if event.get("reason") != "swap":  # a swapped frame continues to load in another process
            self.load_frame(event["frameId"])

    def _on_request(self, event: network.RequestWillBeSentEvent, now: float) -> None:
        address = address_of(event)
        if address is None or self.work.page.is_poll(address):
            return
        main_frame = self.work.page.main_frame
        frame_id = event.get("frameId", main_frame)
        if event.get("type") == "Document" and frame_id != main_frame:
            self.start(frame_id, now)
        self.start(event["requestId"], now, address)

    def _on_response(self, event: network.ResponseReceivedEvent, now: float) -> None:
        if is_usable(event):
            self.answer(event["requestId"], now, has_handler=event.get("type") != "Document")

    def _on_finished(self, event: network.LoadingFinishedEvent, now: float) -> None:
        self.answer(event["requestId"], now, is_complete=True)

    def _on_failed(self, event: network.LoadingFailedEvent, now: float) -> None:
        self.answer(event["requestId"], now, has_handler=event.get("type") != "Document")
