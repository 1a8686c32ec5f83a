"""The endpoint /mcp of the versions since 2026-07-28, which have no sessions.

Each request carries all its context. Some fields are repeated in headers, for proxies that do not
read bodies. Headers and body must agree.

Source: MCP 2026-07-28, "Transports", Streamable HTTP.
"""

from __future__ import annotations

import asyncio
import base64
import binascii
from collections.abc import Mapping
from functools import partial
from types import MappingProxyType
from typing import Any, Final

from viewpoint_mcp.rpc.dispatcher import Conversation, Dispatcher
from viewpoint_mcp.rpc.errors import INVALID_REQUEST, METHOD_NOT_FOUND, RpcError
from viewpoint_mcp.rpc.messages import Message, Notification, Request
from viewpoint_mcp.server import initialize_handshake, sessionless_protocol
from viewpoint_mcp.transports.http.exchange import EVENT_STREAM_TYPE, Exchange, RequestRefused
from viewpoint_mcp.transports.http.post_response import (
    HEADER_MISMATCH,
    STATUS_BY_ERROR_CODE,
    drop_message,
    send_rpc_error,
    serve_and_respond,
)
from viewpoint_mcp.transports.http.streamable_endpoint import SESSION_HEADER

VERSION_HEADER: Final = "mcp-protocol-version"
_METHOD_HEADER: Final = "mcp-method"
_NAME_HEADER: Final = "mcp-name"
_NAME_PARAMETER: Final[Mapping[str, str]] = MappingProxyType(
    {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}
)
"""Methods whose requests have the header Mcp-Name, and the parameter that it repeats."""


def is_sessionless_message(exchange: Exchange, message: Message) -> bool:
    """Return whether a posted message is of a version without sessions."""
    version = exchange.get_header(VERSION_HEADER)
    is_session = (
        exchange.get_header(SESSION_HEADER) is not None
        and version not in sessionless_protocol.SESSIONLESS_VERSIONS
    )
    if (
        version is not None
        and version not in initialize_handshake.SESSION_VERSIONS
        and not is_session
    ):
        return True
    return isinstance(
        message, Request | Notification
    ) and sessionless_protocol.is_sessionless_request(message.method, message.params)


class SessionlessEndpoint:
    """Serves requests that belong to no session.

    Args:
        dispatcher: Opens a conversation for each request.
    """

    def __init__(self, dispatcher: Dispatcher) -> None:
        self._dispatcher = dispatcher
        self._conversations: set[Conversation] = set()

    async def serve_message(self, exchange: Exchange, message: Message) -> None:
        """Serve a posted message and send the response.

        The call is cancelled if the client disconnects.

        Raises:
            RequestRefused: The request needs an event stream, which the client does not accept.
        """
        try:
            if isinstance(message, Notification):
                # No notification has a meaning without a session, but clients send some.
                sessionless_protocol.raise_if_version_unsupported(
                    exchange.get_header(VERSION_HEADER)
                    or sessionless_protocol.SESSIONLESS_VERSIONS[0]
                )
                await exchange.send_response(202)
                return
            request = _require_valid_request(exchange, message)
        except RpcError as error:
            await send_rpc_error(
                exchange, error, message.id if isinstance(message, Request) else None
            )
            return
        if request.method == "subscriptions/listen" and not exchange.accepts_media_type(
            EVENT_STREAM_TYPE
        ):
            raise RequestRefused(406, f"The response is a stream. Accept {EVENT_STREAM_TYPE}.")
        conversation = self._dispatcher.open(drop_message)
        self._conversations.add(conversation)
        try:
            async with exchange.watch_disconnect() as disconnected:
                serve = partial(conversation.start_serving, request)
                await serve_and_respond(
                    exchange, serve, statuses=STATUS_BY_ERROR_CODE, disconnected=disconnected
                )
        finally:
            self._conversations.discard(conversation)
            await conversation.close()

    async def close(self, *, grace: float) -> None:
        """End all requests in progress. Idempotent.

        Args:
            grace: Seconds that calls in progress get to finish before they are cancelled.
        """
        await asyncio.gather(*(each.close(grace=grace) for each in [*self._conversations]))


def _require_valid_request(exchange: Exchange, message: Message) -> Request:
    """Check a message in the order of the specification, and return it as a request.

    Raises:
        RpcError: The message is not one valid request, or its headers do not match its body.
    """
    if not isinstance(message, Request):
        raise RpcError(INVALID_REQUEST, "Post one request or one notification at a time.")
    params = message.params if isinstance(message.params, dict) else {}
    version = sessionless_protocol.read_unchecked_version(message.method, params)
    _require_headers_that_match_body(exchange, message.method, params, version)
    sessionless_protocol.raise_if_version_unsupported(version)
    if message.method == "initialize":
        raise RpcError(METHOD_NOT_FOUND, f"{version} has no initialize.")
    return message


def _require_headers_that_match_body(
    exchange: Exchange, method: str, params: Mapping[str, Any], version: str
) -> None:
    expected = {VERSION_HEADER: version, _METHOD_HEADER: method}
    name = params.get(_NAME_PARAMETER.get(method, ""))
    if isinstance(name, str):
        expected[_NAME_HEADER] = name
    for header, value in expected.items():
        values = exchange.get_headers(header)
        if len(values) != 1:
            problem = "occurs more than once" if values else "is missing"
            raise RpcError(
                HEADER_MISMATCH, f"The header {header} {problem}. Send it once, as {value!r:.100}."
            )
        if _decode_header_if_base64(values[0]) != value:
            raise RpcError(
                HEADER_MISMATCH,
                f"The header {header} is {values[0]!r:.100}, but the body has {value!r:.100}.",
            )


def _decode_header_if_base64(value: str) -> str | None:
    """Return the value of a header, decoded from `=?base64?...?=` if it has this form.

    None if the base64 is malformed.
    """
    payload = value.removeprefix("=?base64?").removesuffix("?=")
    if f"=?base64?{payload}?=" != value:
        return value
    try:
        data = base64.b64decode(payload, validate=True)
        return data.decode() if base64.b64encode(data).decode() == payload else None
    except (binascii.Error, UnicodeDecodeError):
        return None
