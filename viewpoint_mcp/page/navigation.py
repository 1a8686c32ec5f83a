"""Navigation of a page: by URL, through its history, or by a reload."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, cast
from urllib.parse import urlsplit

from cdp_protocol import CallTimeout, CdpError, ProtocolError, Session
from viewpoint_mcp.config import origins
from viewpoint_mcp.config.settings import OriginRules
from viewpoint_mcp.errors import (
    BlockedError,
    CallError,
    NavigationError,
    PageError,
    PageTimeoutError,
)
from viewpoint_mcp.page.blocking_conditions import Dialog
from viewpoint_mcp.page.shorten import shorten_url

if TYPE_CHECKING:
    from viewpoint_mcp.page.network.request_log import RequestLog
    from viewpoint_mcp.page.services import PageServices

if TYPE_CHECKING:
    from cdp_protocol.types.page import NavigateResult

_SCHEME_PREFIX = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*:")
_HOST_AND_PORT = re.compile(r"[^/?#:\s]+:\d+(?:[/?#]|$)")
_SCHEME_AND_SLASHES = re.compile(r"\A[a-zA-Z][a-zA-Z0-9+.-]*:/+")
_WHITESPACE = re.compile(r"[\x00-\x20]")
_LOCAL_HOST = re.compile(r"(localhost|127\.\d+\.\d+\.\d+|\[::1\])(?=[:/?#]|$)", re.IGNORECASE)
_WEB_SCHEMES = frozenset({"http", "https", "about", "data", "blob"})
_FILE_SCHEMES = frozenset({"file", "view-source"})
_BROWSER_SCHEMES = frozenset(
    {"chrome", "chrome-extension", "devtools", "edge", "brave", "opera", "vivaldi"}
)
_OTHER_SCHEMES = frozenset({"javascript", "vbscript", "filesystem", "mailto", "tel", "ftp"})
_SCHEMES = _WEB_SCHEMES | _FILE_SCHEMES | _BROWSER_SCHEMES | _OTHER_SCHEMES
_WRAPPING_SCHEMES = ("view-source", "blob", "filesystem")  # another URL follows
_BLANK_PAGE = re.compile(r"about:blank(?:[?#]|$)", re.IGNORECASE)
NavigationResult = Literal["loaded", "download", "dialog"]
"""The result of a navigation.

