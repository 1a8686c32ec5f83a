"""The record of one network request, with limits on the size of all its texts."""

from __future__ import annotations

import base64
import re
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from cdp_protocol import Session

if TYPE_CHECKING:
    from cdp_protocol.types import network as cdp

STATIC_KINDS: Final = frozenset(
    {"image", "script", "stylesheet", "font", "media", "texttrack", "manifest", "prefetch", "other"}
)
"""Types of requests that are listed only on demand if they succeed."""

ROUTE: Final = "route"
"""Source of a response, or of a failure, that a route of the client gave."""

NOT_KEPT: Final = "not kept, because a person acted in the browser"
"""Replaces what was sent while a person acted in the browser."""

_AUTHORIZATION: Final = re.compile(
    r"^((?:proxy-)?authorization): .*$", re.IGNORECASE | re.MULTILINE
)
_MAX_URL: Final = 4_000
_MAX_DATA_URL: Final = 200
_MAX_HEADER: Final = 4_000
_MAX_HEADERS: Final = 16_000
_MAX_BODY: Final = 8_000  # bytes of a request body; Chromium keeps longer ones
_MAX_MESSAGE: Final = 500
_MAX_MESSAGES: Final = 20
_OVERHEAD: Final = 1_500  # bytes of a record without its texts, approximately
_STATUSES_WITHOUT_BODY: Final = frozenset({204, 205, 304})  # HTTP statuses
_ZERO_CONTENT_LENGTH: Final = re.compile(r"^content-length: ?0$", re.IGNORECASE | re.MULTILINE)
_BINARY_OPCODE: Final = 2  # opcode of a binary WebSocket frame


