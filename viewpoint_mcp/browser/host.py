"""Has a browser ready when a call needs one: starts it at the first, and again after it is gone."""

from __future__ import annotations

import asyncio
import logging
import os
from dataclasses import replace

from viewpoint_mcp.browser.arguments import LaunchOptions, has_display, sandbox_refusal
from viewpoint_mcp.browser.browser import Browser
from viewpoint_mcp.browser.contexts import Context, ContextOptions, Numbers
from viewpoint_mcp.browser.executable import find_executable
from viewpoint_mcp.browser.profile import sweep_leftovers
from viewpoint_mcp.browser.running import find_running
from viewpoint_mcp.settings import Settings

log = logging.getLogger(__name__)


class BrowserHost:
    """The browser of one server, whether it runs or not.

    Args:
        settings: How to launch or where to attach.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self.numbers = Numbers()
        self._browser: Browser | None = None
        self._starting = asyncio.Lock()
        self._was_lost = False

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

    async def browser(self) -> Browser:
        """Return the browser, which is started if need be.

        Raises:
            BrowserError: None could be started or attached to.
        """
        async with self._starting:
            if self._browser is not None and self._browser.gone:
                await self._drop()
                self._was_lost = True
            if self._browser is None:
                self._browser = await self._start()
            return self._browser

    async def context(self, name: str | None = None) -> Context:
        """Return a context of the browser, which is started if need be; see `Browser.context`."""
        return await (await self.browser()).context(name)

    def take_restart(self) -> bool:
        """Whether the browser was started anew after it was lost. True once for each time."""
        lost, self._was_lost = self._was_lost, False
        return lost and self._browser is not None

    async def close(self) -> None:
        """End our browser, or let go of the user's. Idempotent."""
        async with self._starting:
            await self._drop()

    async def _drop(self) -> None:
        browser, self._browser = self._browser, None
        if browser is not None:
            await browser.close()

    async def _start(self) -> Browser:
        settings = self._settings
        if settings.attaches:
            endpoint = settings.cdp_endpoint
            if endpoint is None:
                endpoint = await find_running(settings.user_data_dir, settings.channel, os.environ)
            defaults = ContextOptions(emulation=settings.emulation)
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
            viewport=emulation.viewport,
            timeout=settings.timeouts.launch,
        )
        defaults = ContextOptions(emulation=emulation)
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
