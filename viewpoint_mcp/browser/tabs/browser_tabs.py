"""The tabs of a browser, built from the events of CDP's `Target` domain."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Collection
from contextlib import suppress
from typing import TYPE_CHECKING

from cdp_protocol import CdpError, Connection, ConnectionLost, ProtocolError
from viewpoint_mcp.background_tasks import BackgroundTasks, create_or_undo_if_cancelled
from viewpoint_mcp.browser.concurrency_limiter import ConcurrencyLimiter
from viewpoint_mcp.browser.context import BrowserContexts, Context
from viewpoint_mcp.browser.tabs.ownership import TabOwnership
from viewpoint_mcp.browser.tabs.page_factory import PageFactory
from viewpoint_mcp.browser.tabs.popup_limit import is_one_too_many, report_closed_popup
from viewpoint_mcp.browser.tabs.tab import Tab, is_tab
from viewpoint_mcp.browser.tabs.worker_targets import WORKER_TYPES, WorkerTargets
from viewpoint_mcp.errors import BrowserError, ViewpointError
from viewpoint_mcp.page.blocking_conditions import browser_lost_error, context_closed_error
from viewpoint_mcp.page.page import Page

if TYPE_CHECKING:
    from cdp_protocol.types.target import (
        AttachedToTargetEvent,
        FilterEntry,
        TargetCreatedEvent,
        TargetInfo,
    )

log = logging.getLogger(__name__)

_MAX_CONCURRENT_OPENS = 6  # tabs; fifty at once would all exceed their timeout
_OPEN_TURN_LIMIT = 5.0  # seconds that one tab may block the queue
_CLOSE_LIMIT = 5.0  # seconds for the tabs of the browser's default context
_CLOSE_POLL = 0.02
_PAGE_FILTER: list[FilterEntry] = [{"type": "page"}]


class BrowserTabs:
    """The tabs of a browser, with methods to follow, open and close them.

    Args:
        contexts: The contexts whose tabs are followed; tabs of other contexts are ignored.
        is_launched: Whether this server launched the browser.
        page_factory: Makes the pages of tabs.
    """

    def __init__(
        self,
        connection: Connection,
        contexts: BrowserContexts,
        page_factory: PageFactory,
        *,
        is_launched: bool,
    ) -> None:
        self._connection = connection
        self._contexts = contexts
        self._page_factory = page_factory
        page_factory.guard_private_network(self.find_context_and_causing_pages)
        self._is_launched = is_launched
        self._ownership = TabOwnership(contexts, is_launched=is_launched)
        self._auto_attached_types = ["page"]
        self._is_following = False
        self._ignored_target_ids: set[str] = (
            set()
        )  # targets that show no user page; this may change
        self._open_limiter = ConcurrencyLimiter(_MAX_CONCURRENT_OPENS, _OPEN_TURN_LIMIT)
        self._tasks = BackgroundTasks()
        self._workers = WorkerTargets(connection, self._ownership, self._tasks)

    async def start(self) -> None:
        """Start following the browser's tabs.

        Tabs of a launched browser are attached as they open, before their first script. Tabs of a
        user's browser are attached on first use.

        Source: CDP `Target.getBrowserContexts`, `Target.setDiscoverTargets`,
        `Target.setAutoAttach`.
        """
        root = self._connection.root
        with suppress(ProtocolError):  # remote gateways may not support it
            known = await root.Target.getBrowserContexts()
            self._ownership.browser_default_id = known.get("defaultBrowserContextId")
        root.on(root.Target.targetCreated, self._handle_created)
        root.on(
            root.Target.targetInfoChanged, lambda event: self._handle_changed(event["targetInfo"])
        )
        root.on(
            root.Target.targetDestroyed, lambda event: self._handle_destroyed(event["targetId"])
        )
        root.on(root.Target.attachedToTarget, self._handle_attached)
        await root.Target.setDiscoverTargets(discover=True, filter=_PAGE_FILTER)
        self._is_following = True
        if self._is_launched:
            await self._enable_auto_attach()

    async def attach_to_workers(self, context: Context) -> None:
        """Apply a context's emulation and routes to its shared and service workers from now on.

        New workers get them before their first script. In an attached browser this method does
        nothing, because it must not pause workers of the user's tabs.
        """
        if not self._is_launched:
            return
        if len(self._auto_attached_types) == 1:
            self._auto_attached_types += WORKER_TYPES
            if self._is_following:
                await self._enable_auto_attach()
        if self._is_following:
            await self._workers.attach_to_running(context)

    async def _enable_auto_attach(self) -> None:
        kinds: list[FilterEntry] = [{"type": kind} for kind in self._auto_attached_types]
        await self._connection.root.Target.setAutoAttach(
            autoAttach=True, waitForDebuggerOnStart=True, flatten=True, filter=kinds
        )

    async def stop(self) -> None:
        """Cancel running tasks and detach from all tabs. Idempotent."""
        await self._tasks.close()
        await self._page_factory.close()
        for tab in self._contexts.tabs:
            await tab.detach()
        for context in self._contexts:
            await context.network.close()

    def find_context_and_causing_pages(self, frame_id: str) -> tuple[Context | None, list[Page]]:
        """Return the context of a frame, and the pages that may have caused an event in it.

        These are the page of the frame's tab and the page that opened the tab, if attached. An
        unknown frame returns `(None, [])`.

        Args:
            frame_id: CDP `Page.FrameId`.
        """
        for tab in self._contexts.tabs:
            page = tab.attached_page
            if tab.target_id == frame_id or (page is not None and page.has_frame(frame_id)):
                opener = self._contexts.find_tab(tab.opener_id)
                pages = [
                    each.attached_page for each in (tab, opener) if each and each.attached_page
                ]
                return tab.context, pages
        return None, []

    async def open_tab(self, context: Context) -> str:
        """Open a tab in a context and return its target id. At most six are opened at once.

        Raises:
            BrowserError: Chromium opened no tab.
            PageError: The context was closed.
        """
        async with self._open_limiter.wait_for_turn():
            tab = await self._create_tab(context)
            with suppress(ViewpointError):  # the next use of the tab raises it again
                await tab.get_page()
        return tab.target_id

    async def _create_tab(self, context: Context) -> Tab:
        async def close(target_id: str) -> None:
            await self._close_tab_after_cancelled_open(target_id, context)

        try:
            async with self._ownership.own_new_tabs(context):
                target_id = await create_or_undo_if_cancelled(self._create_target(context), close)
        except ConnectionLost as error:
            raise browser_lost_error(error) from error
        except CdpError as error:
            if context.is_closed:
                raise context_closed_error(context.name) from error
            raise BrowserError(
                f"Chromium opened no tab: {error}", "Call again: a browser is started if need be."
            ) from error
        if context.is_closed:
            await close(target_id)
            raise context_closed_error(context.name)
        # Replaces the `targetCreated` event, which may come after the answer.
        info: TargetInfo = {
            "targetId": target_id,
            "type": "page",
            "title": "",
            "url": "about:blank",
            "attached": False,
            "canAccessOpener": False,
        }
        tab = self._add_tab(info, context)
        tab.is_owned = True
        return tab

    async def _create_target(self, context: Context) -> str:
        """Source: CDP `Target.createTarget`."""
        made = await self._connection.root.Target.createTarget(
            url="about:blank",
            browserContextId=context.context_id,
            # In an attached browser a new tab must not cover the user's.
            background=None if self._is_launched else True,
            # With a display, Chromium opens no tab in a context whose last window was closed.
            newWindow=None if context.tabs else True,
        )
        return made["targetId"]

    async def _close_tab_after_cancelled_open(self, target_id: str, context: Context) -> None:
        with suppress(ViewpointError):  # the tab has closed, or closes with the browser
            await self.close_tab(target_id)
        tab = context.find_tab(target_id)
        if tab is not None:
            await tab.detach()

    async def close_tab(self, target_id: str) -> None:
        """Close a tab without its `beforeunload` dialog. A tab that has closed already is ignored.

        Raises:
            BrowserError: The tab could not be closed, or the browser has ended.

        Source: CDP `Target.closeTarget`.
        """
        try:
            if (tab := self._contexts.find_tab(target_id)) is not None:
                await tab.disconnect_if_dialog_open()
            await self._connection.root.Target.closeTarget(targetId=target_id)
        except ProtocolError:
            log.debug("The tab had closed by itself.", exc_info=True)
        except ConnectionLost as error:
            raise browser_lost_error(error) from error
        except CdpError as error:
            raise BrowserError(f"The tab could not be closed: {error}") from error

    async def close_browser_default_tabs(self, context: Context) -> None:
        """Close the tabs of the browser's default context, and the tabs that they open meanwhile.

        If other clients use that context or the browser is the user's, close only the tabs of this
        client that are owned. Stops with a warning after 5 s.

        Source: CDP `Target.getTargets`.
        """
        try:
            async with asyncio.timeout(_CLOSE_LIMIT):
                while tabs := await self._list_target_ids_to_close(context):
                    await asyncio.gather(*(self.close_tab(target_id) for target_id in tabs))
                    await asyncio.sleep(_CLOSE_POLL)
        except TimeoutError:
            log.warning("Some tabs did not close within %g s.", _CLOSE_LIMIT)

    async def _list_target_ids_to_close(self, context: Context) -> list[str]:
        is_last = self._is_launched and self._contexts.browser_default_views == [context]
        ours = {tab.target_id for tab in context.tabs if tab.is_owned}
        return [
            info["targetId"]
            for info in await self._fetch_target_infos()
            if info["targetId"] in ours
            or (is_last and self._is_in_browser_default_context(info) and is_tab(info))
        ]

    def _is_in_browser_default_context(self, info: TargetInfo) -> bool:
        return info.get("browserContextId") == self._ownership.browser_default_id

    async def refresh_tabs(self) -> None:
        """Update the URL and title of each tab from the browser.

        Events lag behind, above all for titles.

        Source: CDP `Target.getTargets`.
        """
        with suppress(CdpError):
            for info in await self._fetch_target_infos():
                self._handle_changed(info)

    async def adopt_unowned_tabs(
        self, context: Context, closing_target_ids: Collection[str] = ()
    ) -> None:
        """Give a context the tabs of the browser's default context that no client owns yet.

        Args:
            context: The new owner.
            closing_target_ids: Target ids of tabs that are being closed.
        """
        with suppress(CdpError):  # the call that uses these tabs reports the error
            for info in await self._fetch_target_infos():
                if info["targetId"] not in closing_target_ids:
                    self._add_if_owned(info, fallback_owner=context)

    async def _fetch_target_infos(self) -> list[TargetInfo]:
        """Source: CDP `Target.getTargets`."""
        found = await self._connection.root.Target.getTargets(filter=_PAGE_FILTER)
        return found["targetInfos"]

    def _handle_created(self, event: TargetCreatedEvent) -> None:
        self._add_if_owned(self._ownership.add_opener_from_page_request(event["targetInfo"]))

    def _add_if_owned(self, info: TargetInfo, fallback_owner: Context | None = None) -> Tab | None:
        if not is_tab(info):
            self._ignored_target_ids.add(info["targetId"])
            return self._contexts.find_tab(info["targetId"])
        context = self._ownership.find_owner(info, fallback_owner)
        if context is None:
            return None
        self._ignored_target_ids.discard(info["targetId"])
        tab = self._add_tab(info, context)
        self._report_new_tab_to_opener(tab)
        return tab

    def _add_tab(self, info: TargetInfo, context: Context) -> Tab:
        known = context.find_tab(info["targetId"])
        if known is not None:
            return known
        opener = self._contexts.find_tab(info.get("openerId"))
        page = opener.attached_page if opener is not None else None
        tab = Tab(
            info,
            context,
            attach=lambda: self._page_factory.make(tab),
            is_owned=self._is_launched
            or context.context_id is not None
            or (opener is not None and opener.is_owned),
            is_opened_by_action=page is not None and page.work_dispatcher.is_action_followed,
        )
        context.add_tab(tab)
        if is_one_too_many(tab):
            report_closed_popup(tab)
            self._tasks.start(self._close_popup(tab.target_id))
        return tab

    async def _close_popup(self, target_id: str) -> None:
        with suppress(BrowserError):  # the browser has ended
            await self.close_tab(target_id)

    def _handle_changed(self, info: TargetInfo) -> None:
        tab = self._contexts.find_tab(info["targetId"])
        if tab is not None:
            tab.update(info)
            self._report_new_tab_to_opener(tab)
        elif info["targetId"] in self._ignored_target_ids:
            self._add_if_owned(info)

    def _report_new_tab_to_opener(self, tab: Tab, *, is_closed: bool = False) -> None:
        """Report a new tab to the page that opened it, as soon as its URL is known.

        A tab that was opened for a download is gone before that and is reported then. If the opener
        is unknown, every page of the context gets the report.
        """
        if tab.is_reported_to_opener or not (tab.url or is_closed):
            return
        tab.is_reported_to_opener = True
        for opener in tab.context.tabs:
            if opener.attached_page is not None and tab.opener_id in (None, opener.target_id):
                opener.attached_page.work_dispatcher.note_popup_opened()

    def _handle_attached(self, event: AttachedToTargetEvent) -> None:
        kind = event["targetInfo"]["type"]
        session = self._connection.session(event["sessionId"])
        if kind in WORKER_TYPES:
            self._workers.start_or_detach(session)
        if kind != "page":
            return  # also when a hidden target of this server attaches
        tab = self._add_if_owned(event["targetInfo"])
        if tab is None:
            self._tasks.start(session.close())
            return
        self._page_factory.keep_session(tab.target_id, session)
        self._tasks.start(self._start_page(tab))

    async def _start_page(self, tab: Tab) -> None:
        try:
            await tab.get_page()
        except ViewpointError as error:
            log.info("A tab could not be attached to: %s", error)

    def _handle_destroyed(self, target_id: str) -> None:
        self._page_factory.drop_session(target_id)
        self._ignored_target_ids.discard(target_id)
        tab = self._contexts.find_tab(target_id)
        if tab is not None:
            self._report_new_tab_to_opener(tab, is_closed=True)
            tab.context.remove_tab(tab)
            self._tasks.start(tab.detach())
