"""Tracks pending work: passes CDP events, tabs and downloads to the kinds of pending work."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from cdp_protocol import Session
from viewpoint_mcp.page.frames import FrameTree
from viewpoint_mcp.page.settle.page_network_state import PageNetworkState
from viewpoint_mcp.page.settle.pending_downloads import Downloads
from viewpoint_mcp.page.settle.pending_kind_base import PendingKindBase
from viewpoint_mcp.page.settle.pending_navigations import NEW_TAB_DISPOSITIONS
from viewpoint_mcp.page.settle.pending_popups import Popups
from viewpoint_mcp.page.settle.pending_requests import Requests
from viewpoint_mcp.page.settle.pending_work import KINDS, PendingWork
from viewpoint_mcp.page.settle.settle_limits import SettleLimits

if TYPE_CHECKING:
    from cdp_protocol.types.page import FrameRequestedNavigationEvent

K = TypeVar("K", bound=PendingKindBase)

_MAX_REQUESTED_TABS = 50  # maximum number of remembered tab requests
_TAB_TIMEOUT = 5.0  # seconds from a request to its tab, because the browser may be busy


class WorkDispatcher:
    """The events of one page, passed to the pending work of every action that is followed.

    Args:
        get_main_frame_id: Returns the CDP id of the page's main frame.
    """

    def __init__(self, get_main_frame_id: Callable[[], str]) -> None:
        self._network_state = PageNetworkState(get_main_frame_id)
        self._followed_work: dict[PendingWork, asyncio.Event] = {}
        self._requested_tabs: deque[tuple[str, float]] = deque(maxlen=_MAX_REQUESTED_TABS)

    @property
    def http_status(self) -> int | None:
        """HTTP status of the document in the main frame; None for schemes other than HTTP."""
        return self._network_state.http_status

    @property
    def is_action_followed(self) -> bool:
        """Whether an action on the page is in progress or settles."""
        return bool(self._followed_work)

    @property
    def has_open_request(self) -> bool:
        """Whether the page has an open request that is not a poll."""
        return any(
            not self._network_state.is_poll(key) for key in self._network_state.open_requests
        )

    @contextmanager
    def follow_action(
        self, limits: SettleLimits, *, is_patient: bool = True
    ) -> Iterator[tuple[PendingWork, asyncio.Event]]:
        """Follow the work of an action that begins now.

        Yields the work, and an event that is set whenever the work may have changed.

        Args:
            is_patient: See `PendingWork`.
        """
        work = PendingWork(_now(), limits, self._network_state, is_patient=is_patient)
        self._followed_work[work] = work_changed = asyncio.Event()
        self._network_state.is_action_followed = True
        try:
            yield work, work_changed
            self._network_state.remember_unanswered(work.unanswered_urls)
        finally:
            del self._followed_work[work]
            self._network_state.is_action_followed = bool(self._followed_work)

    def subscribe(self, session: Session) -> None:
        """Subscribe the kinds of pending work to a CDP session of the page.

        Handlers of the kinds run before those of the page state, so they see the state before the
        event.
        """
        self._subscribe_event_handlers(session, is_main_frame_only=False)
        self._network_state.subscribe(session)
        session.on(session.Page.frameRequestedNavigation, self._remember_requested_tab)

    def subscribe_main_frame(self, session: Session) -> None:
        """Subscribe the kinds to the events that count only in the main frame's CDP session."""
        self._subscribe_event_handlers(session, is_main_frame_only=True)

    def end_requests_of_moved_frame(self, frame_id: str, frames: FrameTree) -> None:
        """End the wait for a frame that moved to another process.

        Its first events in that process were missed, so the end of its load may have been missed,
        too.
        """
        frame = frames.get(frame_id)
        for request_id in (frame_id, frame.document_id if frame else ""):
            self._update_followed_work(
                Requests, partial(Requests.note_response, request_id=request_id, now=_now())
            )

    def interrupt_waits(self) -> None:
        """End all waiting, because the page cannot continue."""
        for work, work_changed in self._followed_work.items():
            work.interrupt()
            work_changed.set()

    def claim_requested_tab(self, url: str) -> bool:
        """Return whether the page requested a tab with this URL in the last seconds.

        Each request matches only one tab. The browser does not report the opener of a tab that
        Ctrl+click opened, so this method identifies it.
        """
        since = _now() - _TAB_TIMEOUT
        tab = next((tab for tab in self._requested_tabs if tab[0] == url and tab[1] > since), None)
        if tab is not None:
            self._requested_tabs.remove(tab)
        return tab is not None

    def note_popup_opened(self) -> None:
        """Note that a window requested by this page has opened."""
        self._update_followed_work(Popups, Popups.note_window_opened)

    def note_download_start(self, guid: str) -> None:
        """Note that a download requested by this page has begun."""
        self._update_followed_work(
            Downloads, partial(Downloads.note_download_start, guid=guid, now=_now())
        )

    def note_download_end(self, guid: str) -> None:
        """Note that a download was saved, or failed."""
        self._update_followed_work(Downloads, partial(Downloads.end_work, item=guid))

    def _subscribe_event_handlers(self, session: Session, *, is_main_frame_only: bool) -> None:
        for kind in KINDS:
            for handler in kind.list_event_handlers(session):
                if handler.is_main_frame_only == is_main_frame_only:
                    session.on(handler.event, partial(self._dispatch_event, kind, handler.handle))

    def _dispatch_event(
        self, kind: type[K], handle: Callable[[K, Any, float], None], parameters: Any
    ) -> None:
        now = _now()
        self._update_followed_work(kind, lambda pending: handle(pending, parameters, now))

    def _update_followed_work(self, kind: type[K], update: Callable[[K], object]) -> None:
        for work, work_changed in self._followed_work.items():
            update(work[kind])
            work_changed.set()

    def _remember_requested_tab(self, event: FrameRequestedNavigationEvent) -> None:
        if event["disposition"] in NEW_TAB_DISPOSITIONS:
            self._requested_tabs.append((event["url"], _now()))


def _now() -> float:
    return asyncio.get_running_loop().time()
