"""The guard that keeps documents of public sites from leading to private addresses.

Chromium itself refuses such requests of scripts, workers and frames (Local Network Access), but not
navigations of a tab: links, forms, redirects, popups. The guard pauses those, and only those. It
begins when the first public document is requested, so that a browser that only sees this machine
and its network never pauses. See docs/decisions/0070.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import TYPE_CHECKING

from cdp_protocol import CdpError, Session
from viewpoint_mcp.background_tasks import BackgroundTasks
from viewpoint_mcp.browser.context import Context
from viewpoint_mcp.config.private_network import (
    URL_PATTERNS,
    find_host,
    find_origin,
    is_metadata_host,
    is_private_url,
    is_public_url,
)
from viewpoint_mcp.page.page import Page
from viewpoint_mcp.page.shorten import shorten_url

if TYPE_CHECKING:
    from cdp_protocol.types.fetch import RequestPattern, RequestPausedEvent

log = logging.getLogger(__name__)

FindContextAndPages = Callable[[str], tuple[Context | None, list[Page]]]
"""See `BrowserTabs.find_context_and_causing_pages`."""

_PATTERNS: list[RequestPattern] = [
    {"urlPattern": each, "resourceType": "Document"} for each in URL_PATTERNS
]


_BLANK_URLS = frozenset({"", "about:blank"})


class PrivateNetworkGuard:
    """The guard of one launched browser.

    Args:
        root: The CDP session of the browser. Its domain Fetch covers all tabs, also new ones.
        find_context_and_pages: Returns the context of a frame, and the pages of its tab and of the
            tab's opener.
    """

    def __init__(self, root: Session, find_context_and_pages: FindContextAndPages) -> None:
        self._root = root
        self._find_context_and_pages = find_context_and_pages
        self._enabling: asyncio.Task[None] | None = None
        self._tasks = BackgroundTasks()

    async def prepare_navigation(self, context: Context, url: str) -> None:
        """Prepare for a URL that the agent opens.

        The agent may open any private origin. From then on, pages of the context may lead there,
        because sites such as login services return to where they were called from.
        """
        if is_private_url(url):
            context.opened_private_origins.add(find_origin(url))
        elif is_public_url(url):
            await asyncio.shield(self._enable())

    def note_document_request(self, url: str) -> None:
        """Begin to guard if a page requests a public document."""
        if self._enabling is None and is_public_url(url):
            self._enable()

    async def close(self) -> None:
        """Cancel the answers in progress. Idempotent."""
        await self._tasks.close()

    def _enable(self) -> asyncio.Task[None]:
        if self._enabling is None:
            self._root.on(self._root.Fetch.requestPaused, self._on_paused)
            self._enabling = self._tasks.start(self._send_enable())
        return self._enabling

    async def _send_enable(self) -> None:
        """Source: CDP `Fetch.enable`."""
        try:
            await self._root.Fetch.enable(patterns=_PATTERNS)
        except CdpError as error:  # a lost connection; the navigation reports it
            log.warning("Navigations to private addresses are not refused: %s", error)

    def _on_paused(self, event: RequestPausedEvent) -> None:
        self._tasks.start(self._answer(event))

    async def _answer(self, event: RequestPausedEvent) -> None:
        """Continue a paused navigation, or cancel it so that the tab keeps its document.

        Source: CDP `Fetch.continueRequest`, `Fetch.failRequest`.
        """
        try:
            is_refused = self._is_refused(event)
        except Exception:
            log.exception("A navigation to a private address was refused because of an error")
            is_refused = True
        request_id = event["requestId"]
        try:
            if is_refused:
                await self._root.Fetch.failRequest(requestId=request_id, errorReason="Aborted")
            else:
                await self._root.Fetch.continueRequest(requestId=request_id)
        except CdpError as error:
            log.debug("The navigation ended before its answer: %s", error)

    def _is_refused(self, event: RequestPausedEvent) -> bool:
        """Return whether a navigation is refused; if so, report it on the page that caused it."""
        url, frame_id = event["request"]["url"], event["frameId"]
        if not is_private_url(url):
            return False
        context, pages = self._find_context_and_pages(frame_id)
        if context is None:
            return True
        page = next((each for each in pages if each.has_frame(frame_id)), None)
        if page is not None and page.target_id != frame_id:
            return False  # Chromium checks the frames within a page
        origin = find_origin(url)
        if origin in context.opened_private_origins or context.private_time.is_now:
            return False
        if page is not None and (page.navigation.requested_url or page.url not in _BLANK_URLS):
            pages = [page]  # its document leads there, not its opener
        source = _find_public_source(pages, event.get("networkId", ""))
        if source is None and not is_metadata_host(find_host(url) or ""):
            context.opened_private_origins.add(origin)
            return False
        if pages:
            pages[-1].navigation.note_refusal(_describe_refusal(origin, source))
        return True


def _find_public_source(pages: list[Page], request_id: str) -> str | None:
    """Return the public URL that leads a tab to a private one; None if no public URL does.

    Args:
        pages: The page of the tab, or also the page that opened it.
        request_id: CDP `Network.RequestId` of the navigation, whose redirects count too.
    """
    redirects = [url for page in pages for url in page.request_log.list_urls(request_id)]
    urls = [*(page.navigation.requested_url for page in pages), *redirects]
    return next(filter(is_public_url, [*urls, *(page.url for page in pages)]), None)


def _describe_refusal(origin: str, source: str | None) -> str:
    if source is None:
        return (
            f"Refused: the page leads to {origin}, a metadata service, which gives a machine its "
            "credentials. Only --allow-private-network permits it."
        )
    return (
        f"Refused: {shorten_url(source)} leads to {origin}, an address of this machine or its "
        "network, which public pages may not open. If the user asked for it, open it with "
        "browser_navigate."
    )