"loaded": the page shows the document. "download": the URL is a file, and the page stays.
"dialog": a `beforeunload` dialog asks whether to leave the page.
"""

_STOP_TIMEOUT = 1.0  # seconds
_TERMINATE_TIMEOUT = 2.0  # seconds
_URL_HINT = "Pass a complete URL, such as https://example.com/."


def complete_url(url: str, *, files_allowed: bool) -> str:
    """Return a complete URL: `example.com` gets https://, `localhost:3000` gets http://.

    Args:
        files_allowed: Whether URLs of files and of the browser's own pages are allowed.

    Raises:
        CallError: The text is no URL.
        BlockedError: Its scheme is not allowed.
    """
    text = url.strip()
    host = re.split("[/?#]", _SCHEME_AND_SLASHES.sub("", text, count=1), maxsplit=1)[0]
    if not text or (_WHITESPACE.search(host) and not text.lower().startswith("data:")):
        raise CallError(f'"{shorten_url(url)}" is not a URL.', _URL_HINT)
    if _LOCAL_HOST.match(text):
        text = f"http://{text}"
    elif not _has_scheme(text):
        if host.endswith(":"):
            raise CallError(
                f'"{shorten_url(url)}" is not a URL: its scheme is malformed.', _URL_HINT
            )
        text = f"https://{text}"
    _raise_if_url_invalid_or_scheme_not_allowed(text, url, files_allowed)
    return text


def _raise_if_url_invalid_or_scheme_not_allowed(
    url: str, given_url: str, files_allowed: bool
) -> None:
    try:
        parts = urlsplit(url)
        port_or_host_missing = parts.scheme in ("http", "https") and (
            not parts.hostname or parts.port == 0
        )
    except ValueError as error:
        raise CallError(f'"{shorten_url(given_url)}" is not a URL: {error}.', _URL_HINT) from error
    if port_or_host_missing:
        raise CallError(f'"{shorten_url(given_url)}" is not a URL: it has no host.', _URL_HINT)
    _raise_if_scheme_not_allowed(url, files_allowed)


def _has_scheme(text: str) -> bool:
    """Return whether a text begins with a scheme. `host:80` has none, but `javascript:1` has."""
    if not _SCHEME_PREFIX.match(text):
        return False
    return not _HOST_AND_PORT.match(text) or text.partition(":")[0].lower() in _SCHEMES


def _raise_if_scheme_not_allowed(url: str, files_allowed: bool) -> None:
    scheme, inner_scheme = url.partition(":")[0].lower(), _find_inner_scheme(url)
    is_browser_page = inner_scheme in _BROWSER_SCHEMES or (
        inner_scheme == "about" and not _BLANK_PAGE.match(url)
    )
    if inner_scheme == "file" and not files_allowed:
        raise BlockedError(
            "file: URLs are not allowed.",
            "Serve the file over http, or start the server with --allow-unrestricted-file-access.",
        )
    if is_browser_page and not files_allowed:
        raise BlockedError(
            f"{shorten_url(url)} is not allowed, because it may be a page of the browser itself.",
            "Only a server that was started with --allow-unrestricted-file-access opens such a "
            "page.",
        )
    if scheme not in _WEB_SCHEMES and not (
        files_allowed and scheme in _FILE_SCHEMES | _BROWSER_SCHEMES
    ):
        hint = "To run a script, use browser_evaluate." if scheme == "javascript" else _URL_HINT
        raise CallError(f'"{scheme}:" URLs are not allowed.', hint)


def _find_inner_scheme(url: str) -> str:
    """Return the scheme of a URL, or of the URL in it: "file" for `view-source:file:///a`."""
    scheme, _, rest = url.partition(":")
    while scheme.lower() in _WRAPPING_SCHEMES:
        scheme, _, rest = rest.partition(":")
    return scheme.lower()


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
        await session.Page.stopLoading()
        return _NavigateOutcome(
            PageTimeoutError(
                f"{shorten_url(url)} did not answer within {timeout:g} s.",
                "Try again later, or raise --timeout-navigation.",
            )
        )
    except ProtocolError as error:
        raise CallError(
            f'"{shorten_url(url)}" cannot be opened: {error.message}.', _URL_HINT
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

    Source: CDP `Page.stopLoading`.
    """
    try:
        yield
    except asyncio.CancelledError:
        with suppress(CdpError):
            await session.send("Page.stopLoading", timeout=_STOP_TIMEOUT)
        raise


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
    "net::ERR_ABORTED": "cancelled: the response is not a page, or another navigation began",
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
        origin_rules: The origins that the page may open.
        explain_error: Returns the meaning of a network error at a URL.
        request_log: The requests of the page.

    Attributes:
        has_unreported_document: Whether the page went to another document that no reply has
            reported yet.
    """

    has_unreported_document = False

    def __init__(
        self,
        page: PageServices,
        origin_rules: OriginRules,
        explain_error: Callable[[str, str], str],
        request_log: RequestLog,
    ) -> None:
        self._page = page
        self._origin_rules = origin_rules
        self._explain_error = explain_error
        self._request_log = request_log

    async def go_to(self, url: str) -> NavigationResult:
        """Load a URL, settle, and return the result of the navigation.

        Raises:
            CallError: The URL is malformed or not allowed.
            PageError: The URL could not be loaded; the message contains the reason.
        """
        page = self._page
        address = complete_url(url, files_allowed=page.files.is_unrestricted)
        origins.raise_if_url_not_allowed(self._origin_rules, address)
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
        if outcome is not None and outcome.failure is not None:
            raise outcome.failure
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
