"""Who is there, and until when: the sessions of the revisions that have some."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Iterator
from contextlib import contextmanager

from viewpoint_mcp.rpc.dispatcher import Conversation, Dispatcher
from viewpoint_mcp.tasks import Tasks
from viewpoint_mcp.transports.http.outbox import Outbox

log = logging.getLogger(__name__)


class Session:
    """One client that stays.

    Args:
        id: Unguessable; whoever has it and the key is the client.
        dispatcher: Serves its messages.
    """

    def __init__(self, id: str, dispatcher: Dispatcher) -> None:
        self.id = id
        self.streams: list[Outbox] = []
        self.conversation: Conversation = dispatcher.open(self._tell)
        self.uses = 0
        self.expiry: asyncio.TimerHandle | None = None

    def _tell(self, message: bytes) -> None:
        """Send what belongs to no request, on the newest stream that is open for it."""
        if self.streams:
            self.streams[-1].put(message)


class Sessions:
    """All sessions of one kind, by their ids.

    Args:
        dispatcher: Serves their messages.
        lifetime: Seconds that one stays without a request, an open stream or a call that is still
            served; None for ever.
    """

    def __init__(self, dispatcher: Dispatcher, *, lifetime: float | None) -> None:
        self._dispatcher = dispatcher
        self._lifetime = lifetime
        self._sessions: dict[str, Session] = {}
        self._ending = Tasks()

    def open(self) -> Session:
        """Begin a session."""
        session = Session(secrets.token_urlsafe(24), self._dispatcher)
        self._sessions[session.id] = session
        return session

    def find(self, session_id: str) -> Session | None:
        """Return a session that has not ended."""
        return self._sessions.get(session_id)

    @contextmanager
    def using(self, session: Session) -> Iterator[None]:
        """Keep a session from expiring meanwhile; its time begins anew with the last use's end."""
        session.uses += 1
        if session.expiry is not None:
            session.expiry.cancel()
            session.expiry = None
        try:
            yield
        finally:
            session.uses -= 1
            if session.uses == 0:
                self._await_expiry(session)

    async def end(self, session: Session, *, grace: float = 0.0) -> None:
        """End a session and what its client opened. Idempotent.

        Args:
            grace: Seconds that its calls get to end by themselves.
        """
        self._sessions.pop(session.id, None)
        if session.expiry is not None:
            session.expiry.cancel()
        try:
            await session.conversation.close(grace=grace)
        finally:
            for stream in session.streams:
                stream.close()

    def end_later(self, session: Session, *, grace: float) -> None:
        """Do the same without waiting for it."""
        if self._sessions.pop(session.id, None) is not None:
            self._ending.start(self.end(session, grace=grace))

    async def close(self, *, grace: float) -> None:
        """End all sessions. Idempotent.

        Args:
            grace: Seconds that calls in progress get.
        """
        await asyncio.gather(*(self.end(each, grace=grace) for each in [*self._sessions.values()]))
        await self._ending.close()

    def _await_expiry(self, session: Session) -> None:
        if self._lifetime is not None and session.id in self._sessions:
            loop = asyncio.get_running_loop()
            session.expiry = loop.call_later(self._lifetime, self._expire, session)

    def _expire(self, session: Session) -> None:
        if session.conversation.busy:
            self._await_expiry(session)
            return
        log.info("A session has expired.")
        self.end_later(session, grace=0.0)
