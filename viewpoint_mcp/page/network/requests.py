"""What a page asked of the network since it was loaded, and the pages before it in the tab, kept
from CDP's events. Makes no CDP calls.

Waiting for what an act causes is `activity`'s business; this remembers.
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

KEPT: Final = 1000
"""Requests of a tab that are remembered; of more the oldest are dropped."""

LARGEST: Final = 8_000_000
"""Bytes that they may take together, about."""

_EARLY = 50  # requests whose headers came before they were told of
_EARLY_EACH = 4
_ERROR = 400  # the least HTTP status of a request that is refused
_Kind = Literal["request", "response"]


class _RequestEvent(TypedDict):
    """The part that all events of one request have in common."""

    requestId: str


E = TypeVar("E", bound=_RequestEvent)


class Requests:
    """The requests since the main frame's last navigation, that of its document included.

    Attributes:
        dropped: How many of the oldest are no more kept.
        earlier: The requests of the pages that the tab has left. Their indexes are negative and
            count backwards from the last navigation: -1 is the newest.
        dropped_earlier: How many of `earlier` are no longer kept.
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
        """Return the request of that index, if it is kept."""
        if index < 0:
            return self.earlier[index] if -index <= len(self.earlier) else None
        place = index - self.dropped - 1
        return self._kept[place] if 0 <= place < len(self._kept) else None

    def subscribe(self, session: Session) -> None:
        """Follow what a process tells of its requests.

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
            CallError: The expression is malformed, or takes too long.
        """
        requests = [*self.earlier, *self] if earlier else list(self)
        found = await search(Pattern.parse(pattern), [each.url for each in requests])
        return [requests[match.index] for match in found]

    def led_to(self, request_id: str) -> str | None:
        """Return the URL where a request, over its redirects, went at last; None for one that is
        not known (any more).
        """
        request = self._last.get(request_id)
        return None if request is None else request.url

    def _known(self, handler: Callable[[Request, E], None]) -> Callable[[E], None]:
        """Call a handler with the request, the last hop, that an event is about."""

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
            return  # a frame that moved to another process: told by both
        if event.get("type") == "Other" and event["request"]["url"].endswith("/favicon.ico"):
            return  # the browser's own doing, once in a while
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
        return count > KEPT or (self._cost > LARGEST and count > 1)

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
        """The headers that were really sent or received, for the first hop without them. They may
        come before the request is told of.
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
        if request_id not in self._early and len(self._early) >= _EARLY:
            del self._early[next(iter(self._early))]
        waiting = self._early.setdefault(request_id, [])
        if len(waiting) < _EARLY_EACH:
            waiting.append((kind, told))

    def _navigated(self, event: FrameNavigatedEvent) -> None:
        """Begin anew with the request of the new document; the others are of an earlier page."""
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
        return  # and Chromium shows a page of its own
    request.ended = event["timestamp"]
    request.received = int(event["encodedDataLength"])


def _failed(request: Request, event: cdp.LoadingFailedEvent) -> None:
    request.ended = event["timestamp"]
    is_refused = request.status >= _ERROR and request.kind in STATIC
    if event.get("canceled") and (request.has_no_body or is_refused):
        return  # Chromium gives up to read what does not come, or what is no script or style
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
