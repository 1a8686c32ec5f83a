"""Navigation of a page: by URL, through its history, or by a reload."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, cast

from cdp_protocol import CallTimeout, CdpError, ProtocolError, Session
from viewpoint_mcp.config import origins
from viewpoint_mcp.errors import (
    BlockedError,
    CallError,
    NavigationError,
    PageError,
    PageTimeoutError,
)
from viewpoint_mcp.page.blocking_conditions import Dialog
from viewpoint_mcp.page.network.url_to_open import (
    URL_HINT,
    complete_url,
    raise_if_metadata_service,
)
from viewpoint_mcp.page.shorten import shorten_url

if TYPE_CHECKING:
    from cdp_protocol.types.network import RequestWillBeSentEvent
    from cdp_protocol.types.page import NavigateResult
    from viewpoint_mcp.page.network.request_log import RequestLog
    from viewpoint_mcp.page.page_options import PageOptions
    from viewpoint_mcp.page.services import PageServices

NavigationResult = Literal["loaded", "download", "dialog"]
"""The result of a navigation.

"loaded": the page shows the document. "download": the URL is a file, and the page stays.
"dialog": a `beforeunload` dialog asks whether to leave the page.
"""

_STOP_TIMEOUT = 1.0  # seconds
_TERMINATE_TIMEOUT = 2.0  # seconds


@dataclass(frozen=True, slots=True)
class _NavigateOutcome:
    """The outcome of `Page.navigate`.

    Attributes:
        failure: The error of a failed navigation. It is raised after settling, because an error
            page may still load.
        is_download: Whether the URL is a file, so that the page keeps its document.
    """

    failure: PageError | None = None
    is_download: bool = False


async def _start_navigation(
    session: Session,
    url: str,
    timeout: float,
    explain_error: Callable[[str, str], str],
    find_final_url: Callable[[str], str | None],
) -> _NavigateOutcome:
    """Start a navigation, and return when the new document is committed or the navigation failed.

    Args:
        timeout: Seconds for the site to answer.
        explain_error: Returns the meaning of a network error at a URL.
        find_final_url: Returns the URL of the last redirect of a request; None if unknown.

    Raises:
        CallError: Chromium rejects the URL.

    Source: CDP `Page.navigate`.
    """
    try:
        sending = session.send("Page.navigate", {"url": url}, timeout=timeout)
        answer = cast("NavigateResult", await sending)
    except CallTimeout:
        await _stop_loading(session)
        return _NavigateOutcome(
            PageTimeoutError(
                f"{shorten_url(url)} did not answer within {timeout:g} s.",
                "Try again later, or raise --timeout-navigation.",
            )
        )
    except ProtocolError as error:
        raise CallError(
            f'"{shorten_url(url)}" cannot be opened: {error.message}.', URL_HINT
        ) from error
    if answer.get("isDownload"):
        return _NavigateOutcome(is_download=True)
    if "errorText" in answer:
        reason = explain_error(
            answer["errorText"], find_final_url(answer.get("loaderId", "")) or url
        )
        return _NavigateOutcome(
            NavigationError(f"{shorten_url(url)} could not be loaded: {reason}")
        )
    return _NavigateOutcome()


@asynccontextmanager
async def _stop_loading_if_cancelled(session: Session) -> AsyncIterator[None]:
    """Stop the navigation that the block started if the block is cancelled.

    A page with an unfinished navigation may answer no script.
    """
    try:
        yield
    except asyncio.CancelledError:
        await _stop_loading(session)
        raise


async def _stop_loading(session: Session) -> None:
    """Stop the navigation of a page. A page whose process hangs may reject that.

    Source: CDP `Page.stopLoading`.
    """
    with suppress(CdpError):
        await session.send("Page.stopLoading", timeout=_STOP_TIMEOUT)


def _navigation_result(outcome: _NavigateOutcome | None, dialog: Dialog | None) -> NavigationResult:
    """Return the result of a navigation, from its outcome and the dialog that is open now."""
    if outcome is not None and outcome.is_download:
        return "download"
    return "dialog" if dialog is not None and dialog.kind == "beforeunload" else "loaded"


def explain_network_error(error: str) -> str:
    """Return the text for a network error of Chromium, with its meaning if it is a common error.

    Args:
        error: The error, such as "net::ERR_NAME_NOT_RESOLVED".
    """
    meaning = _ERROR_MEANINGS.get(error)
    return f"{error} ({meaning})." if meaning else f"{error}."


_ERROR_MEANINGS = {
    "net::ERR_CONNECTION_REFUSED": "no server listens there",
    "net::ERR_NAME_NOT_RESOLVED": "the host name is unknown",
    "net::ERR_CONNECTION_TIMED_OUT": "the host does not answer",
    "net::ERR_ADDRESS_UNREACHABLE": "the host cannot be reached",
    "net::ERR_INTERNET_DISCONNECTED": "no network is connected",
    "net::ERR_CERT_AUTHORITY_INVALID": "its certificate is not trusted",
    "net::ERR_ABORTED": "cancelled: the response is not a page, another navigation began, or "
    "Chromium's network process ended",
    "net::ERR_EMPTY_RESPONSE": "the server closed the connection without a response",
    "net::ERR_TOO_MANY_REDIRECTS": "redirect loop",
    "net::ERR_INVALID_AUTH_CREDENTIALS": "it requires a user name and password, which only "
    "--http-credentials of this server can send",
    "net::ERR_PROXY_CONNECTION_FAILED": "the browser's proxy cannot be reached",
    "net::ERR_UNSAFE_PORT": "browsers block that port",
}


async def _move_in_history(session: Session, step: Literal[-1, 1]) -> None:
    """Go to the previous (-1) or the next (1) entry of the tab's history.

    Raises:
        NavigationError: The history has no such entry.

    Source: CDP `Page.getNavigationHistory`, `Page.navigateToHistoryEntry`.
    """
    history = await session.Page.getNavigationHistory()
    entries, index = history["entries"], history["currentIndex"] + step
    if not 0 <= index < len(entries):
        way, place = ("back", "first") if step < 0 else ("forward", "last")
        raise NavigationError(
            f"There is no page to go {way} to.", f"This is the {place} entry of the tab's history."
        )
    await session.Page.navigateToHistoryEntry(entryId=entries[index]["id"])


class PageNavigation:
    """Navigates one page.

    Args:
        page: The services of the page.
        options: The options of the page, such as the origins that it may open.
        request_log: The requests of the page.

    Attributes:
        requested_url: The URL that `go_to` is opening; "" for none.
        has_unreported_document: Whether the page went to another document that no reply has
            reported yet.
    """

    has_unreported_document = False

    def __init__(self, page: PageServices, options: PageOptions, request_log: RequestLog) -> None:
        self._page = page
        self._origin_rules = options.origin_rules
        self._explain_error = options.explain_network_error
        self._before_navigation = options.before_navigation
        self._on_document_request = options.on_document_request
        self._request_log = request_log
        self.requested_url = ""
        self._refusal = ""  # why the navigation to `requested_url` was refused

    def subscribe(self, session: Session) -> None:
        """Report the requests for documents. Source: CDP `Network.requestWillBeSent`."""
        if self._on_document_request is not None:
            session.on(session.Network.requestWillBeSent, self._report_document_request)

    async def go_to(self, url: str) -> NavigationResult:
        """Load a URL, settle, and return the result of the navigation.

        Raises:
            CallError: The URL is malformed or not allowed.
            PageError: The URL could not be loaded; the message contains the reason.
        """
        page = self._page
        address = complete_url(url, files_allowed=page.files.is_unrestricted)
        origins.raise_if_url_not_allowed(self._origin_rules, address)
        if not self._origin_rules.allows_private_network:
            raise_if_metadata_service(address)
        if self._before_navigation is not None:
            await self._before_navigation(address)
        self.requested_url, self._refusal = address, ""
        try:
            return await self._load(address)
        finally:
            self.requested_url = ""

    def find_frame_url(self, number: int) -> str | None:
        """Return the URL of the frame with this `f` component in its refs; None for no frame."""
        frame = self._page.frames.get_by_number(number)
        return frame.url if frame is not None else None

    def note_refusal(self, sentence: str) -> None:
        """Note that a navigation of the page, or of a tab that it opened, was refused.

        `go_to` raises it if the navigation is its own. Else the next reply reports it.
        """
        if self.requested_url:
            self._refusal = sentence
        else:
            self._page.events.append(sentence)

    def _report_document_request(self, event: RequestWillBeSentEvent) -> None:
        if event.get("type") == "Document" and self._on_document_request is not None:
            self._on_document_request(event["request"]["url"])

    async def _load(self, address: str) -> NavigationResult:
        page = self._page
        async with _stop_loading_if_cancelled(page.session), page.settle_afterwards():
            if page.blockers.is_unresponsive:
                await _stop_scripts(page.session)
            page.blockers.note_recovery()
            limit = page.timeouts.navigation
            going = _start_navigation(
                page.session, address, limit, self._explain_error, self._request_log.find_final_url
            )
            outcome = await page.current_action.perform_until_dialog(going)
        self.has_unreported_document = False
        if self._refusal:
            raise BlockedError(f"{shorten_url(address)} was not opened. {self._refusal}")
        if outcome is not None and outcome.failure is not None:
            raise await page.blockers.find_end_of_page() or outcome.failure
        return _navigation_result(outcome, page.blockers.dialog)

    async def move_in_history(self, step: Literal[-1, 1]) -> NavigationResult:
        """Go to the previous (-1) or the next (1) entry of the tab's history, and settle.

        Raises:
            PageError: The history has no such entry, or it did not load in time.
        """
        page = self._page
        async with _stop_loading_if_cancelled(page.session), page.settle_afterwards():
            await page.current_action.perform_until_dialog(_move_in_history(page.session, step))
        self.has_unreported_document = False
        return _navigation_result(None, page.blockers.dialog)

    async def reload(self, *, ignore_cache: bool) -> NavigationResult:
        """Load the document again, settle, and return the result of the navigation.

        Args:
            ignore_cache: Whether to load everything from the network.

        Raises:
            PageError: The document could not be loaded; the message contains the reason.

        Source: CDP `Page.reload`.
        """
        page, before = self._page, self._page.frames.main.document_id
        async with _stop_loading_if_cancelled(page.session), page.settle_afterwards():
            if page.blockers.is_unresponsive:
                await _stop_scripts(page.session)
            page.blockers.note_recovery()
            await page.current_action.perform_until_dialog(
                page.session.Page.reload(ignoreCache=ignore_cache)
            )
        self.has_unreported_document = False
        first = self._request_log.find(1)
        if page.frames.main.document_id != before and first is not None and first.failure:
            reason = self._explain_error(first.failure, first.url)
            raise NavigationError(f"{shorten_url(first.url)} could not be loaded: {reason}")
        return _navigation_result(None, page.blockers.dialog)


async def _stop_scripts(session: Session) -> None:
    """Stop an endless script of the page. A navigation within the process would wait for it.

    Source: CDP `Runtime.terminateExecution`.
    """
    with suppress(CdpError):
        await session.send("Runtime.terminateExecution", timeout=_TERMINATE_TIMEOUT)
