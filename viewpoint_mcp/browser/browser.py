"""A Chromium we speak to, launched or attached to, and its tabs as the browser tells of them."""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from typing import Any

from cdp_protocol import CdpError, Connection, EndpointError, ProtocolError, Session, websocket_url
from viewpoint_mcp.browser.contexts import DEFAULT, Context, Numbers
from viewpoint_mcp.browser.downloads import Downloads
from viewpoint_mcp.browser.process import BrowserProcess, LaunchOptions
from viewpoint_mcp.browser.tabs import IGNORED, Tab
from viewpoint_mcp.errors import BrowserError, PageError
from viewpoint_mcp.page.files import Files
from viewpoint_mcp.page.page import Page
from viewpoint_mcp.settings import Settings
from viewpoint_mcp.tasks import Tasks

log = logging.getLogger(__name__)

_CALL_LIMIT = 15.0  # seconds; calls that may take longer say so
_ATTACH_LIMIT = 5.0  # seconds for one tab: a frozen one answers nothing
_CLOSE_LIMIT = 1.0
_EXIT_LIMIT = 2.0
_PAGES = [{"type": "page"}]


class Browser:
    """A running browser. Made by `launch` or `attach`; `close` ends what is ours of it."""

    def __init__(
        self,
        connection: Connection,
        process: BrowserProcess | None,
        settings: Settings,
        numbers: Numbers,
        viewport: tuple[int, int] | None,
    ) -> None:
        self._connection = connection
        self._process = process
        self._settings = settings
        self._numbers = numbers
        self._viewport = viewport
        self._files = Files.of(settings)
        self._sessions: dict[str, Session] = {}
        self._tasks = Tasks()
        self.downloads = Downloads(self._files, self._pages_concerned)
        self.context = Context(
            DEFAULT,
            numbers.context(DEFAULT),
            open_tab=self._open_tab,
            close_tab=self._close_tab,
            refresh=self._refresh,
            starts_with_tab=process is not None,
            take_events=self.downloads.take_events,
        )

    @classmethod
    async def launch(cls, options: LaunchOptions, settings: Settings, numbers: Numbers) -> Browser:
        """Start a Chromium of our own.

        Raises:
            BrowserError: It did not start; the message has its own words.
        """
        process = await BrowserProcess.launch(options)
        try:
            connection = await Connection.open(process.websocket_url, timeout=_CALL_LIMIT)
            browser = cls(connection, process, settings, numbers, options.viewport)
            await browser._start_or_close()
        except BaseException as error:
            await process.close(grace=0)
            if isinstance(error, CdpError):
                raise BrowserError(
                    f"Chromium started but could not be spoken to: {error}"
                ) from error
            raise
        return browser

    @classmethod
    async def attach(cls, endpoint: str, settings: Settings, numbers: Numbers) -> Browser:
        """Speak to a browser that runs already; nothing of it is closed but what we open.

        Args:
            endpoint: http(s) or ws(s) address, or host:port.

        Raises:
            BrowserError: Nobody answers there.
        """
        limit = settings.timeouts.attach
        try:
            address = await websocket_url(endpoint, headers=settings.cdp_headers, timeout=limit)
            connection = await Connection.open(address, headers=settings.cdp_headers, timeout=limit)
            connection.timeout = _CALL_LIMIT
            browser = cls(connection, None, settings, numbers, settings.viewport)
            await browser._start_or_close()
        except (CdpError, EndpointError) as error:
            raise BrowserError(
                f"No browser could be attached to at {endpoint}: {error}",
                "Start Chromium with --remote-debugging-port and a --user-data-dir of its own.",
            ) from error
        return browser

    @property
    def gone(self) -> bool:
        """Whether the browser exited, crashed, or cut the connection."""
        return self._connection.lost is not None

    async def close(self) -> None:
        """End our browser, or let go of the user's. Idempotent."""
        await self._tasks.close()
        for tab in list(self.context.tabs):
            await tab.close()
        with suppress(CdpError):
            await self._say_goodbye()
        await self._connection.close()
        if self._process is not None:
            await self._process.close(grace=_EXIT_LIMIT)
        await self.downloads.close()

    async def _say_goodbye(self) -> None:
        if self.gone:
            return
        if self._process is not None:
            await self._connection.root.send("Browser.close", timeout=_CLOSE_LIMIT)
            return
        for tab in self.context.tabs:
            if tab.ours:
                params = {"targetId": tab.target_id}
                await self._connection.root.send("Target.closeTarget", params, timeout=_CLOSE_LIMIT)

    async def _start_or_close(self) -> None:
        try:
            await self._start()
        except BaseException:
            await self._tasks.close()
            await self._connection.close()
            await self.downloads.close()
            raise

    async def _start(self) -> None:
        """Follow the browser's tabs. Those of our own browser are attached to as they open, before
        their first script; a user's only when they are used.

        Source: CDP `Target.setDiscoverTargets`, `Target.setAutoAttach`.
        """
        root = self._connection.root
        root.on("Target.targetCreated", lambda event: self._seen(event["targetInfo"]))
        root.on("Target.targetInfoChanged", lambda event: self._changed(event["targetInfo"]))
        root.on("Target.targetDestroyed", lambda event: self._destroyed(event["targetId"]))
        root.on("Target.attachedToTarget", self._attached)
        await root.send("Target.setDiscoverTargets", {"discover": True, "filter": _PAGES})
        if self._process is not None:
            params = {
                "autoAttach": True,
                "waitForDebuggerOnStart": True,
                "flatten": True,
                "filter": _PAGES,
            }
            await root.send("Target.setAutoAttach", params)
        await self.downloads.start(root, keep=self._process is not None)

    def _seen(self, info: dict[str, Any]) -> Tab | None:
        known = self.context.with_target(info["targetId"])
        if known is not None or info["type"] != "page" or info["url"].startswith(IGNORED):
            return known
        opener = self.context.with_target(info.get("openerId", ""))
        tab = Tab(
            info,
            attach=lambda: self._make_page(tab),
            ours=self._process is not None or (opener is not None and opener.ours),
        )
        self.context.add(tab)
        self._announce(tab)
        return tab

    def _changed(self, info: dict[str, Any]) -> None:
        tab = self.context.with_target(info["targetId"])
        if tab is not None:
            tab.update(info)
            self._announce(tab)

    def _announce(self, tab: Tab, *, is_gone: bool = False) -> None:
        """Tell the page that opened the tab, once it is known where the tab goes; one that was
        opened for a download is gone before.

        Of a tab opened by Ctrl+click the browser names no opener; then all are told.
        """
        if tab.is_announced or not (tab.url or is_gone):
            return
        tab.is_announced = True
        for opener in self.context.tabs:
            if opener.page_now is not None and tab.opener_id in (None, opener.target_id):
                opener.page_now.activity.popup_opened()

    def _attached(self, event: dict[str, Any]) -> None:
        session = self._connection.session(event["sessionId"])
        tab = self._seen(event["targetInfo"])
        if tab is None:
            self._tasks.start(session.close())
            return
        self._sessions[tab.target_id] = session
        self._tasks.start(self._let_run(tab))

    async def _let_run(self, tab: Tab) -> None:
        try:
            await tab.page()
        except PageError as error:
            log.info("A tab could not be attached to: %s", error)

    def _pages_concerned(self, frame_id: str) -> list[Page]:
        """The page that a frame is in, and the page that opened its tab, whose act that may be."""
        for tab in self.context.tabs:
            page = tab.page_now
            if tab.target_id == frame_id or (page is not None and page.frames.get(frame_id)):
                opener = self.context.with_target(tab.opener_id or "")
                return [each.page_now for each in (tab, opener) if each and each.page_now]
        return []

    def _destroyed(self, target_id: str) -> None:
        self._sessions.pop(target_id, None)
        tab = self.context.with_target(target_id)
        if tab is not None:
            self._announce(tab, is_gone=True)
            self.context.remove(tab)
            self._tasks.start(tab.close())

    async def _open_tab(self) -> str:
        """Source: CDP `Target.createTarget`."""
        root = self._connection.root
        # In the user's own browser a new tab must not come to the front.
        background = True if self._process is None else None
        try:
            made = await root.Target.createTarget(url="about:blank", background=background)
        except CdpError as error:
            raise BrowserError(
                f"Chromium opened no tab: {error}", "Call again: a browser is started if need be."
            ) from error
        target_id = made["targetId"]
        tab = self._seen({"targetId": target_id, "type": "page", "url": "about:blank", "title": ""})
        if tab is not None:
            tab.ours = True
        return target_id

    async def _close_tab(self, target_id: str) -> None:
        """Source: CDP `Target.closeTarget`."""
        try:
            await self._connection.root.Target.closeTarget(targetId=target_id)
        except ProtocolError:
            log.debug("The tab had closed by itself.", exc_info=True)
        except CdpError as error:
            raise BrowserError(f"The tab could not be closed: {error}") from error

    async def _refresh(self) -> None:
        """Source: CDP `Target.getTargets`; its events lag behind, above all with titles."""
        with suppress(CdpError):
            found = await self._connection.root.send("Target.getTargets", {"filter": _PAGES})
            for info in found["targetInfos"]:
                self._changed(info)

    async def _make_page(self, tab: Tab) -> Page:
        """Attach to the tab, if that has not been done, and start its page.

        Source: CDP `Target.attachToTarget`.
        """
        page = None
        try:
            async with asyncio.timeout(_ATTACH_LIMIT):
                session = self._sessions.get(tab.target_id) or await self._attach_to(tab)
                page = Page(
                    session,
                    target_id=tab.target_id,
                    context=self.context.number,
                    number=self._numbers.next_page(self.context.number),
                    timeouts=self._settings.timeouts,
                    files=self._files,
                    is_users=not tab.ours,
                )
                tab.page_coming = page
                self._introduce(page)
                await page.start(self._viewport)
                return page
        except (TimeoutError, CdpError) as error:
            if page is not None:
                await page.detach()
                # Another try begins with a session that nobody listens to yet.
                self._sessions.pop(tab.target_id, None)
            raise _unattached(error) from error

    def _introduce(self, page: Page) -> None:
        """Let the page know of the others' dialogs, and them of its."""

        def tell() -> None:
            for tab in self.context.tabs:
                if tab.page_now not in (None, page):
                    tab.page_now.interruptions.look_again()

        page.interruptions.mind_others(
            lambda: self.context.dialog_beside(page.target_id), page.session
        )
        page.interruptions.on_interruption(tell)

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
