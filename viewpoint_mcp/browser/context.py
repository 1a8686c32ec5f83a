"""Browser contexts: each with its tabs, and the one of a client's that its calls act on."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from viewpoint_mcp.browser.proxy.route import Route
from viewpoint_mcp.browser.tabs.tab import Tab
from viewpoint_mcp.config.settings import Emulation, Proxy
from viewpoint_mcp.errors import BrowserError, CallError
from viewpoint_mcp.page.blockers import context_closed
from viewpoint_mcp.page.emulation.emulation import ContextEmulation
from viewpoint_mcp.page.page import Page

if TYPE_CHECKING:
    from viewpoint_mcp.browser.storage.context_storage import Collected

DEFAULT = "default"
_STARTUP_TAB = 1.0  # seconds that a browser gets to show the tab it starts with


@dataclass(slots=True, eq=False)
class Identity:
    """Who a context is, in refs and in words; outlives the context and the browser, for the next of
    the same name goes on counting.

    Args:
        name: What its client calls it.
        number: The `c` component of its refs.
        label: The same for the records of its files; "" where others may read them.
        pages: How many have had a number in it.
    """

    name: str
    number: int
    label: str
    pages: int = 0

    def next_page(self) -> int:
        """Return the `p` component of a new page's refs."""
        number = self.pages
        self.pages += 1
        return number


