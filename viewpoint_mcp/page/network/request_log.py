"""The network requests of a page since it was loaded, and those of earlier pages of the tab.

This module only records CDP events; it sends no CDP commands. `settle` waits for requests.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Final, Literal, TypedDict, TypeVar

from cdp_protocol import Session
from viewpoint_mcp.accessibility.search.regex_search import Pattern, search_texts
from viewpoint_mcp.page.handover.private_time import PrivateTime
from viewpoint_mcp.page.network.request import ROUTE, STATIC_KINDS, Request, render_headers

if TYPE_CHECKING:
    from cdp_protocol.types import network as cdp
    from cdp_protocol.types.page import FrameNavigatedEvent

MAX_REQUESTS: Final = 1000
"""Maximum number of requests that are kept for a tab. The oldest are dropped first."""

MAX_MEMORY: Final = 8_000_000
"""Maximum memory for the requests of a tab, approximately, in bytes."""

_MAX_EARLY_REQUESTS = 50  # requests whose extra information arrived before them
_MAX_EARLY_PER_REQUEST = 4
_MAX_EARLY_ROUTED = 50  # requests that a route handled before they were reported
_MIN_ERROR_STATUS = 400  # the lowest HTTP status of an error
_ExtraInfoKind = Literal["request", "response"]


class _RequestEvent(TypedDict):
    """The common part of all events about a request."""

    requestId: str


E = TypeVar("E", bound=_RequestEvent)


class RequestLog:
    """The requests since the main frame's last navigation, including the request of its document.

    Args:
        private_time: The times in which a person acts in the browser context; None for none.

    Attributes:
        dropped_count: The number of the oldest requests that are no longer kept.
        earlier_requests: The requests of the pages that the tab has left. Their indexes are
            negative and count backwards from the last navigation: -1 is the newest.
        dropped_earlier_count: The number of requests of `earlier_requests` that are no longer kept.
    """

    def __init__(self, private_time: PrivateTime | None = None) -> None:
        self._private_time = private_time or PrivateTime()
        self.dropped_count = 0
        self.earlier_requests: deque[Request] = deque()
        self.dropped_earlier_count = 0
        self._requests: deque[Request] = deque()
        self._last_hops: dict[str, Request] = {}  # by id, the last hop
        self._early_headers: dict[str, list[tuple[str, str]]] = {}
        self._early_routed: deque[tuple[str, str]] = deque(maxlen=_MAX_EARLY_ROUTED)
        self._memory_size = 0

    def __iter__(self) -> Iterator[Request]:
        return iter(self._requests)

    def __len__(self) -> int:
        return len(self._requests)

    def find(self, index: int) -> Request | None:
        """Return the request with this index; None if it does not exist or is no longer kept."""
        if index < 0:
            return self.earlier_requests[index] if -index <= len(self.earlier_requests) else None
        position = index - self.dropped_count - 1
        return self._requests[position] if 0 <= position < len(self._requests) else None

    def subscribe(self, session: Session) -> None:
        """Subscribe to the requests of a CDP session.

        Source: CDP `Network.requestWillBeSent`, `requestWillBeSentExtraInfo`, `responseReceived`,
        `responseReceivedExtraInfo`, `dataReceived`, `loadingFinished`, `loadingFailed`,
        `requestServedFromCache`, `webSocketCreated`, `webSocketWillSendHandshakeRequest`,
        `webSocketHandshakeResponseReceived`, `webSocketFrameSent`, `webSocketFrameReceived`,
        `webSocketFrameError`, `webSocketClosed`; `Page.frameNavigated`.
        """
        network = session.Network
        session.on(network.requestWillBeSent, partial(self._on_request, session))
        session.on(network.webSocketCreated, partial(self._on_socket_created, session))
        session.on(network.requestWillBeSentExtraInfo, partial(self._on_extra_info, "request"))
        session.on(network.responseReceivedExtraInfo, partial(self._on_extra_info, "response"))
        session.on(
            network.responseReceived, self._for_known_request(partial(_on_response, session))
        )
        session.on(network.requestServedFromCache, self._for_known_request(_on_served_from_cache))
        session.on(network.dataReceived, self._for_known_request(_on_data_received))
        session.on(
            network.loadingFinished, self._for_known_request(partial(_on_loading_finished, session))
        )
        session.on(network.loadingFailed, self._for_known_request(_on_loading_failed))
        session.on(
            network.webSocketWillSendHandshakeRequest,
            self._for_known_request(_on_handshake_request),
        )
        session.on(
            network.webSocketHandshakeResponseReceived,
            self._for_known_request(_on_handshake_response),
        )
        session.on(network.webSocketFrameSent, self._for_known_request(self._on_frame_sent))
        session.on(network.webSocketFrameReceived, self._for_known_request(_on_frame_received))
        session.on(network.webSocketFrameError, self._for_known_request(_on_socket_error))
        session.on(network.webSocketClosed, self._for_known_request(_on_socket_closed))
        session.on(session.Page.frameNavigated, self._move_requests_of_old_document)

    async def search(self, pattern: str, *, include_earlier: bool) -> list[Request]:
        """Return the requests whose URL a regular expression (`x` or `/x/i`) matches.

        Args:
            include_earlier: Include the requests of the pages that the tab has left.

        Raises:
            CallError: The expression is malformed, or takes too long to match.
        """
        requests = [*self.earlier_requests, *self] if include_earlier else list(self)
        matches = await search_texts(Pattern.parse(pattern), [each.url for each in requests])
        return [requests[match.index] for match in matches]

    def find_final_url(self, request_id: str) -> str | None:
        """Return the last URL of a request, after its redirects; None if the request is unknown.

        Args:
            request_id: CDP `Network.RequestId`.
        """
        request = self._last_hops.get(request_id)
        return None if request is None else request.url

    def list_urls(self, request_id: str) -> list[str]:
        """Return the URLs of a request and of the redirects that led to it; [] if it is unknown.

        Args:
            request_id: CDP `Network.RequestId`.
        """
        return [each.url for each in _iterate_hops_backwards(self._last_hops.get(request_id))]

    def note_routed(self, request_id: str | None, url: str, method: str) -> None:
        """Note that a route aborted or fulfilled a request.

        Args:
            request_id: CDP `Network.RequestId`; None for a request of a worker, which Chromium does
                not identify. The newest request with the URL and method is meant then.
        """
        if request_id is not None:
            hops: Iterable[Request] = _iterate_hops_backwards(self._last_hops.get(request_id))
        else:
            hops = (each for each in reversed(self._requests) if each.method == method)
        found = next((each for each in hops if each.url.partition("#")[0] == url), None)
        if found is not None and not found.status:
            found.response_source = ROUTE
        elif request_id is not None:
            self._early_routed.append((request_id, url))

    def _for_known_request(self, handler: Callable[[Request, E], None]) -> Callable[[E], None]:
        """Return an event handler that calls `handler` with the last hop of the event's request."""

        def handle_event_of_request(event: E) -> None:
            request = self._last_hops.get(event["requestId"])
            if request is not None:
                size_before = request.memory_size
                handler(request, event)
                self._memory_size += request.memory_size - size_before

        return handle_event_of_request

    def _on_request(self, session: Session, event: cdp.RequestWillBeSentEvent) -> None:
        before = self._last_hops.get(event["requestId"])
        redirect = event.get("redirectResponse")
        if before is not None and redirect is None:
            return  # both processes report a frame that moved from one to the other
        if event.get("type") == "Other" and event["request"]["url"].endswith("/favicon.ico"):
            return  # the browser requests the icon, not the page
        request = Request.from_event(event, session, time.monotonic())
        if self._private_time.is_now:
            request.make_private()
        if before is not None and redirect is not None:
            self._complete_redirected(before, event, redirect)
            before.next, request.previous = request, before
        self._add_new_request(request)

    def _on_frame_sent(self, request: Request, event: cdp.WebSocketFrameSentEvent) -> None:
        request.add_message(event["response"], is_sent=True, is_private=self._private_time.is_now)

    def _complete_redirected(
        self, request: Request, event: cdp.RequestWillBeSentEvent, redirect: cdp.Response
    ) -> None:
        size_before = request.memory_size
        request.set_response(redirect)
        request.responded_at = request.ended_at = event["timestamp"]
        request.received_bytes = int(redirect["encodedDataLength"])
        if not event.get("redirectHasExtraInfo"):
            request.extra_info |= {"request", "response"}
        self._memory_size += request.memory_size - size_before

    def _on_socket_created(self, session: Session, event: cdp.WebSocketCreatedEvent) -> None:
        request = Request.from_socket_event(event, session, time.monotonic())
        request.is_private = self._private_time.is_now
        self._add_new_request(request)

    def _add_new_request(self, request: Request) -> None:
        self._append_with_next_index(request)
        self._last_hops[request.id] = request
        self._memory_size += request.memory_size
        if (early := (request.id, request.url.partition("#")[0])) in self._early_routed:
            self._early_routed.remove(early)
            request.response_source = ROUTE
        for kind, headers in self._early_headers.pop(request.id, ()):
            self._store_headers(kind, request.id, headers)
        while self._is_over_limit():
            self._drop_oldest_request()

    def _append_with_next_index(self, request: Request) -> None:
        request.index = self.dropped_count + len(self._requests) + 1
        self._requests.append(request)

    def _is_over_limit(self) -> bool:
        count = len(self.earlier_requests) + len(self._requests)
        return count > MAX_REQUESTS or (self._memory_size > MAX_MEMORY and count > 1)

    def _drop_oldest_request(self) -> None:
        if self.earlier_requests:
            oldest = self.earlier_requests.popleft()
            self.dropped_earlier_count += 1
        else:
            oldest = self._requests.popleft()
            self.dropped_count += 1
        self._memory_size -= oldest.memory_size
        if oldest.next is not None:
            oldest.next.previous = None
        if self._last_hops.get(oldest.id) is oldest:
            del self._last_hops[oldest.id]

    def _on_extra_info(
        self,
        kind: _ExtraInfoKind,
        event: cdp.RequestWillBeSentExtraInfoEvent | cdp.ResponseReceivedExtraInfoEvent,
    ) -> None:
        self._store_headers(kind, event["requestId"], render_headers(event["headers"]))

    def _store_headers(self, kind: str, request_id: str, headers: str) -> None:
        """Store the headers that were really sent or received, in the first hop without them.

        They may arrive before the request, and are then kept for it.

        Args:
            kind: "request" or "response".
            headers: One line per header.
        """
        last = hop = self._last_hops.get(request_id)
        while hop is not None:
            if kind not in hop.extra_info:
                last = hop
            hop = hop.previous
        if last is None or kind in last.extra_info:
            self._keep_early_headers(kind, request_id, headers)
            return
        size_before = last.memory_size
        last.extra_info.add(kind)
        if kind == "request":
            last.set_request_headers(headers)
        else:
            last.response_headers = headers
        self._memory_size += last.memory_size - size_before

    def _keep_early_headers(self, kind: str, request_id: str, headers: str) -> None:
        if (
            request_id not in self._early_headers
            and len(self._early_headers) >= _MAX_EARLY_REQUESTS
        ):
            del self._early_headers[next(iter(self._early_headers))]
        waiting = self._early_headers.setdefault(request_id, [])
        if len(waiting) < _MAX_EARLY_PER_REQUEST:
            waiting.append((kind, headers))

    def _move_requests_of_old_document(self, event: FrameNavigatedEvent) -> None:
        """Keep the requests of the new document, and move all others to `earlier_requests`."""
        frame = event["frame"]
        if frame.get("parentId"):
            return
        requests = [*self._requests]
        self.dropped_earlier_count += self.dropped_count
        self.dropped_count = 0
        self._requests.clear()
        for request in requests:
            if request.loader_id == frame["loaderId"]:
                self._append_with_next_index(request)
            else:
                self.earlier_requests.append(request)
        for position, request in enumerate(reversed(self.earlier_requests), 1):
            request.index = -position


