"""What a page is doing: navigations and requests, told to whoever follows an act, by CDP's own
events.
"""

from __future__ import annotations

import asyncio
from collections import Counter, deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any
from urllib.parse import urlsplit

from cdp_protocol import Session
from viewpoint_mcp.page.frames import FrameTree
from viewpoint_mcp.page.isolated_world import DOWNLOADS
from viewpoint_mcp.page.settle.pending import Consequences

FOLLOWED = frozenset({"Document", "Script", "Fetch", "XHR"})
"""CDP `Network.ResourceType`s whose answer may change what the page shows. Not streams, sockets,
beacons, pictures or prefetches, which may last for ever and show nothing."""

_KNOWN = 500
_POLL = 2  # what the page asks for as often by itself would be awaited for ever
Address = tuple[str, str]  # method, and URL without query with a hash of the body
_WITHOUT_CONTENT = frozenset({204, 205})  # HTTP statuses at which the page stays as it is
_NEW_WINDOW = frozenset({"newTab", "newWindow"})
_REFRESHES = frozenset({"httpHeaderRefresh", "metaTagRefresh"})
_ASKED = 50  # tabs that a page may ask for at once
_ASKED_LIMIT = 5.0  # seconds from the asking to the tab: the browser may be busy


class Activity:
    """Feeds the consequences that are being followed with the page's events.

    Args:
        main_frame: Returns CDP's id of the page's main frame.

    Attributes:
        status: HTTP status of the document that the main frame shows; None for other schemes.
    """

    def __init__(self, main_frame: Callable[[], str]) -> None:
        self.status: int | None = None
        self._coming_status: int | None = None
        self._main_frame = main_frame
        self._followers: dict[Consequences, asyncio.Event] = {}
        self._background: Counter[Address] = Counter()
        self._running: dict[str, Address] = {}
        self._endless: set[str] = set()
        self._main_request: str | None = None
        self._arriving: set[str] = set()  # documents that are answered and not shown yet
        self._asked_for: deque[tuple[str, float]] = deque(maxlen=_ASKED)

    @contextmanager
    def following(self, consequences: Consequences) -> Iterator[asyncio.Event]:
        """Feed `consequences` from now on; the event is set at each fact."""
        wake = asyncio.Event()
        self._followers[consequences] = wake
        # Of what runs already, a further one is the next turn of a long poll.
        consequences.know_as_polls(self._running.values())
        try:
            yield wake
            # Once is enough to have waited for them in vain.
            for url in consequences.unanswered[: _KNOWN - len(self._endless)]:
                self._endless.add(url)
        finally:
            del self._followers[consequences]

    def subscribe(self, session: Session) -> None:
        """Follow what a process tells of its frames and requests.

        Source: CDP `Page.frameRequestedNavigation`, `frameScheduledNavigation`,
        `frameStartedNavigating`, `frameNavigated`, `navigatedWithinDocument`,
        `frameStoppedLoading`, `frameDetached`, `windowOpen`;
        `Network.requestWillBeSent`, `responseReceived`, `loadingFinished`, `loadingFailed`;
        `Runtime.bindingCalled`.
        """
        session.on("Page.frameRequestedNavigation", self._requested)
        session.on("Page.frameScheduledNavigation", self._scheduled)
        session.on("Page.frameStartedNavigating", self._started)
        session.on("Page.frameNavigated", self._committed)
        session.on("Page.navigatedWithinDocument", lambda _: self._tell(Consequences.moved_within))
        session.on("Page.frameStoppedLoading", self._stopped)
        session.on("Page.frameDetached", self._detached)
        session.on("Page.windowOpen", lambda _: self._tell_at(Consequences.popup_requested))
        session.on("Network.requestWillBeSent", self._request)
        session.on("Network.responseReceived", self._response)
        session.on("Network.loadingFinished", partial(self._answered, to_its_end=True))
        session.on("Network.loadingFailed", self._failed)
        session.on("Runtime.bindingCalled", self._called)

    def subscribe_page(self, session: Session) -> None:
        """Follow the load of the main frame, of which its own process alone tells.

        Source: CDP `Page.domContentEventFired`, `Page.loadEventFired`.
        """
        session.on(
            "Page.domContentEventFired", lambda _: self._tell_at(Consequences.content_loaded)
        )
        session.on("Page.loadEventFired", lambda _: self._tell(Consequences.navigation_ended))

    def frame_joined(self, frame_id: str, frames: FrameTree) -> None:
        """A frame lives in a process of its own, whose first events nobody heard."""
        frame = frames.get(frame_id)
        for request_id in (frame_id, frame.document if frame else ""):
            self._tell_at(partial(_answer, request_id))

    def interrupted(self) -> None:
        """The page can do no more: end all following."""
        self._tell(Consequences.interrupted)

    def opened(self, url: str) -> bool:
        """Whether the page asked a moment ago for a tab with this URL, and did not get it yet: of
        one that Ctrl+click opens the browser names no opener. Each asking counts once.
        """
        since = asyncio.get_running_loop().time() - _ASKED_LIMIT
        asked = next((each for each in self._asked_for if each[0] == url and each[1] > since), None)
        if asked is not None:
            self._asked_for.remove(asked)
        return asked is not None

    def popup_opened(self) -> None:
        """A window that this page asked for is there."""
        self._tell(Consequences.popup_opened)

    def download_begun(self, guid: str) -> None:
        """A download that this page asked for began."""
        self._tell_at(lambda each, now: each.download_begun(guid, now))

    def download_ended(self, guid: str) -> None:
        """It is complete and saved, or came to nothing."""
        self._tell(lambda each: each.download_ended(guid))

    def _tell(self, fact: Callable[[Consequences], None]) -> None:
        for consequences, wake in self._followers.items():
            fact(consequences)
            wake.set()

    def _tell_at(self, fact: Callable[[Consequences, float], None]) -> None:
        now = asyncio.get_running_loop().time()
        self._tell(lambda consequences: fact(consequences, now))

    def _requested(self, event: dict[str, Any]) -> None:
        if event["disposition"] in _NEW_WINDOW:
            self._asked_for.append((event["url"], asyncio.get_running_loop().time()))
            self._tell_at(Consequences.popup_requested)
        elif event["frameId"] == self._main_frame():
            self._tell_at(Consequences.navigation_wished)
        else:
            # A frame within the page is a part of it, as what a request brings is.
            frame_id = event["frameId"]
            self._tell_at(lambda each, now: each.request_started(frame_id, now))

    def _scheduled(self, event: dict[str, Any]) -> None:
        # Told with the load event, while the request follows by a timer: a quick act were over.
        is_now = event["reason"] in _REFRESHES and event["delay"] == 0
        if is_now and event["frameId"] == self._main_frame():
            self._tell_at(Consequences.refresh_scheduled)

    def _started(self, event: dict[str, Any]) -> None:
        if event["frameId"] == self._main_frame() and "ameDocument" not in event["navigationType"]:
            self._main_request = event["loaderId"]
            self._coming_status = None
            self._tell_at(Consequences.navigation_begun)

    def _committed(self, event: dict[str, Any]) -> None:
        frame = event["frame"]
        self._arriving.discard(frame["loaderId"])
        if not frame.get("parentId"):
            self.status = self._coming_status if self._main_request == frame["loaderId"] else None
            self._main_request = frame["loaderId"]
            self._background.clear()
            self._running.clear()
            self._tell_at(Consequences.navigation_committed)
            if event.get("type") == "BackForwardCacheRestore":
                self._tell(
                    Consequences.navigation_ended
                )  # it was loaded long ago: no load event comes

    def _stopped(self, event: dict[str, Any]) -> None:
        if event["frameId"] == self._main_frame():
            self._tell(Consequences.stopped_loading)
        else:
            self._tell(lambda each: each.frame_loaded(event["frameId"]))

    def _detached(self, event: dict[str, Any]) -> None:
        # "swap": the frame goes on loading in another process.
        if event.get("reason") != "swap":
            self._tell(lambda each: each.frame_loaded(event["frameId"]))

    def _request(self, event: dict[str, Any]) -> None:
        if event["type"] not in FOLLOWED or "redirectResponse" in event:
            return
        if event.get("loaderId") == "":
            return  # a worker's script: its answer is told to the worker's session
        request = event["request"]
        # The query of a poll changes with the time; the body of a call to one address tells which.
        url = urlsplit(request["url"])._replace(query="", fragment="").geturl()
        address = request["method"], url + str(hash(request.get("postData", "")))
        if len(self._running) < _KNOWN:
            self._running[event["requestId"]] = address
        if url in self._endless:
            return
        if self._followers and self._background[address] < _POLL:
            frame_id = event.get("frameId", self._main_frame())
            if event["type"] == "Document" and frame_id != self._main_frame():
                self._tell_at(lambda each, now: each.request_started(frame_id, now))
            self._tell_at(
                lambda each, now: each.request_started(event["requestId"], now, url, address)
            )
        elif len(self._background) < _KNOWN:
            self._background[address] += 1

    def _response(self, event: dict[str, Any]) -> None:
        status = event["response"]["status"]
        if event["requestId"] == self._main_request:
            self._coming_status = status
        if event.get("type") == "Document" and status not in _WITHOUT_CONTENT:
            self._arriving.add(event["requestId"])
        # An XMLHttpRequest is always read to its end; of a fetch the page may leave the body.
        if event.get("type") != "XHR":
            self._answered(event)

    def _answered(self, event: dict[str, Any], *, to_its_end: bool = False) -> None:
        request_id = event["requestId"]
        self._running.pop(request_id, None)
        has_handler = event.get("type") != "Document"
        self._tell_at(
            lambda each, now: each.request_answered(
                request_id, now, to_its_end=to_its_end, has_handler=has_handler
            )
        )

    def _failed(self, event: dict[str, Any]) -> None:
        if event["requestId"] in self._arriving and event.get("canceled"):
            # The browser took what it was answered for a file.
            self._tell_at(lambda each, now: each.download_wished(now, is_answered=True))
        self._arriving.discard(event["requestId"])
        if event["requestId"] == self._main_request:
            self._tell(Consequences.navigation_ended)
        self._answered(event)

    def _called(self, event: dict[str, Any]) -> None:
        if event["name"] == DOWNLOADS:
            self._tell_at(Consequences.download_wished)


def _answer(request_id: str, consequences: Consequences, now: float) -> None:
    consequences.request_answered(request_id, now)
