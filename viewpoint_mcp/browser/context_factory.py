"""Creation of contexts with all that their options require, and their disposal."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cdp_protocol import CdpError, Connection, ConnectionLost
from viewpoint_mcp.background_tasks import create_or_undo_if_cancelled
from viewpoint_mcp.browser import permissions
from viewpoint_mcp.browser.context import Context, ContextIdentity, ContextOptions
from viewpoint_mcp.browser.downloads import Downloads
from viewpoint_mcp.browser.proxy.proxy_route import ProxyRoute
from viewpoint_mcp.browser.tabs.browser_tabs import BrowserTabs
from viewpoint_mcp.config.settings import Proxy
from viewpoint_mcp.errors import BrowserError, CallError
from viewpoint_mcp.page.blocking_conditions import browser_lost_error

if TYPE_CHECKING:
    from viewpoint_mcp.browser.storage.context_storage import ContextStorage
    from viewpoint_mcp.browser.storage.state_file import StorageState


class ContextFactory:
    """Factory of contexts, which also disposes of them.

    Args:
        proxy_route: The route of the browser itself.
        is_local: Whether the browser runs on this machine.
    """

    def __init__(
        self,
        connection: Connection,
        browser_tabs: BrowserTabs,
        downloads: Downloads,
        *,
        proxy_route: ProxyRoute,
        is_local: bool,
    ) -> None:
        self._root = connection.root
        self._browser_tabs = browser_tabs
        self._downloads = downloads
        self._proxy_route = proxy_route
        self._is_local = is_local

    async def make(
        self,
        identity: ContextIdentity,
        options: ContextOptions,
        *,
        is_browser_default: bool,
        starts_with_tab: bool = False,
    ) -> Context:
        """Make a context and apply its options.

        Args:
            is_browser_default: Use the browser's default context instead of a new isolated one.
            starts_with_tab: Whether the browser opens a first tab there without a request.

        Raises:
            CallError: The storage state or the proxy is invalid; no context remains.
            BrowserError: The browser made no context.
        """
        given = options.storage_state
        state = await _read_state(given) if given is not None else None  # may fail, so it is first
        version = await self._fetch_version() if options.emulation.user_agent is not None else ""
        context_id, route = None, self._proxy_route
        if not is_browser_default:
            context_id, route = await self._make_isolated_context(identity.name, options.proxy)
        context = Context(
            identity,
            context_id,
            options,
            open_tab=self._browser_tabs.open_tab,
            close_tab=self._browser_tabs.close_tab,
            refresh_tabs=self._browser_tabs.refresh_tabs,
            make_storage=self._make_storage,
            proxy_route=route,
            chrome_version=version,
            starts_with_tab=starts_with_tab,
            pop_download_events=self._downloads.pop_events,
        )
        if state is not None:
            context.unrestored_parts = state.unsupported_parts
        try:
            await self._grant_permissions_and_restore_storage(context, state)
        except BaseException:
            # The caller never gets this context, so it must be disposed of here.
            if context_id is not None:
                with suppress(CdpError):
                    await self._dispose_browser_context(context_id)
                await route.close()
            raise
        return context

    async def _grant_permissions_and_restore_storage(
        self, context: Context, state: StorageState | None
    ) -> None:
        with _translate_errors("A permission could not be granted"):
            await permissions.grant_permissions(
                self._root, context.context_id, context.options.emulation
            )
        context.emulation.grant_permissions = partial(
            permissions.replace_permissions, self._root, context.context_id
        )
        if state is not None:
            await context.storage.restore(state)
        await self._downloads.enable_events(self._root, context)
        context.network.attach_to_workers = partial(self._browser_tabs.attach_to_workers, context)
        if context.emulation.has_worker_overrides:
            await self._browser_tabs.attach_to_workers(context)

    async def close_with_tabs(self, context: Context) -> None:
        """Close a context in the browser, with its tabs.

        Raises:
            BrowserError: The browser refused, or the connection is lost; the tabs are detached
                anyway.

        Source: CDP `Target.disposeBrowserContext`.
        """
        try:
            with _translate_errors("The context could not be closed"):
                await self._downloads.cancel_downloads(self._root, context)
                await self._close_in_browser(context)
        finally:
            for tab in context.tabs:
                await tab.detach()
            await context.network.close()
            if context.proxy_route is not self._proxy_route:
                await context.proxy_route.close()

    def _make_storage(self, context: Context) -> ContextStorage:
        from viewpoint_mcp.browser.storage.context_storage import ContextStorage

        return ContextStorage(self._root, context.context_id, context.collect_origins)

    async def _close_in_browser(self, context: Context) -> None:
        if context.context_id is None:
            await self._browser_tabs.close_browser_default_tabs(context)
        else:
            await asyncio.gather(*(tab.disconnect_if_dialog_open() for tab in context.tabs))
            await self._dispose_browser_context(context.context_id)

    async def _fetch_version(self) -> str:
        """Return the browser's version, such as 156.0.8078.79.

        Source: CDP `Browser.getVersion`.
        """
        with _translate_errors("Chromium did not create a context"):
            return str((await self._root.Browser.getVersion())["product"]).partition("/")[2]

    async def _make_isolated_context(
        self, name: str, proxy: Proxy | None
    ) -> tuple[str, ProxyRoute]:
        """Create a browser context; return its id and its route."""
        if proxy is not None and proxy.username and not self._is_local:
            raise CallError(
                "A proxy with a user name and password needs a browser on this machine, because a "
                "local relay adds them.",
                "Use a proxy that accepts the remote browser without a login.",
            )
        route = await ProxyRoute.open(proxy, name, self._proxy_route.origin_rules)
        try:
            with _translate_errors("Chromium did not create a context"):
                context_id = await create_or_undo_if_cancelled(
                    self._create_browser_context(route), self._dispose_browser_context
                )
        except BaseException:
            await route.close()
            raise
        return context_id, route

    async def _create_browser_context(self, route: ProxyRoute) -> str:
        """Source: CDP `Target.createBrowserContext`."""
        made = await self._root.Target.createBrowserContext(
            disposeOnDetach=True, proxyServer=route.server, proxyBypassList=route.bypass
        )
        return made["browserContextId"]

    async def _dispose_browser_context(self, context_id: str) -> None:
        await self._root.Target.disposeBrowserContext(browserContextId=context_id)


async def _read_state(path_or_content: Path | Mapping[str, Any]) -> StorageState:
    from viewpoint_mcp.browser.storage import state_file

    if isinstance(path_or_content, Path):
        return await asyncio.to_thread(state_file.read_state, path_or_content)
    return state_file.convert_state(path_or_content)


@contextmanager
def _translate_errors(message: str) -> Iterator[None]:
    try:
        yield
    except ConnectionLost as error:
        raise browser_lost_error(error) from error
    except CdpError as error:
        raise BrowserError(f"{message}: {error}") from error