@dataclass(slots=True, eq=False)
class Request:
    """A network request. Each hop of a redirect is a separate request.

    Attributes:
        id: CDP `Network.RequestId`; the hops of a redirect share it.
        session: CDP session of the process that can return its body.
        loader_id: CDP `Network.LoaderId` of its document; "" if it belongs to none.
        kind: CDP `Network.ResourceType` in lower case, or "preflight".
        started_at: Start time, seconds on the browser's clock; 0 if unknown.
        recorded_at: Start time, seconds of `time.monotonic`.
        index: Its number among the requests since the page was loaded, from 1 on. Requests of
            earlier pages of the tab count backwards: -1 is the latest of them.
        responded_at: Time of the response's headers, seconds on the browser's clock; None before.
        ended_at: End time, seconds on the browser's clock; None while it runs.
        status: HTTP status; 0 before the response.
        failure: Network error, such as net::ERR_FAILED; "" if it did not fail.
        failure_reason: Reason of the failure, as CDP `Network.BlockedReason` or
            `Network.CorsError`.
        response_source: Origin of a response that comes from no server, such as a cache or `ROUTE`.
        received_bytes: Bytes received over the network, headers included; None if unknown.
        body_length: Bytes of the decoded response body.
        request_headers: One line per header.
        response_headers: One line per header.
        request_body: The request body, if it is known and short.
        has_request_body: Whether it has a request body.
        previous: The previous hop of a redirect.
        next: The next hop of a redirect.
        messages: The last messages of a WebSocket; None for other requests.
        sent_count: Number of messages that a WebSocket sent.
        received_count: Number of messages that a WebSocket received.
        is_private: Whether it was sent while a person acted in the browser. Its body is not kept,
            and no header with credentials.
        extra_info: The `...ExtraInfo` events ("request", "response") that are no longer expected:
            they have arrived, or Chromium does not send them.
    """

    id: str
    session: Session
    loader_id: str
    kind: str
    method: str
    url: str
    started_at: float
    recorded_at: float
    index: int = 0
    responded_at: float | None = None
    ended_at: float | None = None
    status: int = 0
    status_text: str = ""
    mime_type: str = ""
    protocol: str = ""
    server_address: str = ""
    failure: str = ""
    failure_reason: str = ""
    response_source: str = ""
    received_bytes: int | None = None
    body_length: int = 0
    request_headers: str = ""
    response_headers: str = ""
    request_body: bytes | None = None
    has_request_body: bool = False
    previous: Request | None = None
    next: Request | None = None
    messages: deque[str] | None = None
    sent_count: int = 0
    received_count: int = 0
    is_private: bool = False
    extra_info: set[str] = field(default_factory=set)

    @classmethod
    def from_event(
        cls, event: cdp.RequestWillBeSentEvent, session: Session, recorded_at: float
    ) -> Request:
        """Create a request from CDP `Network.requestWillBeSent`.

        Args:
            recorded_at: Current time, seconds of `time.monotonic`.
        """
        sent_request = event["request"]
        request = cls(
            id=event["requestId"],
            session=session,
            loader_id=event["loaderId"],
            kind=_request_kind(event),
            method=sent_request["method"],
            url=_shorten_url(sent_request["url"] + sent_request.get("urlFragment", "")),
            started_at=event["timestamp"],
            recorded_at=recorded_at,
            request_headers=render_headers(sent_request["headers"]),
        )
        request.has_request_body = bool(sent_request.get("hasPostData"))
        request.request_body = _decode_body(sent_request)
        return request

    @classmethod
    def from_socket_event(
        cls, event: cdp.WebSocketCreatedEvent, session: Session, recorded_at: float
    ) -> Request:
        """Create a request from CDP `Network.webSocketCreated`; see `from_event`."""
        kind, url = "websocket", _shorten_url(event["url"])
        request = cls(event["requestId"], session, "", kind, "GET", url, 0, recorded_at)
        request.messages = deque(maxlen=_MAX_MESSAGES)
        return request

    def make_private(self) -> None:
        """Drop what may contain text that a person typed; see `is_private`."""
        self.is_private = True
        self.request_body = None
        self.set_request_headers(self.request_headers)

    def set_request_headers(self, lines: str) -> None:
        """Store the headers of the request, one line per header."""
        if self.is_private:
            lines = _AUTHORIZATION.sub(rf"\1: {NOT_KEPT}", lines)
        self.request_headers = lines

    def set_response(self, response: cdp.Response) -> None:
        """Store the data of a CDP `Network.Response`."""
        self.set_status_and_headers(response)
        self.mime_type = response.get("mimeType", "")[:200]
        self.protocol = response.get("protocol", "")[:50]
        if address := response.get("remoteIPAddress"):
            self.server_address = f"{address}:{response.get('remotePort', 0)}"
        if response.get("fromServiceWorker"):
            self.response_source = "service worker"
        elif response.get("fromPrefetchCache"):
            self.response_source = "prefetch cache"
        elif response.get("fromDiskCache"):
            self.response_source = self.response_source or "disk cache"

    def set_status_and_headers(self, response: cdp.Response | cdp.WebSocketResponse) -> None:
        """Store the status and the headers of a response or of a WebSocket handshake."""
        self.status = response["status"]
        self.status_text = response["statusText"][:200]
        if "response" not in self.extra_info:
            self.response_headers = render_headers(response["headers"])
        if "request" not in self.extra_info and "requestHeaders" in response:
            self.set_request_headers(render_headers(response["requestHeaders"]))

    def add_message(
        self, frame: cdp.WebSocketFrame, *, is_sent: bool, is_private: bool = False
    ) -> None:
        """Store a shortened message of a WebSocket, and count it.

        Args:
            is_private: Whether its text is not kept.
        """
        data = frame["payloadData"]
        self.sent_count += is_sent
        self.received_count += not is_sent
        if self.messages is not None:
            if is_private:
                text = f"({NOT_KEPT})"
            elif frame["opcode"] == _BINARY_OPCODE:
                text = f"({len(data) * 3 // 4 - data.count('=', -2):,} bytes, binary)"
            else:
                text = data if len(data) <= _MAX_MESSAGE else data[:_MAX_MESSAGE] + "…"
            self.messages.append(f"{'sent' if is_sent else 'received'}: {text}")

    @property
    def is_successful_static(self) -> bool:
        """Whether the request has a static type and succeeded, so that lists omit it by default."""
        is_well = not self.failure and 0 < self.status < 400
        return self.kind in STATIC_KINDS and is_well

    @property
    def was_aborted_by_route(self) -> bool:
        """Whether a route of the client let the request fail."""
        is_cause_known = bool(self.failure_reason or self.status)
        return bool(self.failure) and self.response_source == ROUTE and not is_cause_known

    @property
    def has_empty_response(self) -> bool:
        """Whether the response has no body, by its status, its method or its Content-Length."""
        if self.status in _STATUSES_WITHOUT_BODY or (self.status > 0 and self.method == "HEAD"):
            return True
        return (
            not self.body_length and _ZERO_CONTENT_LENGTH.search(self.response_headers) is not None
        )

    @property
    def memory_size(self) -> int:
        """Approximate memory in bytes."""
        texts = len(self.url) + len(self.request_headers) + len(self.response_headers)
        messages = sum(map(len, self.messages)) if self.messages else 0
        return _OVERHEAD + texts + len(self.request_body or b"") + messages


def render_headers(headers: Mapping[str, str]) -> str:
    """Return CDP `Network.Headers` as lines of limited length.

    CDP separates several values of one header by line breaks. Each value gets a separate line.
    """
    lines: list[str] = []
    characters_left = _MAX_HEADERS
    for name, values in headers.items():
        for value in values.split("\n"):
            line = f"{name[:_MAX_HEADER]}: {value}"
            line = line if len(line) <= _MAX_HEADER else f"{line[:_MAX_HEADER]}…"
            characters_left -= len(line)
            if characters_left < 0:
                return "\n".join([*lines, "…: more headers"])
            lines.append(line)
    return "\n".join(lines)


def _request_kind(event: cdp.RequestWillBeSentEvent) -> str:
    # The event of a preflight has no type; the response has it.
    if event.get("initiator", {}).get("type") == "preflight":
        return "preflight"
    return str(event.get("type", "Other")).lower()


def _shorten_url(url: str) -> str:
    longest = _MAX_DATA_URL if url.startswith("data:") else _MAX_URL
    if len(url) <= longest:
        return url
    return f"{url[:longest]}…({len(url):,} characters)"


def _decode_body(request: cdp.Request) -> bytes | None:
    """Return the request body in an event; None if it is missing, long, or contains files."""
    entries = request.get("postDataEntries")
    if not entries or any("bytes" not in entry for entry in entries):
        return None
    if sum(len(entry["bytes"]) for entry in entries) > _MAX_BODY * 4 // 3:
        return None
    return b"".join(base64.b64decode(entry["bytes"]) for entry in entries)
