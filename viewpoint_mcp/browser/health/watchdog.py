"""Notices a browser that hangs: its socket is open, and nothing is answered."""

from __future__ import annotations

import asyncio
import logging

from cdp_protocol import CallTimeout, CdpError, Connection
from viewpoint_mcp.tasks import Tasks

log = logging.getLogger(__name__)

_INTERVAL = 0.3  # of the patience, between two looks while an answer is waited for


class Watchdog:
    """Asks a browser for a sign of life, and gives the connection up when there is none.

    A page that hangs is not meant: its own process does, and the browser answers all the same.

    Args:
        patience: Seconds without any answer, until the browser is considered hung.
    """

    def __init__(self, connection: Connection, patience: float) -> None:
        self._connection = connection
        self._patience = patience
        self._asking: asyncio.Task[None] | None = None
        self._tasks = Tasks()

    def start(self) -> None:
        """Look from time to time, but only while somebody waits for an answer."""
        self._tasks.start(self._watch())

    async def check(self) -> None:
        """Return once the browser has answered anything, or the connection is given up.

        Source: CDP `Browser.getVersion`.
        """
        if self._asking is None or self._asking.done():
            self._asking = asyncio.create_task(self._ask())
        # Whoever stops it ends the wait, too, and does not cancel the caller.
        await asyncio.wait([self._asking])

    async def stop(self) -> None:
        """Ask no more. Idempotent."""
        await self._tasks.close()
        if self._asking is not None:
            self._asking.cancel()
            await asyncio.gather(self._asking, return_exceptions=True)

    async def _watch(self) -> None:
        while self._connection.lost is None:
            await asyncio.sleep(_INTERVAL * self._patience)
            if self._connection.waiting:
                await self.check()

    async def _ask(self) -> None:
        root = self._connection.root
        try:
            await root.send("Browser.getVersion", timeout=self._patience)
        except CallTimeout:
            self._connection.give_up(f"nothing was answered for {self._patience:g} s")
        except CdpError as error:
            log.debug("A refusal is an answer, too: %s", error)
