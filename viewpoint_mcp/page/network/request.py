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

STATIC: Final = frozenset(
    {"image", "script", "stylesheet", "font", "media", "texttrack", "manifest", "prefetch", "other"}
)
"""Types of requests that are listed only on demand if they succeed."""

_LONGEST_URL: Final = 4_000
_LONGEST_DATA_URL: Final = 200
_LONGEST_HEADER: Final = 4_000
_LONGEST_HEADERS: Final = 16_000
_LONGEST_BODY: Final = 8_000  # bytes of a request body; Chromium keeps longer ones
_LONGEST_MESSAGE: Final = 500
_MESSAGES: Final = 20
_OVERHEAD: Final = 1_500  # bytes of a record without its texts, approximately
_WITHOUT_BODY: Final = frozenset({204, 205, 304})  # HTTP statuses
_EMPTY: Final = re.compile(r"^content-length: ?0$", re.IGNORECASE | re.MULTILINE)
_BINARY: Final = 2  # opcode of a binary WebSocket frame


@dataclass(slots=True, eq=False)
class Request:
    """A network request. Each hop of a redirect is a separate request.

    Attributes:
        id: CDP `Network.RequestId`; the hops of a redirect share it.
        session: CDP session of the process that can return its body.
        loader: CDP `Network.LoaderId` of its document; "" if it belongs to none.
        kind: CDP `Network.ResourceType` in lower case, or "preflight".
        began: Start time, seconds on the browser's clock; 0 if unknown.
        heard: Start time, seconds of `time.monotonic`.
        index: Its number among the requests since the page was loaded, from 1 on. Negative for
            requests of pages that the tab has left.
        ended: End time, seconds on the browser's clock; None while it runs.
        status: HTTP status; 0 before the response.
        failure: Network error, such as net::ERR_FAILED; "" if it did not fail.
        reason: Reason of the failure, as CDP `Network.BlockedReason` or `Network.CorsError`.
        source: Origin of a response that comes from no server, such as a cache.
        received: Bytes received over the network, headers included; None if unknown.
        length: Bytes of the decoded response body.
        request_headers: One line per header.
        response_headers: One line per header.
        body: The request body, if it is known and short.
        has_body: Whether it has a request body.
        previous: The previous hop of a redirect.
        next: The next hop of a redirect.
        messages: The last messages of a WebSocket; None for other requests.
        sent: Number of messages that a WebSocket sent.
        arrived: Number of messages that a WebSocket received.
        extras: The events with extra information that have arrived or will not arrive: "request",
            "response".
    """

    id: str
    session: Session
    loader: str
    kind: str
    method: str
    url: str
    began: float
    heard: float
    index: int = 0
    ended: float | None = None
    status: int = 0
    status_text: str = ""
    mime_type: str = ""
    protocol: str = ""
    server: str = ""
    failure: str = ""
    reason: str = ""
    source: str = ""
    received: int | None = None
    length: int = 0
    request_headers: str = ""
    response_headers: str = ""
    body: bytes | None = None
    has_body: bool = False
    previous: Request | None = None
    next: Request | None = None
    messages: deque[str] | None = None
    sent: int = 0
    arrived: int = 0
    extras: set[str] = field(default_factory=set)

    @classmethod
    def of(cls, event: cdp.RequestWillBeSentEvent, session: Session, heard: float) -> Request:
        """Create a request from CDP `Network.requestWillBeSent`.

        Args:
            heard: Current time, seconds of `time.monotonic`.
        """
        told = event["request"]
        request = cls(
            id=event["requestId"],
            session=session,
            loader=event["loaderId"],
            kind=_kind(event),
            method=told["method"],
            url=_url(told["url"] + told.get("urlFragment", "")),
            began=event["timestamp"],
            heard=heard,
            request_headers=headers(told["headers"]),
        )
        request.has_body = bool(told.get("hasPostData"))
        request.body = _body(told)
        return request

    @classmethod
    def socket(cls, event: cdp.WebSocketCreatedEvent, session: Session, heard: float) -> Request:
        """Create a request from CDP `Network.webSocketCreated`; see `of`."""
        kind, url = "websocket", _url(event["url"])
        request = cls(event["requestId"], session, "", kind, "GET", url, 0, heard)
        request.messages = deque(maxlen=_MESSAGES)
        return request

    def set_response(self, response: cdp.Response) -> None:
        """Store the data of a CDP `Network.Response`."""
        self.set_handshake(response)
        self.mime_type = response.get("mimeType", "")[:200]
        self.protocol = response.get("protocol", "")[:50]
        if address := response.get("remoteIPAddress"):
            self.server = f"{address}:{response.get('remotePort', 0)}"
        if response.get("fromServiceWorker"):
            self.source = "service worker"
        elif response.get("fromPrefetchCache"):
            self.source = "prefetch cache"
        elif response.get("fromDiskCache"):
            self.source = self.source or "disk cache"

    def set_handshake(self, response: cdp.Response | cdp.WebSocketResponse) -> None:
        """Store the status and the headers of a response or of a WebSocket handshake."""
        self.status = response["status"]
        self.status_text = response["statusText"][:200]
        if "response" not in self.extras:
            self.response_headers = headers(response["headers"])
        if "request" not in self.extras and "requestHeaders" in response:
            self.request_headers = headers(response["requestHeaders"])

    def add_message(self, frame: cdp.WebSocketFrame, *, is_sent: bool) -> None:
        """Store a shortened message of a WebSocket, and count it."""
        data = frame["payloadData"]
        self.sent += is_sent
        self.arrived += not is_sent
        if self.messages is not None:
            if frame["opcode"] == _BINARY:
                text = f"({len(data) * 3 // 4 - data.count('=', -2):,} bytes, binary)"
            else:
                text = data if len(data) <= _LONGEST_MESSAGE else data[:_LONGEST_MESSAGE] + "…"
            self.messages.append(f"{'sent' if is_sent else 'received'}: {text}")

    @property
    def is_static(self) -> bool:
        """Whether the request has a static type and succeeded, so that lists omit it by default."""
        is_well = not self.failure and 0 < self.status < 400
        return self.kind in STATIC and is_well

    @property
    def has_no_body(self) -> bool:
        """Whether the response has no body, by its status, its method or its Content-Length."""
        if self.status in _WITHOUT_BODY or (self.status > 0 and self.method == "HEAD"):
            return True
        return not self.length and _EMPTY.search(self.response_headers) is not None

    @property
    def cost(self) -> int:
        """Approximate memory in bytes."""
        texts = len(self.url) + len(self.request_headers) + len(self.response_headers)
        messages = sum(map(len, self.messages)) if self.messages else 0
        return _OVERHEAD + texts + len(self.body or b"") + messages


