"""State of a page that settling keeps from one action to the next."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlsplit

from cdp_protocol import Session

if TYPE_CHECKING:
    from cdp_protocol.types.network import (
        LoadingFailedEvent,
        LoadingFinishedEvent,
        RequestWillBeSentEvent,
        ResponseReceivedEvent,
    )
    from cdp_protocol.types.page import FrameNavigatedEvent, FrameStartedNavigatingEvent

FOLLOWED_TYPES = frozenset({"Document", "Script", "Fetch", "XHR"})
"""CDP `Network.ResourceType`s that settling follows, because the response may change the page.

Streams, sockets, beacons, pictures and prefetches are not followed. They may last forever and show
no new content.
"""

_MOST = 500  # maximum number of remembered requests, addresses and URLs
_POLL = 2  # background requests after which an address counts as a poll
_WITHOUT_CONTENT = frozenset({204, 205})  # HTTP statuses that do not replace the document


class Address(NamedTuple):
    """The parts of a request that are the same in its repetitions.

    Attributes:
        url: Without query and fragment, because the query of a poll often contains the time.
        body: Hash of the body, because calls to one endpoint may differ only in the body.
    """

    method: str
    url: str
    body: int = 0


def address_of(event: RequestWillBeSentEvent) -> Address | None:
    """Return the address of a request that settling follows; None for other requests."""
    if event.get("type") not in FOLLOWED_TYPES or "redirectResponse" in event:
        return None
    if event.get("loaderId") == "":
        return None  # a worker's script: only the worker's CDP session reports the response
    request = event["request"]
    url = urlsplit(request["url"])._replace(query="", fragment="").geturl()
    return Address(request["method"], url, hash(request.get("postData", "")))


class PageState:
    """The main document, the documents that are loading, and the addresses that are polled.

    Args:
        main_frame: Returns the CDP id of the main frame.

    Attributes:
        status: HTTP status of the document in the main frame; None for schemes other than HTTP.
        is_followed: Whether an action is being followed. Otherwise, requests count as background
            requests.
    """

    def __init__(self, main_frame: Callable[[], str]) -> None:
        self.status: int | None = None
        self.is_followed = False
        self._main_frame = main_frame
        self._coming_status: int | None = None
        self._main_request: str | None = None
        self._arriving: set[str] = set()
        self._background: Counter[Address] = Counter()
        self._running: dict[str, Address] = {}
        self._endless: set[str] = set()

    def subscribe(self, session: Session) -> None:
        """Follow the requests and documents of a CDP session.

        Source: CDP `Page.frameStartedNavigating`, `frameNavigated`; `Network.requestWillBeSent`,
        `responseReceived`, `loadingFinished`, `loadingFailed`.
        """
        session.on(session.Page.frameStartedNavigating, self._on_started)
        session.on(session.Page.frameNavigated, self._on_committed)
        session.on(session.Network.requestWillBeSent, self._on_request)
        session.on(session.Network.responseReceived, self._on_response)
        session.on(session.Network.loadingFinished, self._on_finished)
        session.on(session.Network.loadingFailed, self._on_failed)

    @property
    def main_frame(self) -> str:
        """The CDP id of the main frame."""
        return self._main_frame()

    @property
    def running(self) -> Iterable[Address]:
        """The addresses of the requests that have no response yet."""
        return self._running.values()

    def starts_document(self, event: FrameStartedNavigatingEvent) -> bool:
        """Return whether the event starts the load of another document in the main frame."""
        within = event["navigationType"] in ("sameDocument", "historySameDocument")
        return event["frameId"] == self.main_frame and not within

    def is_main_request(self, request_id: str) -> bool:
        """Return whether the request loads the newest document of the main frame."""
        return request_id == self._main_request

    def is_arriving(self, request_id: str) -> bool:
        """Return whether the request is for a document with a response but without a commit."""
        return request_id in self._arriving

    def is_poll(self, address: Address) -> bool:
        """Return whether an address is polled.

        That is the case if the page requests it repeatedly without an action, or if an action
        waited for it in vain.
        """
        return address.url in self._endless or self._background[address] >= _POLL

    def remember_unanswered(self, urls: list[str]) -> None:
        """Exclude these URLs from later waits, because an action waited for them in vain."""
        self._endless.update(urls[: _MOST - len(self._endless)])

    def start_request(self, request_id: str, address: Address) -> None:
        """Note a request; without an action in progress, it counts as a background request."""
        if len(self._running) < _MOST:
            self._running[request_id] = address
        is_own = address.url not in self._endless and (
            not self.is_followed or self.is_poll(address)
        )
        if is_own and len(self._background) < _MOST:
            self._background[address] += 1

    def _on_started(self, event: FrameStartedNavigatingEvent) -> None:
        if self.starts_document(event):
            self._main_request = event["loaderId"]
            self._coming_status = None

    def _on_committed(self, event: FrameNavigatedEvent) -> None:
        loader = event["frame"]["loaderId"]
        self._arriving.discard(loader)
        if not event["frame"].get("parentId"):
            self.status = self._coming_status if self.is_main_request(loader) else None
            self._main_request = loader
            self._background.clear()
            self._running.clear()

    def _on_request(self, event: RequestWillBeSentEvent) -> None:
        address = address_of(event)
        if address is not None:
            self.start_request(event["requestId"], address)

    def _on_response(self, event: ResponseReceivedEvent) -> None:
        status = event["response"]["status"]
        if self.is_main_request(event["requestId"]):
            self._coming_status = status
        if event.get("type") == "Document" and status not in _WITHOUT_CONTENT:
            self._arriving.add(event["requestId"])
        if is_usable(event):
            self._running.pop(event["requestId"], None)

    def _on_finished(self, event: LoadingFinishedEvent) -> None:
        self._running.pop(event["requestId"], None)

    def _on_failed(self, event: LoadingFailedEvent) -> None:
        self._arriving.discard(event["requestId"])
        self._running.pop(event["requestId"], None)


def is_usable(event: ResponseReceivedEvent) -> bool:
    """Return whether the page may use the response before its body is complete.

    A page always reads an XMLHttpRequest to its end, but it may leave the body of a fetch unread.
    """
    return event.get("type") != "XHR"