class Identities:
    """The identities of one client's contexts.

    Args:
        numbers: Gives the `c` components: no number of it is anybody else's, so that a ref of
            another client's names nothing.
        are_recorded: Whether the records of files have the names.

    Attributes:
        lost: The names of contexts that went with a browser, each with the cause as a clause.
    """

    def __init__(self, numbers: Iterator[int], *, are_recorded: bool = True) -> None:
        self._numbers = numbers
        self._are_recorded = are_recorded
        self._by_name: dict[str, Identity] = {}
        self.lost: dict[str, str] = {}

    def named(self, name: str) -> Identity:
        """Return that of a context; the same one whenever it is asked for."""
        if name not in self._by_name:
            label = name if self._are_recorded else ""
            self._by_name[name] = Identity(name, next(self._numbers), label)
        return self._by_name[name]

    def numbered(self, number: int) -> Identity | None:
        """Return that with the number; None when this client never had it."""
        return next((each for each in self._by_name.values() if each.number == number), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextOptions:
    """What a context is made with.

    Args:
        emulation: What its pages are told of the device, and of who sits before it.
        proxy: Where its traffic goes through.
        storage_state: File with the cookies and the storage that it begins with.
    """

    emulation: Emulation = field(default_factory=Emulation)
    proxy: Proxy | None = None
    storage_state: Path | None = None


class Context:
    """A named context of the browser and its tabs, in the order they were opened.

    Args:
        identity: Its name, and its number in refs.
        context_id: CDP `Browser.BrowserContextID`; None for the browser's own context.
        options: What it was made with.
        open_tab: Opens a tab in this context and returns its target id.
        close_tab: Closes the tab with that target id.
        refresh: Has the browser tell what its tabs show now.
        collect: Reads the cookies and the storage of this context, with IndexedDB or without.
        route: Its way through its proxy; None leaves it to the browser.
        starts_with_tab: Whether the browser opens a first tab by itself.
        chrome_version: As 156.0.8078.79; what emulates a user agent wants it.
        take_events: Returns what happened beside the pages since this was last asked, a sentence
            each.

    Attributes:
        origins: Those that may keep something in it: documents of theirs were shown.
        unrestored: What its storage state has that it did not get.
    """

    def __init__(
        self,
        identity: Identity,
        context_id: str | None,
        options: ContextOptions,
        *,
        open_tab: Callable[[Context], Awaitable[str]],
        close_tab: Callable[[str], Awaitable[None]],
        refresh: Callable[[], Awaitable[None]],
        collect: Callable[[Context, bool], Awaitable[Collected]],
        route: Route | None = None,
        starts_with_tab: bool = False,
        chrome_version: str = "",
        take_events: Callable[[Context], list[str]] = lambda _: [],
    ) -> None:
        self.identity = identity
        self.context_id = context_id
        self.options = options
        self.route = route or Route()
        self.emulation = ContextEmulation(options.emulation, chrome_version)
        self.tabs: list[Tab] = []
        self.active: Tab | None = None
        self._told: list[str] = []
        self.is_closed = False
        self.origins: set[str] = set()
        self.unrestored: list[str] = []
        self._open_tab = open_tab
        self._close_tab = close_tab
        self.refresh = refresh
        self._collect = collect
        self._take_events = take_events
        self._arrived = asyncio.Event()
        self._awaits_first = starts_with_tab
        self._opening = asyncio.Lock()

    @property
    def name(self) -> str:
        """What its client calls it."""
        return self.identity.name

    @property
    def number(self) -> int:
        """The `c` component of refs."""
        return self.identity.number

    def take_events(self) -> list[str]:
        """Return what happened beside the pages since this was last asked, a sentence each."""
        shown = {urlsplit(tab.url).hostname or "" for tab in self.tabs}
        return [*self.route.take_events(shown), *self._take_events(self)]

    def add(self, tab: Tab) -> None:
        """Take in a tab. The first becomes the active one; later ones do not by themselves."""
        self.tabs.append(tab)
        self.active = self.active or tab
        self._arrived.set()

    def remove(self, tab: Tab) -> None:
        """Let go of a closed tab. After the active one that which opened it becomes active; or else
        its successor at the same place, or the last.
        """
        index = self.tabs.index(tab)
        self.tabs.remove(tab)
        if self.active is tab:
            opener = self.with_target(tab.opener_id or "")
            beside = self.tabs[min(index, len(self.tabs) - 1)] if self.tabs else None
            self.active = opener or beside

    def activate_first(self, target_ids: Iterable[str]) -> None:
        """Make the tab of the first of these targets that is here the active one."""
        tabs = (tab for each in target_ids if (tab := self.with_target(each)) is not None)
        self.active = next(tabs, self.active)

    async def page(self) -> Page:
        """Return the active page; opens a tab when there is none."""
        async with self._opening:
            if self.active is None:
                await self._await_first()
            if self.active is None:
                return await self.new_page()
            active = self.active
        return await active.page()

    async def new_page(self) -> Page:
        """Open a tab and make it the active one."""
        self._awaits_first = False
        if self.is_closed:
            raise context_closed(self.name)
        target_id = await self._open_tab(self)
        tab = self.with_target(target_id)
        if tab is None:
            raise BrowserError("The new tab closed at once.", "Try again.")
        self.active = tab
        return await tab.page()

    def end(self) -> None:
        """End all calls in its pages at once, for it is about to be closed."""
        self.is_closed = True
        for tab in self.tabs:
            tab.interrupt(with_context=self.name)

    async def close_tab(self, tab: Tab | None) -> None:
        """Close a tab without asking its page, and wait until the browser has done so.

        Raises:
            CallError: There is no tab.
        """
        if tab is None:
            raise CallError("No tab is open.", "Use browser_navigate to open one.")
        await self._close_tab(tab.target_id)
        if tab in self.tabs:
            self.remove(tab)
        await tab.close()

    async def collect_storage(self, *, with_databases: bool) -> Collected:
        """Read the cookies and the storage of the context; see `context_storage.collect`.

        Args:
            with_databases: Read IndexedDB as well.
        """
        return await self._collect(self, with_databases)

    def tell(self) -> list[Tab]:
        """Return the tabs for the agent to be told; until it is told again, places mean these."""
        self._told = [tab.target_id for tab in self.tabs]
        return self.tabs

    def at(self, index: int) -> Tab:
        """Return the tab at a place of the list that the agent was told last.

        Raises:
            CallError: There is none, or it was closed since.
        """
        is_told = index < len(self._told)
        tab = self.with_target(self._told[index]) if is_told else None
        if not is_told and index < len(self.tabs):
            # It came since, unless those before it moved up.
            tab = self.tabs[index] if self.tabs[index].target_id not in self._told else None
        if tab is not None:
            return tab
        wrong = f"Tab {index} was closed since" if is_told else f"There is no tab {index}"
        count = len(self.tabs)
        have = f"there are {count}, counted from 0" if count else "no tab is open"
        raise CallError(f"{wrong}; {have}.", "Use browser_tabs with action list to see them.")

    def with_target(self, target_id: str) -> Tab | None:
        """Return the tab whose target that is."""
        return next((tab for tab in self.tabs if tab.target_id == target_id), None)

    def note_origins(self) -> set[str]:
        """Return the origins, with those of tabs that we never attached to."""
        for tab in self.tabs:
            parts = urlsplit(tab.url)
            if parts.scheme in ("http", "https"):
                self.origins.add(f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}")
        return self.origins

    def dialog_beside(self, target_id: str) -> str | None:
        """Name a dialog that is open in another tab than that; None when there is none."""
        for index, tab in enumerate(self.tabs):
            if tab.target_id != target_id and tab.dialog is not None:
                return f"the {tab.dialog} of tab {index}"
        return None

    async def _await_first(self) -> None:
        if not self._awaits_first:
            return
        self._awaits_first = False
        try:
            async with asyncio.timeout(_STARTUP_TAB):
                await self._arrived.wait()
        except TimeoutError:
            return


class Contexts:
    """The contexts of one client, in the order they were made, and the active one."""

    def __init__(self) -> None:
        self._by_name: dict[str, Context] = {}
        self._active: Context | None = None

    def __iter__(self) -> Iterator[Context]:
        return iter(self._by_name.values())

    def __len__(self) -> int:
        return len(self._by_name)

    @property
    def active(self) -> Context | None:
        """The active one; there is one as soon as there is any."""
        return self._active

    @active.setter
    def active(self, context: Context) -> None:
        if context.is_closed:
            raise context_closed(context.name)
        self._active = context

    def named(self, name: str) -> Context | None:
        return self._by_name.get(name)

    def add(self, context: Context) -> None:
        """Take in a context; the first becomes the active one."""
        self._by_name[context.name] = context
        self._active = self._active or context

    def remove(self, context: Context) -> Context:
        """Let go of a closed context, which is not the only one; `default` becomes active after the
        active one, or else the one made last. Returns the active one.
        """
        del self._by_name[context.name]
        if self._active in (context, None):
            self._active = self._by_name.get(DEFAULT) or list(self)[-1]
        return self._active


class AllContexts:
    """The contexts of one browser, whosever they are."""

    def __init__(self) -> None:
        self._contexts: list[Context] = []

    def __iter__(self) -> Iterator[Context]:
        return iter(self._contexts)

    def add(self, context: Context) -> None:
        self._contexts.append(context)

    def remove(self, context: Context) -> None:
        self._contexts.remove(context)

    @property
    def own(self) -> list[Context]:
        """The browser's own, as each client sees it that begins there: with its own tabs."""
        return [each for each in self if each.context_id is None]

    def with_id(self, context_id: str | None) -> Context | None:
        """Return the context with that id of the browser's; None for the browser's own."""
        return next((each for each in self if each.context_id == context_id), None)

    @property
    def tabs(self) -> list[Tab]:
        """The tabs of all contexts."""
        return [tab for context in self for tab in context.tabs]

    def tab(self, target_id: str | None) -> Tab | None:
        """Return the tab whose target that is, whatever its context."""
        return next((tab for tab in self.tabs if tab.target_id == target_id), None)
