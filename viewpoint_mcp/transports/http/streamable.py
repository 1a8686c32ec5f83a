"""The endpoint /mcp of the versions 2025-03-26 to 2025-11-25, which have sessions.

A session can have event streams in addition to the responses to its POST requests.

Source: MCP 2025-11-25, "Transports", Streamable HTTP.
"""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Final

from viewpoint_mcp.rpc.errors import INVALID_REQUEST, RpcError
from viewpoint_mcp.rpc.messages import Answer, Batch, Invalid, Message, Request
from viewpoint_mcp.transports.http.exchange import EVENTS, Exchange, Refused
from viewpoint_mcp.transports.http.outbox import Outbox
from viewpoint_mcp.transports.http.reply import drop, reject, reply
from viewpoint_mcp.transports.http.sessions import Session, Sessions

SESSION: Final = "mcp-session-id"


class Streamable:
    """Serves the requests of clients that have a session or open one.

    Args:
        sessions: Holds the sessions of this endpoint.
    """

    def __init__(self, sessions: Sessions) -> None:
        self._sessions = sessions

    async def post(self, exchange: Exchange, message: Message) -> None:
        """Serve a posted message and send the response.

        The call continues if the client disconnects.

        Raises:
            Refused: The request names no session, or one that does not exist.
        """
        if isinstance(message, Request) and message.method == "initialize":
            await self._initialize(exchange, message)
            return
        session = self._session(exchange)
        if isinstance(message, Batch) and not session.conversation.batches:
            sentence = "Batches are of 2025-03-26 alone. Send each message by itself."
            await reject(exchange, RpcError(INVALID_REQUEST, sentence))
            return
        with self._sessions.using(session):
            if _wants_answer(message):
                await reply(exchange, partial(session.conversation.answer, message))
            else:
                session.conversation.take(message)
                await exchange.respond(202)

    async def get(self, exchange: Exchange) -> None:
        """Serve an event stream for messages that belong to no request.

        Raises:
            Refused: The client does not accept event streams, or the request names no session, or
                one that does not exist.
        """
        if not exchange.accepts(EVENTS):
            raise Refused(406, f"This is a stream; accept {EVENTS}.")
        session = self._session(exchange)
        outbox = Outbox()
        session.streams.append(outbox)
        try:
            with self._sessions.using(session):
                await exchange.hold(outbox)
        finally:
            session.streams.remove(outbox)

    async def delete(self, exchange: Exchange) -> None:
        """End a session in the background and respond at once.

        Raises:
            Refused: The request names no session, or one that does not exist.
        """
        self._sessions.end_later(self._session(exchange), grace=0.0)
        await exchange.respond(204)

    async def _initialize(self, exchange: Exchange, message: Request) -> None:
        """Open a session and serve `initialize`. End the session again if that fails."""
        session = self._sessions.open()
        with self._sessions.using(session):
            serving = session.conversation.answer(message, drop)
            await asyncio.wait({serving})
            served = None if serving.cancelled() else serving.result()
            begun = isinstance(served, Answer) and served.error is None
            headers = {SESSION: session.id} if begun else None
            await reply(exchange, lambda _: serving, headers=headers)
        if not begun:
            await self._sessions.end(session)

    def _session(self, exchange: Exchange) -> Session:
        """Return the session that the header Mcp-Session-Id names.

        Raises:
            Refused: The header is missing, or the session does not exist.
        """
        session_id = exchange.header(SESSION)
        if session_id is None:
            raise Refused(
                400, "The header Mcp-Session-Id is missing. The answer to initialize brings it."
            )
        session = self._sessions.find(session_id)
        if session is None:
            raise Refused(404, "There is no such session, or it has ended. Begin with initialize.")
        return session


def _wants_answer(message: Message) -> bool:
    if isinstance(message, Batch):
        return any(isinstance(each, Request | Invalid) for each in message.items)
    return isinstance(message, Request)
