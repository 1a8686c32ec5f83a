"""A queue of the events to send on one event stream. Does no I/O."""

from __future__ import annotations

import asyncio
import logging
from typing import Final

log = logging.getLogger(__name__)

_MAX_QUEUED: Final = 64 * 1024 * 1024  # bytes queued for a client that does not read


class EventStreamQueue:
    """A queue of events that plain functions fill and the writer of the stream empties.

    If the client does not read and the queue exceeds 64 MiB, its events are dropped and the queue
    closes. The connection itself is closed by `uvicorn_server.Connection`.
    """

    def __init__(self) -> None:
        self._events: list[bytes] = []
        self._size = 0
        self._is_closed = False
        self._change = asyncio.Event()

    @property
    def is_empty(self) -> bool:
        return not self._events

    @property
    def is_finished(self) -> bool:
        """Whether the queue is closed and all its events were taken."""
        return self._is_closed and not self._events

    def put(self, message: bytes, event_name: str = "message") -> None:
        """Add an event, or drop it if the queue is closed. Neither waits nor raises.

        Args:
            message: The data of the event, one line.
            event_name: The name of the event.
        """
        if self._is_closed:
            return
        self._events.append(b"event: %b\ndata: %b\n\n" % (event_name.encode("ascii"), message))
        self._size += len(self._events[-1])
        if self._size > _MAX_QUEUED:
            log.warning("A client does not read its event stream. Its queued events are dropped.")
            self._events.clear()
            self._is_closed = True
        self.wake_sender()

    def close(self) -> None:
        """Close the queue. The stream ends after the events that are queued. Idempotent."""
        self._is_closed = True
        self.wake_sender()

    def wake_sender(self) -> None:
        """Wake the task that waits in `wait_for_change`, for example when a call has finished."""
        self._change.set()

    async def wait_for_change(self, timeout: float) -> bool:
        """Wait until the queue has an event, is closed, or `wake_sender` is called.

        Args:
            timeout: Seconds to wait.

        Returns:
            False after a timeout.
        """
        if self._events or self._is_closed:
            return True
        self._change.clear()
        try:
            async with asyncio.timeout(timeout):
                await self._change.wait()
        except TimeoutError:
            return False
        return True

    def take_all(self) -> bytes:
        """Remove all queued events and return them, encoded for the stream; empty if none."""
        events = b"".join(self._events)
        self._events.clear()
        self._size = 0
        return events
