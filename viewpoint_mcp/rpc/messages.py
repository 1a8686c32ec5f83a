"""Parser and encoder of JSON-RPC 2.0 messages. Does no I/O and keeps no state.

The parser never raises. It returns an `InvalidMessage` for malformed input, with the error to send
back and the id of the request, if the id could be parsed.
"""

from __future__ import annotations

import re
from typing import Any, Final

import orjson
from msgspec import Struct

from viewpoint_mcp.rpc.errors import INTERNAL_ERROR, INVALID_REQUEST, PARSE_ERROR, RpcError

RequestId = str | int | float
JsonObject = dict[str, Any]
"""A JSON object, such as the params or the result of a method."""
Params = JsonObject | list[Any] | None

# Limit on the messages of a batch. The size in bytes does not bound their number: an empty object
# has two bytes, and each message costs a task.
_MAX_BATCH: Final = 100
# orjson parses an integer beyond 64 bits as a float. From this value on, several integers give the
# same float, so a response could not repeat the exact id.
_LARGEST_FLOAT_ID = 2.0**53
_SURROGATE = re.compile(rb"\\u[dD][89a-fA-F]")
_ESCAPES = re.compile(
    rb"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"
    rb"|(?P<lone>\\u[dD][89a-fA-F][0-9a-fA-F]{2})|\\."
)


class Request(Struct, frozen=True):
    """A message that gets exactly one response, unless it is cancelled."""

    id: RequestId
    method: str
    params: Params = None


class Notification(Struct, frozen=True):
    """A message without a response."""

    method: str
    params: Params = None


class PeerResponse(Struct, frozen=True):
    """A response from the peer to a request of this side. The id is None if it is malformed."""

    id: RequestId | None
    result: Any = None
    error: RpcError | None = None


class InvalidMessage(Struct, frozen=True):
    """Input that is not a valid message.

    Args:
        error: The error to send back.
        id: The id of the response; None if the input has no valid id.
    """

    error: RpcError
    id: RequestId | None = None


SingleMessage = Request | Notification | PeerResponse | InvalidMessage


class Batch(Struct, frozen=True):
    """A JSON array of messages. It is never empty."""

    items: tuple[SingleMessage, ...]


Message = SingleMessage | Batch


class Response(Struct, frozen=True):
    """A response to the peer. The id is None if the request had no valid id."""

    id: RequestId | None
    result: Any = None
    error: RpcError | None = None


def parse_message(data: bytes | bytearray) -> Message:
    """Parse a message or a batch. Malformed input becomes an `InvalidMessage`.

    Args:
        data: UTF-8 JSON, as received.
    """
    try:
        value = _load_json(data)
    except orjson.JSONDecodeError as error:
        return InvalidMessage(RpcError(PARSE_ERROR, f"The message is not JSON: {error}."))
    if not isinstance(value, list):
        return _parse_single(value)
    if not value:
        return InvalidMessage(
            RpcError(INVALID_REQUEST, "A batch must contain at least one message.")
        )
    if len(value) > _MAX_BATCH:
        sentence = f"A batch may contain at most {_MAX_BATCH} messages. Send fewer."
        return InvalidMessage(RpcError(INVALID_REQUEST, sentence))
    return Batch(tuple(_parse_single(item) for item in value))


def _load_json(data: bytes | bytearray) -> Any:
    try:
        return orjson.loads(data)
    except orjson.JSONDecodeError:
        if not _SURROGATE.search(data):
            raise
        # A model may split an emoji. Its call must get a response, so a lone surrogate is replaced.
        return orjson.loads(
            _ESCAPES.sub(lambda found: rb"\ufffd" if found["lone"] else found[0], data)
        )


def _parse_single(value: Any) -> SingleMessage:
    if not isinstance(value, dict):
        return _make_invalid_message("A message must be a JSON object.", None)
    given_id = value.get("id")
    request_id = given_id if _is_valid_id(given_id) else None
    if value.get("jsonrpc") != "2.0":
        return _make_invalid_message('A message must contain "jsonrpc": "2.0".', request_id)
    if "method" not in value and ("result" in value or "error" in value):
        return PeerResponse(request_id, value.get("result"), _parse_error(value))
    method, params = value.get("method"), value.get("params")
    if not isinstance(method, str):
        return _make_invalid_message("method must be a string.", request_id)
    if not (params is None or isinstance(params, dict | list)):
        return _make_invalid_message("params must be an object or an array.", request_id)
    if "id" not in value:
        return Notification(method, params)
    if request_id is None:
        return _make_invalid_message("id must be a string or a 64-bit integer.", None)
    return Request(request_id, method, params)


def _parse_error(response: JsonObject) -> RpcError | None:
    """Return the error of a response, or None for a result.

    Malformed parts of the error are replaced by defaults.
    """
    if "error" not in response:
        return None
    error = response["error"] if isinstance(response["error"], dict) else {}
    code, message = error.get("code"), error.get("message")
    return RpcError(
        code if isinstance(code, int) else INTERNAL_ERROR,
        message if isinstance(message, str) else "The peer sent no error message.",
        error.get("data"),
    )


def _make_invalid_message(reason: str, request_id: RequestId | None) -> InvalidMessage:
    return InvalidMessage(RpcError(INVALID_REQUEST, reason), request_id)


def _is_valid_id(value: object) -> bool:
    if isinstance(value, float):
        return abs(value) < _LARGEST_FLOAT_ID
    return isinstance(value, str | int) and not isinstance(value, bool)


def encode_message(message: Response | Request | Notification) -> bytes:
    """Encode a message as one line of JSON, without a newline.

    If a result cannot be encoded, return an internal error with the same id instead.

    Raises:
        TypeError: The params contain a value that JSON cannot represent.
    """
    try:
        return _dump_json(_to_json_object(message))
    except (TypeError, RecursionError) as error:
        if not isinstance(message, Response):
            raise
        sentence = f"Cannot encode the result as JSON: {error}."
        return _dump_json(
            _to_json_object(Response(message.id, error=RpcError(INTERNAL_ERROR, sentence)))
        )


def encode_responses(responses: Response | list[Response]) -> bytes:
    """Encode a response, or the responses to a batch, as one line of JSON, without a newline."""
    if isinstance(responses, Response):
        return encode_message(responses)
    return b"[" + b",".join(encode_message(response) for response in responses) + b"]"


def _dump_json(value: JsonObject) -> bytes:
    try:
        return orjson.dumps(value)
    except TypeError:
        return orjson.dumps(_replace_lone_surrogates(value))


def _to_json_object(message: Response | Request | Notification) -> JsonObject:
    value: JsonObject = {"jsonrpc": "2.0"}
    if isinstance(message, Request):
        value["id"] = message.id
    if not isinstance(message, Response):
        value["method"] = message.method
        if message.params is not None:
            value["params"] = message.params
        return value
    value["id"] = message.id
    if message.error is None:
        value["result"] = message.result
        return value
    value["error"] = {"code": message.error.code, "message": message.error.message}
    if message.error.data is not None:
        value["error"]["data"] = message.error.data
    return value


def _replace_lone_surrogates(value: Any) -> Any:
    """Return the value with lone surrogates replaced, because UTF-8 cannot encode them."""
    match value:
        case str():
            return value.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
        case dict():
            return {
                _replace_lone_surrogates(key): _replace_lone_surrogates(item)
                for key, item in value.items()
            }
        case list() | tuple():
            return [_replace_lone_surrogates(item) for item in value]
    return value
