"""The endpoints /sse and /messages, the HTTP transport of 2024-11-05.

The client opens one event stream, which carries all answers, and posts its messages to /messages.
The session ends with the stream.

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
"""Seconds that calls get to finish after the client has closed its stream.

An action on a page should not stop half-way. The answers of these calls are dropped, because a new
stream begins a new session.
"""


class Events:
    """Serves clients of the version 2024-11-05.

    Args:
        sessions: Holds the sessions of this transport.
    """

    def __init__(self, sessions: Sessions) -> None:
        self._sessions = sessions

    async def get(self, exchange: Exchange) -> None:
        """Open a session and serve its event stream until the stream ends, then end the session.

        Raises:
            Refused: The client does not accept event streams.
        """
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
        """Return the session that the URL of a posted message names.

        Raises:
            Refused: The URL names no session, or one that does not exist.
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
        """Respond with 202 and serve a message, whose answer goes to the event stream.

        Raises:
            Refused: The URL names no session, or one that does not exist.
        """
        session = self.session(exchange)
        if isinstance(message, Invalid):
            await reject(exchange, message.error, message.id)
            return
        session.conversation.take(message)
        await exchange.respond(202)
