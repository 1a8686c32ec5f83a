"""Decides what to wait for after an act. A pure state machine: it is fed with facts and a clock,
and asked.

Facts come in any order: navigations, requests, changes of the document, whether script ran. `next`
answers with the one thing worth waiting for now, or with "done". Times are seconds of one monotonic
clock.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field

from viewpoint_mcp.page.settle.limits import DONE, Kind, Limits, Want, want_since

__all__ = ["DONE", "Consequences", "Kind", "Limits", "Want"]

_POLL = 3
_SHOWN = 0.1  # seconds between what a handler shows and the event that tells of its cause
_BURST = 10  # downloads of one page within a second, more Chromium does not begin


@dataclass(slots=True, eq=False)
class Consequences:
    """What one act has caused so far.

    Args:
        since: When the act began.
        limits: The longest waits.
        patient: Whether script that ran without a visible consequence is given time to have one.
            Not so for `browser_evaluate`, where script always runs.

    Attributes:
        overdue: A navigation did not end within its limit.
        ended: Nothing more can be waited for.
        committed: The main frame shows the document that it navigated to last.
    """

    since: float
    limits: Limits
    patient: bool = True
    overdue: bool = False
    ended: bool = False
    _new_document: bool = False
    committed: bool = False
    _wished_at: float | None = None
    _refreshes_at: float | None = None
    _navigation_since: float | None = None
    _content_loaded_at: float | None = None
    _requests: dict[str, tuple[float, str]] = field(default_factory=dict)  # start and URL
    _addresses: Counter[Hashable] = field(default_factory=Counter)
    _changed_since: float | None = None
    _last_change: float = -1.0
    _expecting_since: float | None = None
    _following_since: float | None = None
    _expects_timer: bool = False
    _steps_since: float | None = None
    _rests_since: float | None = None
    _is_busy: bool = False
    _blank_since: float | None = None
    _popup_since: float | None = None
    _popups: int = 0  # opened less asked for
    _had_popup: bool = False
    _had_frame: bool = False
    _downloads: dict[str, float] = field(default_factory=dict)
    _downloads_wished: int = 0
    _downloads_begun: int = 0
    _download_wished_until: float = 0.0

    def script_ran(self, now: float) -> None:
        """Script ran during the act; without a consequence yet, one may be pending in a timer."""
        if self.patient and not self._anything():
            self._expecting_since = now
            self._expects_timer = True

    def interrupted(self) -> None:
        """A dialog, a crash or the end of the page: nothing more can be waited for."""
        self.ended = True

    def navigation_wished(self, now: float) -> None:
        """The page asked the browser to take the main frame to another document."""
        self._expecting_since = None
        self._wished_at = now

    def refresh_scheduled(self, now: float) -> None:
        """The document that was loaded just now has itself replaced at once: what it still tells of
        the end of its own load says nothing of that."""
        self._refreshes_at = now

    def navigation_begun(self, now: float) -> None:
        """The browser began to load another document into the main frame."""
        self._expecting_since = None
        self._wished_at = self._refreshes_at = self._content_loaded_at = None
        self.committed = False
        if self._navigation_since is None:
            self._navigation_since = now

    def navigation_committed(self, now: float) -> None:
        """The main frame shows a new document: what happened in the old one is of no interest."""
        self.navigation_begun(now)
        self._new_document = self.committed = True
        self._requests.clear()
        self._downloads_wished = self._downloads_begun = 0
        self._changed_since = self._blank_since = self._steps_since = None

    @property
    def is_leaving(self) -> bool:
        """Whether the main frame is on its way to another document."""
        return self._wished_at is not None or self._navigation_since is not None

    @property
    def content_is_there(self) -> bool:
        """Whether the document is complete, though perhaps not all that it refers to."""
        return self._content_loaded_at is not None

    def take_new_document(self, now: float) -> bool:
        """Whether the act led to another document, which is loaded by now. True once for each."""
        if not self._new_document or self.next(now).kind == "events" or self.overdue:
            return False
        self._following_since = now
        # What was answered before the load event has been shown with the rest of the document.
        self._expecting_since = None
        self._new_document = False
        return True

    def content_loaded(self, now: float) -> None:
        """DOMContentLoaded of the main frame."""
        if self._navigation_since is not None:
            self._content_loaded_at = now

    def navigation_ended(self) -> None:
        """The load event, or the end of a navigation that came to nothing (204, download,
        cancelled).
        """
        self._wished_at = self._navigation_since = None

    def stopped_loading(self) -> None:
        """The main frame stopped: the end of a load without a load event (`window.stop`), unless it
        is the old document's that stops for the new one."""
        if self.committed:
            self.navigation_ended()

    def know_as_polls(self, addresses: Iterable[Hashable]) -> None:
        """Requests to these addresses are not this act's."""
        for address in addresses:
            self._addresses[address] = _POLL

    def request_started(
        self, request_id: str, now: float, url: str = "", address: Hashable = None
    ) -> None:
        """A request worth waiting for began.

        Args:
            url: Where to; tells the reader what is still awaited in the end.
            address: What tells it from others. The fourth to the same is a poll's.
        """
        if address is not None:
            self._addresses[address] += 1
            if self._addresses[address] > _POLL:
                return
        self._expecting_since = None
        self._requests[request_id] = now, url

    def request_answered(
        self, request_id: str, now: float, *, to_its_end: bool = False, has_handler: bool = True
    ) -> None:
        """Its response came, or it failed: its handler has something to show now.

        Args:
            to_its_end: All of the response is there: the handler may have shown it already.
            has_handler: False for a document: the load of its frame is waited for instead.
        """
        if self._requests.pop(request_id, None) is None or not has_handler:
            return
        if self._is_busy:
            # The page may show the answer in steps, and says that it is not done.
            self._steps_since = None
        if not to_its_end or now - self._last_change > _SHOWN:
            self._expecting_since = now
            self._expects_timer = False

    def frame_loaded(self, frame_id: str) -> None:
        """A frame within the page loaded its new document, or was removed.

        `request_started` told the beginning, with the frame's id. What the frame shows is the
        consequence, so nothing else is expected.
        """
        if self._requests.pop(frame_id, None) is not None:
            self._expecting_since = None
            self._had_frame = True

    @property
    def unanswered(self) -> list[str]:
        """The URLs, without query, of the requests that were waited for in vain."""
        return [url for _, url in self._requests.values() if url and not self.ended]

    def popup_requested(self, now: float) -> None:
        """A window was asked for. The browser may tell so before or after it opened."""
        self._expecting_since = None
        self._popups -= 1
        self._popup_since = now if self._popups < 0 else None

    def popup_opened(self) -> None:
        """A window opened."""
        self._expecting_since = None
        self._popups += 1
        if self._popups >= 0:
            self._popup_since = None
        self._had_popup = True

    def download_wished(self, now: float, *, is_answered: bool = False) -> None:
        """A file was asked for, of which no request tells.

        Args:
            is_answered: What was to be a document turned out to be one.
        """
        limit = self.limits.requested if is_answered else self.limits.requests
        self._expecting_since = None
        self._downloads_wished = min(self._downloads_wished + 1, _BURST)
        self._download_wished_until = max(self._download_wished_until, now + limit)

    def download_begun(self, guid: str, now: float) -> None:
        """A download began. The browser may tell so before or after it was asked for."""
        self._expecting_since = None
        self._downloads_begun += 1
        self._downloads[guid] = now

    def download_ended(self, guid: str) -> None:
        """It is complete and saved, or came to nothing."""
        self._downloads.pop(guid, None)

    def moved_within(self) -> None:
        """The URL changed without a new document: that is a consequence, its rendering came with
        it.
        """
        self._expecting_since = None

    def changed(self, now: float) -> None:
        """The document changed."""
        if self._expecting_since is not None and self._expects_timer and self._steps_since is None:
            self._steps_since = now
        self._expecting_since = self._rests_since = None
        self._last_change = now
        if self._changed_since is None:
            self._changed_since = now

    @property
    def is_blank(self) -> bool:
        """Whether a new document had nothing to show when it was last looked at."""
        return self._blank_since is not None

    def looked(self, now: float, *, blank: bool) -> None:
        """The new document, whose scripts ran, was looked at: applications render after their load,
        so one that shows nothing is given time to."""
        if not blank:
            self._blank_since = None
        elif self._blank_since is None:
            self._blank_since = now

    def came_to_rest(self, now: float, *, busy: bool = False) -> None:
        """The document's changes paused.

        Args:
            busy: The page says that more is to come: a loading sign appeared since the act began.
        """
        self._changed_since = None
        if busy and self._steps_since is None:
            self._steps_since = now
        self._rests_since = now
        self._is_busy = busy

    def awaits_answer(self, now: float) -> bool:
        """Whether a navigation or a request that the act caused is under way."""
        open_now = self._navigation(), self._wish(), self._request(now)
        return not self.ended and any(want is not None and now < want.until for want in open_now)

    def next(self, now: float) -> Want:
        """Return what to wait for at the time `now`: the first that is open and not overdue."""
        navigation = self._navigation()
        self.overdue = navigation is not None and now >= navigation.until
        if self.ended or self.overdue:
            return DONE
        wants = (
            navigation,
            self._wish(),
            self._still(),
            self._request(now),
            self._popup(),
            self._download(now),
            self._expected(),
            self._step(),
            self._blank(),
        )
        return next((want for want in wants if want is not None and now < want.until), DONE)

    def _navigation(self) -> Want | None:
        if self._navigation_since is None:
            return None
        until = self._navigation_since + self.limits.navigation
        if self._content_loaded_at is not None:
            until = min(until, self._content_loaded_at + self.limits.late_load)
        return Want("events", until)

    def _wish(self) -> Want | None:
        wished_at = self._refreshes_at if self._wished_at is None else self._wished_at
        return want_since(wished_at, "events", self.limits.requested)

    def _still(self) -> Want | None:
        return want_since(self._changed_since, "still", self.limits.still)

    def _request(self, now: float) -> Want | None:
        limit = self.limits.requests
        if self.committed and not self.is_blank:
            limit = self.limits.late_requests
        pending = [start for start, _ in self._requests.values() if now < start + limit]
        if not pending:
            return None
        return Want("change", min(max(pending) + limit, self._following_until))

    @property
    def _following_until(self) -> float:
        """A new document has the time for itself, however long its load took."""
        start = self.since if self._following_since is None else self._following_since
        return start + self.limits.following

    def _popup(self) -> Want | None:
        return want_since(self._popup_since, "change", self.limits.popup)

    def _download(self, now: float) -> Want | None:
        limits = [start + self.limits.download for start in self._downloads.values()]
        if self._downloads_wished > self._downloads_begun:
            limits.append(self._download_wished_until)
        open_now = [limit for limit in limits if now < limit]
        if not open_now:
            return None
        return Want("change", min(max(open_now), self._following_until))

    def _expected(self) -> Want | None:
        if self._expecting_since is None or not self.patient:
            return None
        until = self._expecting_since + self.limits.patience
        return Want("change", min(until, self._following_until))

    def _step(self) -> Want | None:
        if self._steps_since is None or self._rests_since is None or not self.patient:
            return None
        until = self._steps_since + self.limits.patience
        return Want(
            "change", until if self._is_busy else min(until, self._rests_since + self.limits.echo)
        )

    def _blank(self) -> Want | None:
        return (
            want_since(self._blank_since, "change", self.limits.patience) if self.patient else None
        )

    def _anything(self) -> bool:
        return bool(
            self._navigation_since is not None
            or self._wished_at is not None
            or self._new_document
            or self._requests
            or self._changed_since is not None
            or self._popup_since is not None
            or self._had_popup
            or self._had_frame
            or self._download_wished_until
            or self._downloads
        )
