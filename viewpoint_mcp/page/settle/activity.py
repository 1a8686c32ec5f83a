"""Distribution of page events to pending work: CDP events, and tabs and downloads."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from cdp_protocol import Session
from viewpoint_mcp.page.frames import FrameTree
from viewpoint_mcp.page.settle.kinds import KINDS, Downloads, Limits, Popups
from viewpoint_mcp.page.settle.navigation_kinds import NEW_WINDOW
from viewpoint_mcp.page.settle.page_state import PageState
from viewpoint_mcp.page.settle.pending import PendingWork
from viewpoint_mcp.page.settle.pending_kind import PendingKind
from viewpoint_mcp.page.settle.request_kinds import Requests

if TYPE_CHECKING:
    from cdp_protocol.types.page import FrameRequestedNavigationEvent

K = TypeVar("K", bound=PendingKind)

_MOST_TABS = 50  # maximum number of remembered tab requests
_TAB_LIMIT = 5.0  # seconds from a request to its tab, because the browser may be busy


class Activity:
    """The events of one page, passed to the pending work of every action that is followed.

    Args:
        main_frame: Returns the CDP id of the page's main frame.
    """

    def __init__(self, main_frame: Callable[[], str]) -> None:
        self._page = PageState(main_frame)
        self._followed: dict[PendingWork, asyncio.Event] = {}
        self._requested_tabs: deque[tuple[str, float]] = deque(maxlen=_MOST_TABS)

    @property
    def status(self) -> int | None:
        """HTTP status of the document in the main frame; None for schemes other than HTTP."""
        return self._page.status

    @property
    def has_open_request(self) -> bool:
        """Whether the page has an open request that is not a poll."""
        return any(not self._page.is_poll(address) for address in self._page.running)

    @contextmanager
    def follow(
        self, limits: Limits, *, is_patient: bool = True
    ) -> Iterator[tuple[PendingWork, asyncio.Event]]:
        """Follow the work of an action that begins now.

        Yields the work, and an event that is set whenever the work may have changed.

        Args:
            is_patient: See `PendingWork`.
        """
        work = PendingWork(_now(), limits, self._page, is_patient=is_patient)
        self._followed[work] = wake = asyncio.Event()
        self._page.is_followed = True
        try:
            yield work, wake
            self._page.remember_unanswered(work.unanswered)
        finally:
            del self._followed[work]
            self._page.is_followed = bool(self._followed)

    def subscribe(self, session: Session) -> None:
        """Subscribe the kinds of pending work to a CDP session of the page.

        Handlers of the kinds run before those of the page state, so they see the state before the
        event.
        """
        self._subscribe_kinds(session, is_main_only=False)
        self._page.subscribe(session)
        session.on(session.Page.frameRequestedNavigation, self._on_requested)

    def subscribe_main(self, session: Session) -> None:
        """Subscribe the kinds to the events that count only in the main frame's CDP session."""
        self._subscribe_kinds(session, is_main_only=True)

    def end_missed_requests(self, frame_id: str, frames: FrameTree) -> None:
        """End the wait for a frame that moved to another process.

        Its first events in that process were missed, so the end of its load may have been missed,
        too.
        """
        frame = frames.get(frame_id)
        for request_id in (frame_id, frame.document if frame else ""):
            self._feed(Requests, partial(Requests.answer, request_id=request_id, now=_now()))

    def interrupt(self) -> None:
        """End all waiting, because the page cannot continue."""
        for work, wake in self._followed.items():
            work.interrupt()
            wake.set()

    def claim_tab(self, url: str) -> bool:
        """Return whether the page requested a tab with this URL in the last seconds.

        Each request matches only one tab. The browser does not report the opener of a tab that
        Ctrl+click opened, so this method identifies it.
        """
        since = _now() - _TAB_LIMIT
        tab = next((tab for tab in self._requested_tabs if tab[0] == url and tab[1] > since), None)
        if tab is not None:
            self._requested_tabs.remove(tab)
        return tab is not None

    def note_popup(self) -> None:
        """Note that a window requested by this page has opened."""
        self._feed(Popups, Popups.open_window)

    def note_download_start(self, guid: str) -> None:
        """Note that a download requested by this page has begun."""
        self._feed(Downloads, partial(Downloads.begin_download, guid=guid, now=_now()))

    def note_download_end(self, guid: str) -> None:
        """Note that a download was saved, or failed."""
        self._feed(Downloads, partial(Downloads.end, piece=guid))

    def _subscribe_kinds(self, session: Session, *, is_main_only: bool) -> None:
        for kind in KINDS:
            for reaction in kind.reactions(session):
                if reaction.is_main_only == is_main_only:
                    session.on(reaction.event, partial(self._react, kind, reaction.handle))

    def _react(
        self, kind: type[K], handle: Callable[[K, Any, float], None], parameters: Any
    ) -> None:
        now = _now()
        self._feed(kind, lambda pending: handle(pending, parameters, now))

    def _feed(self, kind: type[K], report: Callable[[K], object]) -> None:
        for work, wake in self._followed.items():
            report(work[kind])
            wake.set()

    def _on_requested(self, event: FrameRequestedNavigationEvent) -> None:
        if event["disposition"] in NEW_WINDOW:
            self._requested_tabs.append((event["url"], _now()))


def _now() -> float:
    return asyncio.get_running_loop().time()
