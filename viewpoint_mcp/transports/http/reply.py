"""The response to a POST, as JSON or as an event stream.

A call that finishes soon and sends no notifications is answered with JSON. Else the response
becomes an event stream. A client that accepts only one of the two forms gets that form. The late
decision permits an HTTP error status for calls that fail at once.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final

from viewpoint_mcp.rpc.dispatcher import Send, Served
from viewpoint_mcp.rpc.errors import (
    INVALID_PARAMS,
    INVALID_REQUEST,
    METHOD_NOT_FOUND,
    PARSE_ERROR,
    RpcError,
)
from viewpoint_mcp.rpc.messages import Answer, RequestId, encode, encode_all
from viewpoint_mcp.server.modern import MISSING_CAPABILITY, UNSUPPORTED_VERSION
from viewpoint_mcp.transports.http.exchange import EVENTS, JSON, Exchange, Refused
from viewpoint_mcp.transports.http.outbox import Outbox

HEADER_MISMATCH: Final = -32020

STATUSES: Final[Mapping[int, int]] = MappingProxyType(
    {
        PARSE_ERROR: 400,
        INVALID_REQUEST: 400,
        INVALID_PARAMS: 400,
        HEADER_MISMATCH: 400,
        MISSING_CAPABILITY: 400,
        UNSUPPORTED_VERSION: 400,
        METHOD_NOT_FOUND: 404,
    }
)
"""HTTP status by JSON-RPC error code for 2026-07-28. Other results and errors have status 200."""


def check_accept(exchange: Exchange) -> None:
    """Check that the client accepts JSON or event streams.

    Raises:
        Refused: It accepts neither.
    """
    if not (exchange.accepts(JSON) or exchange.accepts(EVENTS)):
        raise Refused(406, f"Nothing acceptable can be answered; accept {JSON} and {EVENTS}.")


async def reject(exchange: Exchange, error: RpcError, request_id: RequestId | None = None) -> None:
    """Send a JSON-RPC error as the response to a message that is not served."""
    status = STATUSES.get(error.code, 400)
    await exchange.respond(status, encode(Answer(request_id, error=error)))


async def reply(
    exchange: Exchange,
    serve: Callable[[Send], asyncio.Task[Served]],
    *,
    statuses: Mapping[int, int] | None = None,
    headers: Mapping[str, str] | None = None,
    left: asyncio.Future[None] | None = None,
) -> None:
    """Serve a request and send the response.

    Args:
        exchange: The HTTP request.
        serve: Starts to serve the message. Its argument is a function that sends notifications and
            requests to the client in connection with it.
        statuses: HTTP statuses by error code, for a response in JSON; 200 for other codes.
        headers: Additional headers of the response.
        left: Done when the client has disconnected. Then no answer is sent, and the caller must
            cancel the call.
    """
    outbox = Outbox()
    serving = serve(outbox.put)
    ends: set[asyncio.Future[Any]] = {serving} if left is None else {serving, left}
    for end in ends:
        end.add_done_callback(lambda _: outbox.stir())
    events = exchange.accepts(EVENTS)
    if not events:
        await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
    elif exchange.accepts(JSON):
        await outbox.stirred(exchange.silence)
    if left is not None and left.done():
        return
    served = _served(serving)
    if not events or (served is not None and outbox.empty and exchange.accepts(JSON)):
        await _whole(exchange, served, statuses or {}, headers)
        return

    def finish(_end: object) -> None:
        if (answers := _served(serving)) is not None:
            outbox.put(encode_all(answers))
        outbox.close()

    for end in ends:
        end.add_done_callback(finish)
    await exchange.stream(outbox, headers)


async def _whole(
    exchange: Exchange,
    served: Served,
    statuses: Mapping[int, int],
    headers: Mapping[str, str] | None,
) -> None:
    if served is None:  # the client cancelled it
        await exchange.respond(202)
        return
    error = served.error if isinstance(served, Answer) else None
    status = statuses.get(error.code, 200) if error is not None else 200
    await exchange.respond(status, encode_all(served), headers=headers)


def _served(serving: asyncio.Task[Served]) -> Served:
    return serving.result() if serving.done() and not serving.cancelled() else None


def drop(_message: bytes) -> None:
    """Drop a message, where the client has no stream that could carry it."""
