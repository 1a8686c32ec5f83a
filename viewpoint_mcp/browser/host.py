"""Has a browser ready when a call needs one: starts it at the first, and again after it is gone."""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import replace

from viewpoint_mcp.browser.arguments import LaunchOptions, has_display, sandbox_refusal
from viewpoint_mcp.browser.browser import Browser
from viewpoint_mcp.browser.contexts import DEFAULT, Context, ContextOptions, Numbers
from viewpoint_mcp.browser.executable import find_executable
from viewpoint_mcp.browser.idleness import Idleness
from viewpoint_mcp.browser.loss import Loss
from viewpoint_mcp.browser.profile import sweep_leftovers
from viewpoint_mcp.browser.running import find_running
from viewpoint_mcp.errors import BrowserError, BrowserGone, ViewpointError
from viewpoint_mcp.files.places import Files
from viewpoint_mcp.files.shelf import Shelf
from viewpoint_mcp.settings import Proxy, Settings
from viewpoint_mcp.tasks import outlast_cancellation

log = logging.getLogger(__name__)


class BrowserHost:
    """The browser of one server, whether it runs or not.

    Args:
        settings: How to launch or where to attach.

    Attributes:
        shelf: What was saved; there is no need of a browser to look at it.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self.numbers = Numbers()
        self.shelf = Shelf(Files.of(settings))
        self._browser: Browser | None = None
        self._starting = asyncio.Lock()
        self._noted: Browser | None = None
        self._loss: Loss | None = None
        self._is_told = True
        self._idle_limit = _idle_limit(settings)
        self._idleness = Idleness(self._idle_limit, self._close_idle)

    @property
    def attaches(self) -> bool:
        """Whether the browser is not started, but the user's."""
        return self._settings.attaches

    @property
    def running(self) -> Browser | None:
        """The browser, if one runs. Starts none."""
        browser = self._browser
        return browser if browser is not None and not browser.gone else None

    @property
    def active(self) -> Context | None:
        """The active context, if a browser runs. Starts none."""
        return self.running.contexts.active if self.running is not None else None

    def call(self) -> AbstractContextManager[None]:
        """Be open during a call, in which the browser is not idle."""
        return self._idleness.call()

    @property
    def proxy(self) -> Proxy | None:
        """That of the context that calls begin with; the user's own browser keeps its own."""
        is_users = self.attaches and not self._settings.isolated
        return None if is_users else self._settings.proxy

    async def browser(self) -> Browser:
        """Return the browser, which is started if need be.

        Raises:
            BrowserError: None could be started or attached to.
        """
        async with self._starting:
            self._note_loss()
            if self._browser is not None and self._browser.gone:
                await self._drop()
            if self._browser is None:
                self._browser = await self._start()
            return self._browser

    async def context(self, name: str | None = None) -> Context:
        """Return a context of the browser, which is started if need be; see `Browser.context`."""
        return (await self._find(name))[1]

    async def switch(self, name: str) -> Context:
        """Make a context the active one; returns it. See `Browser.context`."""
        browser, context = await self._find(name)
        browser.contexts.active = context
        return context

    async def _find(self, name: str | None) -> tuple[Browser, Context]:
        browser = await self.browser()
        context = await browser.context(name)
        if browser.gone:  # heard of on the way; nothing has been done in it yet
            browser = await self.browser()
            context = await browser.context(name)
        return browser, context

    async def install(self, say: Callable[[str], None]) -> str:
        """See to it that there is a browser to start, and say which. Starts none.

        Args:
            say: Hears of the progress, from any thread.

        Raises:
            BrowserError: There is none, and none could be installed.
        """
        from viewpoint_mcp.browser.install.installer import install

        return await install(self._settings, os.environ, lambda progress: say(str(progress)))

    def explain(self, error: ViewpointError) -> None:
        """Have an error say what was lost with the browser, if that is its cause.

        It is whenever the browser went away meanwhile, whatever the call was told of it.
        """
        self._note_loss()
        is_gone = self._browser is not None and self._browser.gone
        if self._loss is not None and (is_gone or isinstance(error, BrowserGone)):
            self._loss.explain(error)
        elif self._loss is not None and self._browser is None and isinstance(error, BrowserError):
            self._loss.precede(error)

    def take_loss(self) -> str | None:
        """Return what is to be told of the loss of the browser; once for each time."""
        self._note_loss()
        if self._loss is None or self._is_told:
            return None
        self._is_told = True
        return self._loss.news(is_over=self.running is not None)

    async def close(self) -> None:
        """End our browser, or let go of the user's. Idempotent."""
        await self._idleness.close()
        async with self._starting:
            await self._drop()

    def _note_loss(self) -> None:
        browser = self._browser
        if browser is not None and browser.gone and browser is not self._noted:
            self._noted = browser
            self._remember(browser.loss())

    def _remember(self, loss: Loss) -> None:
        self._loss, self._is_told = loss, False
        for name in loss.contexts:
            if name != DEFAULT:
                self.numbers.lost[name] = loss.cause

    async def _close_idle(self) -> None:
        async with self._starting:
            running = self.running
            if running is not None and self._idleness.is_idle:
                cause = "closed" if running.is_ours else "let go of"
                self._remember(
                    running.loss(
                        f"the browser was {cause} after {self._idle_limit:g} s without a call"
                    )
                )
                await self._drop()

    async def _drop(self) -> None:
        browser, self._browser = self._browser, None
        if browser is not None:
            # Whole, even for a call that is cancelled: else what it left would stay to the end.
            await outlast_cancellation(asyncio.create_task(browser.close()))

    async def _start(self) -> Browser:
        settings = self._settings
        if settings.attaches:
            if self.proxy is not settings.proxy:
                log.warning(
                    "The browser attached to keeps its own proxy; --proxy-server holds in the "
                    "contexts that browser_context_create makes."
                )
            endpoint = settings.cdp_endpoint
            if endpoint is None:
                endpoint = await find_running(settings.user_data_dir, settings.channel, os.environ)
            defaults = ContextOptions(emulation=settings.emulation, proxy=settings.proxy)
            return await Browser.attach(endpoint, settings, self.numbers, defaults)
        await asyncio.to_thread(sweep_leftovers)
        headless = settings.headless
        if not headless and not has_display(os.environ):
            log.warning(
                "There is no display, so Chromium runs headless. --headless says so in advance."
            )
            headless = True
        emulation = settings.emulation
        if headless and emulation.viewport is None:
            emulation = replace(emulation, viewport=_HEADLESS_VIEWPORT)
        options = LaunchOptions(
            executable=find_executable(settings.executable, settings.channel, os.environ),
            headless=headless,
            sandbox=self._use_sandbox(),
            user_data_dir=settings.user_data_dir,
            starts_with_tab=not settings.isolated,
            viewport=emulation.viewport,
            by_pipe=settings.by_pipe,
            extra_args=settings.browser_args,
            timeout=settings.timeouts.launch,
        )
        defaults = ContextOptions(emulation=emulation, proxy=settings.proxy)
        return await Browser.launch(options, settings, self.numbers, defaults)

    def _use_sandbox(self) -> bool:
        if self._settings.sandbox is not None:
            return self._settings.sandbox
        refusal = sandbox_refusal()
        if refusal is not None:
            log.warning(
                "Chromium runs without its sandbox: %s. Pass --no-sandbox to say so yourself.",
                refusal,
            )
        return refusal is None


_HEADLESS_VIEWPORT = (1280, 720)
"""CSS pixels, as of playwright-mcp: without a window Chromium would choose an odd size."""
_IDLE_LIMIT = 3600.0
"""Seconds, as of playwright-mcp: for a browser that nobody sees."""


def _idle_limit(settings: Settings) -> float | None:
    given = settings.timeouts.idle
    if given is not None:
        return given or None
    return _IDLE_LIMIT if settings.headless and not settings.attaches else None
