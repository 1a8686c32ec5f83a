"""The server's browser: started by the first call that needs it, and again after a loss."""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager, AbstractContextManager
from dataclasses import replace
from itertools import count
from typing import TYPE_CHECKING

from msgspec import structs

from cdp_protocol.launching.machine import has_display, sandbox_unusable_reason
from cdp_protocol.launching.profile import remove_leftover_profiles
from viewpoint_mcp.browser.browser import Begin, Browser
from viewpoint_mcp.browser.connect.arguments import PREFIX, launch_options
from viewpoint_mcp.browser.connect.discovery import find_running
from viewpoint_mcp.browser.connect.executable import find_executable
from viewpoint_mcp.browser.context import DEFAULT, ContextOptions
from viewpoint_mcp.browser.health.idle_timer import IdleTimer
from viewpoint_mcp.browser.start_queue import StartQueue
from viewpoint_mcp.browser.workspace import Workspace
from viewpoint_mcp.config.settings import Proxy, Settings
from viewpoint_mcp.files.file_access import FileAccess
from viewpoint_mcp.files.saved_files import SavedFiles
from viewpoint_mcp.tasks import wait_despite_cancellation

if TYPE_CHECKING:
    from cdp_protocol.recording.recorder import Recorder

log = logging.getLogger(__name__)


