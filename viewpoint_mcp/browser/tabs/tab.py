"""One tab of the browser: known by its target, attached to when it is first used."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any

from viewpoint_mcp.errors import PageError, ViewpointError
from viewpoint_mcp.page.blockers import Dialog, context_closed
from viewpoint_mcp.page.page import Page

if TYPE_CHECKING:
    from cdp_protocol.types.target import TargetInfo
    from viewpoint_mcp.browser.context import Context

_KNOWN_LIMIT = 1.0  # seconds

_IGNORED = re.compile(
    r"(devtools|chrome-extension|chrome-untrusted)://|chrome://[^/]*\.top-chrome/"
)


def is_tab(info: TargetInfo) -> bool:
    """Whether a target is a tab of the user's: neither an extension's, nor a part of the browser's
    window or of its developer tools, which may be of type "page" as well.

    Args:
        info: CDP `Target.TargetInfo`.
    """
    is_page = info["type"] == "page" and not info.get("subtype")
    return is_page and not _IGNORED.match(info["url"])


class Tab:
    """A tab as CDP's `Target` domain tells of it, and its page once we are attached.

    Args:
        info: CDP `Target.TargetInfo`.
        context: What it is a tab of.
        attach: Makes the page; called once, when it is first wanted.
        ours: Whether we opened it, or one of ours did; only those are closed at the end.
    """

    def __init__(
        self,
        info: TargetInfo,
        context: Context,
        *,
        attach: Callable[[], Coroutine[Any, Any, Page]],
        ours: bool,
    ) -> None:
        self.context = context
        self.target_id = str(info["targetId"])
        self.opener_id = info.get("openerId")
        self.ours = ours
        self.url = ""
        self.title = ""
        self.is_announced = False
        self.page_now: Page | None = None
        self.page_coming: Page | None = None  # it may meet a dialog before it is there
        self._known = asyncio.Event()
        self._attach = attach
        self._attaching: asyncio.Task[Page] | None = None
        self._is_closed = False
        self.update(info)

    @property
    def is_new(self) -> bool:
        """Whether it was opened by us, and has shown nothing yet."""
        return self.ours and self.opener_id is None and self.url in ("", "about:blank")

    @property
    def dialog(self) -> Dialog | None:
        """The dialog that is open in it, if we are attached."""
        page = self.page_now or self.page_coming
        return page.blockers.dialog if page is not None else None

    def update(self, info: TargetInfo) -> None:
        """Take over what `Target.targetInfoChanged` tells."""
        # A tab on its way shows nothing for a moment; where it goes was told before.
        self.url, self.title = str(info["url"]) or self.url, str(info["title"])
        if self.url:
            self._known.set()

    async def until_known(self) -> None:
        """Wait a moment until it is known where a tab that was just opened goes; one that is kept
        from going there stays blank.
        """
        try:
            async with asyncio.timeout(_KNOWN_LIMIT):
                await self._known.wait()
        except TimeoutError:
            self.url = self.url or "about:blank"
            self._known.set()

    async def page(self) -> Page:
        """Return the tab's page, attaching to it if need be.

        Raises:
            PageError: The tab went away, or does not answer.
        """
        if self.page_now is None:
            if self._is_closed:
                raise self._gone()
            if self._attaching is None or self._attaching.done():
                self._attaching = asyncio.create_task(self._attach())
                self._attaching.add_done_callback(_hear)
            # Shielded: a caller that gives up does not leave the others without a page.
            try:
                self.page_now = await asyncio.shield(self._attaching)
            except asyncio.CancelledError:
                caller = asyncio.current_task()
                if caller is not None and caller.cancelling():
                    raise
                raise self._gone() from None
        return self.page_now

    def interrupt(self, *, with_context: str = "") -> None:
        """End all calls in its page at once, for it is about to be closed.

        Args:
            with_context: See `Blockers.page_closed`.
        """
        self._is_closed = True
        page = self.page_now or self.page_coming
        if page is not None:
            page.blockers.page_closed(with_context=with_context)

    async def drop_dialog(self) -> None:
        """Let go of the page if a dialog is open in it, which ends the dialog. Chromium crashes
        when a tab is closed while one of its frames shows a dialog to us.
        """
        page = self.page_now or self.page_coming
        if page is not None and page.blockers.dialog is not None:
            await page.disconnect()

    async def close(self) -> None:
        """End what waits for the tab. Does not close it in the browser. Idempotent."""
        self.interrupt()
        if self._attaching is not None:
            self._attaching.cancel()
            await asyncio.gather(self._attaching, return_exceptions=True)
        if self.page_now is not None:
            await self.page_now.detach()

    def _gone(self) -> ViewpointError:
        if self.context.is_closed:
            return context_closed(self.context.name)
        reason = self.page_coming.blockers.reason() if self.page_coming else None
        return reason or PageError("The page was closed.", "Use browser_tabs to see the open ones.")


def _hear(task: asyncio.Task[Page]) -> None:
    """Take note of a failure that nobody waits for any more."""
    if not task.cancelled():
        task.exception()
