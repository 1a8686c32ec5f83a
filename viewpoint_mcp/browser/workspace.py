"""What one client has in the browser: its contexts by name, and what it has to be told."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import AbstractAsyncContextManager, AbstractContextManager
from typing import TYPE_CHECKING

from viewpoint_mcp.browser.browser import Browser
from viewpoint_mcp.browser.context import DEFAULT, Context, ContextOptions, Contexts, Identities
from viewpoint_mcp.browser.gallery import Gallery
from viewpoint_mcp.browser.health.browser_loss import BrowserLoss
from viewpoint_mcp.browser.tabs.tab import Tab
from viewpoint_mcp.config.settings import Proxy
from viewpoint_mcp.errors import BrowserError, BrowserGone, CallError, ViewpointError
from viewpoint_mcp.files.places import Files

if TYPE_CHECKING:
    from viewpoint_mcp.browser.supervisor import BrowserSupervisor


class Workspace:
    """The contexts of one client, in a browser that it may share with others: it sees only what is
    its own. Nothing is started or made before a call needs it.
    `BrowserSupervisor.workspace` makes it.

    Args:
        host: Has the browser.
        numbers: Gives the `c` components of refs.
        default: The name of the context that calls begin with, which is made by itself; None for
            none.

    Attributes:
        identities: Of the contexts that it has and had.
    """

    def __init__(
        self,
        host: BrowserSupervisor,
        numbers: Iterator[int],
        *,
        default: str | None = DEFAULT,
    ) -> None:
        self._host = host
        # The gallery shows the records to all clients.
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
        """Whether the browser is not started, but the user's."""
        return self._host.attaches

    @property
    def gallery(self) -> Gallery:
        """The saved screenshots; no browser is needed to look at them."""
        return Gallery(self._host.shelf)

    @property
    def proxy(self) -> Proxy | None:
        """That of the context that calls begin with."""
        return self._host.proxy

    @property
    def defaults(self) -> ContextOptions:
        """What contexts are made with that nobody asked anything else for."""
        return self._host.defaults

    @property
    def files(self) -> Files:
        """Where its files go, and which may be read."""
        return self._host.files

    @property
    def default_name(self) -> str | None:
        """Name of the context that calls begin with, made or not; None for no such context."""
        return self._default

    @property
    def is_open(self) -> bool:
        """Whether it is in a browser that runs."""
        return self._browser is not None and not self._browser.gone

    @property
    def contexts(self) -> Contexts:
        """Those that are open. Starts no browser."""
        return self._contexts if self.is_open else Contexts()

    @property
    def active(self) -> Context | None:
        """The active one of them."""
        return self.contexts.active

    @property
    def tabs(self) -> list[Tab]:
        """The tabs of all of them."""
        return [tab for context in self.contexts for tab in context.tabs]

    def call(self) -> AbstractContextManager[None]:
        """Be open during a call, in which the browser is not idle."""
        return self._host.call()

    def loading(self) -> AbstractAsyncContextManager[None]:
        """Be open while a page is loaded; see `BrowserSupervisor.loading`."""
        return self._host.loading()

    async def install(self, say: Callable[[str], None]) -> str:
        """See to it that there is a browser to start; see `BrowserSupervisor.install`."""
        return await self._host.install(say)

    async def context(self, name: str | None = None) -> Context:
        """Return a context, in a browser that is started if need be; the default one is made anew
        if it was closed.

        Args:
            name: None for the active one.

        Raises:
            CallError: There is no context of that name, or no default one to be had.
            BrowserError: There is no browser, or it makes no context.
        """
        browser = await self._enter()
        context = await self._look_up(browser, name)
        if browser.gone:  # heard of on the way; nothing has been done in it yet
            context = await self._look_up(await self._enter(), name)
        return context

    async def switch(self, name: str) -> Context:
        """Make a context the active one; returns it. Raises as `context` does."""
        context = await self.context(name)
        self._contexts.active = context
        return context

    async def create(self, name: str, options: ContextOptions) -> Context:
        """Make a context, isolated from all others; it becomes the active one.

        Raises:
            CallError: There is one of that name, or the storage state is wrong.
            BrowserError: There is no browser, or it makes none.
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
        """Close a context with all its tabs; returns it, and the one that is active then.

        Raises:
            CallError: There is none, or it must not be closed.
        """
        browser = await self._enter()
        async with self._making:
            context = self._closable(name)
            active = self._contexts.remove(context)
            if context.context_id is None:
                # Not beside others: what comes next may be the browser's own again.
                await browser.dispose(context)
        if context.context_id is not None:
            await browser.dispose(context)
        return context, active

    def explain(self, error: ViewpointError) -> None:
        """Have an error say what was lost with the browser, if that is its cause.

        It is whenever the browser went away meanwhile, whatever the call was told of it.
        """
        self._note_loss()
        if self._loss is None:
            return
        is_gone = self._browser is not None and self._browser.gone
        if is_gone or isinstance(error, BrowserGone):
            self._is_explained |= self._loss.explain(error)
        elif self._browser is None and isinstance(error, BrowserError):
            self._loss.precede(error)

    def take_loss(self) -> str | None:
        """Return what is to be told of the loss of the browser; once for each time."""
        self._note_loss()
        is_over = self._host.running is not None
        if self._loss is None or self._is_told or (self._is_explained and not is_over):
            return None
        self._is_told = True
        return self._loss.news(is_over=is_over, is_explained=self._is_explained)

    async def close(self) -> None:
        """End its contexts, their tabs and the calls in them; the browser lives on. Idempotent."""
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
                raise end  # but not that there is no browser any more

    async def _look_up(self, browser: Browser, name: str | None) -> Context:
        await browser.follow_user()
        found = self._contexts.active if name is None else self._contexts.named(name)
        if found is None and name in (None, self._default) and self._default is not None:
            async with self._making:
                return self._contexts.named(self._default) or await self._make_default(browser)
        return found or self._known(name or "")

    async def _enter(self) -> Browser:
        """Return the browser, in which this client has its default context now."""
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
        """Make the default context in a browser that is new to this client."""
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
