"""Creation of contexts with all that their options require, and their disposal."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from cdp_protocol import CdpError, Connection, ConnectionLost
from viewpoint_mcp.browser import permissions
from viewpoint_mcp.browser.context import Context, ContextOptions, Identity
from viewpoint_mcp.browser.downloads import Downloads
from viewpoint_mcp.browser.proxy.route import Route
from viewpoint_mcp.browser.tabs.targets import Targets
from viewpoint_mcp.config.settings import Proxy
from viewpoint_mcp.errors import BrowserError, CallError
from viewpoint_mcp.page.blockers import browser_lost_error
from viewpoint_mcp.tasks import create_or_undo

if TYPE_CHECKING:
    from viewpoint_mcp.browser.storage.context_storage import Collected
    from viewpoint_mcp.browser.storage.state_file import StorageState


class ContextFactory:
    """Factory of contexts, which also disposes of them.

    Args:
        route: The route of the browser itself.
        is_near: Whether the browser runs on this machine.
    """

    def __init__(
        self,
        connection: Connection,
        targets: Targets,
        downloads: Downloads,
        *,
        route: Route,
        is_near: bool,
    ) -> None:
        self._root = connection.root
        self._targets = targets
        self._downloads = downloads
        self._route = route
        self._is_near = is_near

    async def make(
        self, who: Identity, options: ContextOptions, *, is_own: bool, starts_with_tab: bool = False
    ) -> Context:
        """Make a context and apply its options.

        Args:
            is_own: Use the browser's default context instead of a new isolated one.
            starts_with_tab: Whether the browser opens a first tab there without a request.

        Raises:
            CallError: The storage state or the proxy is invalid; no context remains.
            BrowserError: The browser made no context.
        """
        path = options.storage_state
        # Read the file first, because it may be invalid.
        state = await _read_state(path) if path is not None else None
        version = await self._version() if options.emulation.user_agent is not None else ""
        context_id, route = None, self._route
        if not is_own:
            context_id, route = await self._make_isolated(who.name, options.proxy)
        context = Context(
            who,
            context_id,
            options,
            open_tab=self._targets.open_tab,
            close_tab=self._targets.close_tab,
            refresh=self._targets.refresh,
            collect=self._collect_storage,
            route=route,
            chrome_version=version,
            starts_with_tab=starts_with_tab,
            take_events=self._downloads.take_events,
        )
        if state is not None:
            context.origins.update(each.origin for each in state.origins)
            context.unrestored = state.unknown
        try:
            await self._furnish(context, state)
        except BaseException:
            # The caller never gets this context, so it must be disposed of here.
            if context_id is not None:
                with suppress(CdpError):
                    await self._dispose_of(context_id)
                await route.close()
            raise
        return context

    async def _furnish(self, context: Context, state: StorageState | None) -> None:
        with _translated("A permission could not be granted"):
            await permissions.grant(self._root, context.context_id, context.options.emulation)
        if state is not None:
            from viewpoint_mcp.browser.storage import context_storage

            await context_storage.restore(self._root, context.context_id, state)
        await self._downloads.follow(self._root, context)
        if context.emulation.has_worker_overrides:
            await self._targets.mind_workers()

    async def dispose(self, context: Context) -> None:
        """Close a context in the browser, with its tabs.

        Raises:
            BrowserError: The browser refused, or the connection is lost; the tabs are detached
                anyway.

        Source: CDP `Target.disposeBrowserContext`.
        """
        try:
            with _translated("The context could not be closed"):
                await self._downloads.drop(self._root, context)
                await self._end(context)
        finally:
            for tab in context.tabs:
                await tab.close()
            if context.route is not self._route:
                await context.route.close()

    async def _collect_storage(self, context: Context, with_databases: bool) -> Collected:
        from viewpoint_mcp.browser.storage import context_storage

        return await context_storage.collect(
            self._root,
            context.context_id,
            context.note_origins(),
            with_databases=with_databases,
        )

    async def _end(self, context: Context) -> None:
        if context.context_id is None:
            await self._targets.close_own(context)
        else:
            await asyncio.gather(*(tab.drop_dialog() for tab in context.tabs))
            await self._dispose_of(context.context_id)

    async def _version(self) -> str:
        """Return the browser's version, such as 156.0.8078.79.

        Source: CDP `Browser.getVersion`.
        """
        with _translated("Chromium made no context"):
            return str((await self._root.Browser.getVersion())["product"]).partition("/")[2]

    async def _make_isolated(self, name: str, proxy: Proxy | None) -> tuple[str, Route]:
        """Create a browser context; return its id and its route."""
        if proxy is not None and proxy.username and not self._is_near:
            raise CallError(
                "A proxy that wants a user name and password needs a browser on this machine: they "
                "are given to it by a relay of this server on 127.0.0.1.",
                "Have the remote browser use a proxy that lets its address pass.",
            )
        route = await Route.open(proxy, name, self._route.rules)
        try:
            with _translated("Chromium made no context"):
                context_id = await create_or_undo(self._ask_for_context(route), self._dispose_of)
        except BaseException:
            await route.close()
            raise
        return context_id, route

    async def _ask_for_context(self, route: Route) -> str:
        """Source: CDP `Target.createBrowserContext`."""
        made = await self._root.Target.createBrowserContext(
            disposeOnDetach=True, proxyServer=route.server, proxyBypassList=route.bypass
        )
        return made["browserContextId"]

    async def _dispose_of(self, context_id: str) -> None:
        await self._root.Target.disposeBrowserContext(browserContextId=context_id)


async def _read_state(path: Path) -> StorageState:
    from viewpoint_mcp.browser.storage import state_file

    return await asyncio.to_thread(state_file.read, path)


@contextmanager
def _translated(what: str) -> Iterator[None]:
    try:
        yield
    except ConnectionLost as error:
        raise browser_lost_error(error) from error
    except CdpError as error:
        raise BrowserError(f"{what}: {error}") from error