def headers(told: Mapping[str, str]) -> str:
    """Return CDP `Network.Headers` as lines of limited length.

    CDP separates several values of one header by line breaks. Each value gets a separate line.
    """
    lines: list[str] = []
    left = _LONGEST_HEADERS
    for name, values in told.items():
        for value in values.split("\n"):
            line = f"{name[:_LONGEST_HEADER]}: {value}"
            line = line if len(line) <= _LONGEST_HEADER else f"{line[:_LONGEST_HEADER]}…"
            left -= len(line)
            if left < 0:
                return "\n".join([*lines, "…: there are more"])
            lines.append(line)
    return "\n".join(lines)


def _kind(event: cdp.RequestWillBeSentEvent) -> str:
    # The event of a preflight has no type; the response has it.
    if event.get("initiator", {}).get("type") == "preflight":
        return "preflight"
    return str(event.get("type", "Other")).lower()


def _url(url: str) -> str:
    longest = _LONGEST_DATA_URL if url.startswith("data:") else _LONGEST_URL
    if len(url) <= longest:
        return url
    return f"{url[:longest]}…({len(url):,} characters)"


def _body(told: cdp.Request) -> bytes | None:
    """Return the request body in an event; None if it is missing, long, or contains files."""
    entries = told.get("postDataEntries")
    if not entries or any("bytes" not in entry for entry in entries):
        return None
    if sum(len(entry["bytes"]) for entry in entries) > _LONGEST_BODY * 4 // 3:
        return None
    return b"".join(base64.b64decode(entry["bytes"]) for entry in entries)
