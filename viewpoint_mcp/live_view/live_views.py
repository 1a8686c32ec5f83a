"""The live views of one server, by their keys."""

from __future__ import annotations

import asyncio
import hmac
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Protocol

from viewpoint_mcp.live_view.live_view import LiveView

if TYPE_CHECKING:
    from viewpoint_mcp.browser.client_workspace import Workspace


class Listener(Protocol):
    """Serves the page of the views over HTTP.

    Attributes:
        address: The URL of the page, without a key.
    """

    address: str

    async def close(self) -> None:
        """Stop serving. Idempotent."""


class LiveViews:
    """Makes the views of the clients, and finds the view of a key.

    Args:
        open_listener: Serves the page; called for the first view that is opened. The listener is
            closed with the views.

    Attributes:
        address: The URL of the page if another server serves it; else None.
    """

    def __init__(self, open_listener: Callable[[LiveViews], Awaitable[Listener]]) -> None:
        self._open_listener = open_listener
        self._listener: Listener | None = None
        self._lock = asyncio.Lock()
        self._opened: set[LiveView] = set()
        self.address: str | None = None

    def make_view(self, workspace: Workspace) -> LiveView:
        """Return the view of a client, which is closed until `LiveView.open`."""
        return LiveView(workspace, self._let_viewers_in)

    def find(self, key: str) -> LiveView | None:
        """Return the open view with this key; None if there is none.

        The time of the search reveals nothing of the keys.
        """
        found = None
        for view in list(self._opened):
            if view.key is None:
                self._opened.discard(view)
            elif hmac.compare_digest(view.key.encode(), key.encode()):
                found = view
        return found

    async def close(self) -> None:
        """Close all views and the listener. Idempotent."""
        for view in list(self._opened):
            await view.close()
        self._opened.clear()
        async with self._lock:
            listener, self._listener = self._listener, None
            if listener is not None:
                await listener.close()

    async def _let_viewers_in(self, view: LiveView) -> str:
        self._opened.add(view)
        if self.address is not None:
            return self.address
        async with self._lock:
            if self._listener is None:
                self._listener = await self._open_listener(self)
            return self._listener.address
