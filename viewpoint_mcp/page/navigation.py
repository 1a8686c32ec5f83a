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
from viewpoint_mcp.errors import CallError, PageError
from viewpoint_mcp.page.blockers import Dialog
from viewpoint_mcp.page.shorten import shorten_url

if TYPE_CHECKING:
    from viewpoint_mcp.page.network.requests import Requests
    from viewpoint_mcp.page.services import PageServices

if TYPE_CHECKING:
    from cdp_protocol.types.page import NavigateResult

_SCHEME = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*:")
_HOST_AND_PORT = re.compile(r"[^/?#:\s]+:\d+(?:[/?#]|$)")
_TO_HOST = re.compile(r"\A[a-zA-Z][a-zA-Z0-9+.-]*:/+")
_BLANK = re.compile(r"[\x00-\x20]")
_LOCAL = re.compile(r"(localhost|127\.\d+\.\d+\.\d+|\[::1\])(?=[:/?#]|$)", re.IGNORECASE)
_OPEN_SCHEMES = frozenset(
    {"http", "https", "about", "data", "blob", "chrome", "devtools", "chrome-extension"}
)
Landing = Literal["there", "download", "held"]
"""The result of a navigation.

"there": the page shows the document. "download": the URL is a file, and the page stays.
"held": a `beforeunload` dialog asks whether to leave the page.
"""

_STOP_LIMIT = 1.0  # seconds
_TERMINATE_LIMIT = 2.0  # seconds
_EXAMPLE = "Give a whole URL, such as https://example.com/."


def complete(url: str, *, files_allowed: bool) -> str:
    """Return a complete URL: `example.com` gets https://, `localhost:3000` gets http://.

    Args:
        files_allowed: Whether file: and view-source: URLs are allowed.

    Raises:
        CallError: The text is no URL, or its scheme is not allowed.
    """
    text = url.strip()
    place = re.split("[/?#]", _TO_HOST.sub("", text, count=1), maxsplit=1)[0]
    if not text or (_BLANK.search(place) and not text.lower().startswith("data:")):
        raise CallError(f'"{shorten_url(url)}" is not a URL.', _EXAMPLE)
    if _LOCAL.match(text):
        text = f"http://{text}"
    elif not _SCHEME.match(text) or _HOST_AND_PORT.match(text):
        if place.endswith(":"):
            raise CallError(
                f'"{shorten_url(url)}" is not a URL: its scheme is malformed.', _EXAMPLE
            )
        text = f"https://{text}"
    _check(text, url, files_allowed)
    return text


def _check(text: str, given: str, files_allowed: bool) -> None:
    try:
        parts = urlsplit(text)
        port_or_host_missing = parts.scheme in ("http", "https") and (
            not parts.hostname or parts.port == 0
        )
    except ValueError as error:
        raise CallError(f'"{shorten_url(given)}" is not a URL: {error}.', _EXAMPLE) from error
    if port_or_host_missing:
        raise CallError(f'"{shorten_url(given)}" is not a URL: it names no host.', _EXAMPLE)
    scheme = text.partition(":")[0].lower()
    inner = text.partition(":")[2].lower() if scheme == "view-source" else ""
    if (scheme == "file" or inner.startswith("file:")) and not files_allowed:
        raise CallError(
            "file: URLs are not opened.",
            "Serve the file over http, or start the server with --allow-unrestricted-file-access.",
        )
    if scheme not in _OPEN_SCHEMES and not (files_allowed and scheme in ("file", "view-source")):
        raise CallError(f'URLs of the kind "{scheme}:" are not opened.', _EXAMPLE)


@dataclass(frozen=True, slots=True)
class _Outcome:
    """The outcome of `Page.navigate`.

    Attributes:
        failure: The error of a failed navigation. It is raised after settling, because an error
            page may still load.
        is_download: Whether the URL is a file, so that the page keeps its document.
    """

    failure: PageError | None = None
    is_download: bool = False


async def _navigate(
    session: Session,
    url: str,
    timeout: float,
    explain: Callable[[str, str], str],
    led_to: Callable[[str], str | None],
) -> _Outcome:
    """Start a navigation, and return when the new document is committed or the navigation failed.

    Args:
        timeout: Seconds for the site to answer.
        explain: Returns the meaning of a network error at a URL.
        led_to: Returns the URL of the last redirect of a request; None if unknown.

    Raises:
        CallError: Chromium rejects the URL.

    Source: CDP `Page.navigate`.
    """
    try:
        sending = session.send("Page.navigate", {"url": url}, timeout=timeout)
        answer = cast("NavigateResult", await sending)
    except CallTimeout:
        await session.Page.stopLoading()
        return _Outcome(
            PageError(
                f"{shorten_url(url)} did not answer within {timeout:g} s.",
                "Try again later, or raise --timeout-navigation.",
            )
        )
    except ProtocolError as error:
        raise CallError(
            f'"{shorten_url(url)}" cannot be opened: {error.message}.', _EXAMPLE
        ) from error
    if answer.get("isDownload"):
        return _Outcome(is_download=True)
    if "errorText" in answer:
        reason = explain(answer["errorText"], led_to(answer.get("loaderId", "")) or url)
        return _Outcome(PageError(f"{shorten_url(url)} could not be loaded: {reason}"))
    return _Outcome()


@asynccontextmanager
async def _stopped_if_given_up(session: Session) -> AsyncIterator[None]:
    """Stop the navigation that the block started if the block is cancelled.

    A page with an unfinished navigation may answer no script.

    Source: CDP `Page.stopLoading`.
    """
    try:
        yield
    except asyncio.CancelledError:
        with suppress(CdpError):
            await session.send("Page.stopLoading", timeout=_STOP_LIMIT)
        raise


