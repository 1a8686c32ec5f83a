"""The response to a POST, as JSON or as an event stream.

The response to a call that finishes soon and sends no notifications is JSON. Else it becomes an
event stream. A client that accepts only one of the two forms gets that form. The late decision
permits an HTTP error status for calls that fail at once.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final

from viewpoint_mcp.rpc.dispatcher import Responses, Send
from viewpoint_mcp.rpc.errors import (
    INVALID_PARAMS,
    INVALID_REQUEST,
    METHOD_NOT_FOUND,
    PARSE_ERROR,
    RpcError,
)
from viewpoint_mcp.rpc.messages import RequestId, Response, encode_message, encode_responses
from viewpoint_mcp.server.sessionless_protocol import MISSING_CAPABILITY, UNSUPPORTED_VERSION
from viewpoint_mcp.transports.http.event_stream_queue import EventStreamQueue
from viewpoint_mcp.transports.http.exchange import (
    EVENT_STREAM_TYPE,
    JSON_TYPE,
    Exchange,
    RequestRefused,
)

HEADER_MISMATCH: Final = -32020

STATUS_BY_ERROR_CODE: Final[Mapping[int, int]] = MappingProxyType(
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


def refuse_if_client_accepts_no_response_type(exchange: Exchange) -> None:
    """Refuse a request whose client accepts neither JSON nor event streams.

    Raises:
        RequestRefused: It accepts neither.
    """
    if not (
        exchange.accepts_media_type(JSON_TYPE) or exchange.accepts_media_type(EVENT_STREAM_TYPE)
    ):
        raise RequestRefused(
            406, f"The server cannot send what you accept. Accept {JSON_TYPE}, {EVENT_STREAM_TYPE}."
        )


async def send_rpc_error(
    exchange: Exchange, error: RpcError, request_id: RequestId | None = None
) -> None:
    """Send a JSON-RPC error as the response to a message that is not served."""
    status = STATUS_BY_ERROR_CODE.get(error.code, 400)
    await exchange.send_response(status, encode_message(Response(request_id, error=error)))


async def serve_and_respond(
    exchange: Exchange,
    serve: Callable[[Send], asyncio.Task[Responses]],
    *,
    statuses: Mapping[int, int] | None = None,
    headers: Mapping[str, str] | None = None,
    disconnected: asyncio.Future[None] | None = None,
) -> None:
    """Serve a request and send the response.

    Args:
        exchange: The HTTP request.
        serve: Starts to serve the message. Its argument is a function that sends notifications and
            requests to the client in connection with it.
        statuses: HTTP statuses by error code, for a response in JSON; 200 for other codes.
        headers: Additional headers of the response.
        disconnected: Done when the client has disconnected. Then no response is sent, and the
            caller must cancel the call.
    """
    events = EventStreamQueue()
    serving = serve(events.put)
    ends: set[asyncio.Future[Any]] = {serving} if disconnected is None else {serving, disconnected}
    for end in ends:
        end.add_done_callback(lambda _: events.wake_sender())
    accepts_events = exchange.accepts_media_type(EVENT_STREAM_TYPE)
    if not accepts_events:
        await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
    elif exchange.accepts_media_type(JSON_TYPE):
        await events.wait_for_change(exchange.keep_alive_interval)
    if disconnected is not None and disconnected.done():
        return
    responses = _get_responses_if_done(serving)
    if not accepts_events or (
        responses is not None and events.is_empty and exchange.accepts_media_type(JSON_TYPE)
    ):
        await _send_json_response(exchange, responses, statuses or {}, headers)
        return

    def put_responses_and_close(_end: object) -> None:
        if (responses := _get_responses_if_done(serving)) is not None:
            events.put(encode_responses(responses))
        events.close()

    for end in ends:
        end.add_done_callback(put_responses_and_close)
    await exchange.send_event_stream(events, headers)


async def _send_json_response(
    exchange: Exchange,
    responses: Responses,
    statuses: Mapping[int, int],
    headers: Mapping[str, str] | None,
) -> None:
    if responses is None:  # the client cancelled it
        await exchange.send_response(202)
        return
    error = responses.error if isinstance(responses, Response) else None
    status = statuses.get(error.code, 200) if error is not None else 200
    await exchange.send_response(status, encode_responses(responses), headers=headers)


def _get_responses_if_done(serving: asyncio.Task[Responses]) -> Responses:
    return serving.result() if serving.done() and not serving.cancelled() else None


def drop_message(_message: bytes) -> None:
    """Drop a message, where the client has no stream that could carry it."""
