"""JSON-RPC 2.0 messages: bytes to values and back. Does no I/O and keeps no state.

Nothing here raises on what a peer sent: what cannot be read is an `Invalid`, which carries its
error and, where it could be made out, the id to answer to.
"""

from __future__ import annotations

import re
from typing import Any, Final

import orjson
from msgspec import Struct

from viewpoint_mcp.rpc.errors import INTERNAL_ERROR, INVALID_REQUEST, PARSE_ERROR, RpcError

RequestId = str | int | float
JsonObject = dict[str, Any]
"""A JSON object: the params or the result of a method, or a part of them."""
Params = JsonObject | list[Any] | None

_LONGEST_BATCH: Final = 100  # messages; the smallest is two bytes long, and each costs as much
# Above this a float no longer shows which integer the peer wrote, so its id could not be echoed.
_LARGEST_FLOAT_ID = 2.0**53
_SURROGATE = re.compile(rb"\\u[dD][89a-fA-F]")
_ESCAPES = re.compile(
    rb"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"
    rb"|(?P<lone>\\u[dD][89a-fA-F][0-9a-fA-F]{2})|\\."
)


class Request(Struct, frozen=True):
    """A message that wants exactly one answer, unless it is cancelled."""

    id: RequestId
    method: str
    params: Params = None


class Notification(Struct, frozen=True):
    """A message that wants none."""

    method: str
    params: Params = None


class Response(Struct, frozen=True):
    """What the peer says to a request of ours: a result, or why there is none."""

    id: RequestId | None
    result: Any = None
    error: RpcError | None = None


class Invalid(Struct, frozen=True):
    """Something that is no message."""

    error: RpcError
    id: RequestId | None = None


Single = Request | Notification | Response | Invalid


class Batch(Struct, frozen=True):
    """Several messages in one, never empty."""

    items: tuple[Single, ...]


Message = Single | Batch


class Answer(Struct, frozen=True):
    """The result of a request, or its error; the id is None where none could be read."""

    id: RequestId | None
    result: Any = None
    error: RpcError | None = None


def parse(data: bytes | bytearray) -> Message:
    """Read one message, or a batch of them.

    Args:
        data: UTF-8 JSON, as it came.
    """
    try:
        value = _load(data)
    except orjson.JSONDecodeError as error:
        return Invalid(RpcError(PARSE_ERROR, f"The message is not JSON: {error}."))
    if not isinstance(value, list):
        return _parse_single(value)
    if not value:
        return Invalid(RpcError(INVALID_REQUEST, "A batch must hold at least one message."))
    if len(value) > _LONGEST_BATCH:
        sentence = f"A batch holds at most {_LONGEST_BATCH} messages. Send fewer at a time."
        return Invalid(RpcError(INVALID_REQUEST, sentence))
    return Batch(tuple(_parse_single(item) for item in value))


def _load(data: bytes | bytearray) -> Any:
    try:
        return orjson.loads(data)
    except orjson.JSONDecodeError:
        if not _SURROGATE.search(data):
            raise
        # A model that cut an emoji in half must get an answer, so half of a pair is forgiven.
        return orjson.loads(
            _ESCAPES.sub(lambda found: rb"\ufffd" if found["lone"] else found[0], data)
        )


def _parse_single(value: Any) -> Single:
    if not isinstance(value, dict):
        return _invalid("A message must be a JSON object.", None)
    own_id = value.get("id")
    readable = own_id if _is_id(own_id) else None
    if value.get("jsonrpc") != "2.0":
        return _invalid('A message must say "jsonrpc": "2.0".', readable)
    if "method" not in value and ("result" in value or "error" in value):
        return Response(readable, value.get("result"), _refusal(value))
    method, params = value.get("method"), value.get("params")
    if not isinstance(method, str):
        return _invalid("A message must name its method as a string.", readable)
    if not (params is None or isinstance(params, dict | list)):
        return _invalid("params must be an object or an array.", readable)
    if "id" not in value:
        return Notification(method, params)
    if readable is None:
        return _invalid("An id must be a string or an integer that 64 bits can hold.", None)
    return Request(readable, method, params)


def _refusal(response: JsonObject) -> RpcError | None:
    """The error that a peer answered with; told as well as it can be read."""
    if "error" not in response:
        return None
    error = response["error"] if isinstance(response["error"], dict) else {}
    code, message = error.get("code"), error.get("message")
    return RpcError(
        code if isinstance(code, int) else INTERNAL_ERROR,
        message if isinstance(message, str) else "The peer did not say what is wrong.",
        error.get("data"),
    )


def _invalid(sentence: str, request_id: RequestId | None) -> Invalid:
    return Invalid(RpcError(INVALID_REQUEST, sentence), request_id)


def _is_id(value: object) -> bool:
    if isinstance(value, float):
        return abs(value) < _LARGEST_FLOAT_ID
    return isinstance(value, str | int) and not isinstance(value, bool)


def encode(message: Answer | Request | Notification) -> bytes:
    """Write one message as one line of JSON, without its newline.

    An answer that cannot be written becomes an internal error to the same id.

    Raises:
        TypeError: The params of a message of ours hold something that JSON cannot say.
    """
    try:
        return _dump(_as_json(message))
    except (TypeError, RecursionError) as error:
        if not isinstance(message, Answer):
            raise
        sentence = f"The result could not be written as JSON: {error}."
        return _dump(_as_json(Answer(message.id, error=RpcError(INTERNAL_ERROR, sentence))))


def encode_all(answers: Answer | list[Answer]) -> bytes:
    """Write an answer, or those to a batch, as one line of JSON, without its newline."""
    if isinstance(answers, Answer):
        return encode(answers)
    return b"[" + b",".join(encode(answer) for answer in answers) + b"]"


def _dump(value: JsonObject) -> bytes:
    try:
        return orjson.dumps(value)
    except TypeError:
        return orjson.dumps(_scrub(value))


def _as_json(message: Answer | Request | Notification) -> JsonObject:
    value: JsonObject = {"jsonrpc": "2.0"}
    if isinstance(message, Request):
        value["id"] = message.id
    if not isinstance(message, Answer):
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


def _scrub(value: Any) -> Any:
    """The value with every half of a surrogate pair replaced, which UTF-8 cannot carry."""
    match value:
        case str():
            return value.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
        case dict():
            return {_scrub(key): _scrub(item) for key, item in value.items()}
        case list() | tuple():
            return [_scrub(item) for item in value]
    return value
