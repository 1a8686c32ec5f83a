"""Ownership of tabs: the context that a tab belongs to, and so its client."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from viewpoint_mcp.browser.context import BrowserContexts, Context

if TYPE_CHECKING:
    from cdp_protocol.types.target import TargetInfo


class TabOwnership:
    """The rules that decide which context owns a tab.

    Args:
        is_launched: Whether this server launched the browser, so that no user opens tabs in it.

    Attributes:
        browser_default_id: CDP `Browser.BrowserContextID` of the browser's default context; None if
            the browser does not report it.
    """

    def __init__(self, contexts: BrowserContexts, *, is_launched: bool) -> None:
        self._contexts = contexts
        self._is_launched = is_launched
        self._creator: Context | None = None
        self._creation_lock = asyncio.Lock()
        self.browser_default_id: str | None = None

    def find_context(self, context_id: str | None) -> Context | None:
        """Return the context with this CDP id; None if no client uses it.

        While `browser_default_id` is unknown, an unknown id counts as the browser's default
        context.
        """
        context = self._contexts.find_by_id(context_id)
        if context is None and self.browser_default_id in (None, context_id):
            context = self._contexts.find_by_id(None)
        return context

    def find_owner(self, info: TargetInfo, fallback_owner: Context | None = None) -> Context | None:
        """Return the context that owns a tab; None if no client owns it.

        A tab of an isolated context belongs to that context. Several clients can share the
        browser's default context. There, a tab belongs to its opener's client, else to
        `fallback_owner`, else to the client that is creating a tab. Any other tab belongs to the
        first client of an attached browser, and to no client of a launched one.

        Args:
            info: CDP `Target.TargetInfo`; `add_opener_from_page_request` completes it.
            fallback_owner: The context that gets a tab of the default context without a known
                opener.
        """
        known = self._contexts.find_tab(info["targetId"])
        if known is not None:
            return known.context
        context = self.find_context(info.get("browserContextId"))
        own = self._contexts.browser_default_views
        if context not in own:
            return context
        opener = self._contexts.find_tab(info.get("openerId"))
        if opener is not None:
            return opener.context
        if fallback_owner is not None:
            return fallback_owner
        if self._creator is not None and info["url"] in ("", "about:blank"):
            return self._creator
        if len(own) == 1:
            return context
        return None if self._is_launched else own[0]

    def add_opener_from_page_request(self, info: TargetInfo) -> TargetInfo:
        """Return the info of a new tab with its opener added, if a page requested the tab.

        Chromium names no opener for a tab that Ctrl+click opens, but the page has requested it
        before.

        Source: CDP `Page.frameRequestedNavigation`.
        """
        if (
            info.get("openerId") is not None
            or self._contexts.find_tab(info["targetId"]) is not None
        ):
            return info
        context_id = info.get("browserContextId")
        for tab in self._contexts.tabs:
            page = tab.attached_page or tab.starting_page
            is_there = self.find_context(context_id) is self.find_context(tab.context.context_id)
            if (
                page is not None
                and is_there
                and page.work_dispatcher.claim_requested_tab(info["url"])
            ):
                return {**info, "openerId": tab.target_id}
        return info

    @asynccontextmanager
    async def own_new_tabs(self, context: Context) -> AsyncIterator[None]:
        """Mark the context as the owner of blank tabs that appear while the block runs.

        The event of a new tab arrives before the answer, and does not name the client in the
        browser's default context. So tabs are created there one at a time.
        """
        if context.context_id is not None:
            yield
            return
        async with self._creation_lock:
            self._creator = context
            try:
                yield
            finally:
                self._creator = None
