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

from cdp_protocol.launching.machine_capabilities import has_display, sandbox_unusable_reason
from cdp_protocol.launching.temporary_profile import remove_leftover_profiles
from viewpoint_mcp.background_tasks import wait_despite_cancellation
from viewpoint_mcp.browser.browser import Browser, MakeFirstContexts
from viewpoint_mcp.browser.client_workspace import Workspace
from viewpoint_mcp.browser.concurrency_limiter import ConcurrencyLimiter
from viewpoint_mcp.browser.connect.arguments import (
    DIRECTORY_PREFIX,
    PRIVATE_NETWORK_SWITCHES,
    make_launch_options,
)
from viewpoint_mcp.browser.connect.discovery import find_running_browser
from viewpoint_mcp.browser.connect.executable import find_executable
from viewpoint_mcp.browser.connect.kept_profile import choose_kept_profile
from viewpoint_mcp.browser.context import DEFAULT_CONTEXT, ContextOptions
from viewpoint_mcp.browser.health.idle_timer import IdleTimer
from viewpoint_mcp.config.settings import Proxy, Settings
from viewpoint_mcp.files.file_access import FileAccess
from viewpoint_mcp.files.saved_file_lookup import SavedFiles

if TYPE_CHECKING:
    from cdp_protocol.recording.recorder import Recorder

log = logging.getLogger(__name__)


