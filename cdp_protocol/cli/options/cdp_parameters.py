"""Parser for the parameters of a CDP command: JSON, `name=value`, or JSON on stdin."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import orjson

if TYPE_CHECKING:
    from cdp_protocol.description import Description

FORMS_HINT = """Use '{"url": "about:blank"}', url=about:blank, or - to read JSON from stdin."""


STDIN_WORD = "-"


class ParameterError(ValueError):
    """The parameters cannot be parsed. The message contains the reason and the right form."""


def parse_parameters(
    method: str, words: Iterable[str], description: Description, *, stdin: bytes = b""
) -> dict[str, Any]:
    """Parse the parameters of a command and merge them. Later words override earlier words.

    Args:
        method: The command. Its description defines which values are strings.
        words: JSON objects, `name=value`, and "-" for the JSON object on stdin.
        description: The protocol description.
        stdin: The content of stdin.

    Raises:
        ParameterError: A word has none of these forms.
    """
    params: dict[str, Any] = {}
    for word in words:
        name, equals, value = word.partition("=")
        if word == STDIN_WORD:
            params.update(_parse_json_object(stdin, "The input on stdin"))
        elif word.lstrip().startswith("{"):
            params.update(_parse_json_object(_to_utf8(word), word))
        elif equals and name.isidentifier():
            params[name] = _parse_parameter_value(
                value, _find_parameter_type(method, name, description)
            )
        else:
            raise ParameterError(f'"{word}" is not a parameter. {FORMS_HINT}')
    return params


def _parse_json_object(data: bytes, source: str) -> dict[str, Any]:
    try:
        value = orjson.loads(data)
    except orjson.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise ParameterError(f"{source} is not JSON: {error.msg} ({where}). {FORMS_HINT}") from None
    if not isinstance(value, dict):
        raise ParameterError(f"{source} is not a JSON object. {FORMS_HINT}")
    return value


def _parse_parameter_value(text: str, type_name: str) -> Any:
    if type_name == "string":
        return _to_utf8(text).decode()
    try:
        return orjson.loads(_to_utf8(text))
    except orjson.JSONDecodeError:
        return text


def _find_parameter_type(method: str, name: str, description: Description) -> str:
    """Return the JSON type of a parameter; "" if the description does not contain it."""
    from cdp_protocol.description.type_names import qualify_type_name

    command = description.command(method) or {}
    for spec in command.get("parameters", ()):
        if spec["name"] == name:
            if ref := spec.get("$ref"):
                spec = description.type(qualify_type_name(ref, method.partition(".")[0])) or {}
            return "string" if spec.get("type") == "binary" else str(spec.get("type", ""))
    return ""


def _to_utf8(text: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError:
        raise ParameterError("The parameters are not valid UTF-8.") from None
