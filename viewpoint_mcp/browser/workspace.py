"""One client's view of the browser: its contexts by name, and the report of a lost browser."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import AbstractAsyncContextManager, AbstractContextManager
from typing import TYPE_CHECKING

from viewpoint_mcp.browser.browser import Browser
from viewpoint_mcp.browser.context import DEFAULT, Context, ContextOptions, Contexts, Identities
from viewpoint_mcp.browser.health.browser_loss import BrowserLoss
from viewpoint_mcp.browser.tabs.tab import Tab
from viewpoint_mcp.config.settings import Proxy
from viewpoint_mcp.errors import BrowserError, BrowserLostError, CallError, ViewpointError
from viewpoint_mcp.files.file_access import FileAccess

if TYPE_CHECKING:
    from viewpoint_mcp.browser.gallery import Gallery
    from viewpoint_mcp.browser.supervisor import BrowserSupervisor


class Workspace:
    """The contexts of one client, made by `BrowserSupervisor.workspace`.

    The client may share the browser with others, but sees only its contexts. The browser and the
    contexts are started when a call first needs them.

    Args:
        host: Provides the browser.
        numbers: Yields the `c` components of refs.
        default: Name of the client's default context, which is made on demand; None for none.

    Attributes:
        identities: Identities of its open and closed contexts.
    """

    def __init__(
        self,
        host: BrowserSupervisor,
        numbers: Iterator[int],
        *,
        default: str | None = DEFAULT,
    ) -> None:
        self._host = host
        # All clients can read the gallery, so it must not reveal context names.
        self.identities = Identities(numbers, are_recorded=host.is_for_one)
        self._default = default
        self._contexts = Contexts()
        self._browser: Browser | None = None
        self._begun_in: Browser | None = None
        self._making = asyncio.Lock()
        self._noted: Browser | None = None
        self._loss: BrowserLoss | None = None
        self._is_told = True
        self._is_explained = False
        self._is_closed = False

    @property
    def attaches(self) -> bool:
        """Whether the server attaches to the user's browser instead of launching one."""
        return self._host.attaches

    @property
    def gallery(self) -> Gallery:
        """The saved screenshots, readable without a browser."""
        from viewpoint_mcp.browser.gallery import Gallery

        return Gallery(self._host.shelf)

    @property
    def proxy(self) -> Proxy | None:
        """The proxy of the client's default context."""
        return self._host.proxy

    @property
    def defaults(self) -> ContextOptions:
        """The options for contexts that are created without explicit options."""
        return self._host.defaults

    @property
    def files(self) -> FileAccess:
        """The directory for saved files, and the rules for reading files."""
        return self._host.files

    @property
    def default_name(self) -> str | None:
        """Name of the client's default context, whether it is open or not; None if it has none."""
        return self._default

    @property
    def is_open(self) -> bool:
        """Whether this client uses a browser that runs."""
        return self._browser is not None and not self._browser.gone

    @property
    def contexts(self) -> Contexts:
        """The client's open contexts. Never starts a browser."""
        return self._contexts if self.is_open else Contexts()

    @property
    def active(self) -> Context | None:
        """The active context, or None."""
        return self.contexts.active

    @property
    def tabs(self) -> list[Tab]:
        """The tabs of all contexts of the client."""
        return [tab for context in self.contexts for tab in context.tabs]

    def call(self) -> AbstractContextManager[None]:
        """Keep the idle timer stopped while the `with` block of a call runs."""
        return self._host.call()

    def loading(self) -> AbstractAsyncContextManager[None]:
        """Wait for a turn to load a page; see `BrowserSupervisor.loading`."""
        return self._host.loading()

    async def install(self, say: Callable[[str], None]) -> str:
        """Install a browser unless a usable one exists; see `BrowserSupervisor.install`."""
        return await self._host.install(say)

    async def context(self, name: str | None = None) -> Context:
        """Return a context; start the browser and make the default context if necessary.

        Args:
            name: None for the active context.

        Raises:
            CallError: No context has that name, or none is open and the client has no default one.
            BrowserError: No browser could be started, or it made no context.
        """
        browser = await self._enter()
        context = await self._look_up(browser, name)
        if browser.gone:  # lost meanwhile, before the call did anything in it
            context = await self._look_up(await self._enter(), name)
        return context

    async def switch(self, name: str) -> Context:
        """Make a context the active one and return it. Raises like `context`."""
        context = await self.context(name)
        self._contexts.active = context
        return context

    async def create(self, name: str, options: ContextOptions) -> Context:
        """Make a context, isolated from all others, and make it the active one.

        Raises:
            CallError: A context has that name, or the storage state or proxy is invalid.
            BrowserError: No browser could be started, or it made no context.
        """
        browser = await self._enter()
        async with self._making:
            if self._contexts.named(name) is not None:
                raise CallError(
                    f'There is a context "{name}" already.',
                    "Use browser_context_switch, or give another name.",
                )
            context = await self._make(browser, name, options)
            self._contexts.active = context
        return context

    async def close_context(self, name: str) -> tuple[Context, Context]:
        """Close a context with all its tabs.

        Returns:
            The closed context, and the context that is active now.

        Raises:
            CallError: No context has that name, or it cannot be closed: the only one, or the user's
                default context.
        """
        browser = await self._enter()
        async with self._making:
            context = self._closable(name)
            active = self._contexts.remove(context)
            if context.context_id is None:
                # Hold the lock: a new context could reuse the browser's default context.
                await browser.dispose(context)
        if context.context_id is not None:
            await browser.dispose(context)
        return context, active

    def explain(self, error: ViewpointError) -> None:
        """Add to an error what was lost with the browser, if the loss may have caused it.

        A loss during the call counts as the cause whatever the error is. A failure to start the
        next browser is prefixed with the cause of the loss.
        """
        self._note_loss()
        if self._loss is None:
            return
        is_gone = self._browser is not None and self._browser.gone
        if is_gone or isinstance(error, BrowserLostError):
            self._is_explained |= self._loss.explain(error)
        elif self._browser is None and isinstance(error, BrowserError):
            self._loss.precede(error)

    def take_loss(self) -> str | None:
        """Return the report of a lost browser, once for each loss; else None."""
        self._note_loss()
        is_over = self._host.running is not None
        if self._loss is None or self._is_told or (self._is_explained and not is_over):
            return None
        self._is_told = True
        return self._loss.news(is_over=is_over, is_explained=self._is_explained)

    async def close(self) -> None:
        """Close the client's contexts and end the calls in them. Idempotent.

        The browser keeps running.
        """
        self._is_closed = True
        async with self._making:
            await self._leave()

    async def _leave(self) -> None:
        browser, self._browser = self._browser, None
        if browser is None or browser.gone:
            return
        contexts, self._contexts = list(self._contexts), Contexts()
        ends = (browser.dispose(context) for context in contexts)
        for end in await asyncio.gather(*ends, return_exceptions=True):
            if isinstance(end, BaseException) and not isinstance(end, BrowserError):
                raise end  # a BrowserError means that the browser has ended too

    async def _look_up(self, browser: Browser, name: str | None) -> Context:
        await browser.follow_user()
        found = self._contexts.active if name is None else self._contexts.named(name)
        if found is None and name in (None, self._default) and self._default is not None:
            async with self._making:
                return self._contexts.named(self._default) or await self._make_default(browser)
        return found or self._known(name or "")

    async def _enter(self) -> Browser:
        """Return the browser with this client's default context in it."""
        self._check_open()
        self._note_loss()
        if self._browser is not None and self._browser.gone:
            self._browser = None
        browser = await self._host.browser(self._begin)
        if self._browser is not browser:
            async with self._making:
                if self._begun_in is not browser:
                    await self._begin(browser)
                self._browser = browser
                if self._is_closed:
                    await self._leave()
        self._check_open()
        return browser

    async def _begin(self, browser: Browser) -> None:
        """Make the default context in a browser that this client has not used yet."""
        self._contexts = Contexts()
        if self._default is not None:
            await self._make_default(browser)
        self._begun_in = browser

    async def _make_default(self, browser: Browser) -> Context:
        assert self._default is not None
        is_own = self._host.uses_own and browser.has_clean_own
        return await self._make(browser, self._default, self._host.first, is_own=is_own)

    async def _make(
        self, browser: Browser, name: str, options: ContextOptions, *, is_own: bool = False
    ) -> Context:
        identity = self.identities.named(name)
        context = await browser.make(identity, options, is_own=is_own)
        self._contexts.add(context)
        self.identities.lost.pop(name, None)
        return context

    def _closable(self, name: str) -> Context:
        context = self._known(name)
        if len(self._contexts) == 1:
            raise CallError("Cannot close the only remaining context.")
        if context.context_id is None and self.attaches:
            raise CallError(
                f'"{name}" is the user\'s own browser; it is not closed.',
                "Close single tabs of it with browser_tabs.",
            )
        return context

    def _known(self, name: str) -> Context:
        context = self._contexts.named(name)
        if context is not None:
            return context
        if (cause := self.identities.lost.get(name)) is not None:
            raise CallError(
                f'The context "{name}" is no more: {cause}.',
                "browser_context_create makes another, without its cookies and storage.",
            )
        names = ", ".join(each.name for each in self._contexts)
        raise CallError(
            f'There is no context "{name}".',
            f"Open are: {names or 'none'}; browser_context_create makes others.",
        )

    def _check_open(self) -> None:
        if self._is_closed:
            raise CallError("The session of this call has ended.", "Begin another one.")

    def _note_loss(self) -> None:
        browser = self._browser
        if browser is None or not browser.gone or browser is self._noted:
            return
        self._noted = browser
        self._loss = browser.loss(list(self._contexts))
        self._is_told = self._is_explained = False
        for name in self._loss.contexts:
            if name != self._default:
                self.identities.lost[name] = self._loss.cause
