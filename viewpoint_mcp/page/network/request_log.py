"""The network requests of a page since it was loaded, and those of earlier pages of the tab.

This module only records CDP events; it sends no CDP commands. `settle.activity` waits for requests.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Final, Literal, TypedDict, TypeVar

from cdp_protocol import Session
from viewpoint_mcp.accessibility.regex import Pattern, search
from viewpoint_mcp.page.network.request import STATIC, Request, headers

if TYPE_CHECKING:
    from cdp_protocol.types import network as cdp
    from cdp_protocol.types.page import FrameNavigatedEvent

MAX_REQUESTS: Final = 1000
"""Maximum number of requests that are kept for a tab. The oldest are dropped first."""

MAX_MEMORY: Final = 8_000_000
"""Maximum memory for the requests of a tab, approximately, in bytes."""

_MAX_EARLY_REQUESTS = 50  # requests whose extra information arrived before them
_MAX_EARLY_PER_REQUEST = 4
_ERROR = 400  # the lowest HTTP status of an error
_Kind = Literal["request", "response"]


class _RequestEvent(TypedDict):
    """The common part of all events about a request."""

    requestId: str


E = TypeVar("E", bound=_RequestEvent)


class RequestLog:
    """The requests since the main frame's last navigation, including the request of its document.

    Attributes:
        dropped: The number of the oldest requests that are no longer kept.
        earlier: The requests of the pages that the tab has left. Their indexes are negative and
            count backwards from the last navigation: -1 is the newest.
        dropped_earlier: The number of requests of `earlier` that are no longer kept.
    """

    def __init__(self) -> None:
        self.dropped = 0
        self.earlier: deque[Request] = deque()
        self.dropped_earlier = 0
        self._kept: deque[Request] = deque()
        self._last: dict[str, Request] = {}  # by id, the last hop
        self._early: dict[str, list[tuple[str, str]]] = {}
        self._cost = 0

    def __iter__(self) -> Iterator[Request]:
        return iter(self._kept)

    def __len__(self) -> int:
        return len(self._kept)

    def find(self, index: int) -> Request | None:
        """Return the request with this index; None if it does not exist or is no longer kept."""
        if index < 0:
            return self.earlier[index] if -index <= len(self.earlier) else None
        place = index - self.dropped - 1
        return self._kept[place] if 0 <= place < len(self._kept) else None

    def subscribe(self, session: Session) -> None:
        """Subscribe to the requests of a CDP session.

        Source: CDP `Network.requestWillBeSent`, `requestWillBeSentExtraInfo`, `responseReceived`,
        `responseReceivedExtraInfo`, `dataReceived`, `loadingFinished`, `loadingFailed`,
        `requestServedFromCache`, `webSocketCreated`, `webSocketWillSendHandshakeRequest`,
        `webSocketHandshakeResponseReceived`, `webSocketFrameSent`, `webSocketFrameReceived`,
        `webSocketFrameError`, `webSocketClosed`; `Page.frameNavigated`.
        """
        network = session.Network
        session.on(network.requestWillBeSent, partial(self._sent, session))
        session.on(network.webSocketCreated, partial(self._socket, session))
        session.on(network.requestWillBeSentExtraInfo, partial(self._told_extra, "request"))
        session.on(network.responseReceivedExtraInfo, partial(self._told_extra, "response"))
        session.on(network.responseReceived, self._known(partial(_response, session)))
        session.on(network.requestServedFromCache, self._known(_from_memory))
        session.on(network.dataReceived, self._known(_data))
        session.on(network.loadingFinished, self._known(_finished))
        session.on(network.loadingFailed, self._known(_failed))
        session.on(network.webSocketWillSendHandshakeRequest, self._known(_shaking))
        session.on(network.webSocketHandshakeResponseReceived, self._known(_shaken))
        session.on(network.webSocketFrameSent, self._known(_frame_sent))
        session.on(network.webSocketFrameReceived, self._known(_frame_received))
        session.on(network.webSocketFrameError, self._known(_socket_failed))
        session.on(network.webSocketClosed, self._known(_socket_closed))
        session.on(session.Page.frameNavigated, self._navigated)

    async def search(self, pattern: str, *, earlier: bool) -> list[Request]:
        """Return the requests whose URL a regular expression (`x` or `/x/i`) matches.

        Args:
            earlier: Include the requests of the pages that the tab has left.

        Raises:
            CallError: The expression is malformed, or takes too long to match.
        """
        requests = [*self.earlier, *self] if earlier else list(self)
        found = await search(Pattern.parse(pattern), [each.url for each in requests])
        return [requests[match.index] for match in found]

    def led_to(self, request_id: str) -> str | None:
        """Return the last URL of a request, after its redirects; None if the request is unknown.

        Args:
            request_id: CDP `Network.RequestId`.
        """
        request = self._last.get(request_id)
        return None if request is None else request.url

    def _known(self, handler: Callable[[Request, E], None]) -> Callable[[E], None]:
        """Return an event handler that calls `handler` with the last hop of the event's request."""

        def handle(event: E) -> None:
            request = self._last.get(event["requestId"])
            if request is not None:
                before = request.cost
                handler(request, event)
                self._cost += request.cost - before

        return handle

    def _sent(self, session: Session, event: cdp.RequestWillBeSentEvent) -> None:
        before = self._last.get(event["requestId"])
        redirect = event.get("redirectResponse")
        if before is not None and redirect is None:
            return  # both processes report a frame that moved from one to the other
        if event.get("type") == "Other" and event["request"]["url"].endswith("/favicon.ico"):
            return  # the browser requests the icon, not the page
        request = Request.of(event, session, time.monotonic())
        if before is not None and redirect is not None:
            self._redirected(before, event, redirect)
            before.next, request.previous = request, before
        self._add(request)

    def _redirected(
        self, request: Request, event: cdp.RequestWillBeSentEvent, redirect: cdp.Response
    ) -> None:
        cost = request.cost
        request.set_response(redirect)
        request.ended = event["timestamp"]
        request.received = int(redirect["encodedDataLength"])
        if not event.get("redirectHasExtraInfo"):
            request.extras |= {"request", "response"}
        self._cost += request.cost - cost

    def _socket(self, session: Session, event: cdp.WebSocketCreatedEvent) -> None:
        self._add(Request.socket(event, session, time.monotonic()))

    def _add(self, request: Request) -> None:
        self._append(request)
        self._last[request.id] = request
        self._cost += request.cost
        for kind, told in self._early.pop(request.id, ()):
            self._extra(kind, request.id, told)
        while self._is_too_much():
            self._drop()

    def _append(self, request: Request) -> None:
        request.index = self.dropped + len(self._kept) + 1
        self._kept.append(request)

    def _is_too_much(self) -> bool:
        count = len(self.earlier) + len(self._kept)
        return count > MAX_REQUESTS or (self._cost > MAX_MEMORY and count > 1)

    def _drop(self) -> None:
        if self.earlier:
            oldest = self.earlier.popleft()
            self.dropped_earlier += 1
        else:
            oldest = self._kept.popleft()
            self.dropped += 1
        self._cost -= oldest.cost
        if oldest.next is not None:
            oldest.next.previous = None
        if self._last.get(oldest.id) is oldest:
            del self._last[oldest.id]

    def _told_extra(
        self,
        kind: _Kind,
        event: cdp.RequestWillBeSentExtraInfoEvent | cdp.ResponseReceivedExtraInfoEvent,
    ) -> None:
        self._extra(kind, event["requestId"], headers(event["headers"]))

    def _extra(self, kind: str, request_id: str, told: str) -> None:
        """Store the headers that were really sent or received, in the first hop without them.

        They may arrive before the request, and are then kept for it.

        Args:
            kind: "request" or "response".
            told: One line per header.
        """
        last = hop = self._last.get(request_id)
        while hop is not None:
            if kind not in hop.extras:
                last = hop
            hop = hop.previous
        if last is None or kind in last.extras:
            self._keep_early(kind, request_id, told)
            return
        cost = last.cost
        last.extras.add(kind)
        if kind == "request":
            last.request_headers = told
        else:
            last.response_headers = told
        self._cost += last.cost - cost

    def _keep_early(self, kind: str, request_id: str, told: str) -> None:
        if request_id not in self._early and len(self._early) >= _MAX_EARLY_REQUESTS:
            del self._early[next(iter(self._early))]
        waiting = self._early.setdefault(request_id, [])
        if len(waiting) < _MAX_EARLY_PER_REQUEST:
            waiting.append((kind, told))

    def _navigated(self, event: FrameNavigatedEvent) -> None:
        """Keep the requests of the new document, and move all others to `earlier`."""
        frame = event["frame"]
        if frame.get("parentId"):
            return
        requests = [*self._kept]
        self.dropped_earlier += self.dropped
        self.dropped = 0
        self._kept.clear()
        for request in requests:
            if request.loader == frame["loaderId"]:
                self._append(request)
            else:
                self.earlier.append(request)
        for place, request in enumerate(reversed(self.earlier), 1):
            request.index = -place


