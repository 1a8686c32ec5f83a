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

_MAX_REMEMBERED = 500  # maximum number of remembered requests, keys and URLs
_POLL_COUNT = 2  # background requests after which a request counts as a poll
_NO_CONTENT_STATUSES = frozenset({204, 205})  # HTTP statuses that do not replace the document


class RequestKey(NamedTuple):
    """The parts of a request that are the same in its repetitions.

    Attributes:
        url: Without query and fragment, because the query of a poll often contains the time.
        body_hash: Hash of the body, because calls to one endpoint may differ only in the body.
    """

    method: str
    url: str
    body_hash: int = 0


def make_key_of_followed_request(event: RequestWillBeSentEvent) -> RequestKey | None:
    """Return the key of a request that settling follows; None for other requests."""
    if event.get("type") not in FOLLOWED_TYPES or "redirectResponse" in event:
        return None
    if event.get("loaderId") == "":
        return None  # a worker's script: only the worker's CDP session reports the response
    request = event["request"]
    url = urlsplit(request["url"])._replace(query="", fragment="").geturl()
    return RequestKey(request["method"], url, hash(request.get("postData", "")))


class PageNetworkState:
    """The main document, the documents that are loading, and the requests that are polled.

    Args:
        get_main_frame_id: Returns the CDP id of the main frame.

    Attributes:
        http_status: HTTP status of the document in the main frame; None for schemes other than
            HTTP.
        is_action_followed: Whether an action is being followed. Otherwise, requests count as
            background requests.
    """

    def __init__(self, get_main_frame_id: Callable[[], str]) -> None:
        self.http_status: int | None = None
        self.is_action_followed = False
        self._get_main_frame_id = get_main_frame_id
        self._next_http_status: int | None = None
        self._main_request_id: str | None = None
        self._uncommitted_documents: set[str] = set()
        self._background_counts: Counter[RequestKey] = Counter()
        self._open_requests: dict[str, RequestKey] = {}
        self._unanswered_urls: set[str] = set()

    def subscribe(self, session: Session) -> None:
        """Follow the requests and documents of a CDP session.

        Source: CDP `Page.frameStartedNavigating`, `frameNavigated`; `Network.requestWillBeSent`,
        `responseReceived`, `loadingFinished`, `loadingFailed`.
        """
        session.on(session.Page.frameStartedNavigating, self._on_started_navigating)
        session.on(session.Page.frameNavigated, self._on_frame_navigated)
        session.on(session.Network.requestWillBeSent, self._on_request)
        session.on(session.Network.responseReceived, self._on_response)
        session.on(session.Network.loadingFinished, self._on_finished)
        session.on(session.Network.loadingFailed, self._on_failed)

    @property
    def main_frame_id(self) -> str:
        """The CDP id of the main frame."""
        return self._get_main_frame_id()

    @property
    def open_requests(self) -> Iterable[RequestKey]:
        """The addresses of the requests that have no response yet."""
        return self._open_requests.values()

    def is_document_start(self, event: FrameStartedNavigatingEvent) -> bool:
        """Return whether the event starts the load of another document in the main frame."""
        within = event["navigationType"] in ("sameDocument", "historySameDocument")
        return event["frameId"] == self.main_frame_id and not within

    def is_main_document_request(self, request_id: str) -> bool:
        """Return whether the request loads the newest document of the main frame."""
        return request_id == self._main_request_id

    def is_uncommitted_document(self, request_id: str) -> bool:
        """Return whether the request is for a document with a response but without a commit."""
        return request_id in self._uncommitted_documents

    def is_poll(self, key: RequestKey) -> bool:
        """Return whether a request is polled.

        That is the case if the page requests it repeatedly without an action, or if it timed
        out in an earlier action.
        """
        return key.url in self._unanswered_urls or self._background_counts[key] >= _POLL_COUNT

    def remember_unanswered(self, urls: list[str]) -> None:
        """Exclude these URLs from later waits, because their requests timed out."""
        self._unanswered_urls.update(urls[: _MAX_REMEMBERED - len(self._unanswered_urls)])

    def note_request(self, request_id: str, key: RequestKey) -> None:
        """Note a request; without an action in progress, it counts as a background request."""
        if len(self._open_requests) < _MAX_REMEMBERED:
            self._open_requests[request_id] = key
        is_background = key.url not in self._unanswered_urls and (
            not self.is_action_followed or self.is_poll(key)
        )
        if is_background and len(self._background_counts) < _MAX_REMEMBERED:
            self._background_counts[key] += 1

    def _on_started_navigating(self, event: FrameStartedNavigatingEvent) -> None:
        if self.is_document_start(event):
            self._main_request_id = event["loaderId"]
            self._next_http_status = None

    def _on_frame_navigated(self, event: FrameNavigatedEvent) -> None:
        loader = event["frame"]["loaderId"]
        self._uncommitted_documents.discard(loader)
        if not event["frame"].get("parentId"):
            self.http_status = (
                self._next_http_status if self.is_main_document_request(loader) else None
            )
            self._main_request_id = loader
            self._background_counts.clear()
            self._open_requests.clear()

    def _on_request(self, event: RequestWillBeSentEvent) -> None:
        key = make_key_of_followed_request(event)
        if key is not None:
            self.note_request(event["requestId"], key)

    def _on_response(self, event: ResponseReceivedEvent) -> None:
        status = event["response"]["status"]
        if self.is_main_document_request(event["requestId"]):
            self._next_http_status = status
        if event.get("type") == "Document" and status not in _NO_CONTENT_STATUSES:
            self._uncommitted_documents.add(event["requestId"])
        if is_usable_before_end(event):
            self._open_requests.pop(event["requestId"], None)

    def _on_finished(self, event: LoadingFinishedEvent) -> None:
        self._open_requests.pop(event["requestId"], None)

    def _on_failed(self, event: LoadingFailedEvent) -> None:
        self._uncommitted_documents.discard(event["requestId"])
        self._open_requests.pop(event["requestId"], None)


def is_usable_before_end(event: ResponseReceivedEvent) -> bool:
    """Return whether the page may use the response before its body is complete.

    A page always reads an XMLHttpRequest to its end, but it may leave the body of a fetch unread.
    """
    return event.get("type") != "XHR"
