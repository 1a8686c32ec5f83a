"""A Chromium we speak to, launched or attached to, and its contexts."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress

from cdp_protocol import CdpError, Connection
from viewpoint_mcp.browser.attaching import attached, last_used
from viewpoint_mcp.browser.contexts import DEFAULT, Context, ContextOptions, Contexts, Numbers
from viewpoint_mcp.browser.downloads import Downloads
from viewpoint_mcp.browser.process import BrowserProcess, LaunchOptions
from viewpoint_mcp.browser.targets import Targets
from viewpoint_mcp.errors import BrowserError, CallError
from viewpoint_mcp.page.files import Files
from viewpoint_mcp.settings import Settings

_CALL_LIMIT = 15.0  # seconds; calls that may take longer say so
_CLOSE_LIMIT = 1.0
_EXIT_LIMIT = 2.0


class Browser:
    """A running browser. Made by `launch` or `attach`; `close` ends what is ours of it.

    Args:
        process: Of a browser of ours; None for the user's.
        defaults: What contexts are made with that nobody asked anything else for.

    Attributes:
        contexts: Those that are open.
    """

    def __init__(
        self,
        connection: Connection,
        process: BrowserProcess | None,
        settings: Settings,
        numbers: Numbers,
        defaults: ContextOptions,
    ) -> None:
        self._connection = connection
        self._process = process
        self._keeps_profile = settings.user_data_dir is not None
        self._numbers = numbers
        self._defaults = defaults
        self.contexts = Contexts()
        files = Files.of(settings)
        self._targets = Targets(
            connection,
            self.contexts,
            numbers,
            is_launched=process is not None,
            timeouts=settings.timeouts,
            files=files,
        )
        self._downloads = Downloads(files, self._targets.concerned, keep=process is not None)
        self._making = asyncio.Lock()

    @classmethod
    async def launch(
        cls, options: LaunchOptions, settings: Settings, numbers: Numbers, defaults: ContextOptions
    ) -> Browser:
        """Start a Chromium of our own.

        Raises:
            BrowserError: It did not start; the message has its own words.
        """
        process = await BrowserProcess.launch(options)
        try:
            connection = await Connection.open(process.websocket_url, timeout=_CALL_LIMIT)
            browser = cls(connection, process, settings, numbers, defaults)
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
            browser = cls(connection, None, settings, numbers, defaults)
            await browser._start_or_close(lambda: last_used(url, settings))
            return browser

        return await attached(endpoint, settings, begin)

    @property
    def gone(self) -> bool:
        """Whether the browser exited, crashed, or cut the connection."""
        return self._connection.lost is not None

    async def context(self, name: str | None = None) -> Context:
        """Return a context; `default` is made anew if it was closed.

        Args:
            name: None for the active one.

        Raises:
            CallError: There is no context of that name.
        """
        if name is None:
            return self.contexts.active
        context = self.contexts.named(name)
        if context is not None:
            return context
        if name != DEFAULT:
            names = ", ".join(each.name for each in self.contexts)
            raise CallError(
                f'There is no context "{name}".',
                f"There is: {names}; browser_context_create makes others.",
            )
        async with self._making:
            return self.contexts.named(DEFAULT) or await self._make(
                DEFAULT, self._defaults, is_own=self._keeps_profile
            )

    async def create_context(self, name: str, options: ContextOptions | None = None) -> Context:
        """Make a context, isolated from all others; it becomes the active one.

        Args:
            options: None for those of the server.

        Raises:
            CallError: There is one of that name.
            BrowserError: The browser makes none.

        Source: CDP `Target.createBrowserContext`.
        """
        async with self._making:
            if self.contexts.named(name) is not None:
                raise CallError(
                    f'There is a context "{name}" already.',
                    "Use browser_context_switch, or give another name.",
                )
            context = await self._make(name, options or self._defaults, is_own=False)
        self.contexts.active = context
        return context

    async def close_context(self, name: str) -> Context:
        """Close a context with all its tabs; returns it.

        Raises:
            CallError: There is none, or it must not be closed.

        Source: CDP `Target.disposeBrowserContext`.
        """
        context = self.contexts.named(name)
        if context is None:
            context = await self.context(name)
        if len(self.contexts) == 1:
            raise CallError("Cannot close the only remaining context.")
        if context.context_id is None and self._process is None:
            raise CallError(
                f'"{name}" is the user\'s own browser; it is not closed.',
                "Close single tabs of it with browser_tabs.",
            )
        self.contexts.remove(context)
        try:
            if context.context_id is None:
                for tab in list(context.tabs):
                    await context.close_tab(tab)
            else:
                root = self._connection.root
                await root.Target.disposeBrowserContext(browserContextId=context.context_id)
        except CdpError as error:
            raise BrowserError(f"The context could not be closed: {error}") from error
        finally:
            for tab in context.tabs:
                await tab.close()
        return context

    async def close(self) -> None:
        """End our browser, or let go of the user's. Idempotent."""
        await self._targets.stop()
        with suppress(CdpError):
            await self._say_goodbye()
        await self._connection.close()
        if self._process is not None:
            await self._process.close(grace=_EXIT_LIMIT)
        await self._downloads.close()

    async def _say_goodbye(self) -> None:
        if self.gone:
            return
        root = self._connection.root
        if self._process is not None:
            await root.send("Browser.close", timeout=_CLOSE_LIMIT)
            return
        # Contexts that we made go with the connection.
        for tab in self.contexts.tabs:
            if tab.ours and tab.context.context_id is None:
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
            self._downloads.subscribe(self._connection.root)
            await self._make(DEFAULT, self._defaults, is_own=True)
            await self._targets.start()
            if by_last_use is not None:
                self.contexts.active.activate_first(await by_last_use())
        except BaseException:
            await self._targets.stop()
            await self._connection.close()
            await self._downloads.close()
            raise

    async def _make(self, name: str, options: ContextOptions, *, is_own: bool) -> Context:
        """Make a context, or take in the browser's own as one."""
        root = self._connection.root
        context_id = None
        if not is_own:
            try:
                made = await root.Target.createBrowserContext(disposeOnDetach=True)
            except CdpError as error:
                raise BrowserError(f"Chromium made no context: {error}") from error
            context_id = made["browserContextId"]
        context = Context(
            name,
            context_id,
            self._numbers.context(name),
            options,
            open_tab=self._targets.open_tab,
            close_tab=self._targets.close_tab,
            refresh=self._targets.refresh,
            starts_with_tab=is_own and self._process is not None and not self.contexts,
            take_events=self._downloads.take_events,
        )
        self.contexts.add(context)
        await self._downloads.follow(root, context)
        return context
