"""One client's view of the browser: its contexts by name, and the report of a lost browser."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import AbstractAsyncContextManager, AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, NamedTuple

from viewpoint_mcp.browser.browser import Browser
from viewpoint_mcp.browser.context import (
    DEFAULT_CONTEXT,
    ClientContexts,
    Context,
    ContextIdentities,
    ContextOptions,
)
from viewpoint_mcp.browser.health.browser_loss import BrowserLoss
from viewpoint_mcp.browser.tabs.tab import Tab
from viewpoint_mcp.config.settings import Proxy
from viewpoint_mcp.errors import BrowserError, BrowserLostError, CallError, ViewpointError
from viewpoint_mcp.files.file_access import FileAccess

if TYPE_CHECKING:
    from viewpoint_mcp.browser.saved_screenshots import SavedScreenshots
    from viewpoint_mcp.browser.supervisor import BrowserSupervisor
    from viewpoint_mcp.browser.video.video_recordings import VideoRecordings
    from viewpoint_mcp.page.page import Page


class ClosedAndActive(NamedTuple):
    """A context that was closed, and the context that is active since then."""

    closed: Context
    active: Context


class Workspace:
    """The contexts of one client, made by `BrowserSupervisor.make_workspace`.

    The client may share the browser with others, but sees only its contexts. The browser and the
    contexts are started when a call first needs them.

    Args:
        supervisor: Provides the browser.
        context_numbers: Yields the `c` components of refs.
        default_name: Name of the client's default context, which is made on demand; None for none.

    Attributes:
        identities: Identities of its open and closed contexts.
        open_live_view: Opens the live view for a person, and returns its secret URL; None if the
            server has none.
    """

    def __init__(
        self,
        supervisor: BrowserSupervisor,
        context_numbers: Iterator[int],
        *,
        default_name: str | None = DEFAULT_CONTEXT,
    ) -> None:
        self._supervisor = supervisor
        # All clients can read the saved screenshots, so they must not reveal context names.
        self.identities = ContextIdentities(
            context_numbers, has_recorded_names=supervisor.is_single_client
        )
        self._default_name = default_name
        self._contexts = ClientContexts()
        self._browser: Browser | None = None
        self._initialized_browser: Browser | None = None
        self._contexts_lock = asyncio.Lock()
        self._noted_lost_browser: Browser | None = None
        self._loss: BrowserLoss | None = None
        self._is_loss_reported = True
        self._is_loss_explained = False
        self._is_closed = False
        self.open_live_view: Callable[[], Awaitable[str]] | None = None
        self._videos: VideoRecordings | None = None

    @property
    def videos(self) -> VideoRecordings:
        """The videos that the client records."""
        if self._videos is None:
            from viewpoint_mcp.browser.video.video_recordings import VideoRecordings

            self._videos = VideoRecordings(self.files)
        return self._videos

    def show_action_in_video(
        self, context: Context, page: Page, title: str
    ) -> AbstractContextManager[None]:
        """Show the action of the block in the video of the context, if one is recorded."""
        recording = self._videos.find(context.name) if self._videos is not None else None
        return recording.show_action(page, title) if recording is not None else nullcontext()

    @property
    def should_attach(self) -> bool:
        """Whether the server attaches to the user's browser instead of launching one."""
        return self._supervisor.should_attach

    @property
    def screenshots(self) -> SavedScreenshots:
        """The saved screenshots, readable without a browser."""
        from viewpoint_mcp.browser.saved_screenshots import SavedScreenshots

        return SavedScreenshots(self._supervisor.saved_files)

    @property
    def default_context_proxy(self) -> Proxy | None:
        """The proxy of the client's default context."""
        return self._supervisor.default_context_proxy

    @property
    def new_context_options(self) -> ContextOptions:
        """The options for contexts that are created without explicit options."""
        return self._supervisor.new_context_options

    @property
    def files(self) -> FileAccess:
        """The directory for saved files, and the rules for reading files."""
        return self._supervisor.files

    @property
    def default_name(self) -> str | None:
        """Name of the client's default context, whether it is open or not; None if it has none."""
        return self._default_name

    @property
    def has_running_browser(self) -> bool:
        """Whether this client uses a browser that runs."""
        return self._browser is not None and not self._browser.is_lost

    @property
    def contexts(self) -> ClientContexts:
        """The client's open contexts. Never starts a browser."""
        return self._contexts if self.has_running_browser else ClientContexts()

    @property
    def active_context(self) -> Context | None:
        """The active context, or None."""
        return self.contexts.active

    @property
    def tabs(self) -> list[Tab]:
        """The tabs of all contexts of the client."""
        return [tab for context in self.contexts for tab in context.tabs]

    @property
    def is_handed_over(self) -> bool:
        """Whether a person acts in one of the tabs."""
        pages = [tab.attached_page for tab in self.tabs]
        return any(page is not None and page.handovers.error is not None for page in pages)

    def pause_idle_timer(self) -> AbstractContextManager[None]:
        """Keep the idle timer stopped while the `with` block of a call runs."""
        return self._supervisor.pause_idle_timer()

    @property
    def is_browser_local(self) -> bool:
        """Whether the browser runs on this machine; False if none runs."""
        return self._browser is not None and self._browser.is_local

    def wait_for_page_load_slot(self) -> AbstractAsyncContextManager[None]:
        """Wait for a turn to load a page; see `BrowserSupervisor.wait_for_page_load_slot`."""
        return self._supervisor.wait_for_page_load_slot()

    async def install_browser(self, report_progress: Callable[[str], None]) -> str:
        """Install a browser unless a usable one exists; see `BrowserSupervisor.install_browser`."""
        return await self._supervisor.install_browser(report_progress)

    async def get_context(self, name: str | None = None) -> Context:
        """Return a context; start the browser and make the default context if necessary.

        Args:
            name: None for the active context.

        Raises:
            CallError: No context has that name, or none is open and the client has no default one.
            BrowserError: No browser could be started, or it made no context.
        """
        browser = await self._get_browser()
        context = await self._find_or_make_context(browser, name)
        if browser.is_lost:  # lost meanwhile, before the call did anything in it
            context = await self._find_or_make_context(await self._get_browser(), name)
        return context

    async def switch_context(self, name: str) -> Context:
        """Make a context the active one and return it. Raises like `get_context`."""
        context = await self.get_context(name)
        self._contexts.active = context
        return context

    async def create_context(self, name: str, options: ContextOptions) -> Context:
        """Make a context, isolated from all others, and make it the active one.

        Raises:
            CallError: A context has that name, or the storage state or proxy is invalid.
            BrowserError: No browser could be started, or it made no context.
        """
        browser = await self._get_browser()
        async with self._contexts_lock:
            if self._contexts.find(name) is not None:
                raise CallError(
                    f'Context "{name}" already exists.',
                    "Use browser_context_switch, or choose another name.",
                )
            context = await self._make_context(browser, name, options)
            self._contexts.active = context
        return context

    async def close_context(self, name: str) -> ClosedAndActive:
        """Close a context with all its tabs.

        Raises:
            CallError: No context has that name, or it cannot be closed: the only one, or the user's
                default context.
        """
        browser = await self._get_browser()
        async with self._contexts_lock:
            context = self._find_closable(name)
            active = self._contexts.remove_and_get_active(context)
            if context.context_id is None:
                # Hold the lock: a new context could reuse the browser's default context.
                await browser.close_context(context)
        if context.context_id is not None:
            await browser.close_context(context)
        return ClosedAndActive(context, active)

    def explain_loss(self, error: ViewpointError) -> None:
        """Add to an error what was lost with the browser, if the loss may have caused it.

        A loss during the call counts as the cause whatever the error is. A failure to start the
        next browser is prefixed with the cause of the loss.
        """
        self._note_loss()
        if self._loss is None:
            return
        is_gone = self._browser is not None and self._browser.is_lost
        if is_gone or isinstance(error, BrowserLostError):
            self._is_loss_explained |= self._loss.explain_unless_call_error(error)
        elif self._browser is None and isinstance(error, BrowserError):
            self._loss.prepend_cause(error)

    def pop_loss_report(self) -> str | None:
        """Return the report of a lost browser, once for each loss; else None."""
        self._note_loss()
        is_over = self._supervisor.running_browser is not None
        if (
            self._loss is None
            or self._is_loss_reported
            or (self._is_loss_explained and not is_over)
        ):
            return None
        self._is_loss_reported = True
        return self._loss.make_report(
            is_browser_running=is_over, is_explained=self._is_loss_explained
        )

    def pop_start_notice(self) -> str:
        """Return what the agent should know about the start of the browser, once; else ""."""
        if self._browser is None:
            return ""
        notice, self._browser.start_notice = self._browser.start_notice, ""
        return notice

    async def close(self) -> None:
        """Close the client's contexts and end the calls in them. Idempotent.

        The browser keeps running.
        """
        self._is_closed = True
        if self._videos is not None:
            await self._videos.close()
        async with self._contexts_lock:
            await self._close_contexts()

    async def _close_contexts(self) -> None:
        browser, self._browser = self._browser, None
        if browser is None or browser.is_lost:
            return
        contexts, self._contexts = list(self._contexts), ClientContexts()
        ends = (browser.close_context(context) for context in contexts)
        for end in await asyncio.gather(*ends, return_exceptions=True):
            if isinstance(end, BaseException) and not isinstance(end, BrowserError):
                raise end  # a BrowserError means that the browser has ended too

    async def _find_or_make_context(self, browser: Browser, name: str | None) -> Context:
        await browser.follow_user_tab_switch()
        found = self._contexts.active if name is None else self._contexts.find(name)
        if found is None and name in (None, self._default_name) and self._default_name is not None:
            async with self._contexts_lock:
                return self._contexts.find(self._default_name) or await self._make_default_context(
                    browser
                )
        return found or self._require_context(name or "")

    async def _get_browser(self) -> Browser:
        """Return the browser with this client's default context in it."""
        self._raise_if_session_ended()
        self._note_loss()
        if self._browser is not None and self._browser.is_lost:
            self._browser = None
        browser = await self._supervisor.get_browser(self._make_first_contexts)
        if self._browser is not browser:
            async with self._contexts_lock:
                if self._initialized_browser is not browser:
                    await self._make_first_contexts(browser)
                self._browser = browser
                if self._is_closed:
                    await self._close_contexts()
        self._raise_if_session_ended()
        return browser

    async def _make_first_contexts(self, browser: Browser) -> None:
        """Make the default context in a browser that this client has not used yet."""
        self._contexts = ClientContexts()
        if self._default_name is not None:
            await self._make_default_context(browser)
        self._initialized_browser = browser

    async def _make_default_context(self, browser: Browser) -> Context:
        assert self._default_name is not None
        is_browser_default = (
            self._supervisor.can_use_browser_default and browser.can_new_client_use_browser_default
        )
        return await self._make_context(
            browser,
            self._default_name,
            self._supervisor.default_context_options,
            is_browser_default=is_browser_default,
        )

    async def _make_context(
        self,
        browser: Browser,
        name: str,
        options: ContextOptions,
        *,
        is_browser_default: bool = False,
    ) -> Context:
        identity = self.identities.get_or_create(name)
        context = await browser.make_context(
            identity, options, is_browser_default=is_browser_default
        )
        self._contexts.add(context)
        self.identities.loss_causes.pop(name, None)
        return context

    def _find_closable(self, name: str) -> Context:
        context = self._require_context(name)
        if len(self._contexts) == 1:
            raise CallError("Cannot close the only remaining context.")
        if context.context_id is None and self.should_attach:
            raise CallError(
                f'"{name}" is the user\'s browser and stays open.',
                "Close its tabs with browser_tabs.",
            )
        return context

    def _require_context(self, name: str) -> Context:
        context = self._contexts.find(name)
        if context is not None:
            return context
        if (cause := self.identities.loss_causes.get(name)) is not None:
            raise CallError(
                f'Context "{name}" was lost: {cause}.',
                "Use browser_context_create to make a new one, without its cookies and storage.",
            )
        names = ", ".join(each.name for each in self._contexts)
        raise CallError(
            f'Context "{name}" does not exist.',
            f"Open contexts: {names or 'none'}. Use browser_context_create to make one.",
        )

    def _raise_if_session_ended(self) -> None:
        if self._is_closed:
            raise CallError("The session of this call has ended.", "Start a new session.")

    def _note_loss(self) -> None:
        browser = self._browser
        if browser is None or not browser.is_lost or browser is self._noted_lost_browser:
            return
        self._noted_lost_browser = browser
        self._loss = browser.describe_loss(list(self._contexts))
        self._is_loss_reported = self._is_loss_explained = False
        for name in self._loss.contexts:
            if name != self._default_name:
                self.identities.loss_causes[name] = self._loss.cause
