"""One tab of the browser, identified by its target and attached to on first use."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any

from viewpoint_mcp.errors import PageClosedError, ViewpointError
from viewpoint_mcp.page.blocking_conditions import Dialog, context_closed_error
from viewpoint_mcp.page.page import Page
from viewpoint_mcp.page.shorten import title_of_target

if TYPE_CHECKING:
    from cdp_protocol.types.target import TargetInfo
    from viewpoint_mcp.browser.context import Context

_URL_LIMIT = 1.0  # seconds

_INTERNAL_URL = re.compile(
    r"(devtools|chrome-extension|chrome-untrusted)://|chrome://[^/]*\.top-chrome/"
)


def is_tab(info: TargetInfo) -> bool:
    """Return whether a target is a tab of the user.

    Extensions, developer tools and parts of the browser's window may be of type "page" too.

    Args:
        info: CDP `Target.TargetInfo`.
    """
    is_page = info["type"] == "page" and not info.get("subtype")
    return is_page and not _INTERNAL_URL.match(info["url"])


class Tab:
    """A tab as CDP's `Target` domain describes it, and its page once attached.

    Args:
        info: CDP `Target.TargetInfo`.
        context: The context that the tab belongs to.
        attach: Makes the page; called on first use, and again after a failure.
        is_owned: Whether the server may close the tab when it ends. True in a launched browser and
            in isolated contexts; else for tabs that this server or such a tab opened.
        is_opened_by_action: Whether an action on another tab opened it.
    """

    def __init__(
        self,
        info: TargetInfo,
        context: Context,
        *,
        attach: Callable[[], Coroutine[Any, Any, Page]],
        is_owned: bool,
        is_opened_by_action: bool = False,
    ) -> None:
        self.context = context
        self.target_id = str(info["targetId"])
        self.opener_id = info.get("openerId")
        self.is_owned = is_owned
        self._is_opened_by_action = is_opened_by_action
        self.url = ""
        self.title = ""
        self.is_reported_to_opener = False
        self.attached_page: Page | None = None
        self.starting_page: Page | None = None  # a dialog may open while it starts
        self._url_known = asyncio.Event()
        self._attach = attach
        self._attaching: asyncio.Task[Page] | None = None
        self._is_closed = False
        self.update(info)

    @property
    def is_opened_by_user(self) -> bool:
        """Whether the user of an attached browser opened the tab, and not the agent."""
        return not (self.is_owned or self._is_opened_by_action)

    @property
    def is_owned_and_blank(self) -> bool:
        """Whether the tab is owned, has no opener and has shown no document yet."""
        return self.is_owned and self.opener_id is None and self.url in ("", "about:blank")

    @property
    def dialog(self) -> Dialog | None:
        """The dialog that is open in the tab; None if there is none or the tab is not attached."""
        page = self.attached_page or self.starting_page
        return page.blockers.dialog if page is not None else None

    def update(self, info: TargetInfo) -> None:
        """Update the URL and title from a `Target.TargetInfo`. An empty URL keeps the last one."""
        # While a tab navigates, the URL is empty for a moment; the earlier one is its destination.
        self.url, self.title = str(info["url"]) or self.url, title_of_target(info)
        if self.url:
            self._url_known.set()

    async def wait_until_url_known(self) -> None:
        """Wait up to 1 s for the URL of a newly opened tab; assume about:blank then.

        A tab whose navigation is blocked stays blank.
        """
        try:
            async with asyncio.timeout(_URL_LIMIT):
                await self._url_known.wait()
        except TimeoutError:
            self.url = self.url or "about:blank"
            self._url_known.set()

    async def get_page(self) -> Page:
        """Return the tab's page, attaching to it if necessary.

        Raises:
            PageError: The tab closed, or does not answer.
            BrowserLostError: The browser ended, or does not answer.
        """
        if self.attached_page is None:
            if self._is_closed:
                raise self._make_closed_error()
            if self._attaching is None or self._attaching.done():
                self._attaching = asyncio.create_task(self._attach())
                self._attaching.add_done_callback(_retrieve_exception)
            # A cancelled caller must not cancel the attaching that others wait for.
            try:
                self.attached_page = await asyncio.shield(self._attaching)
            except asyncio.CancelledError:
                caller = asyncio.current_task()
                if caller is not None and caller.cancelling():
                    raise
                raise self._make_closed_error() from None
        return self.attached_page

    def end_calls(self, *, closed_context: str = "") -> None:
        """End all calls on its page at once, because the tab is being closed.

        Args:
            closed_context: Name of its context if that is closed as a whole; see
                `BlockingConditions.note_page_closed`.
        """
        self._is_closed = True
        page = self.attached_page or self.starting_page
        if page is not None:
            page.blockers.note_page_closed(context_name=closed_context)

    async def disconnect_if_dialog_open(self) -> None:
        """Disconnect from the page if a dialog is open, which closes the dialog.

        Chromium crashes when a tab is closed while one of its frames shows a dialog to an attached
        client.
        """
        page = self.attached_page or self.starting_page
        if page is not None and page.blockers.dialog is not None:
            await page.disconnect()

    async def detach(self) -> None:
        """Stop attaching and detach from the page. Idempotent.

        The tab in the browser stays open.
        """
        self.end_calls()
        if self._attaching is not None:
            self._attaching.cancel()
            await asyncio.gather(self._attaching, return_exceptions=True)
        if self.attached_page is not None:
            await self.attached_page.mark_closed_and_cancel_work()

    def _make_closed_error(self) -> ViewpointError:
        if self.context.is_closed:
            return context_closed_error(self.context.name)
        reason = self.starting_page.blockers.blocking_error() if self.starting_page else None
        return reason or PageClosedError(
            "The page was closed.", "Use browser_tabs to see the open ones."
        )


def _retrieve_exception(task: asyncio.Task[Page]) -> None:
    """Retrieve the exception of a finished task, so that asyncio does not log it as unhandled."""
    if not task.cancelled():
        task.exception()