def _landing(outcome: _Outcome | None, dialog: Dialog | None) -> Landing:
    """Return the result of a navigation, from its outcome and the dialog that is open now."""
    if outcome is not None and outcome.is_download:
        return "download"
    return "held" if dialog is not None and dialog.kind == "beforeunload" else "there"


def explain(reason: str) -> str:
    """Return the text for a network error of Chromium, with its meaning if it is a common error.

    Args:
        reason: The error, such as "net::ERR_NAME_NOT_RESOLVED".
    """
    meaning = _MEANINGS.get(reason)
    return f"{reason} ({meaning})." if meaning else f"{reason}."


_MEANINGS = {
    "net::ERR_CONNECTION_REFUSED": "nothing listens there",
    "net::ERR_NAME_NOT_RESOLVED": "the host name is unknown",
    "net::ERR_CONNECTION_TIMED_OUT": "the host does not answer",
    "net::ERR_ADDRESS_UNREACHABLE": "the host cannot be reached",
    "net::ERR_INTERNET_DISCONNECTED": "there is no network",
    "net::ERR_CERT_AUTHORITY_INVALID": "its certificate is not trusted",
    "net::ERR_ABORTED": "it was cancelled: the answer is no page, or another navigation began",
    "net::ERR_EMPTY_RESPONSE": "the server closed the connection without an answer",
    "net::ERR_TOO_MANY_REDIRECTS": "it redirects in a circle",
    "net::ERR_INVALID_AUTH_CREDENTIALS": "it wants a user name and password",
    "net::ERR_PROXY_CONNECTION_FAILED": "the browser's own proxy cannot be reached",
    "net::ERR_UNSAFE_PORT": "browsers refuse that port",
}


async def _move_in_history(session: Session, step: Literal[-1, 1]) -> None:
    """Go to the previous (-1) or the next (1) entry of the tab's history.

    Raises:
        PageError: The history has no such entry.

    Source: CDP `Page.getNavigationHistory`, `Page.navigateToHistoryEntry`.
    """
    history = await session.Page.getNavigationHistory()
    entries, index = history["entries"], history["currentIndex"] + step
    if not 0 <= index < len(entries):
        way, place = ("back", "first") if step < 0 else ("forward", "last")
        raise PageError(
            f"There is no page to go {way} to.", f"This is the {place} entry of the tab's history."
        )
    await session.Page.navigateToHistoryEntry(entryId=entries[index]["id"])


class Navigation:
    """Navigates one page.

    Args:
        page: The services of the page.
        rules: The origins that the page may open.
        explain: Returns the meaning of a network error at a URL.
        requests: The requests of the page.

    Attributes:
        has_left: Whether the page went to another document that no reply has reported yet.
    """

    has_left = False

    def __init__(
        self,
        page: PageServices,
        rules: OriginRules,
        explain: Callable[[str, str], str],
        requests: Requests,
    ) -> None:
        self._page = page
        self._rules = rules
        self._explain = explain
        self._requests = requests

    async def go_to(self, url: str) -> Landing:
        """Load a URL, settle, and return the result of the navigation.

        Raises:
            CallError: The URL is malformed or not allowed.
            PageError: The URL could not be loaded; the message contains the reason.
        """
        page = self._page
        address = complete(url, files_allowed=page.files.unrestricted)
        origins.check(self._rules, address)
        async with _stopped_if_given_up(page.session), page.settle_afterwards():
            if page.blockers.unresponsive:
                await _stop_scripts(page.session)
            page.blockers.recovered()
            limit = page.timeouts.navigation
            going = _navigate(page.session, address, limit, self._explain, self._requests.led_to)
            outcome = await page.current_action.perform(going)
        self.has_left = False
        if outcome is not None and outcome.failure is not None:
            raise outcome.failure
        return _landing(outcome, page.blockers.dialog)

    async def move_in_history(self, step: Literal[-1, 1]) -> Landing:
        """Go to the previous (-1) or the next (1) entry of the tab's history, and settle.

        Raises:
            PageError: The history has no such entry, or it did not load in time.
        """
        page = self._page
        async with _stopped_if_given_up(page.session), page.settle_afterwards():
            await page.current_action.perform(_move_in_history(page.session, step))
        self.has_left = False
        return _landing(None, page.blockers.dialog)

    async def reload(self, *, ignore_cache: bool) -> Landing:
        """Load the document again, settle, and return the result of the navigation.

        Args:
            ignore_cache: Whether to load everything from the network.

        Raises:
            PageError: The document could not be loaded; the message contains the reason.

        Source: CDP `Page.reload`.
        """
        page, before = self._page, self._page.frames.main.document
        async with _stopped_if_given_up(page.session), page.settle_afterwards():
            if page.blockers.unresponsive:
                await _stop_scripts(page.session)
            page.blockers.recovered()
            await page.current_action.perform(page.session.Page.reload(ignoreCache=ignore_cache))
        self.has_left = False
        first = self._requests.find(1)
        if page.frames.main.document != before and first is not None and first.failure:
            reason = self._explain(first.failure, first.url)
            raise PageError(f"{shorten_url(first.url)} could not be loaded: {reason}")
        return _landing(None, page.blockers.dialog)


async def _stop_scripts(session: Session) -> None:
    """Stop an endless script of the page. A navigation within the process would wait for it.

    Source: CDP `Runtime.terminateExecution`.
    """
    with suppress(CdpError):
        await session.send("Runtime.terminateExecution", timeout=_TERMINATE_LIMIT)
