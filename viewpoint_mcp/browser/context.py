"""Browser contexts with their tabs, and the contexts of one client with the active one."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from viewpoint_mcp.browser.proxy.proxy_route import ProxyRoute
from viewpoint_mcp.browser.tabs.tab import Tab
from viewpoint_mcp.config.settings import Emulation, Proxy
from viewpoint_mcp.errors import CallError, PageClosedError
from viewpoint_mcp.page.blocking_conditions import context_closed_error
from viewpoint_mcp.page.emulation.context_emulation import ContextEmulation
from viewpoint_mcp.page.handover.private_time import PrivateTime
from viewpoint_mcp.page.page import Page

if TYPE_CHECKING:
    from viewpoint_mcp.browser.storage.context_storage import ContextStorage
    from viewpoint_mcp.page.network.context_network import ContextNetwork

DEFAULT_CONTEXT = "default"
_STARTUP_TAB_LIMIT = 1.0  # seconds to wait for the tab that a browser opens at its start


@dataclass(slots=True, eq=False)
class ContextIdentity:
    """The name and numbers of a context in refs and messages.

    It outlives the context and the browser, so that a later context of the same name continues the
    page numbers.

    Args:
        name: The client's name for the context.
        number: The `c` component of its refs.
        label: The name for the records of saved files; "" where other clients may read them.
        page_count: How many page numbers were given out in the context.
    """

    name: str
    number: int
    label: str
    page_count: int = 0

    def next_page_number(self) -> int:
        """Return the `p` component of a new page's refs."""
        number = self.page_count
        self.page_count += 1
        return number


