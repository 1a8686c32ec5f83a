"""The open sessions of HTTP clients and their expiry."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Iterator
from contextlib import contextmanager

from viewpoint_mcp.background_tasks import BackgroundTasks
from viewpoint_mcp.rpc.dispatcher import Conversation, Dispatcher
from viewpoint_mcp.transports.http.event_stream_queue import EventStreamQueue

log = logging.getLogger(__name__)


class Session:
    """The session of one HTTP client.

    Args:
        id: A random id that cannot be guessed. Id and API key together authenticate the client.
        dispatcher: Opens the conversation that serves the messages of the client.

    Attributes:
        event_streams: Event streams for messages that belong to no request, oldest first.
        conversation: The conversation with the client.
        use_count: Number of requests and streams that use the session at present.
        expiry_timer: Timer that ends the session; None while it is used or if it never expires.
    """

    def __init__(self, id: str, dispatcher: Dispatcher) -> None:
        self.id = id
        self.event_streams: list[EventStreamQueue] = []
        self.conversation: Conversation = dispatcher.open(self._send_on_stream)
        self.use_count = 0
        self.expiry_timer: asyncio.TimerHandle | None = None

    def _send_on_stream(self, message: bytes) -> None:
        """Send a message that belongs to no request on the newest stream, or drop it if none."""
        if self.event_streams:
            self.event_streams[-1].put(message)


class Sessions:
    """The sessions of one transport, by id.

    Args:
        dispatcher: Opens the conversation of each session.
        lifetime: Seconds after which a session expires that has no request, no open stream and no
            call in progress; None for never.
    """

    def __init__(self, dispatcher: Dispatcher, *, lifetime: float | None) -> None:
        self._dispatcher = dispatcher
        self._lifetime = lifetime
        self._sessions: dict[str, Session] = {}
        self._background_tasks = BackgroundTasks()

    def open_session(self) -> Session:
        """Open a session with a new id."""
        session = Session(secrets.token_urlsafe(24), self._dispatcher)
        self._sessions[session.id] = session
        return session

    def find_session(self, session_id: str) -> Session | None:
        """Return the session with an id; None if it does not exist or has ended."""
        return self._sessions.get(session_id)

    @contextmanager
    def keep_from_expiring(self, session: Session) -> Iterator[None]:
        """Keep a session from expiring while the context manager is open.

        Its lifetime starts again when its last use ends.
        """
        session.use_count += 1
        if session.expiry_timer is not None:
            session.expiry_timer.cancel()
            session.expiry_timer = None
        try:
            yield
        finally:
            session.use_count -= 1
            if session.use_count == 0:
                self._schedule_expiry(session)

    async def end_session(self, session: Session, *, grace: float = 0.0) -> None:
        """End a session, its calls and its streams. Idempotent.

        Args:
            session: The session.
            grace: Seconds that its calls get to finish before they are cancelled.
        """
        self._sessions.pop(session.id, None)
        if session.expiry_timer is not None:
            session.expiry_timer.cancel()
        try:
            await session.conversation.close(grace=grace)
        finally:
            for stream in session.event_streams:
                stream.close()

    def end_in_background(self, session: Session, *, grace: float) -> None:
        """End a session in the background. Idempotent.

        Args:
            session: The session. `find_session` no longer returns it.
            grace: Seconds that its calls get to finish before they are cancelled.
        """
        if self._sessions.pop(session.id, None) is not None:
            self._background_tasks.start(self.end_session(session, grace=grace))

    async def close(self, *, grace: float) -> None:
        """End all sessions. Idempotent.

        Args:
            grace: Seconds that calls in progress get to finish before they are cancelled.
        """
        await asyncio.gather(
            *(self.end_session(each, grace=grace) for each in [*self._sessions.values()])
        )
        await self._background_tasks.close()

    def _schedule_expiry(self, session: Session, already_unused: float = 0.0) -> None:
        if self._lifetime is not None and session.id in self._sessions:
            session.expiry_timer = asyncio.get_running_loop().call_later(
                self._lifetime - already_unused, self._expire_session, session, self._lifetime
            )

    def _expire_session(self, session: Session, lifetime: float) -> None:
        """End a session, unless work of other transports used its conversation meanwhile."""
        conversation = session.conversation
        unused = asyncio.get_running_loop().time() - conversation.last_active_at
        if conversation.active_message_count or unused < lifetime:
            self._schedule_expiry(session, 0.0 if conversation.active_message_count else unused)
            return
        log.info("A session has expired.")
        self.end_in_background(session, grace=0.0)
