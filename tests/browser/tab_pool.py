"""Blank tabs that one test after another uses, each in a separate context. A new tab costs a
renderer process, which takes longer than most tests."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from cdp_protocol import CdpError, Connection, Session

_CLEARED_WITHIN = 2.0  # seconds
_NOT_OPENED_BY_TESTS = ("tab", "browser_ui")


@dataclass(frozen=True, slots=True)
class BlankTab:
    """A blank tab in a browser context without other tabs.

    Attributes:
        keeper: A CDP session of the pool; no domain is enabled in it.
    """

    context_id: str
    target_id: str
    keeper: Session


class TabPool:
    """Lends tabs, and reuses those that can be cleared.

    Args:
        connection: To the browser.
    """

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._free: list[BlankTab] = []

    @asynccontextmanager
    async def tab(self, *, may_store: bool) -> AsyncIterator[BlankTab]:
        """Lend a tab in a context without other tabs, cookies or storage.

        Args:
            may_store: Whether pages with an origin will be shown in it.
        """
        tab = self._free.pop() if self._free else await self._make()
        yield tab
        if await self._is_cleared(tab, has_stored=may_store):
            self._free.append(tab)
        else:
            await self._dispose(tab)

    async def close(self) -> None:
        """Close the tabs that no test uses."""
        while self._free:
            await self._dispose(self._free.pop())

    async def _make(self) -> BlankTab:
        target = self._connection.root.Target
        context_id = (await target.createBrowserContext())["browserContextId"]
        made = await target.createTarget(url="about:blank", browserContextId=context_id)
        return BlankTab(context_id, made["targetId"], await self._connection.root.attach(made))

    async def _dispose(self, tab: BlankTab) -> None:
        target = self._connection.root.Target
        await target.disposeBrowserContext(browserContextId=tab.context_id)

    async def _is_cleared(self, tab: BlankTab, *, has_stored: bool) -> bool:
        """Return whether the tab could be cleared of the page and the storage of the test. It
        cannot if it was closed or crashed, has an endless script or a dialog, or if other tabs or
        workers still run."""
        try:
            async with asyncio.timeout(_CLEARED_WITHIN):
                if await self._has_others(tab):
                    return False
                await tab.keeper.Page.navigate(url="about:blank")
                await tab.keeper.Runtime.evaluate(expression="0")  # by a renderer that answers
                if has_stored:
                    await self._forget(tab)
        except (TimeoutError, CdpError):
            return False
        return True

    async def _has_others(self, tab: BlankTab) -> bool:
        found = await self._connection.root.Target.getTargets(filter=[{}])
        return any(
            info.get("browserContextId") == tab.context_id
            and info["targetId"] != tab.target_id
            and info["type"] not in _NOT_OPENED_BY_TESTS
            for info in found["targetInfos"]
        )

    async def _forget(self, tab: BlankTab) -> None:
        root, keeper = self._connection.root, tab.keeper
        await asyncio.gather(
            root.Storage.clearCookies(browserContextId=tab.context_id),
            root.Browser.resetPermissions(browserContextId=tab.context_id),
            keeper.Storage.clearDataForOrigin(origin="*", storageTypes="all"),
            keeper.Network.clearBrowserCache(),
        )