class ContextIdentities:
    """The identities of one client's contexts.

    Args:
        numbers: Yields the `c` components. All clients share it, so that a ref of another client
            never resolves.
        has_recorded_names: Whether the records of saved files contain the context names.

    Attributes:
        loss_causes: Names of contexts that were lost with a browser, each with the cause as a
            clause.
    """

    def __init__(self, numbers: Iterator[int], *, has_recorded_names: bool = True) -> None:
        self._numbers = numbers
        self._has_recorded_names = has_recorded_names
        self._by_name: dict[str, ContextIdentity] = {}
        self.loss_causes: dict[str, str] = {}

    def get_or_create(self, name: str) -> ContextIdentity:
        """Return the identity of the context with this name; the same object on every call."""
        if name not in self._by_name:
            label = name if self._has_recorded_names else ""
            self._by_name[name] = ContextIdentity(name, next(self._numbers), label)
        return self._by_name[name]

    def find_by_number(self, number: int) -> ContextIdentity | None:
        """Return the identity with this `c` component; None if this client never had it."""
        return next((each for each in self._by_name.values() if each.number == number), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextOptions:
    """The options that a context is made with.

    Args:
        emulation: Device, locale and permissions that its pages see.
        proxy: The proxy for its traffic.
        storage_state: The cookies and the storage that it begins with: a file, or its content.
    """

    emulation: Emulation = field(default_factory=Emulation)
    proxy: Proxy | None = None
    storage_state: Path | Mapping[str, Any] | None = None


class Context:
    """A context of the browser and its tabs, in the order they were opened.

    Args:
        identity: Its name, and its number in refs.
        context_id: CDP `Browser.BrowserContextID`; None for the browser's default context.
        options: The options that it was made with.
        open_tab: Opens a tab in this context and returns its target id.
        close_tab: Closes the tab with that target id.
        refresh_tabs: Updates the URL and title of each tab from the browser.
        make_storage: Returns the cookies and the storage of this context.
        proxy_route: Its proxy route; None uses the browser's network settings.
        starts_with_tab: Whether the browser opens a first tab in it without a request.
        chrome_version: Such as 156.0.8078.79; needed to emulate a user agent, else "".
        pop_download_events: Returns the download events since its last call, a sentence each.

    Attributes:
        origins: Origins of documents that were loaded here, which may have stored data.
        opened_private_origins: Private origins that public pages may lead to.
        unrestored_parts: Parts of its storage state that were not restored.
        private_time: The times in which a person acts in it.
    """

    def __init__(
        self,
        identity: ContextIdentity,
        context_id: str | None,
        options: ContextOptions,
        *,
        open_tab: Callable[[Context], Awaitable[str]],
        close_tab: Callable[[str], Awaitable[None]],
        refresh_tabs: Callable[[], Awaitable[None]],
        make_storage: Callable[[Context], ContextStorage],
        proxy_route: ProxyRoute | None = None,
        starts_with_tab: bool = False,
        chrome_version: str = "",
        pop_download_events: Callable[[Context], list[str]] = lambda _: [],
    ) -> None:
        self.identity = identity
        self.context_id = context_id
        self.options = options
        self.proxy_route = proxy_route or ProxyRoute()
        self.emulation = ContextEmulation(options.emulation, chrome_version)
        self.tabs: list[Tab] = []
        self.active_tab: Tab | None = None
        self._listed_target_ids: list[str] = []
        self.is_closed = False
        self.origins, self.opened_private_origins = set[str](), set[str]()
        self.unrestored_parts: list[str] = []
        self.private_time = PrivateTime()
        self._open_tab = open_tab
        self._close_tab = close_tab
        self.refresh_tabs = refresh_tabs
        self._make_storage = make_storage
        self._pop_download_events = pop_download_events
        self._first_tab_added = asyncio.Event()
        self._is_startup_tab_expected = starts_with_tab
        self._opening_lock = asyncio.Lock()

    @property
    def name(self) -> str:
        """The client's name for the context."""
        return self.identity.name

    @property
    def number(self) -> int:
        """The `c` component of its refs."""
        return self.identity.number

    @cached_property
    def storage(self) -> ContextStorage:
        """Its cookies and its storage."""
        return self._make_storage(self)

    @property
    def network(self) -> ContextNetwork:
        """Its routes, and whether it is offline."""
        return self.emulation.network

    def pop_events(self) -> list[str]:
        """Return refused connections, downloads and failures of routes since the last call."""
        shown = {urlsplit(tab.url).hostname or "" for tab in self.tabs}
        events = [*self.proxy_route.pop_events(shown), *self._pop_download_events(self)]
        return [*events, *self.network.pop_events()]

    def add_tab(self, tab: Tab) -> None:
        """Add a tab. It becomes the active one if there is none."""
        self.tabs.append(tab)
        self.active_tab = self.active_tab or tab
        self._first_tab_added.set()

    def remove_tab(self, tab: Tab) -> None:
        """Remove a closed tab.

        If it was the active one, its opener becomes active, or else the tab that moved to its
        place, or the last.
        """
        index = self.tabs.index(tab)
        self.tabs.remove(tab)
        if self.active_tab is tab:
            opener = self.find_tab(tab.opener_id or "")
            beside = self.tabs[min(index, len(self.tabs) - 1)] if self.tabs else None
            self.active_tab = opener or beside

    def activate_first_found(self, target_ids: Iterable[str]) -> None:
        """Activate the tab of the first of these targets that belongs to this context."""
        tabs = (tab for each in target_ids if (tab := self.find_tab(each)) is not None)
        self.active_tab = next(tabs, self.active_tab)

    async def get_active_page(self) -> Page:
        """Return the page of the active tab; open a tab if there is none.

        Raises:
            PageError: The tab closed, or does not answer.
            BrowserError: Chromium opened no tab.
        """
        async with self._opening_lock:
            if self.active_tab is None:
                await self._wait_for_startup_tab()
            if self.active_tab is None:
                return await self.new_page()
            active = self.active_tab
        return await active.get_page()

    async def new_page(self) -> Page:
        """Open a tab, make it the active one and return its page.

        Raises:
            PageError: The context is closed, the tab closed at once, or it does not answer.
            BrowserError: Chromium opened no tab.
        """
        self._is_startup_tab_expected = False
        if self.is_closed:
            raise context_closed_error(self.name)
        target_id = await self._open_tab(self)
        tab = self.find_tab(target_id)
        if tab is None:
            raise PageClosedError("The new tab closed immediately.", "Try again.")
        self.active_tab = tab
        return await tab.get_page()

    def mark_closed(self) -> None:
        """Mark the context as closed and end all calls on its pages at once."""
        self.is_closed = True
        for tab in self.tabs:
            tab.end_calls(closed_context=self.name)

    async def close_tab_or_fail(self, tab: Tab | None) -> None:
        """Close a tab without its `beforeunload` dialog, and wait until the browser has closed it.

        Raises:
            CallError: `tab` is None, because no tab is open.
        """
        if tab is None:
            raise CallError("No tab is open.", "Use browser_navigate to open one.")
        await self._close_tab(tab.target_id)
        if tab in self.tabs:
            self.remove_tab(tab)
        await tab.detach()

    def list_tabs_and_remember_order(self) -> list[Tab]:
        """Return the tabs for a reply, and remember their order for `at`."""
        self._listed_target_ids = [tab.target_id for tab in self.tabs]
        return self.tabs

    def get_listed_tab(self, index: int) -> Tab:
        """Return the tab at an index of the list that the agent saw last.

        A tab that opened after that list has its current index.

        Raises:
            CallError: The index is out of range, or the tab has closed.
        """
        is_listed = index < len(self._listed_target_ids)
        tab = self.find_tab(self._listed_target_ids[index]) if is_listed else None
        if not is_listed and index < len(self.tabs):
            # The tab opened after the list was shown, unless earlier tabs closed and it moved up.
            tab = (
                self.tabs[index]
                if self.tabs[index].target_id not in self._listed_target_ids
                else None
            )
        if tab is not None:
            return tab
        wrong = f"Tab {index} has closed" if is_listed else f"Tab {index} does not exist"
        count = len(self.tabs)
        have = f"there are {count}, counted from 0" if count else "no tab is open"
        raise CallError(f"{wrong}; {have}.", "Use browser_tabs with action list to see them.")

    def find_tab(self, target_id: str) -> Tab | None:
        """Return the tab with this target id, or None."""
        return next((tab for tab in self.tabs if tab.target_id == target_id), None)

    def collect_origins(self) -> set[str]:
        """Return the set of its origins, updated with those of tabs without an attached page."""
        for tab in self.tabs:
            parts = urlsplit(tab.url)
            if parts.scheme in ("http", "https"):
                self.origins.add(f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}")
        return self.origins

    def describe_dialog_in_other_tab(self, target_id: str) -> str | None:
        """Describe a dialog that is open in another tab than this one; None if none is."""
        for index, tab in enumerate(self.tabs):
            if tab.target_id != target_id and tab.dialog is not None:
                return f"the {tab.dialog} of tab {index}"
        return None

    async def _wait_for_startup_tab(self) -> None:
        if not self._is_startup_tab_expected:
            return
        self._is_startup_tab_expected = False
        try:
            async with asyncio.timeout(_STARTUP_TAB_LIMIT):
                await self._first_tab_added.wait()
        except TimeoutError:
            return


class ClientContexts:
    """The open contexts of one client, in the order they were made, and the active one."""

    def __init__(self) -> None:
        self._by_name: dict[str, Context] = {}
        self._active: Context | None = None

    def __iter__(self) -> Iterator[Context]:
        return iter(self._by_name.values())

    def __len__(self) -> int:
        return len(self._by_name)

    @property
    def active(self) -> Context | None:
        """The active context; None only if there is no context."""
        return self._active

    @active.setter
    def active(self, context: Context) -> None:
        if context.is_closed:
            raise context_closed_error(context.name)
        self._active = context

    def find(self, name: str) -> Context | None:
        """Return the context with this name, or None."""
        return self._by_name.get(name)

    def add(self, context: Context) -> None:
        """Add a context. It becomes the active one if there is none."""
        self._by_name[context.name] = context
        self._active = self._active or context

    def remove_and_get_active(self, context: Context) -> Context:
        """Remove a closed context, which must not be the only one, and return the active one.

        If the active context is removed, `default` becomes active, or else the newest context.
        """
        del self._by_name[context.name]
        if self._active in (context, None):
            self._active = self._by_name.get(DEFAULT_CONTEXT) or list(self)[-1]
        return self._active


class BrowserContexts:
    """The contexts of one browser, of all clients."""

    def __init__(self) -> None:
        self._contexts: list[Context] = []

    def __iter__(self) -> Iterator[Context]:
        return iter(self._contexts)

    def add(self, context: Context) -> None:
        self._contexts.append(context)

    def remove(self, context: Context) -> None:
        self._contexts.remove(context)

    @property
    def browser_default_views(self) -> list[Context]:
        """The views of the browser's default context, one for each client that uses it."""
        return [each for each in self if each.context_id is None]

    def find_by_id(self, context_id: str | None) -> Context | None:
        """Return the context with this CDP id, or None.

        Args:
            context_id: None selects the browser's default context, as the first client sees it.
        """
        return next((each for each in self if each.context_id == context_id), None)

    @property
    def tabs(self) -> list[Tab]:
        """The tabs of all contexts."""
        return [tab for context in self for tab in context.tabs]

    def find_tab(self, target_id: str | None) -> Tab | None:
        """Return the tab with this target id in any context, or None."""
        return next((tab for tab in self.tabs if tab.target_id == target_id), None)
