"""The endpoints /sse and /messages, the HTTP transport of 2024-11-05.

The client opens one event stream for all responses, and posts its messages to /messages.
The session ends with the stream.

Source: MCP 2024-11-05, "Transports", HTTP with SSE.
"""

from __future__ import annotations

from typing import Final

from viewpoint_mcp.rpc.messages import InvalidMessage, Message
from viewpoint_mcp.transports.http.event_stream_queue import EventStreamQueue
from viewpoint_mcp.transports.http.exchange import EVENT_STREAM_TYPE, Exchange, RequestRefused
from viewpoint_mcp.transports.http.post_response import send_rpc_error
from viewpoint_mcp.transports.http.sessions import Session, Sessions

MESSAGES_PATH: Final = "/messages"
_SESSION_PARAMETER: Final = "sessionId"

_GRACE: Final = 10.0
"""Seconds that calls get to finish after the client has closed its stream.

An action on a page should not stop half-way. The responses to these calls are dropped, because
a new stream begins a new session.
"""


class SseEndpoint:
    """Serves clients of the version 2024-11-05.

    Args:
        sessions: Holds the sessions of this transport.
    """

    def __init__(self, sessions: Sessions) -> None:
        self._sessions = sessions

    async def serve_stream(self, exchange: Exchange) -> None:
        """Open a session and serve its event stream until the stream ends, then end the session.

        Raises:
            RequestRefused: The client does not accept event streams.
        """
        if not exchange.accepts_media_type(EVENT_STREAM_TYPE):
            raise RequestRefused(406, f"The response is a stream. Accept {EVENT_STREAM_TYPE}.")
        events = EventStreamQueue()
        session = self._sessions.open_session()
        address = f"{exchange.root_path}{MESSAGES_PATH}?{_SESSION_PARAMETER}={session.id}"
        events.put(address.encode(), "endpoint")
        session.event_streams.append(events)
        try:
            await exchange.stream_until_disconnect(events)
        finally:
            self._sessions.end_in_background(session, grace=_GRACE)

    def find_session(self, exchange: Exchange) -> Session:
        """Return the session that the URL of a posted message names.

        Raises:
            RequestRefused: The URL names no session, or one that does not exist.
        """
        session_id = exchange.get_query_parameter(_SESSION_PARAMETER)
        if session_id is None:
            raise RequestRefused(
                400, f"{_SESSION_PARAMETER} is missing. The first event of /sse contains it."
            )
        session = self._sessions.find_session(session_id)
        if session is None:
            raise RequestRefused(404, "The session does not exist or has ended. Open /sse again.")
        return session

    async def serve_message(self, exchange: Exchange, message: Message) -> None:
        """Respond with 202 and serve a message. Its response goes to the event stream.

        Raises:
            RequestRefused: The URL names no session, or one that does not exist.
        """
        session = self.find_session(exchange)
        if isinstance(message, InvalidMessage):
            await send_rpc_error(exchange, message.error, message.id)
            return
        session.conversation.receive_message(message)
        await exchange.send_response(202)
