"""Detection of a browser that hangs: its socket is open, but it answers nothing."""

from __future__ import annotations

import asyncio
import logging

from cdp_protocol import CallTimeout, CdpError, Connection
from viewpoint_mcp.background_tasks import BackgroundTasks

log = logging.getLogger(__name__)

_INTERVAL = 0.3  # interval between two checks, as a fraction of the patience


class Watchdog:
    """Periodic check that the browser answers; closes the connection if it does not.

    A hung page does not count, because it blocks only its renderer process.

    Args:
        answer_limit: Seconds without any answer until the browser counts as hung.
    """

    def __init__(self, connection: Connection, answer_limit: float) -> None:
        self._connection = connection
        self._answer_limit = answer_limit
        self._check_task: asyncio.Task[None] | None = None
        self._tasks = BackgroundTasks()

    def start(self) -> None:
        """Check periodically, but only while calls wait for an answer."""
        self._tasks.start(self._check_periodically())

    async def wait_until_browser_answers(self) -> None:
        """Wait until the browser has answered a request, or the connection is closed.

        Source: CDP `Browser.getVersion`.
        """
        if self._check_task is None or self._check_task.done():
            self._check_task = asyncio.create_task(self._request_answer())
        # `stop` cancels the request. `asyncio.wait` then returns without cancelling the caller.
        await asyncio.wait([self._check_task])

    async def stop(self) -> None:
        """Stop checking. Idempotent."""
        await self._tasks.close()
        if self._check_task is not None:
            self._check_task.cancel()
            await asyncio.gather(self._check_task, return_exceptions=True)

    async def _check_periodically(self) -> None:
        while self._connection.lost is None:
            await asyncio.sleep(_INTERVAL * self._answer_limit)
            if self._connection.pending_call_count:
                await self.wait_until_browser_answers()

    async def _request_answer(self) -> None:
        root = self._connection.root
        try:
            await root.send("Browser.getVersion", timeout=self._answer_limit)
        except CallTimeout:
            self._connection.give_up(f"no response for {self._answer_limit:g} s")
        except CdpError as error:
            log.debug("The browser answered with an error: %s", error)
