"""A Chromium we speak to, launched or attached to, and its contexts."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import replace
from urllib.parse import urlsplit

from cdp_protocol import CdpError, Connection, ProtocolError, Unanswered
from viewpoint_mcp.browser import storage
from viewpoint_mcp.browser.attaching import attached, last_used
from viewpoint_mcp.browser.contexts import DEFAULT, Context, ContextOptions, Contexts, Numbers
from viewpoint_mcp.browser.downloads import Downloads
from viewpoint_mcp.browser.front import Front
from viewpoint_mcp.browser.loss import Loss
from viewpoint_mcp.browser.maker import Maker
from viewpoint_mcp.browser.process import BrowserProcess, LaunchOptions
from viewpoint_mcp.browser.proxy.peers import is_loopback
from viewpoint_mcp.browser.proxy.proof import prove
from viewpoint_mcp.browser.proxy.route import Route
from viewpoint_mcp.browser.pulse import Pulse
from viewpoint_mcp.browser.storage import Collected
from viewpoint_mcp.browser.targets import Targets
from viewpoint_mcp.errors import BrowserError, CallError
from viewpoint_mcp.files.places import Files
from viewpoint_mcp.settings import Settings

_CALL_LIMIT = 15.0  # seconds; calls that may take longer say so
_CLOSE_LIMIT = 1.0
_EXIT_LIMIT = 2.0


class Browser:
    """A running browser. Made by `launch` or `attach`; `close` ends what is ours of it.

    Args:
        process: Of a browser of ours; None for the user's.
        defaults: What contexts are made with that nobody asked anything else for.
        has_user: Whether somebody sits before it, who may bring another tab to the front.
        route: Of our browser, through the proxy that it was started with.
        is_near: Whether it runs on this machine.

    Attributes:
        contexts: Those that are open.
        defaults: As given.
        files: Where its files go, and which may be read.
    """

    def __init__(
        self,
        connection: Connection,
        process: BrowserProcess | None,
        settings: Settings,
        numbers: Numbers,
        defaults: ContextOptions,
        *,
        has_user: bool,
        route: Route | None = None,
        is_near: bool = True,
    ) -> None:
        self._connection = connection
        self._process = process
        self._keeps_profile = settings.user_data_dir is not None
        self._has_user = has_user
        self._is_isolated = settings.isolated
        self._numbers = numbers
        self.defaults = defaults
        self._first_state = settings.storage_state
        self._route = route or Route()
        self.contexts = Contexts()
        self.files = Files.of(settings)
        self._pulse = Pulse(connection)
        self._targets = Targets(
            connection,
            self.contexts,
            numbers,
            is_launched=process is not None,
            timeouts=settings.timeouts,
            files=self.files,
            console_level=settings.console_level,
            check_browser=self._pulse.check,
        )
        self._downloads = Downloads(self.files, self._targets.concerned, keep=process is not None)
        self._maker = Maker(
            connection, self._targets, self._downloads, numbers, route=self._route, is_near=is_near
        )
        self._front = Front(connection, self.contexts)
        self._making = asyncio.Lock()

    @classmethod
    async def launch(
        cls, options: LaunchOptions, settings: Settings, numbers: Numbers, defaults: ContextOptions
    ) -> Browser:
        """Start a Chromium of our own.

        Raises:
            BrowserError: It did not start; the message has its own words.
        """
        route = await Route.open(defaults.proxy, DEFAULT, settings.origins)
        try:
            switches = (*route.switches, *options.extra_args)
            process = await BrowserProcess.launch(replace(options, extra_args=switches))
        except BaseException:
            await route.close()
            raise
        try:
            connection = await process.connect(_CALL_LIMIT)
            browser = cls(
                connection,
                process,
                settings,
                numbers,
                defaults,
                has_user=not options.headless,
                route=route,
            )
            await browser._start_or_close()
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
        cls, endpoint: str, settings: Settings, numbers: Numbers, defaults: ContextOptions
    ) -> Browser:
        """Speak to a browser that runs already; nothing of it is closed but what we open.

        Args:
            endpoint: http(s) or ws(s) address, or host:port.

        Raises:
            BrowserError: Nobody answers there.
        """

        async def begin(connection: Connection, url: str) -> Browser:
            connection.timeout = _CALL_LIMIT
            browser = cls(
                connection,
                None,
                settings,
                numbers,
                defaults,
                has_user=True,
                is_near=is_loopback(urlsplit(url).hostname or ""),
            )
            await browser._start_or_close(lambda: last_used(url, settings))
            return browser

        return await attached(endpoint, settings, begin)

    @property
    def gone(self) -> bool:
        """Whether the browser exited, crashed, hung, or cut the connection."""
        return self._connection.lost is not None

    @property
    def is_ours(self) -> bool:
        """Whether we launched it."""
        return self._process is not None

    def loss(self, cause: str | None = None) -> Loss:
        """Return what is lost with this browser.

        Args:
            cause: A clause; None to tell it by how the connection ended.
        """
        is_attached = self._process is None
        if cause is None:
            silent = isinstance(self._connection.lost, Unanswered)
            lost = (
                "the browser could not be reached any more"
                if is_attached
                else "the browser had gone"
            )
            cause = "the browser hung" if silent else lost
        keeps_own = is_attached or self._keeps_profile
        names = [each.name for each in self.contexts if each.context_id or not keeps_own]
        # In the user's own browser they go on, if it does.
        downloads = () if is_attached else self._downloads.under_way
        return Loss(cause, names, is_attached=is_attached, downloads=downloads)

    async def context(self, name: str | None = None) -> Context:
        """Return a context; `default` is made anew if it was closed.

        Args:
            name: None for the active one.

        Raises:
            CallError: There is no context of that name.
        """
        if self._has_user:
            await self._front.follow()
        if name is None:
            return self.contexts.active
        if name != DEFAULT or self.contexts.named(DEFAULT) is not None:
            return self._known(name)
        async with self._making:
            return self.contexts.named(DEFAULT) or await self._make_default(
                is_own=self._keeps_profile
            )

    async def create_context(self, name: str, options: ContextOptions | None = None) -> Context:
        """Make a context, isolated from all others; it becomes the active one.

        Args:
            options: None for `defaults`.

        Raises:
            CallError: There is one of that name, or the storage state is wrong.
            BrowserError: The browser makes none.

        Source: CDP `Target.createBrowserContext`.
        """
        async with self._making:
            if self.contexts.named(name) is not None:
                raise CallError(
                    f'There is a context "{name}" already.',
                    "Use browser_context_switch, or give another name.",
                )
            context = await self._make(name, options or self.defaults, is_own=False)
            self.contexts.active = context
        return context

    async def collect_storage(self, context: Context, *, with_databases: bool) -> Collected:
        """Read the cookies and the storage of a context; see `storage.collect`."""
        return await storage.collect(
            self._connection.root,
            context.context_id,
            context.note_origins(),
            with_databases=with_databases,
        )

    async def close_context(self, name: str) -> Context:
        """Close a context with all its tabs; returns it.

        Raises:
            CallError: There is none, or it must not be closed.

        Source: CDP `Target.disposeBrowserContext`.
        """
        async with self._making:
            context = self._closable(name)
            self.contexts.remove(context)
            context.end()
            if context.context_id is None:
                # Not beside others: what comes next may be the browser's own again.
                await self._maker.dispose(context)
        if context.context_id is not None:
            await self._maker.dispose(context)
        return context

    def _closable(self, name: str) -> Context:
        context = self._known(name)
        if len(self.contexts) == 1:
            raise CallError("Cannot close the only remaining context.")
        if context.context_id is None and self._process is None:
            raise CallError(
                f'"{name}" is the user\'s own browser; it is not closed.',
                "Close single tabs of it with browser_tabs.",
            )
        return context

    def _known(self, name: str) -> Context:
        context = self.contexts.named(name)
        if context is not None:
            return context
        if (cause := self._numbers.lost.get(name)) is not None:
            raise CallError(
                f'The context "{name}" is no more: {cause}.',
                "browser_context_create makes it anew, without its cookies and storage.",
            )
        names = ", ".join(each.name for each in self.contexts)
        raise CallError(
            f'There is no context "{name}".',
            f"Open are: {names}; browser_context_create makes others.",
        )

    async def close(self) -> None:
        """End our browser, or let go of the user's. Idempotent."""
        await self._pulse.stop()
        await self._targets.stop()
        grace = _EXIT_LIMIT
        try:
            await self._say_goodbye()
        except CdpError:
            grace = 0  # gone, or hung
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
        # Contexts that we made go with the connection.
        for tab in self.contexts.tabs:
            if tab.ours and tab.context.context_id is None:
                with suppress(ProtocolError):  # it closed by itself
                    params = {"targetId": tab.target_id}
                    await root.send("Target.closeTarget", params, timeout=_CLOSE_LIMIT)

    async def _start_or_close(
        self, by_last_use: Callable[[], Awaitable[list[str]]] | None = None
    ) -> None:
        """Follow what the browser has.

        Args:
            by_last_use: Tells its targets' ids, so that the tab which its user saw last is active.
        """
        try:
            await prove(self._connection.root, self._route)
            self._downloads.subscribe(self._connection.root)
            await self._make_default(is_own=not self._is_isolated)
            if self._process is not None and self.defaults.emulation.ignore_https_errors:
                # Beyond the pages, which see to themselves: shared and service workers.
                await self._connection.root.Security.setIgnoreCertificateErrors(ignore=True)
            await self._targets.start()
            self._pulse.start()
            if self._has_user:
                await self._front.follow()
            if by_last_use is not None:
                self.contexts.active.activate_first(await by_last_use())
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

    async def _make_default(self, *, is_own: bool) -> Context:
        # The server's storage state is for this one alone: others are asked for to be clean.
        options = replace(self.defaults, storage_state=self._first_state)
        return await self._make(DEFAULT, options, is_own=is_own)

    async def _make(self, name: str, options: ContextOptions, *, is_own: bool) -> Context:
        starts_with_tab = is_own and self._process is not None and not self.contexts
        context = await self._maker.make(
            name, options, is_own=is_own, starts_with_tab=starts_with_tab
        )
        self.contexts.add(context)
        self._numbers.lost.pop(name, None)
        return context
