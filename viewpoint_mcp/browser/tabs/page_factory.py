"""How the page of a tab comes to be: attached to, and told of all that it has to know."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from cdp_protocol import CdpError, Connection, Session
from viewpoint_mcp.browser.context import Context
from viewpoint_mcp.browser.tabs.discarded import wake
from viewpoint_mcp.browser.tabs.tab import Tab
from viewpoint_mcp.config.settings import ConsoleLevel, Timeouts
from viewpoint_mcp.errors import PageError
from viewpoint_mcp.files.places import Files
from viewpoint_mcp.page.blockers import browser_gone
from viewpoint_mcp.page.page import Page

_ATTACH_LIMIT = 5.0  # seconds for one tab: a frozen one answers nothing
_START_LIMIT = 30.0  # seconds for a new one, which nothing can have frozen, on a busy machine


class Pages:
    """Makes the pages of tabs.

    Args:
        is_launched: Whether the browser is ours, and not the user's.
        timeouts: Of the pages.
        files: Where the pages' pictures go, and what they may read.
        check_browser: Returns once the browser has answered, or is given up.
    """

    def __init__(
        self,
        connection: Connection,
        *,
        is_launched: bool,
        timeouts: Timeouts,
        files: Files,
        console_level: ConsoleLevel,
        check_browser: Callable[[], Awaitable[None]],
    ) -> None:
        self._connection = connection
        self._is_launched = is_launched
        self._timeouts = timeouts
        self._files = files
        self._console_level = console_level
        self._check_browser = check_browser
        self._sessions: dict[str, Session] = {}

    def attached(self, target_id: str, session: Session) -> None:
        """The browser attached us to a tab as it opened."""
        self._sessions[target_id] = session

    def forget(self, target_id: str) -> None:
        """The tab is gone."""
        self._sessions.pop(target_id, None)

    async def make(self, tab: Tab) -> Page:
        """Attach to the tab, if that has not been done, and start its page.

        Raises:
            PageError: It does not answer.
            BrowserGone: Neither does the browser.

        Source: CDP `Target.attachToTarget`.
        """
        page = None
        context = tab.context
        limit = _START_LIMIT if tab.is_new else _ATTACH_LIMIT
        try:
            async with asyncio.timeout(limit):
                session = self._sessions.get(tab.target_id) or await self._attach_to(tab)
                was_asleep = not self._is_launched and await wake(session)
                page = Page(
                    session,
                    target_id=tab.target_id,
                    context=context.number,
                    context_name=context.identity.label,
                    number=context.identity.next_page(),
                    timeouts=self._timeouts,
                    files=self._files,
                    emulation=context.emulation,
                    is_users=not tab.ours,
                    explain=context.route.explain,
                )
                tab.page_coming = page
                page.frames.origins = context.origins
                page.console.usual = self._console_level
                page.rules = context.route.rules
                self._introduce(page, context)
                await page.start()
                if was_asleep:
                    page.events.append(_WOKEN)
                return page
        except (TimeoutError, CdpError) as error:
            if page is not None:
                await page.detach()
                # Another try begins with a session that nobody listens to yet.
                self._sessions.pop(tab.target_id, None)
            await self._check_browser()
            if self._connection.lost is not None:
                raise browser_gone(self._connection.lost) from error
            raise _unattached(error, limit) from error

    def _introduce(self, page: Page, context: Context) -> None:
        """Let the page know of the others' dialogs, and them of its."""

        def tell() -> None:
            for tab in context.tabs:
                if tab.page_now not in (None, page):
                    tab.page_now.blockers.look_again()

        page.blockers.mind_others(lambda: context.dialog_beside(page.target_id), page.session)
        page.blockers.on_interruption(tell)
        page.blockers.ask_whether_the_browser_lives(self._check_browser)

    async def _attach_to(self, tab: Tab) -> Session:
        return await self._connection.root.attach(tab.target_id)


def _unattached(error: Exception, limit: float) -> PageError:
    if isinstance(error, TimeoutError):
        return PageError(
            f"The tab did not answer within {limit:g} s; it may be frozen, or show a "
            "dialog that nobody has answered since before this server came.",
            "Answer that by hand, or use browser_tabs to take another tab.",
        )
    return PageError(f"The tab could not be attached to: {error}")


_WOKEN = "The tab had been discarded or had crashed, and was loaded again."
