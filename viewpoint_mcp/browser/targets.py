"""The tabs of a browser as CDP's `Target` domain tells of them, and how their pages are made."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

from cdp_protocol import CdpError, Connection, ConnectionLost, ProtocolError, Session
from viewpoint_mcp.browser.contexts import Context, Contexts, Numbers
from viewpoint_mcp.browser.tabs import Tab, is_tab
from viewpoint_mcp.browser.waking import wake
from viewpoint_mcp.errors import BrowserError, PageError
from viewpoint_mcp.files.places import Files
from viewpoint_mcp.page.interruptions import browser_gone, context_closed
from viewpoint_mcp.page.page import Page
from viewpoint_mcp.settings import ConsoleLevel, Timeouts
from viewpoint_mcp.tasks import Tasks

log = logging.getLogger(__name__)

_ATTACH_LIMIT = 5.0  # seconds for one tab: a frozen one answers nothing
_CLOSE_LIMIT = 5.0  # seconds for the tabs of the browser's own context
_CLOSE_POLL = 0.02
_PAGES = [{"type": "page"}]
_WORKERS = ("shared_worker", "service_worker")


class Targets:
    """Follows the tabs of a browser, opens and closes them.

    Args:
        contexts: Whose tabs are followed; those of other contexts are no business of ours.
        is_launched: Whether the browser is ours, and not the user's.
        timeouts: Of the pages.
        files: Where the pages' pictures go, and what they may read.
        check_browser: Returns once the browser has answered, or is given up.
    """

    def __init__(
        self,
        connection: Connection,
        contexts: Contexts,
        numbers: Numbers,
        *,
        is_launched: bool,
        timeouts: Timeouts,
        files: Files,
        console_level: ConsoleLevel,
        check_browser: Callable[[], Awaitable[None]],
    ) -> None:
        self._connection = connection
        self._contexts = contexts
        self._numbers = numbers
        self._is_launched = is_launched
        self._timeouts = timeouts
        self._files = files
        self._console_level = console_level
        self._check_browser = check_browser
        self._own_id: str | None = None
        self._sessions: dict[str, Session] = {}
        self._attached_kinds = ["page"]
        self._is_following = False
        self._left_out: set[str] = set()  # for what they show; that may change
        self._tasks = Tasks()

    async def start(self) -> None:
        """Follow the browser's tabs. Those of our own browser are attached to as they open, before
        their first script; a user's only when they are used.

        Source: CDP `Target.getBrowserContexts`, `Target.setDiscoverTargets`,
        `Target.setAutoAttach`.
        """
        root = self._connection.root
        with suppress(ProtocolError):  # gateways may keep it to themselves
            known = await root.Target.getBrowserContexts()
            self._own_id = known.get("defaultBrowserContextId")
        root.on("Target.targetCreated", lambda event: self._seen(event["targetInfo"]))
        root.on("Target.targetInfoChanged", lambda event: self._changed(event["targetInfo"]))
        root.on("Target.targetDestroyed", lambda event: self._destroyed(event["targetId"]))
        root.on("Target.attachedToTarget", self._attached)
        await root.send("Target.setDiscoverTargets", {"discover": True, "filter": _PAGES})
        self._is_following = True
        if self._is_launched:
            await self._auto_attach()

    async def mind_workers(self) -> None:
        """From now on have shared and service workers know what their context emulates, before
        their first script. In a user's browser they are left alone.
        """
        if not self._is_launched or len(self._attached_kinds) > 1:
            return
        self._attached_kinds += _WORKERS
        if self._is_following:
            await self._auto_attach()

    async def _auto_attach(self) -> None:
        params = {
            "autoAttach": True,
            "waitForDebuggerOnStart": True,
            "flatten": True,
            "filter": [{"type": kind} for kind in self._attached_kinds],
        }
        await self._connection.root.send("Target.setAutoAttach", params)

    async def stop(self) -> None:
        """Cancel what is under way, and let go of all tabs. Idempotent."""
        await self._tasks.close()
        for tab in self._contexts.tabs:
            await tab.close()

    def concerned(self, frame_id: str) -> tuple[Context | None, list[Page]]:
        """Return the context that a frame is in; and its page, and the page that opened that one's
        tab, whose act may be the cause of what happened in the frame.
        """
        for tab in self._contexts.tabs:
            page = tab.page_now
            if tab.target_id == frame_id or (page is not None and page.frames.get(frame_id)):
                opener = self._contexts.tab(tab.opener_id)
                pages = [each.page_now for each in (tab, opener) if each and each.page_now]
                return tab.context, pages
        return None, []

    async def open_tab(self, context: Context) -> str:
        """Open a tab there; returns its target id.

        Source: CDP `Target.createTarget`.
        """
        root = self._connection.root
        # In the user's own browser a new tab must not come to the front.
        background = None if self._is_launched else True
        try:
            made = await root.Target.createTarget(
                url="about:blank",
                browserContextId=context.context_id,
                background=background,
                # Without headless Chromium opens none where the last window was closed.
                newWindow=None if context.tabs else True,
            )
        except ConnectionLost as error:
            raise browser_gone(error) from error
        except CdpError as error:
            if context.is_closed:
                raise context_closed(context.name) from error
            raise BrowserError(
                f"Chromium opened no tab: {error}", "Call again: a browser is started if need be."
            ) from error
        if context.is_closed:
            raise context_closed(context.name)
        info = {"targetId": made["targetId"], "url": "about:blank", "title": ""}
        tab = self._take_in(info, context)
        tab.ours = True
        return tab.target_id

    async def close_tab(self, target_id: str) -> None:
        """Close a tab without asking its page.

        Source: CDP `Target.closeTarget`.
        """
        try:
            await self._connection.root.Target.closeTarget(targetId=target_id)
        except ProtocolError:
            log.debug("The tab had closed by itself.", exc_info=True)
        except ConnectionLost as error:
            raise browser_gone(error) from error
        except CdpError as error:
            raise BrowserError(f"The tab could not be closed: {error}") from error

    async def close_own(self) -> None:
        """Close the tabs of the browser's own context, and those that they open meanwhile.

        Source: CDP `Target.getTargets`.
        """
        try:
            async with asyncio.timeout(_CLOSE_LIMIT):
                while tabs := await self._own_tabs():
                    await asyncio.gather(*(self.close_tab(target_id) for target_id in tabs))
                    await asyncio.sleep(_CLOSE_POLL)
        except TimeoutError:
            log.warning("Some tabs did not close within %g s.", _CLOSE_LIMIT)

    async def _own_tabs(self) -> list[str]:
        found = await self._connection.root.send("Target.getTargets", {"filter": _PAGES})
        return [
            info["targetId"]
            for info in found["targetInfos"]
            if info.get("browserContextId") == self._own_id and is_tab(info)
        ]

    async def refresh(self) -> None:
        """Source: CDP `Target.getTargets`; its events lag behind, above all with titles."""
        with suppress(CdpError):
            found = await self._connection.root.send("Target.getTargets", {"filter": _PAGES})
            for info in found["targetInfos"]:
                self._changed(info)

    def _seen(self, info: dict[str, Any]) -> Tab | None:
        if not is_tab(info):
            self._left_out.add(info["targetId"])
            return self._contexts.tab(info["targetId"])
        context = self._of_context(info.get("browserContextId"))
        if context is None:
            return None
        self._left_out.discard(info["targetId"])
        tab = self._take_in(info, context)
        self._announce(tab)
        return tab

    def _of_context(self, context_id: str | None) -> Context | None:
        context = self._contexts.with_id(context_id)
        if context is None and self._own_id in (None, context_id):
            context = self._contexts.with_id(None)
        return context

    def _take_in(self, info: dict[str, Any], context: Context) -> Tab:
        known = context.with_target(info["targetId"])
        if known is not None:
            return known
        opener = self._contexts.tab(info.get("openerId"))
        tab = Tab(
            info,
            context,
            attach=lambda: self._make_page(tab),
            ours=self._is_launched
            or context.context_id is not None
            or (opener is not None and opener.ours),
        )
        context.add(tab)
        return tab

    def _changed(self, info: dict[str, Any]) -> None:
        tab = self._contexts.tab(info["targetId"])
        if tab is not None:
            tab.update(info)
            self._announce(tab)
        elif info["targetId"] in self._left_out:
            self._seen(info)

    def _announce(self, tab: Tab, *, is_gone: bool = False) -> None:
        """Tell the page that opened the tab, once it is known where the tab goes; one that was
        opened for a download is gone before.

        Of a tab opened by Ctrl+click the browser names no opener; then all are told.
        """
        if tab.is_announced or not (tab.url or is_gone):
            return
        tab.is_announced = True
        for opener in tab.context.tabs:
            if opener.page_now is not None and tab.opener_id in (None, opener.target_id):
                opener.page_now.activity.popup_opened()

    def _attached(self, event: dict[str, Any]) -> None:
        kind = event["targetInfo"]["type"]
        session = self._connection.session(event["sessionId"])
        if kind in _WORKERS:
            self._tasks.start(self._let_worker_run(session))
        if kind != "page":
            return  # or a hidden target of ours
        tab = self._seen(event["targetInfo"])
        if tab is None:
            self._tasks.start(session.close())
            return
        self._sessions[tab.target_id] = session
        self._tasks.start(self._let_run(tab))

    async def _let_worker_run(self, session: Session) -> None:
        context = self._of_context(session.target_info.get("browserContextId"))
        with suppress(CdpError):  # it may be gone
            if context is not None and context.emulation.concerns_workers:
                await context.emulation.start_worker(session)
            else:
                # It would go on waiting when we detached from it.
                await session.Runtime.runIfWaitingForDebugger()
                await session.close()

    async def _let_run(self, tab: Tab) -> None:
        try:
            await tab.page()
        except PageError as error:
            log.info("A tab could not be attached to: %s", error)

    def _destroyed(self, target_id: str) -> None:
        self._sessions.pop(target_id, None)
        self._left_out.discard(target_id)
        tab = self._contexts.tab(target_id)
        if tab is not None:
            self._announce(tab, is_gone=True)
            tab.context.remove(tab)
            self._tasks.start(tab.close())

    async def _make_page(self, tab: Tab) -> Page:
        """Attach to the tab, if that has not been done, and start its page.

        Source: CDP `Target.attachToTarget`.
        """
        page = None
        context = tab.context
        try:
            async with asyncio.timeout(_ATTACH_LIMIT):
                session = self._sessions.get(tab.target_id) or await self._attach_to(tab)
                was_asleep = not self._is_launched and await wake(session)
                page = Page(
                    session,
                    target_id=tab.target_id,
                    context=context.number,
                    context_name=context.name,
                    number=self._numbers.next_page(context.number),
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
            raise _unattached(error) from error

    def _introduce(self, page: Page, context: Context) -> None:
        """Let the page know of the others' dialogs, and them of its."""

        def tell() -> None:
            for tab in context.tabs:
                if tab.page_now not in (None, page):
                    tab.page_now.interruptions.look_again()

        page.interruptions.mind_others(lambda: context.dialog_beside(page.target_id), page.session)
        page.interruptions.on_interruption(tell)
        page.interruptions.ask_whether_the_browser_lives(self._check_browser)

    async def _attach_to(self, tab: Tab) -> Session:
        root = self._connection.root
        attached = await root.Target.attachToTarget(targetId=tab.target_id, flatten=True)
        return self._connection.session(attached["sessionId"])


def _unattached(error: Exception) -> PageError:
    if isinstance(error, TimeoutError):
        return PageError(
            f"The tab did not answer within {_ATTACH_LIMIT:g} s; it may be frozen, or show a "
            "dialog that nobody has answered since before this server came.",
            "Answer that by hand, or use browser_tabs to take another tab.",
        )
    return PageError(f"The tab could not be attached to: {error}")


_WOKEN = "The tab had been discarded or had crashed, and was loaded again."
