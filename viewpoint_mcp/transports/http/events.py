"""/sse and /messages, the transport of 2024-11-05: one stream for all answers, and messages that
are posted beside it. The session is the stream and ends with it.

Source: MCP 2024-11-05, "Transports", HTTP with SSE.
"""

from __future__ import annotations

from typing import Final

from viewpoint_mcp.rpc.messages import Invalid, Message
from viewpoint_mcp.transports.http.exchange import EVENTS, Exchange, Refused
from viewpoint_mcp.transports.http.outbox import Outbox
from viewpoint_mcp.transports.http.reply import reject
from viewpoint_mcp.transports.http.sessions import Session, Sessions

MESSAGES: Final = "/messages"
_SESSION: Final = "sessionId"

_GRACE: Final = 10.0
"""Seconds that calls get whose client has left the stream: what they do on a page is better done
whole than half. Nobody hears their answers, for a new stream is a new session.
"""


class Events:
    """Serves clients of 2024-11-05.

    Args:
        sessions: Those that begin and end here.
    """

    def __init__(self, sessions: Sessions) -> None:
        self._sessions = sessions

    async def get(self, exchange: Exchange) -> None:
        """Hold the stream of a session, from its beginning to its end."""
        if not exchange.accepts(EVENTS):
            raise Refused(406, f"This is a stream; accept {EVENTS}.")
        outbox = Outbox()
        session = self._sessions.open()
        address = f"{exchange.root}{MESSAGES}?{_SESSION}={session.id}"
        outbox.put(address.encode(), "endpoint")
        session.streams.append(outbox)
        try:
            await exchange.hold(outbox)
        finally:
            self._sessions.end_later(session, grace=_GRACE)

    def session(self, exchange: Exchange) -> Session:
        """Return the session that a posted message belongs to.

        Raises:
            Refused: It names none, or one that there is not.
        """
        session_id = exchange.query(_SESSION)
        if session_id is None:
            raise Refused(400, f"{_SESSION} is missing. The first event of /sse has the whole URL.")
        session = self._sessions.find(session_id)
        if session is None:
            raise Refused(
                404, "There is no such session, or its stream has ended. Open /sse again."
            )
        return session

    async def post(self, exchange: Exchange, message: Message) -> None:
        """Take a message, whose answer goes to the stream."""
        session = self.session(exchange)
        if isinstance(message, Invalid):
            await reject(exchange, message.error, message.id)
            return
        session.conversation.take(message)
        await exchange.respond(202)
