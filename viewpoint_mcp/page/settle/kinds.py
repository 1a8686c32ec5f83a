"""The list of all kinds of pending work, and their limits.

To add a kind, write its class here, add a field to `Limits`, and put the class into `KINDS`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cdp_protocol import Session
from viewpoint_mcp.page.isolated_world import DOWNLOADS
from viewpoint_mcp.page.settle.document_kinds import (
    BlankDocument,
    DocumentChanges,
    ExpectedConsequence,
    FurtherChanges,
)
from viewpoint_mcp.page.settle.navigation_kinds import NEW_WINDOW, Navigation, RequestedNavigation
from viewpoint_mcp.page.settle.pending_kind import PendingKind, Reaction
from viewpoint_mcp.page.settle.request_kinds import Requests

if TYPE_CHECKING:
    from cdp_protocol.types import network, page, runtime
    from viewpoint_mcp.page.settle.pending import PendingWork

_BURST = 10  # maximum downloads that Chromium starts for one page within a second


@dataclass(frozen=True, slots=True)
class Limits:
    """Maximum waits, in seconds.

    Attributes:
        navigation: From the start of a navigation to its load event.
        late_load: From DOMContentLoaded to the load event, which one slow picture can delay
            forever.
        requested: From the request for a navigation to its start. A link that opens another program
            never starts one.
        requests: From the start of a request to its response.
        late_requests: The same in a new document that already shows content. There, the request may
            be a long poll.
        following: For all requests and their consequences together, because a page may send
            requests forever.
        still: From a change of the document to a pause.
        patience: For the first consequence of a script, and for a new document to show content.
        echo: From a change by a timer to the next change. All these changes together get
            `patience`.
        popup: For a requested window to open.
        download: From the start of a download to its end.
    """

    navigation: float = 60.0
    late_load: float = 5.0
    requested: float = 1.0
    requests: float = 5.0
    late_requests: float = 2.5
    following: float = 10.0
    still: float = 0.5
    patience: float = 0.5
    echo: float = 0.15
    popup: float = 1.0
    download: float = 5.0


class Popups(PendingKind, signal="change", is_consequence=True, should_hold_steps=False):
    """Windows that the page requested and that are not open yet.

    The browser may report the window before the page reports the request.
    """

    def __init__(self, work: PendingWork) -> None:
        super().__init__(work)
        self._surplus = 0  # number of opened windows minus number of requested windows
        self._has_opened = False

    @classmethod
    def reactions(cls, session: Session) -> tuple[Reaction, ...]:
        return (
            Reaction(session.Page.frameRequestedNavigation, cls._on_requested),
            Reaction(session.Page.windowOpen, cls._on_window),
        )

    @property
    def deadline(self) -> float:
        return self.open[""] + self.limits.popup

    def leave_document(self) -> None:
        """Keep the windows, because they open even after the page that requested them has left."""

    @property
    def has_shown(self) -> bool:
        return not self.is_over or self._has_opened

    def request(self, now: float) -> None:
        """Note that the page requested a window."""
        self._surplus -= 1
        self.work.note_consequence()
        if self._surplus < 0:
            self.begin(now)

    def open_window(self) -> None:
        """Note that a window opened."""
        self._surplus += 1
        self._has_opened = True
        self.work.note_consequence()
        if self._surplus >= 0:
            self.end()

    def _on_requested(self, event: page.FrameRequestedNavigationEvent, now: float) -> None:
        if event["disposition"] in NEW_WINDOW:
            self.request(now)

    def _on_window(self, _: page.WindowOpenEvent, now: float) -> None:
        self.request(now)


class Downloads(PendingKind, signal="change", is_consequence=True, should_hold_steps=False):
    """Downloads until they are saved, and requested downloads that have not begun.

    The browser may report the start before the page reports the request.
    """

    def __init__(self, work: PendingWork) -> None:
        super().__init__(work)
        self._requested = 0
        self._begun = 0
        self._requested_until = 0.0

    @classmethod
    def reactions(cls, session: Session) -> tuple[Reaction, ...]:
        return (
            Reaction(session.Network.loadingFailed, cls._on_failed),
            Reaction(session.Runtime.bindingCalled, cls._on_binding),
        )

    @property
    def is_over(self) -> bool:
        return not self.open and self._requested <= self._begun

    @property
    def deadline(self) -> float:
        deadlines = [start + self.limits.download for start in self.open.values()]
        if self._requested > self._begun:
            deadlines.append(self._requested_until)
        return min(max(deadlines), self.work.following_until)

    def leave_document(self) -> None:
        self._requested = self._begun = 0

    @property
    def has_shown(self) -> bool:
        return self._requested_until > 0 or bool(self.open)

    def request(self, now: float, *, is_answered: bool = False) -> None:
        """Note that the page requested a file.

        Args:
            is_answered: Whether the response has arrived, so that the download begins soon.
        """
        limit = self.limits.requested if is_answered else self.limits.requests
        self._requested = min(self._requested + 1, _BURST)
        self._requested_until = max(self._requested_until, now + limit)
        self.work.note_consequence()

    def begin_download(self, guid: str, now: float) -> None:
        """Note that a download began."""
        self._begun += 1
        self.begin(now, guid)

    def _on_failed(self, event: network.LoadingFailedEvent, now: float) -> None:
        # If the browser cancels a document after its response, it saves the document as a file.
        if event.get("canceled") and self.work.page.is_arriving(event["requestId"]):
            self.request(now, is_answered=True)

    def _on_binding(self, event: runtime.BindingCalledEvent, now: float) -> None:
        if event["name"] == DOWNLOADS:
            self.request(now)


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
