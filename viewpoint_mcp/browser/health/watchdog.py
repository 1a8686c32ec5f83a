"""Detection of a browser that hangs: its socket is open, but it answers nothing."""

from __future__ import annotations

import asyncio
import logging

from cdp_protocol import CallTimeout, CdpError, Connection
from viewpoint_mcp.tasks import BackgroundTasks

log = logging.getLogger(__name__)

_INTERVAL = 0.3  # interval between two checks, as a fraction of the patience


class Watchdog:
    """Periodic check that the browser answers; gives up the connection if it does not.

    A hung page does not count, because it blocks only its renderer process.

    Args:
        patience: Seconds without any answer until the browser counts as hung.
    """

    def __init__(self, connection: Connection, patience: float) -> None:
        self._connection = connection
        self._patience = patience
        self._asking: asyncio.Task[None] | None = None
        self._tasks = BackgroundTasks()

    def start(self) -> None:
        """Check periodically, but only while calls wait for an answer."""
        self._tasks.start(self._watch())

    async def check(self) -> None:
        """Wait until the browser has answered a request, or the connection is given up.

        Source: CDP `Browser.getVersion`.
        """
        if self._asking is None or self._asking.done():
            self._asking = asyncio.create_task(self._ask())
        # `stop` cancels the request. `asyncio.wait` then returns without cancelling the caller.
        await asyncio.wait([self._asking])

    async def stop(self) -> None:
        """Stop checking. Idempotent."""
        await self._tasks.close()
        if self._asking is not None:
            self._asking.cancel()
            await asyncio.gather(self._asking, return_exceptions=True)

    async def _watch(self) -> None:
        while self._connection.lost is None:
            await asyncio.sleep(_INTERVAL * self._patience)
            if self._connection.pending_call_count:
                await self.check()

    async def _ask(self) -> None:
        root = self._connection.root
        try:
            await root.send("Browser.getVersion", timeout=self._patience)
        except CallTimeout:
            self._connection.give_up(f"nothing was answered for {self._patience:g} s")
        except CdpError as error:
            log.debug("A refusal is an answer, too: %s", error)
