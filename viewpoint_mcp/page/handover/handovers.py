"""The hand-overs of one page, of which at most one is open."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

from viewpoint_mcp.errors import HandedOverError

if TYPE_CHECKING:
    from viewpoint_mcp.page.handover.handover import HandOver
    from viewpoint_mcp.page.handover.private_time import PrivateTime
    from viewpoint_mcp.page.services import PageServices


class HandOvers:
    """Hands one page over to persons.

    Args:
        private_time: The times in which a person acts in the browser context.

    Attributes:
        last: The last hand-over; None for none.
    """

    def __init__(self, page: PageServices, private_time: PrivateTime) -> None:
        self._page = page
        self.private_time = private_time
        self.last: HandOver | None = None

    @property
    def error(self) -> HandedOverError | None:
        """The error of calls on the page while a person acts on it; None if none does."""
        is_open = self.last is not None and self.last.is_open
        return self.last.make_error() if self.last is not None and is_open else None

    async def is_browser_headless(self) -> bool:
        """Return whether the browser has no windows that a person could see.

        Source: CDP `Browser.getVersion`.
        """
        root = self._page.session.connection.root
        version = await self._page.blockers.run_translating_errors(root.Browser.getVersion())
        return "Headless" in version["userAgent"] + version["product"]

    async def start(
        self,
        message: str,
        seconds: float,
        *,
        has_window: bool,
        keep_browser: Callable[[], AbstractContextManager[None]],
    ) -> HandOver:
        """Hand the page over; see `HandOver`.

        Raises:
            HandedOverError: The page is handed over already.
            PageError: The page crashed or was closed.
        """
        from viewpoint_mcp.page.handover.handover import HandOver

        if self.error is not None:
            raise self.error
        handover = HandOver(
            self._page,
            message,
            has_window=has_window,
            private_time=self.private_time,
            keep_browser=keep_browser,
        )
        self.last = handover
        await handover.start(seconds)
        return handover

    async def close(self) -> None:
        """End the hand-over because the page ends. Idempotent."""
        if self.last is not None:
            await self.last.end()
