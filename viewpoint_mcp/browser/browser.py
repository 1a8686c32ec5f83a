"""The browser that the server launched or attached to, and its contexts."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from cdp_protocol import CdpError, Connection, ConnectionLost, ProtocolError, Unanswered
from cdp_protocol.launching.arguments import LaunchOptions
from cdp_protocol.launching.process import BrowserProcess
from viewpoint_mcp.browser.connect.attach import attached, last_used
from viewpoint_mcp.browser.connect.launch import launch
from viewpoint_mcp.browser.context import (
    DEFAULT,
    AllContexts,
    Context,
    ContextOptions,
    Identity,
)
from viewpoint_mcp.browser.context_factory import ContextFactory
from viewpoint_mcp.browser.downloads import Downloads
from viewpoint_mcp.browser.health.browser_loss import BrowserLoss
from viewpoint_mcp.browser.health.watchdog import Watchdog
from viewpoint_mcp.browser.proxy.peers import is_loopback
from viewpoint_mcp.browser.proxy.proof import prove
from viewpoint_mcp.browser.proxy.route import Route
from viewpoint_mcp.browser.tabs.foreground import Foreground
from viewpoint_mcp.browser.tabs.page_factory import Pages
from viewpoint_mcp.browser.tabs.targets import Targets
from viewpoint_mcp.config.settings import Settings
from viewpoint_mcp.errors import BrowserError
from viewpoint_mcp.files.file_access import FileAccess
from viewpoint_mcp.tasks import wait_despite_cancellation

if TYPE_CHECKING:
    from cdp_protocol.recording.recorder import Recorder

log = logging.getLogger(__name__)

Begin = Callable[["Browser"], Awaitable[None]]

_CALL_LIMIT = 15.0  # seconds; slower calls pass a timeout of their own
_CLOSE_LIMIT = 1.0
_EXIT_LIMIT = 2.0


class Browser:
    """A running browser, made by `launch` or `attach`.

    Args:
        process: The process of a launched browser; None for an attached one.
        among_many: Whether several clients share the browser and must not see each other's work.
        has_user: Whether a person may use the browser's windows and bring another tab to the front.
        route: The proxy route that a launched browser was started with.
        is_near: Whether the browser runs on this machine.

    Attributes:
        contexts: The open contexts of all clients.
    """

    def __init__(
        self,
        connection: Connection,
        process: BrowserProcess | None,
        settings: Settings,
        *,
        among_many: bool,
        has_user: bool,
        route: Route | None = None,
        is_near: bool = True,
    ) -> None:
        self._connection = connection
        self._process = process
        self._keeps_profile = settings.user_data_dir is not None
        self._has_user = has_user
        self._ignores_https_errors = settings.emulation.ignore_https_errors
        self._route = route or Route()
        self.contexts = AllContexts()
        self._pulse = Watchdog(connection, settings.timeouts.answer)
        is_launched = process is not None
        pages = Pages(
            connection,
            is_launched=is_launched,
            timeouts=settings.timeouts,
            files=(files := FileAccess.from_settings(settings)),
            console_level=settings.console_level,
            check_browser=self._pulse.check,
        )
        self._targets = Targets(connection, self.contexts, pages, is_launched=is_launched)
        self._downloads = Downloads(
            files, self._targets.concerned, keep=is_launched, among_many=among_many
        )
        self._maker = ContextFactory(
            connection, self._targets, self._downloads, route=self._route, is_near=is_near
        )
        self._front = Foreground(connection, self.contexts)
        self._end: str | None = None
        self._own_changes = asyncio.Lock()  # else a client gets tabs of a closing one
        self._is_followed = self._own_was_used = False
        self._on_lost = connection.on_lost(_log_loss)

    @classmethod
    async def launch(
        cls,
        options: LaunchOptions,
        settings: Settings,
        begin: Begin,
        *,
        among_many: bool = False,
        recorder: Recorder | None = None,
    ) -> Browser:
        """Launch a Chromium and connect to it.

        Args:
            begin: Makes the first contexts, before the browser's tabs are followed.
            recorder: Records the messages of the connection.

        Raises:
            BrowserError: Chromium did not start; the message quotes its output.
        """
        route = await Route.open(settings.proxy, DEFAULT, settings.origins)
        try:
            switches = (*route.switches, *options.args)
            process = await launch(replace(options, args=switches))
        except BaseException:
            await route.close()
            raise
        try:
            connection = await process.connect(_CALL_LIMIT, recorder=recorder)
            browser = cls(
                connection,
                process,
                settings,
                among_many=among_many,
                has_user=not options.headless,
                route=route,
            )
            await browser._start_or_close(begin)
        except BaseException as error:
            await process.close(grace=0)
            await route.close()
            if isinstance(error, CdpError):
                raise BrowserError(
                    f"Chromium started but could not be spoken to: {error}"
                ) from error
            raise
        return browser

    @classmethod
    async def attach(
        cls,
        endpoint: str,
        settings: Settings,
        begin: Begin,
        *,
        among_many: bool = False,
        recorder: Recorder | None = None,
    ) -> Browser:
        """Connect to a browser that already runs.

        Closing it later closes only the tabs and contexts that this server opened.

        Args:
            endpoint: http(s) or ws(s) address, or host:port.
            begin: Makes the first contexts, before the browser's tabs are followed.
            recorder: Records the messages of the connection.

        Raises:
            BrowserError: The endpoint does not answer, or refuses the connection.
        """

        async def start(connection: Connection, url: str) -> Browser:
            connection.timeout = _CALL_LIMIT
            browser = cls(
                connection,
                None,
                settings,
                among_many=among_many,
                has_user=True,
                is_near=is_loopback(urlsplit(url).hostname or ""),
            )
            await browser._start_or_close(begin, lambda: last_used(url, settings, recorder))
            return browser

        return await attached(endpoint, settings, start, recorder)

    @property
    def gone(self) -> bool:
        """Whether the browser exited, crashed, hung, or cut the connection."""
        return self._connection.lost is not None

    @property
    def is_ours(self) -> bool:
        """Whether this server launched the browser."""
        return self._process is not None

    @property
    def keeps_own(self) -> bool:
        """Whether the data of the browser's default context outlives the connection.

        True for an attached browser and for a launched one with a `--user-data-dir`.
        """
        return self._process is None or self._keeps_profile

    @property
    def has_clean_own(self) -> bool:
        """Whether a client may still be given the browser's default context.

        False if an earlier client used that context and its data was not meant to be kept.
        """
        return self.keeps_own or not self._own_was_used

    def loss(self, contexts: Iterable[Context]) -> BrowserLoss:
        """Describe the loss of this browser.

        Args:
            contexts: The contexts whose lost data and downloads the description lists.
        """
        is_attached = self._process is None
        cause = self._end
        if cause is None:
            silent = isinstance(self._connection.lost, Unanswered)
            lost = (
                "the browser could not be reached any more"
                if is_attached
                else "the browser had gone"
            )
            cause = "the browser hung" if silent else lost
        names = [each.name for each in contexts if each.context_id or not self.keeps_own]
        # An attached browser continues its downloads if it still runs.
        downloads = () if is_attached else self._downloads.under_way(contexts)
        return BrowserLoss(cause, names, is_attached=is_attached, downloads=downloads)

    async def follow_user(self) -> None:
        """Activate the tab that the user brought to the front by hand."""
        if self._has_user:
            await self._front.follow()

    async def make(
        self, identity: Identity, options: ContextOptions, *, is_own: bool = False
    ) -> Context:
        """Make a context, isolated from all others.

        Args:
            is_own: Use the browser's default context instead of a new one. Each client gets a view
                of it with the client's tabs.

        Raises:
            CallError: The storage state or the proxy of the options is invalid.
            BrowserError: The browser made no context.

        Source: CDP `Target.createBrowserContext`.
        """
        if is_own:
            async with self._own_changes:
                return await self._make_own(identity, options)
        context = await self._maker.make(identity, options, is_own=False)
        self.contexts.add(context)
        return context

    async def _make_own(self, identity: Identity, options: ContextOptions) -> Context:
        is_first = not self.contexts.own
        starts_with_tab = is_first and self._process is not None and not self._is_followed
        context = await self._maker.make(
            identity, options, is_own=True, starts_with_tab=starts_with_tab
        )
        self.contexts.add(context)
        self._own_was_used = True
        if is_first and self._is_followed:
            try:
                await self._targets.take_in_own(context)
            except BaseException:
                self.contexts.remove(context)
                raise
        return context

    async def dispose(self, context: Context) -> None:
        """Close a context with all its tabs.

        Of a user's default context, only the tabs that this server opened are closed.

        Source: CDP `Target.disposeBrowserContext`.
        """
        context.end()
        if context.context_id is None:
            # Finish even when cancelled. Otherwise the context would own the user's tabs forever.
            await wait_despite_cancellation(asyncio.create_task(self._dispose_own(context)))
            return
        self.contexts.remove(context)
        await self._maker.dispose(context)

    async def _dispose_own(self, context: Context) -> None:
        async with self._own_changes:
            try:
                await self._maker.dispose(context)
            finally:
                self.contexts.remove(context)  # only now: it owns its tabs until they close
            if self._process is None and self.contexts.own:
                closing = [tab.target_id for tab in context.tabs if tab.ours]
                await self._targets.take_in_own(self.contexts.own[0], but=closing)

    async def close_for(self, reason: str) -> None:
        """Close the browser and record the reason, which `loss` then reports as the cause.

        Args:
            reason: A clause, such as "the browser was closed after 60 s without a call".
        """
        self._end = reason
        await self.close()

    async def close(self) -> None:
        """Terminate a launched browser, or disconnect from an attached one. Idempotent."""
        self._on_lost.close()
        await self._pulse.stop()
        await self._targets.stop()
        grace = _EXIT_LIMIT
        try:
            await self._say_goodbye()
        except CdpError:
            grace = 0  # it exited or hangs
        await self._connection.close()
        if self._process is not None:
            await self._process.close(grace=grace)
        await self._downloads.close()
        await self._close_routes()

    async def _say_goodbye(self) -> None:
        root = self._connection.root
        if self._process is not None:
            await root.send("Browser.close", timeout=_CLOSE_LIMIT)
            return
        # Contexts with `disposeOnDetach` end with the connection; these tabs do not.
        for tab in self.contexts.tabs:
            if tab.ours and tab.context.context_id is None:
                with suppress(ProtocolError):  # it closed by itself
                    await tab.drop_dialog()
                    params = {"targetId": tab.target_id}
                    await root.send("Target.closeTarget", params, timeout=_CLOSE_LIMIT)

    async def _start_or_close(
        self, begin: Begin, by_last_use: Callable[[], Awaitable[list[str]]] | None = None
    ) -> None:
        """Start following the browser's tabs and downloads; close everything if that fails.

        Args:
            begin: Makes the first contexts.
            by_last_use: Returns target ids, the most recently used first, so that the tab that the
                user saw last becomes active.
        """
        try:
            await prove(self._connection.root, self._route)
            self._downloads.subscribe(self._connection.root)
            await begin(self)
            if self._process is not None and self._ignores_https_errors:
                # For shared and service workers; each page sets this for itself.
                await self._connection.root.Security.setIgnoreCertificateErrors(ignore=True)
            await self._targets.start()
            self._is_followed = True
            self._pulse.start()
            await self.follow_user()
            if by_last_use is not None:
                for own in self.contexts.own:
                    own.activate_first(await by_last_use())
        except BaseException:
            await self._pulse.stop()
            await self._targets.stop()
            await self._connection.close()
            await self._downloads.close()
            await self._close_routes()
            raise

    async def _close_routes(self) -> None:
        for route in (self._route, *(context.route for context in self.contexts)):
            await route.close()


def _log_loss(error: ConnectionLost) -> None:
    log.warning("The connection to the browser was lost: %s.", error.reason)
