"""What is to be sent on one stream of events, in its order. Does no I/O."""

from __future__ import annotations

import asyncio
import logging
from typing import Final

log = logging.getLogger(__name__)

_MOST: Final = 64 * 1024 * 1024  # bytes that wait for a client that does not read


class Outbox:
    """Takes messages from plain functions and gives them to the one who writes them.

    When too much waits for a client that does not read, it is dropped, and no more is taken. That
    the client is left is the connection's part.
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
        """Whether nothing is in here, and nothing will be."""
        return self._closed and not self._events

    def put(self, message: bytes, name: str = "message") -> None:
        """Add an event; dropped once the outbox is closed. Neither waits nor raises.

        Args:
            message: One line.
            name: Of the event.
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
        """Let the stream end after what is in here. Idempotent."""
        self._closed = True
        self.stir()

    def stir(self) -> None:
        """Wake who waits, for a reason that is not in here."""
        self._change.set()

    async def stirred(self, within: float) -> bool:
        """Wait until something is in here, or happened; False if nothing did in these seconds."""
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
        """Return all events that are in here, as they are written; empty if there is none."""
        events = b"".join(self._events)
        self._events.clear()
        self._size = 0
        return events
