"""The parameters of a command, as people write them: JSON, `key=value`, or JSON on stdin."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import orjson

if TYPE_CHECKING:
    from cdp_protocol.description import Description

HOW = (
    """Write them as '{"url": "about:blank"}', as url=about:blank, or - to read JSON from stdin."""
)


STDIN = "-"


class ParameterError(ValueError):
    """The parameters cannot be read; the message says why and how they are written."""


def read(
    method: str, words: Iterable[str], description: Description, *, given: bytes = b""
) -> dict[str, Any]:
    """Put together what was written; what comes later counts more.

    Args:
        method: The command they are of, whose description says which values are texts.
        words: JSON objects, `name=value`, and "-" for what was given on stdin.

    Raises:
        ParameterError: one of them is nothing of that.
    """
    params: dict[str, Any] = {}
    for word in words:
        name, equals, value = word.partition("=")
        if word == STDIN:
            params.update(_object(given, "What is on stdin"))
        elif word.lstrip().startswith("{"):
            params.update(_object(_encoded(word), word))
        elif equals and name.isidentifier():
            params[name] = _value(value, _type(method, name, description))
        else:
            raise ParameterError(f'"{word}" are no parameters. {HOW}')
    return params


def _object(data: bytes, what: str) -> dict[str, Any]:
    try:
        value = orjson.loads(data)
    except orjson.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise ParameterError(f"{what} is no JSON: {error.msg} ({where}). {HOW}") from None
    if not isinstance(value, dict):
        raise ParameterError(f"{what} is no JSON object, which parameters are. {HOW}")
    return value


def _value(text: str, type: str) -> Any:
    if type == "string":
        return _encoded(text).decode()
    try:
        return orjson.loads(_encoded(text))
    except orjson.JSONDecodeError:
        return text


def _type(method: str, name: str, description: Description) -> str:
    """The JSON type of a parameter; "" where the description does not know it."""
    from cdp_protocol.description.names import qualified

    command = description.command(method) or {}
    for spec in command.get("parameters", ()):
        if spec["name"] == name:
            if ref := spec.get("$ref"):
                spec = description.type(qualified(ref, method.partition(".")[0])) or {}
            return "string" if spec.get("type") == "binary" else str(spec.get("type", ""))
    return ""


def _encoded(text: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError:
        raise ParameterError("The parameters hold bytes that are no UTF-8.") from None
