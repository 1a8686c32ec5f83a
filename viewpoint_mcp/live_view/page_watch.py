"""The page that a view shows, and its latest picture."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from cdp_protocol import CdpError
from viewpoint_mcp.errors import ViewpointError

if TYPE_CHECKING:
    from viewpoint_mcp.browser.client_workspace import Workspace
    from viewpoint_mcp.browser.tabs.tab import Tab
    from viewpoint_mcp.page.devtools.viewer_session import ViewerPicture, ViewerSession
    from viewpoint_mcp.page.page import Page

_TITLE_INTERVAL: Final = 1.0  # seconds
_RETRY_PAUSE: Final = 1.0  # seconds until a tab that did not answer is tried again


class PageWatch:
    """Follows the tab of the agent, or the tab that the person chose.

    Args:
        on_picture: Called after each new picture.

    Attributes:
        pinned_tab_id: CDP target id of the tab that the person chose; None to follow the agent.
        page: The page that is shown; None for none.
        session: The session with that page; None for none.
        picture: The latest picture; None before the first one of the page.
        picture_number: Grows with each picture, also over several pages.
        first_picture_number: The number of the first picture of the page.
    """

    def __init__(self, workspace: Workspace, on_picture: Callable[[], None]) -> None:
        self._workspace = workspace
        self._on_picture = on_picture
        self.pinned_tab_id: str | None = None
        self.page: Page | None = None
        self.session: ViewerSession | None = None
        self.picture: ViewerPicture | None = None
        self.picture_number = 0
        self.first_picture_number = 1
        self._size = (0, 0)
        self._known_tab_ids: set[str] = set()
        self._retry_at = self._refresh_at = 0.0

    @property
    def tab(self) -> Tab | None:
        """The tab that is shown, or will be; None if none is open."""
        pinned = next(
            (tab for tab in self._workspace.tabs if tab.target_id == self.pinned_tab_id), None
        )
        context = self._workspace.active_context
        return pinned or (None if context is None else context.active_tab)

    @property
    def is_pinned(self) -> bool:
        """Whether the tab that the person chose is shown."""
        tab = self.tab
        return tab is not None and tab.target_id == self.pinned_tab_id

    def pin_popup(self) -> None:
        """Show a tab that the shown one has opened since the last call.

        A person who logs in goes on there. When the tab closes, the view follows the agent again.
        """
        tabs = {tab.target_id: tab for tab in self._workspace.tabs}
        shown = self.tab
        for target_id in tabs.keys() - self._known_tab_ids:
            opener_id = tabs[target_id].opener_id
            if self._known_tab_ids and shown is not None and opener_id == shown.target_id:
                self.pinned_tab_id = target_id
        self._known_tab_ids = set(tabs)

    async def follow(self, width: int, height: int) -> None:
        """Show the tab of now, in pictures up to a size in pixels."""
        await self._refresh_titles()
        page = await self._find_page()
        is_ended = self.session is not None and self.session.is_closed
        if page is not self.page or is_ended:
            await self.stop()
            self.page = page
            self.first_picture_number = self.picture_number + 1
            self._retry_at = 0.0
        if page is None:
            return
        if self.session is None:
            await self._open_session(page, width, height)
        elif self._size != (width, height):
            self._size = (width, height)
            with suppress(CdpError):
                await self.session.change_size(width, height)

    async def stop(self) -> None:
        """Stop the pictures. Idempotent."""
        session, self.session, self.page, self.picture = self.session, None, None, None
        if session is not None:
            await session.release_input()
            await session.close()

    async def _refresh_titles(self) -> None:
        """Ask for the titles of the tabs now and then, because the browser does not report them."""
        now = asyncio.get_running_loop().time()
        context = self._workspace.active_context
        if context is not None and now >= self._refresh_at:
            self._refresh_at = now + _TITLE_INTERVAL
            with suppress(CdpError, ViewpointError):
                await context.refresh_tabs()

    async def _find_page(self) -> Page | None:
        tab = self.tab
        if tab is None:
            return None
        page = tab.attached_page
        if page is None and self.is_pinned:
            with suppress(ViewpointError):
                page = await tab.get_page()
        if page is None or page.blockers.is_closed or page.blockers.is_crashed:
            return None
        return page

    async def _open_session(self, page: Page, width: int, height: int) -> None:
        now = asyncio.get_running_loop().time()
        if now < self._retry_at:
            return
        self._retry_at = now + _RETRY_PAUSE
        with suppress(CdpError):
            session = self.session = await page.devtools.open_viewer_session()
            self._size = (width, height)
            try:
                # The first picture may come before this returns. Then it is acknowledged, too.
                await session.start_pictures(self._receive, width, height)
            except CdpError:
                self.session = None
                await session.close()

    def _receive(self, picture: ViewerPicture) -> None:
        self.picture = picture
        self.picture_number += 1
        self._on_picture()
