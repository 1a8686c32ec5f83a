"""Creation of a tab's page: attaches to the tab and starts the page."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial

from cdp_protocol import CdpError, Connection, Session
from viewpoint_mcp.browser.context import Context
from viewpoint_mcp.browser.tabs.discarded_tab import reload_if_discarded
from viewpoint_mcp.browser.tabs.private_network_guard import (
    FindContextAndPages,
    PrivateNetworkGuard,
)
from viewpoint_mcp.browser.tabs.tab import Tab
from viewpoint_mcp.config.settings import Settings
from viewpoint_mcp.errors import PageError, PageTimeoutError
from viewpoint_mcp.files.file_access import FileAccess
from viewpoint_mcp.page.blocking_conditions import browser_lost_error
from viewpoint_mcp.page.page import Page
from viewpoint_mcp.page.page_options import PageOptions

_ATTACH_LIMIT = 5.0  # seconds for an existing tab; a frozen tab never answers
_START_LIMIT = 30.0  # seconds for a new tab, which can only be slow because the machine is busy


class PageFactory:
    """Factory of the pages of tabs.

    Args:
        is_launched: Whether this server launched the browser.
        settings: The settings of the pages.
        check_browser: Returns once the browser has answered, or its connection is closed.
    """

    def __init__(
        self,
        connection: Connection,
        *,
        is_launched: bool,
        settings: Settings,
        check_browser: Callable[[], Awaitable[None]],
    ) -> None:
        self._connection = connection
        self._is_launched = is_launched
        self._settings = settings
        self._files = FileAccess.from_settings(settings)
        self._check_browser = check_browser
        self._guard: PrivateNetworkGuard | None = None
        self._sessions: dict[str, Session] = {}

    def guard_private_network(self, find_context_and_pages: FindContextAndPages) -> None:
        """Refuse navigations from public to private addresses, unless the settings allow them.

        Args:
            find_context_and_pages: See `BrowserTabs.find_context_and_causing_pages`.
        """
        if self._is_launched and not self._settings.origins.allows_private_network:
            self._guard = PrivateNetworkGuard(self._connection.root, find_context_and_pages)

    async def close(self) -> None:
        """Cancel the work of the guard. Idempotent."""
        if self._guard is not None:
            await self._guard.close()

    def keep_session(self, target_id: str, session: Session) -> None:
        """Keep the CDP session of a tab that the browser attached automatically."""
        self._sessions[target_id] = session

    def drop_session(self, target_id: str) -> None:
        """Drop the CDP session of a closed tab."""
        self._sessions.pop(target_id, None)

    async def make(self, tab: Tab) -> Page:
        """Attach to the tab if necessary, and start its page.

        Raises:
            PageError: The tab does not answer.
            BrowserLostError: The browser does not answer either.

        Source: CDP `Target.attachToTarget`.
        """
        page = None
        context = tab.context
        limit = _START_LIMIT if tab.is_owned_and_blank else _ATTACH_LIMIT
        try:
            async with asyncio.timeout(limit):
                session = self._sessions.get(tab.target_id) or await self._attach(tab)
                was_asleep = not self._is_launched and await reload_if_discarded(session)
                tab.starting_page = page = Page(session, self._make_options(tab, context))
                await page.start()
                if was_asleep:
                    page.add_event(_RELOADED_NOTE)
                return page
        except (TimeoutError, CdpError) as error:
            if page is not None:
                await page.mark_closed_and_cancel_work()
                # The next attempt attaches again, with a session that has no event handlers.
                self._sessions.pop(tab.target_id, None)
            await self._check_browser()
            if self._connection.lost is not None:
                raise browser_lost_error(self._connection.lost) from error
            raise _make_attach_error(error, limit) from error

    def _make_options(self, tab: Tab, context: Context) -> PageOptions:
        def recheck_waits_of_other_tabs() -> None:
            for other in context.tabs:
                if other is not tab and other.attached_page is not None:
                    other.attached_page.blockers.make_running_waits_recheck()

        guard = self._guard
        return PageOptions(
            target_id=tab.target_id,
            context_number=context.number,
            page_number=context.identity.next_page_number(),
            context_name=context.identity.label,
            timeouts=self._settings.timeouts,
            files=self._files,
            emulation=context.emulation,
            is_users_tab=not tab.is_owned,
            origin_rules=context.proxy_route.origin_rules,
            visited_origins=context.origins,
            console_level=self._settings.console_level,
            test_ids=self._settings.test_ids,
            has_test_support=self._settings.has_test_support,
            has_webmcp=self._settings.has_webmcp,
            explain_network_error=lambda error, url: (
                context.network.explain_error(error)
                or context.proxy_route.explain_network_error(error, url)
            ),
            find_dialog_elsewhere=lambda: context.describe_dialog_in_other_tab(tab.target_id),
            on_interruption=recheck_waits_of_other_tabs,
            private_time=context.private_time,
            before_navigation=partial(guard.prepare_navigation, context) if guard else None,
            on_document_request=guard.note_document_request if guard else None,
            check_browser=self._check_browser,
        )

    async def _attach(self, tab: Tab) -> Session:
        return await self._connection.root.attach(tab.target_id)


def _make_attach_error(error: Exception, limit: float) -> PageError:
    if isinstance(error, TimeoutError):
        return PageTimeoutError(
            f"The tab did not answer within {limit:g} s; it may be frozen, or show a "
            "dialog from before this server attached.",
            "Answer the dialog in the browser, or select another tab with browser_tabs.",
        )
    return PageError(f"The tab could not be attached to: {error}")


_RELOADED_NOTE = "The tab had been discarded or had crashed, and was loaded again."
