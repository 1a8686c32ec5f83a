"""Parser for the parameters of a CDP command: JSON, `name=value`, or JSON on stdin."""

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
    """The parameters cannot be parsed. The message contains the reason and the right form."""


def read(
    method: str, words: Iterable[str], description: Description, *, given: bytes = b""
) -> dict[str, Any]:
    """Parse the parameters of a command and merge them. Later words override earlier words.

    Args:
        method: The command. Its description defines which values are strings.
        words: JSON objects, `name=value`, and "-" for the JSON object on stdin.
        description: The protocol description.
        given: The content of stdin.

    Raises:
        ParameterError: A word has none of these forms.
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
    """Return the JSON type of a parameter; "" if the description does not contain it."""
    from cdp_protocol.description.type_names import qualify_type_name

    command = description.command(method) or {}
    for spec in command.get("parameters", ()):
        if spec["name"] == name:
            if ref := spec.get("$ref"):
                spec = description.type(qualify_type_name(ref, method.partition(".")[0])) or {}
            return "string" if spec.get("type") == "binary" else str(spec.get("type", ""))
    return ""


def _encoded(text: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError:
        raise ParameterError("The parameters hold bytes that are no UTF-8.") from None
