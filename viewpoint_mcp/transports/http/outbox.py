"""A queue of the events to send on one event stream. Does no I/O."""

from __future__ import annotations

import asyncio
import logging
from typing import Final

log = logging.getLogger(__name__)

_MOST: Final = 64 * 1024 * 1024  # bytes queued for a client that does not read


class Outbox:
    """A queue of events that plain functions fill and the writer of the stream empties.

    If the client does not read and the queue exceeds 64 MiB, its events are dropped and the outbox
    closes. The connection itself is closed by `uvicorn_server.Connection`.
    """

    def __init__(self) -> None:
        self._events: list[bytes] = []
        self._size = 0
        self._closed = False
        self._change = asyncio.Event()

    @property
    def empty(self) -> bool:
        return not self._events

    @property
    def ended(self) -> bool:
        """Whether the outbox is closed and all its events were taken."""
        return self._closed and not self._events

    def put(self, message: bytes, name: str = "message") -> None:
        """Add an event, or drop it if the outbox is closed. Neither waits nor raises.

        Args:
            message: The data of the event, one line.
            name: The name of the event.
        """
        if self._closed:
            return
        self._events.append(b"event: %b\ndata: %b\n\n" % (name.encode("ascii"), message))
        self._size += len(self._events[-1])
        if self._size > _MOST:
            log.warning("A client does not read its stream: what waits for it is dropped.")
            self._events.clear()
            self._closed = True
        self.stir()

    def close(self) -> None:
        """Close the outbox. The stream ends after the events that are queued. Idempotent."""
        self._closed = True
        self.stir()

    def stir(self) -> None:
        """Wake the task that waits in `stirred`, for example because a call has finished."""
        self._change.set()

    async def stirred(self, within: float) -> bool:
        """Wait until the outbox has an event, is closed, or `stir` is called.

        Args:
            within: Seconds to wait.

        Returns:
            False after a timeout.
        """
        if self._events or self._closed:
            return True
        self._change.clear()
        try:
            async with asyncio.timeout(within):
                await self._change.wait()
        except TimeoutError:
            return False
        return True

    def take(self) -> bytes:
        """Remove all queued events and return them, encoded for the stream; empty if none."""
        events = b"".join(self._events)
        self._events.clear()
        self._size = 0
        return events
