"""The uvicorn server, extended to close connections of clients that are idle or do not read.

Only this module imports uvicorn. It relies on parts that uvicorn does not document:
`H11Protocol` with its `connections`, `conn` and `cycle`; `Server.main_loop`, `on_tick`,
`capture_signals` and `server_state`. pyproject.toml therefore has an upper bound, and
tests/unit/transports/test_uvicorn_server.py fails when they change.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, Final, Protocol

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

from viewpoint_mcp.transports.http.exchange import Receive, Scope, Send

if sys.platform != "win32":
    import resource

BACKLOG: Final = 128
"""Connections that the operating system queues before they are accepted."""

# Seconds. Longer than most clients keep an idle connection, so that the client closes it.
_IDLE_TIMEOUT: Final = 75
_FIRST_REQUEST_TIMEOUT: Final = 30  # seconds from the connection to the head of the first request
_MAX_HEAD_SIZE: Final = 64 * 1024  # bytes
_SHUTDOWN_TIMEOUT: Final = 1  # seconds to send the last responses when the server stops
_MAX_CONNECTIONS: Final = 2000  # open connections
_MAX_LATE_BODY: Final = 16 * 1024 * 1024
"""Bytes of a request body that are still read after the response to it was sent.

Many clients read nothing before they have sent everything, so the limit is that of a valid body.
"""


class Application(Protocol):
    """An ASGI application that can be closed."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""

    async def close(self, *, grace: float = 0.0) -> None:
        """Finish the requests in progress within `grace` seconds, and end the others."""


class LimitedConnection(H11Protocol):
    """The connection of one client.

    It is closed when the client is idle or does not read for too long. It is also closed when the
    client sends too much of a request body after the response. When the number of connections
    exceeds the limit, a new connection closes the one that has been idle longest.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._activity: object = None
        self._unchanged_since = self.loop.time()
        self._late_body_size = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        if len(self.connections) > _get_connection_limit():
            connections = [each for each in self.connections if isinstance(each, LimitedConnection)]
            idle = [each for each in connections if each.is_idle]
            min(idle, key=lambda each: each._unchanged_since).transport.abort()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        is_late = self.is_idle and self.conn.their_state is h11.SEND_BODY
        self._late_body_size = self._late_body_size + len(data) if is_late else 0
        if self._late_body_size > _MAX_LATE_BODY:
            self.transport.abort()

    @property
    def is_idle(self) -> bool:
        """Whether the connection is open and no request is in progress."""
        latest = self._latest_request
        return not self.transport.is_closing() and (latest is None or latest.response_complete)

    def close_if_stalled(self, now: float) -> None:
        """Close the connection if the client is idle or does not read for too long.

        Args:
            now: The time of the event loop.
        """
        is_idle = self.is_idle
        unread = self.transport.get_write_buffer_size()
        activity = (self._latest_request if is_idle else None, unread)
        if activity != self._activity:
            self._activity, self._unchanged_since = activity, now
        limit = _FIRST_REQUEST_TIMEOUT if self._latest_request is None else _IDLE_TIMEOUT
        if (is_idle or unread) and now - self._unchanged_since > limit:
            self.transport.abort()

    @property
    def _latest_request(self) -> RequestResponseCycle | None:
        return self.cycle  # None before the first request


class UvicornServer(uvicorn.Server):
    """A uvicorn server that `stop` ends. It handles no signals, because the command line does.

    Args:
        app: The application to serve.
    """

    def __init__(self, app: Application) -> None:
        super().__init__(_make_config(app))
        self._stop_requested = asyncio.Event()

    def stop(self) -> None:
        """Make `serve` shut down and return."""
        self._stop_requested.set()

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield

    async def main_loop(self) -> None:
        while not self._stop_requested.is_set():
            await self.on_tick(0)  # Updates the header Date.
            now = asyncio.get_running_loop().time()
            for each in list(self.server_state.connections):
                if isinstance(each, LimitedConnection):
                    each.close_if_stalled(now)
            with suppress(TimeoutError):
                await asyncio.wait_for(self._stop_requested.wait(), 1)


def _get_connection_limit() -> int:
    """Return the maximum number of open connections."""
    if sys.platform != "win32":
        files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
        if files != resource.RLIM_INFINITY:
            return min(_MAX_CONNECTIONS, files // 2)  # The browser and bursts need the rest.
    return _MAX_CONNECTIONS


def _make_config(app: Application) -> uvicorn.Config:
    return uvicorn.Config(
        app,
        interface="asgi3",
        http=LimitedConnection,
        backlog=BACKLOG,
        ws="none",
        lifespan="off",
        log_config=None,
        log_level="critical",  # The application logs its errors; the rest is caused by clients.
        access_log=False,
        proxy_headers=False,
        server_header=False,
        timeout_keep_alive=_IDLE_TIMEOUT,
        timeout_graceful_shutdown=_SHUTDOWN_TIMEOUT,
        h11_max_incomplete_event_size=_MAX_HEAD_SIZE,
    )
