"""A connection, as uvicorn has it, which does not wait for its client for ever."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterable
from typing import Any, Final

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

if sys.platform != "win32":
    import resource

IDLE: Final = 75  # seconds; longer than clients keep a connection, so that it is them who close it
_FIRST_HEAD: Final = 30  # seconds until a client that has connected must have asked for something
_MOST: Final = 2000  # connections at a time
_MOST_WASTE: Final = 16 * 1024 * 1024
"""Bytes of a body that is taken after its answer: as much as might have been served, for many
clients read nothing before they have sent all.
"""


class Connection(H11Protocol):
    """One client's connection. It is cut where the client has long been waited for, and where room
    is needed for another that may have more to say.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._state: object = None
        self._since = self.loop.time()
        self._wasted = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        if len(self.connections) > _room():
            waiting = [each for each in connections(self.connections) if each.asks_nothing]
            min(waiting, key=lambda each: each._since).transport.abort()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        is_waste = self.asks_nothing and self.conn.their_state is h11.SEND_BODY
        self._wasted = self._wasted + len(data) if is_waste else 0
        if self._wasted > _MOST_WASTE:
            self.transport.abort()

    @property
    def asks_nothing(self) -> bool:
        """Whether no request of the client is served."""
        latest = self._latest
        return not self.transport.is_closing() and (latest is None or latest.response_complete)

    def look(self, now: float) -> None:
        """Cut the connection if its client neither asks nor reads, and has not for too long.

        Args:
            now: The time of the event loop.
        """
        asks_nothing = self.asks_nothing
        unread = self.transport.get_write_buffer_size()
        state = (self._latest if asks_nothing else None, unread)
        if state != self._state:
            self._state, self._since = state, now
        limit = _FIRST_HEAD if self._latest is None else IDLE
        if (asks_nothing or unread) and now - self._since > limit:
            self.transport.abort()

    @property
    def _latest(self) -> RequestResponseCycle | None:
        return self.cycle  # which is none before the first request


def connections(found: Iterable[object]) -> list[Connection]:
    """Those of ours."""
    return [each for each in found if isinstance(each, Connection)]


def _room() -> int:
    """How many connections there may be at a time."""
    if sys.platform != "win32":
        files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
        if files != resource.RLIM_INFINITY:
            return min(_MOST, files // 2)  # the other half is for the browser, and for bursts
    return _MOST
