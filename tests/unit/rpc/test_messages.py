from __future__ import annotations

import random
from typing import Any

import orjson
import pytest

from viewpoint_mcp.rpc.errors import INTERNAL_ERROR, INVALID_REQUEST, PARSE_ERROR, RpcError
from viewpoint_mcp.rpc.messages import (
    Batch,
    InvalidMessage,
    Notification,
    PeerResponse,
    Request,
    Response,
    encode_message,
    encode_responses,
    parse_message,
)


def invalid(data: bytes) -> tuple[int, object]:
    message = parse_message(data)
    assert isinstance(message, InvalidMessage)
    return message.error.code, message.id


@pytest.mark.parametrize("written", [b"1", b'"1"', b"1.0", b'""', b"-3", b"18446744073709551615"])
def test_an_id_is_returned_exactly_as_it_was_sent(written: bytes) -> None:
    message = parse_message(b'{"jsonrpc":"2.0","id":%s,"method":"m"}' % written)
    assert isinstance(message, Request)
    assert (
        encode_message(Response(message.id, {}))
        == b'{"jsonrpc":"2.0","id":%s,"result":{}}' % written
    )


@pytest.mark.parametrize("written", [b"null", b"true", b"[1]", b"{}", b"1" * 40, b"1e300"])
def test_an_id_that_cannot_be_echoed_is_refused(written: bytes) -> None:
    data = b'{"jsonrpc":"2.0","id":%s,"method":"m"}' % written
    assert invalid(data) == (INVALID_REQUEST, None)


def test_a_message_without_an_id_is_a_notification() -> None:
    assert parse_message(b'{"jsonrpc":"2.0","method":"m","params":[1]}') == Notification("m", [1])


def test_a_posted_answer_is_distinguished_from_a_request() -> None:
    assert parse_message(b'{"jsonrpc":"2.0","id":4,"result":{}}') == PeerResponse(4, {})
    refused = parse_message(b'{"jsonrpc":"2.0","id":null,"error":{"code":5,"message":"no"}}')
    assert isinstance(refused, PeerResponse)
    assert refused.error is not None
    assert (refused.id, refused.error.code, refused.error.message) == (None, 5, "no")
    assert isinstance(parse_message(b'{"jsonrpc":"2.0","id":5,"error":7}'), PeerResponse)


@pytest.mark.parametrize(
    "data",
    [b"", b"{", b"hello", b"\xff\xfe\x00", b'{"a":NaN}', b"[" * 5000, b'{"a":1}{"b":2}', b"\x00"],
)
def test_invalid_json_is_a_parse_error_without_an_id(data: bytes) -> None:
    assert invalid(data) == (PARSE_ERROR, None)


@pytest.mark.parametrize(
    ("data", "answered_to"),
    [
        (b'{"id":7,"method":"m"}', 7),
        (b'{"jsonrpc":"1.0","id":7,"method":"m"}', 7),
        (b'{"jsonrpc":"2.0","id":7}', 7),
        (b'{"jsonrpc":"2.0","id":7,"method":5}', 7),
        (b'{"jsonrpc":"2.0","id":"x","method":"m","params":"p"}', "x"),
        (b'"text"', None),
        (b"[]", None),
        (b"12", None),
    ],
)
def test_a_malformed_envelope_is_answered_to_its_id_where_it_has_one(
    data: bytes, answered_to: object
) -> None:
    assert invalid(data) == (INVALID_REQUEST, answered_to)


def test_a_batch_keeps_its_good_and_its_bad_messages_in_order() -> None:
    message = parse_message(b'[{"jsonrpc":"2.0","id":1,"method":"m"},5]')
    assert isinstance(message, Batch)
    assert [type(item) for item in message.items] == [Request, InvalidMessage]


@pytest.mark.parametrize(
    ("written", "read"),
    [
        (rb'"a\ud83db"', "a�b"),
        (rb'"\uDE00"', "�"),
        (rb'"\ud83d\ud83d\ude00"', "�😀"),
        (rb'"\\ud83d \ud83d"', "\\ud83d �"),
    ],
)
def test_half_an_emoji_in_a_request_is_replaced_and_the_request_served(
    written: bytes, read: str
) -> None:
    message = parse_message(b'{"jsonrpc":"2.0","id":1,"method":"m","params":[%s]}' % written)
    assert message == Request(1, "m", [read])


@pytest.mark.parametrize(
    ("text", "written"),
    [("a\ud800b", "a�b"), ("\ud83d\ude00", "😀"), ("\udc00\ud800", "��")],
)
def test_half_an_emoji_is_never_sent(text: str, written: str) -> None:
    assert orjson.loads(encode_message(Response(1, {text: [text]})))["result"] == {
        written: [written]
    }
    refused = encode_message(Response(1, error=RpcError(-1, text, [text])))
    assert orjson.loads(refused)["error"] == {"code": -1, "message": written, "data": [written]}


def nested(depth: int) -> list[Any]:
    value: list[Any] = []
    for _ in range(depth):
        value = [value]
    return value


@pytest.mark.parametrize("result", [object(), {1: 2}, 2**70, nested(5000)])
def test_a_result_that_json_cannot_represent_becomes_an_internal_error(result: object) -> None:
    error = orjson.loads(encode_message(Response("x", result)))
    assert (error["id"], error["error"]["code"]) == ("x", INTERNAL_ERROR)


def test_a_null_result_is_still_a_result() -> None:
    assert encode_message(Response(1)) == b'{"jsonrpc":"2.0","id":1,"result":null}'


def test_a_notification_without_params_leaves_them_out() -> None:
    assert encode_message(Notification("m")) == b'{"jsonrpc":"2.0","method":"m"}'


def test_a_batch_holds_a_hundred_messages_and_is_refused_whole_beyond() -> None:
    longest = parse_message(b"[" + b",".join([b"1"] * 100) + b"]")
    assert isinstance(longest, Batch)
    assert len(longest.items) == 100
    assert invalid(b"[" + b",".join([b"1"] * 101) + b"]") == (INVALID_REQUEST, None)


def test_one_answer_that_cannot_be_encoded_does_not_affect_its_batch() -> None:
    first, second = orjson.loads(encode_responses([Response(1, {}), Response(2, object())]))
    assert first["result"] == {}
    assert second["error"]["code"] == INTERNAL_ERROR


def test_no_damaged_message_raises_an_exception() -> None:
    chance = random.Random(20260728)
    whole = rb'[{"jsonrpc":"2.0","id":"\ud83d\ude00","method":"m","params":{"a":[1.5,null]}}]'
    for _ in range(3000):
        data = bytearray(whole)
        for _ in range(chance.randint(1, 4)):
            data[chance.randrange(len(data))] = chance.randrange(256)
        del data[chance.randint(1, len(data)) :]
        parse_message(data)