def _iterate_hops_backwards(last: Request | None) -> Iterator[Request]:
    while last is not None:
        yield last
        last = last.previous


def _on_response(session: Session, request: Request, event: cdp.ResponseReceivedEvent) -> None:
    request.session = session
    request.kind = event.get("type", "Other").lower()
    request.responded_at = event["timestamp"]
    request.set_response(event["response"])
    if not event.get("hasExtraInfo"):
        request.extra_info |= {"request", "response"}


def _on_served_from_cache(request: Request, _event: cdp.RequestServedFromCacheEvent) -> None:
    request.response_source = "memory cache"


def _on_data_received(request: Request, event: cdp.DataReceivedEvent) -> None:
    request.body_length += event["dataLength"]


def _on_loading_finished(
    session: Session, request: Request, event: cdp.LoadingFinishedEvent
) -> None:
    if request.failure:
        return  # the event is about the error page of Chromium
    request.session = session  # the process of the frame, not that of its parent, has the body
    request.ended_at = event["timestamp"]
    request.received_bytes = int(event["encodedDataLength"])


def _on_loading_failed(request: Request, event: cdp.LoadingFailedEvent) -> None:
    request.ended_at = event["timestamp"]
    is_refused = request.status >= _MIN_ERROR_STATUS and request.kind in STATIC_KINDS
    if event.get("canceled") and (request.has_empty_response or is_refused):
        return  # Chromium cancels an empty body, or an error instead of a script or style
    request.failure = event["errorText"][:200] or "net::ERR_FAILED"
    cors = event.get("corsErrorStatus", {}).get("corsError", "")
    request.failure_reason = event.get("blockedReason", "") or (cors and f"CORS: {cors}")


def _on_handshake_request(
    request: Request, event: cdp.WebSocketWillSendHandshakeRequestEvent
) -> None:
    request.started_at = event["timestamp"]
    request.set_request_headers(render_headers(event["request"]["headers"]))


def _on_handshake_response(
    request: Request, event: cdp.WebSocketHandshakeResponseReceivedEvent
) -> None:
    request.set_status_and_headers(event["response"])


def _on_frame_received(request: Request, event: cdp.WebSocketFrameReceivedEvent) -> None:
    request.add_message(event["response"], is_sent=False)


def _on_socket_error(request: Request, event: cdp.WebSocketFrameErrorEvent) -> None:
    request.failure = event["errorMessage"][:200]


def _on_socket_closed(request: Request, event: cdp.WebSocketClosedEvent) -> None:
    request.ended_at = event["timestamp"]
    request.started_at = request.started_at or event["timestamp"]
