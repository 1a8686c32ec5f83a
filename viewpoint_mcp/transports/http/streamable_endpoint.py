"""The endpoint /mcp of the versions 2025-03-26 to 2025-11-25, which have sessions.

A session can have event streams in addition to the responses to its POST requests.

Source: MCP 2025-11-25, "Transports", Streamable HTTP.
"""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Final

from viewpoint_mcp.rpc.errors import INVALID_REQUEST, RpcError
from viewpoint_mcp.rpc.messages import Batch, InvalidMessage, Message, Request, Response
from viewpoint_mcp.transports.http.event_stream_queue import EventStreamQueue
from viewpoint_mcp.transports.http.exchange import EVENT_STREAM_TYPE, Exchange, RequestRefused
from viewpoint_mcp.transports.http.post_response import (
    drop_message,
    send_rpc_error,
    serve_and_respond,
)
from viewpoint_mcp.transports.http.sessions import Session, Sessions

SESSION_HEADER: Final = "mcp-session-id"


class StreamableEndpoint:
    """Serves the requests of clients that have a session or open one.

    Args:
        sessions: Holds the sessions of this endpoint.
    """

    def __init__(self, sessions: Sessions) -> None:
        self._sessions = sessions

    async def serve_message(self, exchange: Exchange, message: Message) -> None:
        """Serve a posted message and send the response.

        The call continues if the client disconnects.

        Raises:
            RequestRefused: The request names no session, or one that does not exist.
        """
        if isinstance(message, Request) and message.method == "initialize":
            await self._initialize(exchange, message)
            return
        session = self._find_session(exchange)
        if isinstance(message, Batch) and not session.conversation.can_receive_batches:
            sentence = "Only 2025-03-26 has batches. Send each message separately."
            await send_rpc_error(exchange, RpcError(INVALID_REQUEST, sentence))
            return
        with self._sessions.keep_from_expiring(session):
            if _needs_response(message):
                await serve_and_respond(
                    exchange, partial(session.conversation.start_serving, message)
                )
            else:
                session.conversation.receive_message(message)
                await exchange.send_response(202)

    async def serve_stream(self, exchange: Exchange) -> None:
        """Serve an event stream for messages that belong to no request.

        Raises:
            RequestRefused: The client does not accept event streams, or the session of the request
                is missing or does not exist.
        """
        if not exchange.accepts_media_type(EVENT_STREAM_TYPE):
            raise RequestRefused(406, f"The response is a stream. Accept {EVENT_STREAM_TYPE}.")
        session = self._find_session(exchange)
        events = EventStreamQueue()
        session.event_streams.append(events)
        try:
            with self._sessions.keep_from_expiring(session):
                await exchange.stream_until_disconnect(events)
        finally:
            session.event_streams.remove(events)

    async def end_session(self, exchange: Exchange) -> None:
        """End a session in the background and respond at once.

        Raises:
            RequestRefused: The request names no session, or one that does not exist.
        """
        self._sessions.end_in_background(self._find_session(exchange), grace=0.0)
        await exchange.send_response(204)

    async def _initialize(self, exchange: Exchange, message: Request) -> None:
        """Open a session and serve `initialize`. End the session again if that fails."""
        session = self._sessions.open_session()
        with self._sessions.keep_from_expiring(session):
            serving = session.conversation.start_serving(message, drop_message)
            await asyncio.wait({serving})
            response = None if serving.cancelled() else serving.result()
            has_begun = isinstance(response, Response) and response.error is None
            headers = {SESSION_HEADER: session.id} if has_begun else None
            await serve_and_respond(exchange, lambda _: serving, headers=headers)
        if not has_begun:
            await self._sessions.end_session(session)

    def _find_session(self, exchange: Exchange) -> Session:
        """Return the session that the header Mcp-Session-Id names.

        Raises:
            RequestRefused: The header is missing, or the session does not exist.
        """
        session_id = exchange.get_header(SESSION_HEADER)
        if session_id is None:
            raise RequestRefused(
                400, "The header Mcp-Session-Id is missing. The response to initialize has it."
            )
        session = self._sessions.find_session(session_id)
        if session is None:
            raise RequestRefused(
                404, "The session does not exist or has ended. Begin with initialize."
            )
        return session


def _needs_response(message: Message) -> bool:
    if isinstance(message, Batch):
        return any(isinstance(each, Request | InvalidMessage) for each in message.items)
    return isinstance(message, Request)