def _response(session: Session, request: Request, event: cdp.ResponseReceivedEvent) -> None:
    request.session = session
    request.kind = event.get("type", "Other").lower()
    request.set_response(event["response"])
    if not event.get("hasExtraInfo"):
        request.extras |= {"request", "response"}


def _from_memory(request: Request, _event: cdp.RequestServedFromCacheEvent) -> None:
    request.source = "memory cache"


def _data(request: Request, event: cdp.DataReceivedEvent) -> None:
    request.length += event["dataLength"]


def _finished(request: Request, event: cdp.LoadingFinishedEvent) -> None:
    if request.failure:
        return  # the event is about the error page of Chromium
    request.ended = event["timestamp"]
    request.received = int(event["encodedDataLength"])


def _failed(request: Request, event: cdp.LoadingFailedEvent) -> None:
    request.ended = event["timestamp"]
    is_refused = request.status >= _ERROR and request.kind in STATIC
    if event.get("canceled") and (request.has_no_body or is_refused):
        return  # Chromium cancels an empty body, or an error instead of a script or style
    request.failure = event["errorText"][:200] or "net::ERR_FAILED"
    cors = event.get("corsErrorStatus", {}).get("corsError", "")
    request.reason = event.get("blockedReason", "") or (cors and f"CORS: {cors}")


def _shaking(request: Request, event: cdp.WebSocketWillSendHandshakeRequestEvent) -> None:
    request.began = event["timestamp"]
    request.request_headers = headers(event["request"]["headers"])


def _shaken(request: Request, event: cdp.WebSocketHandshakeResponseReceivedEvent) -> None:
    request.set_handshake(event["response"])


def _frame_sent(request: Request, event: cdp.WebSocketFrameSentEvent) -> None:
    request.add_message(event["response"], is_sent=True)


def _frame_received(request: Request, event: cdp.WebSocketFrameReceivedEvent) -> None:
    request.add_message(event["response"], is_sent=False)


def _socket_failed(request: Request, event: cdp.WebSocketFrameErrorEvent) -> None:
    request.failure = event["errorMessage"][:200]


def _socket_closed(request: Request, event: cdp.WebSocketClosedEvent) -> None:
    request.ended = event["timestamp"]
    request.began = request.began or event["timestamp"]
