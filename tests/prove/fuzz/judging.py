"""The legal answers to an input by JSON-RPC 2.0. It reads the input with another parser than the
server.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal

CODES = frozenset({-32700, -32600, -32601, -32602, -32603, -32000, -32002, -32020, -32021, -32022})
# Methods whose answer may never come.
_DEEP = 900  # brackets; parsers do not agree on how deep one may go, but far beyond that on no
HOLDING = frozenset({"subscriptions/listen"})


class IllegalAnswer(Exception):
    """The input does not allow this answer."""


class MissingAnswer(IllegalAnswer):
    """There must be another one, which may still come."""


@dataclass(frozen=True, slots=True)
class Line:
    """One input and its legal answers.

    Args:
        ids: The ids that an answer may have.
        answers: Whether there must be an answer, there must be none, or either.
        parts: The parts of a batch, if it may be served as one.
    """

    data: bytes
    ids: frozenset[Any]
    answers: Literal["one", "none", "either"]
    parts: tuple[Line, ...] = ()


def read(data: bytes, cancelled: frozenset[Any] = frozenset()) -> Line:
    """Return the legal answers to an input.

    Args:
        cancelled: Ids that the client cancelled.
    """
    if not data.strip(b" \t\r\n"):
        return Line(data, frozenset({None}), "either")
    if data.count(b"[") + data.count(b"{") > _DEEP:
        return Line(data, frozenset({None}), "one")
    try:
        value = json.loads(data.decode(), parse_constant=_refuse)
    except ValueError:
        return Line(data, frozenset({None}), "one")
    if isinstance(value, list) and value:
        parts = tuple(_single(data, each, cancelled) for each in value)
        return Line(data, frozenset({None}), "either", parts)
    return _single(data, value, cancelled)


def cancels(data: bytes) -> Iterable[Any]:
    """Return the ids that an input cancels, also in a batch."""
    if b"requestId" not in data:
        return
    try:
        value = json.loads(data.decode())
    except (ValueError, RecursionError):
        return
    for each in value if isinstance(value, list) else [value]:
        params = each.get("params") if isinstance(each, dict) else None
        if isinstance(params, dict) and "requestId" in params:
            yield key(params["requestId"])


def _refuse(word: str) -> None:
    raise ValueError(word)


def _single(data: bytes, value: Any, cancelled: frozenset[Any]) -> Line:
    if not isinstance(value, dict):
        return Line(data, frozenset({None}), "one")
    own = key(value.get("id"))
    is_response = "method" not in value and ("result" in value or "error" in value)
    is_sound = isinstance(value.get("method"), str) and isinstance(
        value.get("params"), dict | list | None
    )
    if value.get("jsonrpc") != "2.0" or not (is_response or is_sound):
        return Line(data, frozenset({own}), "one")
    if is_response or "id" not in value:
        return Line(data, frozenset(), "none")
    is_held = value["method"] in HOLDING or own in cancelled
    return Line(data, frozenset({own}), "either" if is_held else "one")


def key(given: Any) -> Any:
    """Return an id in the form for comparing answers; None for an invalid one."""
    match given:
        case str():
            return given.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
        case bool():
            return None
        case int():
            return given if -(2**63) <= given < 2**64 else None
        case float():
            return given if abs(given) < 2**53 else None
    return None


def check_shape(answer: Any) -> None:
    """Check the shape of an answer.

    Raises:
        IllegalAnswer: It is no valid answer.
    """
    is_sound = (
        isinstance(answer, dict)
        and answer.get("jsonrpc") == "2.0"
        and "id" in answer
        and ("result" in answer) != ("error" in answer)
        and "method" not in answer
    )
    if not is_sound:
        raise IllegalAnswer(f"This is no JSON-RPC answer: {str(answer)[:500]}")
    if "error" in answer:
        error = answer["error"]
        if error.get("code") not in CODES or not isinstance(error.get("message"), str):
            raise IllegalAnswer(f"This is no error of ours: {error}")
        if error["code"] == -32603:
            raise IllegalAnswer(f"The server failed: {error}")
    elif not isinstance(answer["result"], dict):
        raise IllegalAnswer(f"A result of MCP is an object: {str(answer)[:500]}")


def judge(lines: list[Line], answers: list[Any]) -> list[Line]:
    """Check that these answers, in any order, are the answers to these inputs.

    Returns:
        The inputs without an answer that need none.

    Raises:
        IllegalAnswer: One is invalid or superfluous.
        MissingAnswer: One is missing.
    """
    # Those first that must be answered, and of them those that take the fewest answers.
    open_lines = sorted(lines, key=lambda line: (line.answers != "one", len(line.ids)))
    # Then the answers that identify their input best.
    for answer in sorted(answers, key=_says_little):
        if isinstance(answer, list):
            for each in answer:
                check_shape(each)
            whole = next((line for line in open_lines if _is_batch(line, answer)), None)
        else:
            check_shape(answer)
            whole = next((line for line in open_lines if _takes(line, key(answer["id"]))), None)
        if whole is None:
            raise IllegalAnswer(f"Nobody asked for this: {str(answer)[:500]}")
        open_lines.remove(whole)
    if missing := [line for line in open_lines if line.answers == "one"]:
        raise MissingAnswer(f"There was no answer to: {missing[0].data[:500]!r}")
    return open_lines


def _says_little(answer: Any) -> bool:
    return isinstance(answer, dict) and answer.get("id") is None


def _takes(line: Line, answer_id: Any) -> bool:
    return line.answers != "none" and answer_id in line.ids


def _is_batch(line: Line, answers: list[Any]) -> bool:
    if not line.parts:
        return False
    try:
        judge(list(line.parts), answers)
    except IllegalAnswer:
        return False
    return True
