"""The browser that the server launched or attached to, and its contexts."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from cdp_protocol import CdpError, Connection, ProtocolError, Unanswered
from cdp_protocol.launching.arguments import LaunchOptions
from cdp_protocol.launching.process import BrowserProcess
from viewpoint_mcp.background_tasks import wait_despite_cancellation
from viewpoint_mcp.browser.connect.attach import attach_and_run, fetch_recent_target_ids
from viewpoint_mcp.browser.connect.kept_profile import launch_with_profile
from viewpoint_mcp.browser.connect.launch import to_connect_error
from viewpoint_mcp.browser.context import (
    DEFAULT_CONTEXT,
    BrowserContexts,
    Context,
    ContextIdentity,
    ContextOptions,
)
from viewpoint_mcp.browser.context_factory import ContextFactory
from viewpoint_mcp.browser.downloads import Downloads
from viewpoint_mcp.browser.health.browser_loss import BrowserLoss, log_loss
from viewpoint_mcp.browser.health.watchdog import Watchdog
from viewpoint_mcp.browser.proxy.peer_user import is_loopback
from viewpoint_mcp.browser.proxy.proxy_route import ProxyRoute
from viewpoint_mcp.browser.proxy.relay_check import check_relay_is_used
from viewpoint_mcp.browser.tabs.browser_tabs import BrowserTabs
from viewpoint_mcp.browser.tabs.foreground_tab import ForegroundTracker
from viewpoint_mcp.browser.tabs.page_factory import PageFactory
from viewpoint_mcp.config.settings import Settings
from viewpoint_mcp.files.file_access import FileAccess

if TYPE_CHECKING:
    from cdp_protocol.recording.recorder import Recorder

MakeFirstContexts = Callable[["Browser"], Awaitable[None]]

_CALL_LIMIT = 15.0  # seconds; slower calls pass a timeout of their own
_CLOSE_LIMIT = 1.0
_EXIT_LIMIT = 2.0


class Browser:
    """A running browser, made by `launch` or `attach`.

    Args:
        process: The process of a launched browser; None for an attached one.
        is_shared: Whether several clients share the browser and must not see each other's work.
        has_user: Whether a person may use the browser's windows and bring another tab to the front.
        proxy_route: The proxy route that a launched browser was started with.
        is_local: Whether the browser runs on this machine.

    Attributes:
        contexts: The open contexts of all clients.
        start_notice: What the agent should know about the start, as sentences; "" for nothing.
    """

    def __init__(
        self,
        connection: Connection,
        process: BrowserProcess | None,
        settings: Settings,
        *,
        is_shared: bool,
        has_user: bool,
        proxy_route: ProxyRoute | None = None,
        is_local: bool = True,
    ) -> None:
        self._connection = connection
        self._process = process
        self._has_user = has_user
        self.is_local = is_local
        self._ignores_https_errors = settings.emulation.ignore_https_errors
        route = self._proxy_route = proxy_route or ProxyRoute()
        self.contexts = BrowserContexts()
        self.start_notice = ""
        self._watchdog = Watchdog(connection, settings.timeouts.answer)
        self._browser_tabs = self._make_browser_tabs(settings)
        self._downloads = Downloads(
            FileAccess.from_settings(settings),
            self._browser_tabs.find_context_and_causing_pages,
            should_save_files=process is not None,
            partial_files_dir=settings.partial_downloads_dir,
            is_refusing=not settings.accepts_downloads,
            is_shared=is_shared,
        )
        self._context_factory = ContextFactory(
            connection, self._browser_tabs, self._downloads, proxy_route=route, is_local=is_local
        )
        self._foreground_tracker = ForegroundTracker(connection, self.contexts)
        self._close_reason: str | None = None
        self._browser_default_lock = asyncio.Lock()  # else a client gets tabs of a closing one
        self._is_following_tabs = self._was_browser_default_used = False
        self._loss_subscription = connection.on_lost(log_loss)

    def _make_browser_tabs(self, settings: Settings) -> BrowserTabs:
        is_launched = self.is_launched
        page_factory = PageFactory(
            self._connection,
            is_launched=is_launched,
            settings=settings,
            check_browser=self._watchdog.wait_until_browser_answers,
        )
        return BrowserTabs(self._connection, self.contexts, page_factory, is_launched=is_launched)

    @classmethod
    async def launch(
        cls,
        options: LaunchOptions,
        settings: Settings,
        make_first_contexts: MakeFirstContexts,
        *,
        is_shared: bool = False,
        recorder: Recorder | None = None,
    ) -> Browser:
        """Launch a Chromium and connect to it.

        Args:
            make_first_contexts: Makes the first contexts, before the browser's tabs are followed.
            recorder: Records the messages of the connection.

        Raises:
            BrowserError: Chromium did not start; the message quotes its output.
        """
        route = await ProxyRoute.open(settings.proxy, DEFAULT_CONTEXT, settings.origins)
        try:
            switches = (*route.command_line_switches, *options.args)
            process, notice = await launch_with_profile(
                replace(options, args=switches), can_replace_profile=settings.keeps_profile
            )
        except BaseException:
            await route.close()
            raise
        try:
            connection = await process.connect(_CALL_LIMIT, recorder=recorder)
            browser = cls(
                connection,
                process,
                settings,
                is_shared=is_shared,
                has_user=not options.headless,
                proxy_route=route,
            )
            browser.start_notice = notice
            await browser._set_up_contexts_and_tabs(make_first_contexts)
        except BaseException as error:
            await process.close(grace=0)
            await route.close()
            if isinstance(error, CdpError):
                raise to_connect_error(options, error, process.stderr_tail) from error
            raise
        return browser

    @classmethod
    async def attach(
        cls,
        endpoint: str,
        settings: Settings,
        make_first_contexts: MakeFirstContexts,
        *,
        is_shared: bool = False,
        recorder: Recorder | None = None,
    ) -> Browser:
        """Connect to a browser that already runs.

        Closing it later closes only the tabs and contexts that this server opened.

        Args:
            endpoint: http(s) or ws(s) address, or host:port.
            make_first_contexts: Makes the first contexts, before the browser's tabs are followed.
            recorder: Records the messages of the connection.

        Raises:
            BrowserError: The endpoint does not answer, or refuses the connection.
        """

        async def start_browser(connection: Connection, url: str) -> Browser:
            connection.timeout = _CALL_LIMIT
            browser = cls(
                connection,
                None,
                settings,
                is_shared=is_shared,
                has_user=True,
                is_local=is_loopback(urlsplit(url).hostname or ""),
            )
            await browser._set_up_contexts_and_tabs(
                make_first_contexts, lambda: fetch_recent_target_ids(url, settings, recorder)
            )
            return browser

        return await attach_and_run(endpoint, settings, start_browser, recorder)

    @property
    def is_lost(self) -> bool:
        """Whether the browser exited, crashed, hung, or cut the connection."""
        return self._connection.lost is not None

    @property
    def is_launched(self) -> bool:
        """Whether this server launched the browser."""
        return self._process is not None

    @property
    def is_browser_default_data_kept(self) -> bool:
        """Whether the data of the browser's default context outlives the connection.

        True for an attached browser and for a launched one whose profile is kept.
        """
        return self._process is None or not self._process.has_temporary_profile

    @property
    def can_new_client_use_browser_default(self) -> bool:
        """Whether a client may still be given the browser's default context.

        False if an earlier client used that context and its data was not meant to be kept.
        """
        return self.is_browser_default_data_kept or not self._was_browser_default_used

    def describe_loss(self, contexts: Iterable[Context]) -> BrowserLoss:
        """Describe the loss of this browser.

        Args:
            contexts: The contexts whose lost data and downloads the description lists.
        """
        is_attached = self._process is None
        lost = "the browser cannot be reached any more" if is_attached else "the browser exited"
        if isinstance(self._connection.lost, Unanswered):
            lost = "the browser hung"
        cause = self._close_reason or lost
        names = [
            each.name
            for each in contexts
            if each.context_id or not self.is_browser_default_data_kept
        ]
        # An attached browser continues its downloads if it still runs.
        downloads = () if is_attached else self._downloads.list_unfinished_file_names(contexts)
        has_lost_emulation = any(each.emulation.was_changed_by_client for each in contexts)
        return BrowserLoss(cause, names, is_attached, downloads, has_lost_emulation)

    async def follow_user_tab_switch(self) -> None:
        """Activate the tab that the user brought to the front by hand."""
        if self._has_user:
            await self._foreground_tracker.follow_user_tab_switch()

    async def make_context(
        self,
        identity: ContextIdentity,
        options: ContextOptions,
        *,
        is_browser_default: bool = False,
    ) -> Context:
        """Make a context, isolated from all others.

        Args:
            is_browser_default: Use the browser's default context instead of a new one. Each client
                gets a view of it with the client's tabs.

        Raises:
            CallError: The storage state or the proxy of the options is invalid.
            BrowserError: The browser made no context.

        Source: CDP `Target.createBrowserContext`.
        """
        if is_browser_default:
            async with self._browser_default_lock:
                return await self._make_browser_default_context(identity, options)
        context = await self._context_factory.make(identity, options, is_browser_default=False)
        self.contexts.add(context)
        return context

    async def _make_browser_default_context(
        self, identity: ContextIdentity, options: ContextOptions
    ) -> Context:
        is_first = not self.contexts.browser_default_views
        starts_with_tab = is_first and self._process is not None and not self._is_following_tabs
        context = await self._context_factory.make(
            identity, options, is_browser_default=True, starts_with_tab=starts_with_tab
        )
        self.contexts.add(context)
        self._was_browser_default_used = True
        if is_first and self._is_following_tabs:
            try:
                await self._browser_tabs.adopt_unowned_tabs(context)
            except BaseException:
                self.contexts.remove(context)
                raise
        return context

    async def close_context(self, context: Context) -> None:
        """Close a context with all its tabs.

        Of a user's default context, only the tabs that this server opened are closed.

        Source: CDP `Target.disposeBrowserContext`.
        """
        context.mark_closed()
        if context.context_id is None:
            # Finish even when cancelled. Otherwise the context would own the user's tabs forever.
            await wait_despite_cancellation(
                asyncio.create_task(self._close_browser_default_context(context))
            )
            return
        self.contexts.remove(context)
        await self._context_factory.close_with_tabs(context)

    async def _close_browser_default_context(self, context: Context) -> None:
        async with self._browser_default_lock:
            try:
                await self._context_factory.close_with_tabs(context)
            finally:
                self.contexts.remove(context)  # only now: it owns its tabs until they close
            if self._process is None and self.contexts.browser_default_views:
                closing = [tab.target_id for tab in context.tabs if tab.is_owned]
                await self._browser_tabs.adopt_unowned_tabs(
                    self.contexts.browser_default_views[0], closing_target_ids=closing
                )

    async def close_with_reason(self, reason: str) -> None:
        """Close the browser and record the reason, which `describe_loss` then reports as the cause.

        Args:
            reason: A clause, such as "the browser was closed after 60 s without a call".
        """
        self._close_reason = reason
        await self.close()

    async def close(self) -> None:
        """Terminate a launched browser, or disconnect from an attached one. Idempotent."""
        self._loss_subscription.close()
        await self._watchdog.stop()
        await self._browser_tabs.stop()
        grace = _EXIT_LIMIT
        try:
            await self._close_browser_or_tabs()
        except CdpError:
            grace = 0  # it exited or hangs
        await self._connection.close()
        if self._process is not None:
            await self._process.close(grace=grace)
        await self._downloads.close()
        await self._close_routes()

    async def _close_browser_or_tabs(self) -> None:
        root = self._connection.root
        if self._process is not None:
            await root.send("Browser.close", timeout=_CLOSE_LIMIT)
            return
        # Contexts with `disposeOnDetach` end with the connection; these tabs do not.
        for tab in self.contexts.tabs:
            if tab.is_owned and tab.context.context_id is None:
                with suppress(ProtocolError):  # it closed by itself
                    await tab.disconnect_if_dialog_open()
                    params = {"targetId": tab.target_id}
                    await root.send("Target.closeTarget", params, timeout=_CLOSE_LIMIT)

    async def _set_up_contexts_and_tabs(
        self,
        make_first_contexts: MakeFirstContexts,
        fetch_recent_target_ids: Callable[[], Awaitable[list[str]]] | None = None,
    ) -> None:
        """Start following the browser's tabs and downloads; close everything if that fails.

        Args:
            make_first_contexts: Makes the first contexts.
            fetch_recent_target_ids: Returns target ids, the most recently used first, so that the
                tab that the user saw last becomes active.
        """
        try:
            await check_relay_is_used(self._connection.root, self._proxy_route)
            self._downloads.subscribe(self._connection.root)
            await make_first_contexts(self)
            if self._process is not None and self._ignores_https_errors:
                # For shared and service workers; each page sets this for itself.
                await self._connection.root.Security.setIgnoreCertificateErrors(ignore=True)
            await self._browser_tabs.start()
            self._is_following_tabs = True
            self._watchdog.start()
            await self.follow_user_tab_switch()
            if fetch_recent_target_ids is not None:
                for own in self.contexts.browser_default_views:
                    own.activate_first_found(await fetch_recent_target_ids())
        except BaseException:
            await self._watchdog.stop()
            await self._browser_tabs.stop()
            await self._connection.close()
            await self._downloads.close()
            await self._close_routes()
            raise

    async def _close_routes(self) -> None:
        for route in (self._proxy_route, *(context.proxy_route for context in self.contexts)):
            await route.close()
