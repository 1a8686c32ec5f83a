"""Whose a tab is: which context's, and of the browser's own which client's."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from viewpoint_mcp.browser.context import AllContexts, Context

if TYPE_CHECKING:
    from cdp_protocol.types.target import TargetInfo


class Ownership:
    """Tells whose the tabs of a browser are.

    Args:
        is_launched: Whether the browser is ours, so that no user opens tabs in it.

    Attributes:
        own_id: CDP `Browser.BrowserContextID` of the browser's own context, where it tells.
    """

    def __init__(self, contexts: AllContexts, *, is_launched: bool) -> None:
        self._contexts = contexts
        self._is_launched = is_launched
        self._creator: Context | None = None
        self._creating = asyncio.Lock()
        self.own_id: str | None = None

    def with_id(self, context_id: str | None) -> Context | None:
        """Return the context with that id; None when it is no business of ours."""
        context = self._contexts.with_id(context_id)
        if context is None and self.own_id in (None, context_id):
            context = self._contexts.with_id(None)
        return context

    def of(self, info: TargetInfo, left_to: Context | None = None) -> Context | None:
        """Return whose a tab is. In the browser's own context, where more than one client begins
        there: the client's whose page opened it, or who opens one just now. Any other is the
        user's, and shown to the first of them; in a browser of ours it is nobody's.

        Args:
            info: CDP `Target.TargetInfo`; `with_opener` completes it.
            left_to: Whose any other is.
        """
        known = self._contexts.tab(info["targetId"])
        if known is not None:
            return known.context
        context = self.with_id(info.get("browserContextId"))
        own = self._contexts.own
        if context not in own:
            return context
        opener = self._contexts.tab(info.get("openerId"))
        if opener is not None:
            return opener.context
        if left_to is not None:
            return left_to
        if self._creator is not None and info["url"] in ("", "about:blank"):
            return self._creator
        if len(own) == 1:
            return context
        return None if self._is_launched else own[0]

    def with_opener(self, info: TargetInfo) -> TargetInfo:
        """Return what is told of a new tab with its opener: of one that Ctrl+click opens the
        browser names none, but the page has asked for it before.

        Source: CDP `Page.frameRequestedNavigation`.
        """
        if info.get("openerId") is not None or self._contexts.tab(info["targetId"]) is not None:
            return info
        context_id = info.get("browserContextId")
        for tab in self._contexts.tabs:
            page = tab.page_now or tab.page_coming
            is_there = self.with_id(context_id) is self.with_id(tab.context.context_id)
            if page is not None and is_there and page.activity.claim_tab(info["url"]):
                return {**info, "openerId": tab.target_id}
        return info

    @asynccontextmanager
    async def creating(self, context: Context) -> AsyncIterator[None]:
        """Be open while a tab is created; events tell of it before the answer does. Nothing in them
        says whose it is in the browser's own context, so there they are created one by one.
        """
        if context.context_id is not None:
            yield
            return
        async with self._creating:
            self._creator = context
            try:
                yield
            finally:
                self._creator = None