class BrowserSupervisor:
    """The browser of one server, running or not, for one client or many.

    Args:
        settings: How to launch the browser, or where to attach.
        for_many: Whether several clients connect that must not see each other's work. Each then
            begins with an isolated context, unless the browser has logins to use: those of a
            profile or of the user's browser.

    Attributes:
        files: The directory for saved files, and the rules for reading files.
        shelf: The saved files; reading them needs no browser.
        is_for_one: Whether all calls come from one client, or share one set of contexts.
        uses_own: Whether calls begin in the browser's default context.
    """

    def __init__(self, settings: Settings, *, for_many: bool = False) -> None:
        self._settings = settings
        self.files = FileAccess.from_settings(settings)
        self.shelf = SavedFiles(self.files)
        self.is_for_one = not for_many or settings.shared_context
        has_logins = settings.should_attach or settings.user_data_dir is not None
        self.uses_own = not settings.isolated and (self.is_for_one or has_logins)
        self._numbers = count()
        self._recorder: Recorder | None = None
        self._browser: Browser | None = None
        self._starting = asyncio.Lock()
        self._loading = StartQueue(_LOADED_AT_ONCE, _LOADING)
        self._idle_limit = _idle_limit(settings)
        self._idleness = IdleTimer(self._idle_limit, self._close_idle)

    def workspace(self, *, default: str | None = DEFAULT) -> Workspace:
        """Make the workspace of a client, without contexts yet.

        Args:
            default: Name of the client's default context, made on demand; None for none.
        """
        return Workspace(self, self._numbers, default=default)

    @property
    def attaches(self) -> bool:
        """Whether the server attaches to the user's browser instead of launching one."""
        return self._settings.should_attach

    @property
    def running(self) -> Browser | None:
        """The browser if it runs, else None. Never starts one."""
        browser = self._browser
        return browser if browser is not None and not browser.gone else None

    def call(self) -> AbstractContextManager[None]:
        """Keep the idle timer stopped while the `with` block of a call runs."""
        return self._idleness.call()

    def loading(self) -> AbstractAsyncContextManager[None]:
        """Wait for one of the few slots for page loads.

        The slot is released when the block ends, or after 2 s.

        With fifty pages loading at once, the browser would seem to hang.
        """
        return self._loading.turn()

    @property
    def proxy(self) -> Proxy | None:
        """The proxy of a client's default context; None without one.

        Always None if that context is the user's default context, which keeps the browser's
        settings.
        """
        is_users = self.attaches and not self._settings.isolated
        return None if is_users else self._settings.proxy

    @property
    def defaults(self) -> ContextOptions:
        """The options for contexts that are created without explicit options."""
        emulation = self._settings.emulation
        if not self.attaches and self._is_headless and emulation.viewport is None:
            emulation = structs.replace(emulation, viewport=_HEADLESS_VIEWPORT)
        return ContextOptions(emulation=emulation, proxy=self._settings.proxy)

    @property
    def first(self) -> ContextOptions:
        """The options for a client's default context: the defaults and the server's storage state.

        Contexts that the agent creates begin without that state.
        """
        return replace(self.defaults, storage_state=self._settings.storage_state)

    async def browser(self, begin: Begin) -> Browser:
        """Return the running browser; start or attach to one if necessary.

        Args:
            begin: Makes the first contexts of a new browser, before its tabs are followed.

        Raises:
            BrowserError: No browser could be started or attached to.
        """
        async with self._starting:
            if self._browser is not None and self._browser.gone:
                await self._drop()
            if self._browser is None:
                self._browser = await self._start(begin)
            return self._browser

    async def install(self, say: Callable[[str], None]) -> str:
        """Install a browser unless a usable one exists, and describe the result. Starts none.

        Args:
            say: Called with progress messages, from any thread.

        Raises:
            BrowserError: No usable browser exists and none could be installed.
        """
        from viewpoint_mcp.browser.install.installer import install

        return await install(self._settings, os.environ, lambda progress: say(str(progress)))

    async def close(self) -> None:
        """Terminate a launched browser, or disconnect from an attached one. Idempotent."""
        await self._idleness.close()
        async with self._starting:
            await self._drop()
            if self._recorder is not None:
                await asyncio.to_thread(self._recorder.close)

    async def _close_idle(self) -> None:
        async with self._starting:
            running = self.running
            if running is not None and self._idleness.is_idle:
                cause = "closed" if running.is_ours else "let go of"
                reason = f"the browser was {cause} after {self._idle_limit:g} s without a call"
                await running.close_for(reason)
                self._browser = None

    async def _drop(self) -> None:
        browser, self._browser = self._browser, None
        if browser is not None:
            # Finish even if the call is cancelled. Otherwise the rest would stay open until exit.
            await wait_despite_cancellation(asyncio.create_task(browser.close()))

    @property
    def _is_headless(self) -> bool:
        return self._settings.headless or not has_display(os.environ)

    def _trace(self) -> Recorder | None:
        """Return the recorder for `--trace-cdp`, or None without that option.

        The server's browsers share it, so one file records all of them.
        """
        if self._settings.trace_cdp is not None and self._recorder is None:
            from viewpoint_mcp.browser.connect import trace

            self._recorder = trace.begin(self._settings.trace_cdp, self._settings.secrets)
        return self._recorder

    async def _start(self, begin: Begin) -> Browser:
        settings = self._settings
        among_many = not self.is_for_one
        if settings.should_attach:
            if self.proxy is not settings.proxy:
                log.warning(
                    "The browser attached to keeps its own proxy; --proxy-server holds in the "
                    "contexts that browser_context_create makes."
                )
            endpoint = settings.cdp_endpoint
            if endpoint is None:
                endpoint = await find_running(settings.user_data_dir, settings.channel, os.environ)
            return await Browser.attach(
                endpoint, settings, begin, among_many=among_many, recorder=self._trace()
            )
        await asyncio.to_thread(remove_leftover_profiles, PREFIX)
        if self._is_headless and not settings.headless:
            log.warning(
                "There is no display, so Chromium runs headless. --headless says so in advance."
            )
        options = launch_options(
            find_executable(settings.executable, settings.channel, os.environ),
            headless=self._is_headless,
            sandbox=self._use_sandbox(),
            user_data_dir=settings.user_data_dir,
            starts_with_tab=self.uses_own,
            viewport=self.defaults.emulation.viewport,
            by_pipe=settings.by_pipe,
            extra_args=settings.browser_args,
            timeout=settings.timeouts.launch,
        )
        return await Browser.launch(
            options, settings, begin, among_many=among_many, recorder=self._trace()
        )

    def _use_sandbox(self) -> bool:
        if self._settings.sandbox is not None:
            return self._settings.sandbox
        refusal = sandbox_unusable_reason()
        if refusal is not None:
            log.warning(
                "Chromium runs without its sandbox: %s. Pass --no-sandbox to say so yourself.",
                refusal,
            )
        return refusal is None


_HEADLESS_VIEWPORT = (1280, 720)
"""CSS pixels, as in playwright-mcp; headless Chromium would choose an unusual size."""
_LOADED_AT_ONCE = 8  # pages
_LOADING = 2.0  # seconds; a load that takes longer waits for its site
_IDLE_LIMIT = 3600.0
"""Default idle limit of a launched headless browser in seconds, as in playwright-mcp."""


def _idle_limit(settings: Settings) -> float | None:
    given = settings.timeouts.idle
    if given is not None:
        return given or None
    return _IDLE_LIMIT if settings.headless and not settings.should_attach else None