class BrowserSupervisor:
    """The browser of one server, running or not, for one client or many.

    Args:
        settings: How to launch the browser, or where to attach.
        has_isolated_clients: Whether several clients connect that must not see each other's work.
            Each then begins with an isolated context, unless the browser has logins to use: those
            of a profile or of the user's browser.

    Attributes:
        files: The directory for saved files, and the rules for reading files.
        saved_files: The saved files; reading them needs no browser.
        is_single_client: Whether all calls come from one client, or share one set of contexts.
        can_use_browser_default: Whether calls begin in the browser's default context.
    """

    def __init__(self, settings: Settings, *, has_isolated_clients: bool = False) -> None:
        self._settings = settings
        self.files = FileAccess.from_settings(settings)
        self.saved_files = SavedFiles(self.files)
        self.is_single_client = not has_isolated_clients or settings.shared_context
        has_logins = settings.should_attach or settings.user_data_dir is not None
        self.can_use_browser_default = not settings.isolated and (
            self.is_single_client or has_logins
        )
        self._context_numbers = count()
        self._recorder: Recorder | None = None
        self._browser: Browser | None = None
        self._start_lock = asyncio.Lock()
        self._load_limiter = ConcurrencyLimiter(_MAX_CONCURRENT_LOADS, _LOAD_TURN_LIMIT)
        self._idle_limit = _get_idle_limit(settings)
        self._idle_timer = IdleTimer(self._idle_limit, self._close_idle_browser)

    def make_workspace(self, *, default_name: str | None = DEFAULT_CONTEXT) -> Workspace:
        """Make the workspace of a client, without contexts yet.

        Args:
            default_name: Name of the client's default context, made on demand; None for none.
        """
        return Workspace(self, self._context_numbers, default_name=default_name)

    @property
    def should_attach(self) -> bool:
        """Whether the server attaches to the user's browser instead of launching one."""
        return self._settings.should_attach

    @property
    def running_browser(self) -> Browser | None:
        """The browser if it runs, else None. Never starts one."""
        browser = self._browser
        return browser if browser is not None and not browser.is_lost else None

    def pause_idle_timer(self) -> AbstractContextManager[None]:
        """Keep the idle timer stopped while the `with` block of a call runs."""
        return self._idle_timer.pause()

    def wait_for_page_load_slot(self) -> AbstractAsyncContextManager[None]:
        """Wait for one of the few slots for page loads.

        The slot is released when the block ends, or after 2 s.

        With fifty pages loading at once, the browser would seem to hang.
        """
        return self._load_limiter.wait_for_turn()

    @property
    def default_context_proxy(self) -> Proxy | None:
        """The proxy of a client's default context; None without one.

        Always None if that context is the user's default context, which keeps the browser's
        settings.
        """
        is_users = self.should_attach and not self._settings.isolated
        return None if is_users else self._settings.proxy

    @property
    def new_context_options(self) -> ContextOptions:
        """The options for contexts that are created without explicit options."""
        emulation = self._settings.emulation
        if not self.should_attach and self._is_headless and emulation.viewport is None:
            emulation = structs.replace(emulation, viewport=_HEADLESS_VIEWPORT)
        return ContextOptions(emulation=emulation, proxy=self._settings.proxy)

    @property
    def default_context_options(self) -> ContextOptions:
        """The options for a client's default context: the defaults and the server's storage state.

        Contexts that the agent creates begin without that state.
        """
        return replace(self.new_context_options, storage_state=self._settings.storage_state)

    async def get_browser(self, make_first_contexts: MakeFirstContexts) -> Browser:
        """Return the running browser; start or attach to one if necessary.

        Args:
            make_first_contexts: Makes the first contexts of a new browser, before its tabs are
                followed.

        Raises:
            BrowserError: No browser could be started or attached to.
        """
        async with self._start_lock:
            if self._browser is not None and self._browser.is_lost:
                await self._close_browser()
            if self._browser is None:
                self._browser = await self._start_browser(make_first_contexts)
            return self._browser

    async def install_browser(self, report_progress: Callable[[str], None]) -> str:
        """Install a browser unless a usable one exists, and describe the result. Starts none.

        Args:
            report_progress: Called with progress messages, from any thread.

        Raises:
            BrowserError: No usable browser exists and none could be installed.
        """
        from viewpoint_mcp.browser.install.installer import install_browser

        return await install_browser(
            self._settings, os.environ, lambda progress: report_progress(str(progress))
        )

    async def close(self) -> None:
        """Terminate a launched browser, or disconnect from an attached one. Idempotent."""
        await self._idle_timer.close()
        async with self._start_lock:
            await self._close_browser()
            if self._recorder is not None:
                await asyncio.to_thread(self._recorder.close)

    async def _close_idle_browser(self) -> None:
        async with self._start_lock:
            running = self.running_browser
            if running is not None and not self._idle_timer.has_running_calls:
                cause = "closed" if running.is_launched else "disconnected"
                reason = f"the browser was {cause} after {self._idle_limit:g} s without a call"
                await running.close_with_reason(reason)
                self._browser = None

    async def _close_browser(self) -> None:
        browser, self._browser = self._browser, None
        if browser is not None:
            # Finish even if the call is cancelled. Otherwise the rest would stay open until exit.
            await wait_despite_cancellation(asyncio.create_task(browser.close()))

    @property
    def _is_headless(self) -> bool:
        return self._settings.headless or not has_display(os.environ)

    def _get_recorder(self) -> Recorder | None:
        """Return the recorder for `--trace-cdp`, or None without that option.

        The server's browsers share it, so one file records all of them.
        """
        if self._settings.trace_cdp is not None and self._recorder is None:
            from viewpoint_mcp.browser.connect import cdp_trace

            self._recorder = cdp_trace.open_recorder(
                self._settings.trace_cdp, self._settings.secrets
            )
        return self._recorder

    async def _start_browser(self, make_first_contexts: MakeFirstContexts) -> Browser:
        settings = self._settings
        if settings.should_attach:
            return await self._attach_to_browser(make_first_contexts)
        await asyncio.to_thread(remove_leftover_profiles, DIRECTORY_PREFIX)
        if self._is_headless and not settings.headless:
            log.warning("Chromium runs headless without a display. --headless avoids this warning.")
        executable = find_executable(settings.executable, settings.channel, os.environ)
        ignored = settings.ignored_switches
        network = PRIVATE_NETWORK_SWITCHES if settings.origins.allows_private_network else ()
        options = make_launch_options(
            executable,
            headless=self._is_headless,
            sandbox=self._should_use_sandbox(),
            user_data_dir=settings.user_data_dir
            or choose_kept_profile(settings, executable, os.environ),
            starts_with_tab=self.can_use_browser_default,
            viewport=self.new_context_options.emulation.viewport,
            by_pipe=settings.by_pipe,
            has_webmcp=settings.has_webmcp,
            extra_args=(*network, *settings.browser_args),
            ignored_switches=None if ignored is True else ignored or (),
            environment=settings.browser_environment,
            timeout=settings.timeouts.launch,
        )
        return await Browser.launch(
            options,
            settings,
            make_first_contexts,
            is_shared=not self.is_single_client,
            recorder=self._get_recorder(),
        )

    async def _attach_to_browser(self, make_first_contexts: MakeFirstContexts) -> Browser:
        settings = self._settings
        if self.default_context_proxy is not settings.proxy:
            log.warning(
                "The attached browser keeps its proxy. --proxy-server applies only to contexts "
                "made by browser_context_create."
            )
        endpoint = settings.cdp_endpoint
        if endpoint is None:
            endpoint = await find_running_browser(
                settings.user_data_dir, settings.channel, os.environ
            )
        return await Browser.attach(
            endpoint,
            settings,
            make_first_contexts,
            is_shared=not self.is_single_client,
            recorder=self._get_recorder(),
        )

    def _should_use_sandbox(self) -> bool:
        if self._settings.sandbox is not None:
            return self._settings.sandbox
        refusal = sandbox_unusable_reason()
        if refusal is not None:
            log.warning(
                "Chromium runs without its sandbox: %s. Pass --no-sandbox to avoid this warning.",
                refusal,
            )
        return refusal is None


_HEADLESS_VIEWPORT = (1280, 720)
"""CSS pixels, as in playwright-mcp; headless Chromium would choose an unusual size."""
_MAX_CONCURRENT_LOADS = 8  # pages
_LOAD_TURN_LIMIT = 2.0  # seconds; a load that takes longer waits for its site
_DEFAULT_IDLE_LIMIT = 3600.0
"""Default idle limit of a launched headless browser in seconds, as in playwright-mcp."""


def _get_idle_limit(settings: Settings) -> float | None:
    given = settings.timeouts.idle
    if given is not None:
        return given or None
    return _DEFAULT_IDLE_LIMIT if settings.headless and not settings.should_attach else None
