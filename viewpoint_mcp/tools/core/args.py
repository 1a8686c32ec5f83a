"""Arguments of tools: their base struct, their shared types, and their parser.

The parser accepts common mistakes of models that leave the meaning clear: null for an optional
argument, 5.0 or "5" for an integer, "true" for a boolean, an argument name of another browser
server. It refuses everything else with a sentence that names the argument.
"""

from __future__ import annotations

import functools
import math
import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated, Any, Literal, TypeVar

import msgspec
from msgspec import Meta, inspect

from viewpoint_mcp.config.secrets import NO_SECRETS, Secrets
from viewpoint_mcp.errors import CallError
from viewpoint_mcp.tools.core.argument_errors import (
    describe_type,
    describe_value,
    may_name_secret,
    unwrap,
)


class Args(msgspec.Struct, kw_only=True, rename="camel", forbid_unknown_fields=True):
    """Base of the arguments of a tool. Fields are snake_case in Python and camelCase on the wire.

    A subclass lists its required fields first. If null differs from an absent argument, the type is
    `X | UnsetType | None` and the default UNSET. In an optional type, numeric limits belong to the
    inner type: `Annotated[int, Meta(ge=0)] | None`.
    """


class NoArgs(Args):
    """The arguments of a tool without arguments."""


Ref = str  # only the description of browser_snapshot explains it to clients
"""Ref of an element, as printed in a reply (`e12`), or a CSS selector that matches exactly one
element of the main frame."""
Element = str | None  # as in playwright-mcp; see UNLISTED
"""Description of the element in words. It selects nothing. If the ref is stale, the error suggests
elements that fit the description."""
Filename = str | None  # the instructions of the server explain it to clients, like `context`
"""File to save the result in, instead of showing it. The path is relative to the working directory,
or absolute. An existing file is replaced."""
Context = str | None
"""Name of the browser context to act in. The active context if omitted. The call does not make it
the active one."""
Typed = Annotated[str, Meta(extra={"may_name_secret": True})]
"""Text to type into a page. If it names a secret, the parser replaces it with its value."""
Button = Literal["left", "right", "middle"]
"""Mouse button to use."""
Modifier = Literal["Alt", "Control", "ControlOrMeta", "Meta", "Shift"]

# Argument names of other servers, with the names used here. A struct that has a field of the first
# name does not use the alias.
ALIASES: Mapping[str, str] = MappingProxyType(
    {
        "target": "ref",
        "startTarget": "startRef",
        "endTarget": "endRef",
        "includeStatic": "static",
        "path": "filename",
    }
)

# Accepted, but not in tools/list, because a model sends each listed argument with every call.
UNLISTED = frozenset({"element", "startElement", "endElement"})

# Arguments that may contain a password. Error messages do not repeat their values.
SECRET = frozenset({"proxy"})

A = TypeVar("A", bound=Args)

_LARGEST_INTEGER = 2**53 - 1  # the largest integer that JavaScript represents exactly
_FAULT_PATH = re.compile(r" - at `\$\.?(?P<path>.*)`$")
_PATH_STEP = re.compile(r"\[(?P<index>\d+|\.\.\.)\]|(?P<name>[^.\[\]]+)")


def parse(args_type: type[A], arguments: object, *, tool: str, secrets: Secrets = NO_SECRETS) -> A:
    """Parse the arguments of a call into their struct.

    Args:
        args_type: The struct to fill.
        arguments: The arguments that the client sent; None counts as an empty object.
        tool: The name of the tool, for error messages.
        secrets: The secrets that text of the type `Typed` may name.

    Raises:
        CallError: An argument is unknown, missing or of a wrong type. The message names the first
            such argument.
    """
    shape = _shape(args_type)
    given = {} if arguments is None else arguments
    normalized = _Normalizer(tool, secrets).struct(shape, given, "")
    try:
        return msgspec.convert(normalized, args_type, strict=False)
    except msgspec.ValidationError as error:
        raise _translate_fault(str(error), shape, normalized, tool) from None


@functools.cache
def _shape(args_type: type[Args]) -> inspect.StructType:
    shape = inspect.type_info(args_type)
    assert isinstance(shape, inspect.StructType)
    return shape


class _Normalizer:
    """Converts the arguments of a call to the form of their struct, at all depths."""

    def __init__(self, tool: str, secrets: Secrets) -> None:
        self._tool = tool
        self._secrets = secrets

    def struct(self, shape: inspect.StructType, value: object, path: str) -> dict[str, Any]:
        """Return an object with aliases renamed and nulls removed.

        Args:
            path: The path of the object in the arguments, for error messages; "" for the root.

        Raises:
            CallError: An argument is unknown, missing, given twice, or no valid number.
        """
        if not isinstance(value, dict):
            place = f"'{path}' of {self._tool}" if path else f"The arguments of {self._tool}"
            raise CallError(f"{place} must be an object{_but_given(path, value)}.")
        fields = {field.encode_name: field for field in shape.fields}
        normalized: dict[str, Any] = {}
        for key, item in value.items():
            name = key if key in fields else ALIASES.get(key, key)
            if name not in fields:
                raise CallError(f"Unknown argument '{_join(path, key)}'.", self._takes(path, shape))
            if item is None and not _takes_null(fields[name]):
                continue
            if name in normalized and normalized[name] != item:
                raise CallError(
                    f"'{_join(path, name)}' is given twice, once under another name.",
                    self._takes(path, shape),
                )
            normalized[name] = self._value(fields[name].type, item, _join(path, name))
        self._refuse_missing(shape, normalized, path)
        return normalized

    def _refuse_missing(
        self, shape: inspect.StructType, normalized: Mapping[str, Any], path: str
    ) -> None:
        for field in shape.fields:
            name = field.encode_name
            if field.required and name not in normalized:
                raise CallError(
                    f"{self._tool} needs the argument '{_join(path, name)}', "
                    f"{describe_type(field.type)}.",
                    self._takes(path, shape),
                )

    def _takes(self, path: str, shape: inspect.StructType) -> str:
        place = f"'{path}' of {self._tool}" if path else self._tool
        names = ", ".join(field.encode_name for field in shape.fields)
        return f"{place} takes: {names}." if names else f"{place} takes no arguments."

    def _value(self, declared: inspect.Type, value: object, path: str) -> object:
        kind = unwrap(declared)
        if isinstance(value, str) and may_name_secret(declared):
            return self._secrets.resolve(value)
        if isinstance(kind, inspect.StructType):
            return self.struct(kind, value, path)
        if isinstance(kind, inspect.ListType) and isinstance(value, list):
            return [
                self._value(kind.item_type, item, f"{path}[{index}]")
                for index, item in enumerate(value)
            ]
        if isinstance(kind, inspect.IntType | inspect.FloatType) and not _is_json_number(
            kind, value
        ):
            raise _type_error(path, self._tool, kind, value)
        return value


def _takes_null(field: inspect.Field) -> bool:
    """Return whether null differs from an absent argument.

    Such a field has the default UNSET, which msgspec reports as no default.
    """
    has_default = (field.default, field.default_factory) != (msgspec.NODEFAULT, msgspec.NODEFAULT)
    return not field.required and not has_default


def _is_json_number(kind: inspect.Type, value: object) -> bool:
    """Return whether a number, or text with a number, is valid in JSON and in JavaScript.

    Infinity, NaN and integers beyond 2**53 - 1 are not. Return True for values of other types,
    which msgspec refuses later.
    """
    if not isinstance(value, str | float | int):
        return True
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return False
    if isinstance(kind, inspect.IntType):
        return abs(number) <= _LARGEST_INTEGER
    return math.isfinite(number)


def _translate_fault(
    fault: str, shape: inspect.StructType, arguments: dict[str, Any], tool: str
) -> CallError:
    """Translate a validation error of msgspec to an error that names the argument and its value."""
    found = _FAULT_PATH.search(fault)
    kind: inspect.Type = shape
    value: object = arguments
    path = ""
    for step in _PATH_STEP.finditer(found["path"] if found else ""):
        if step["name"] and isinstance(kind, inspect.StructType) and isinstance(value, dict):
            name = step["name"]
            kind = next(unwrap(f.type) for f in kind.fields if f.encode_name == name)
            value, path = value[name], _join(path, name)
        elif (
            (step["index"] or "...") != "..."
            and isinstance(kind, inspect.ListType)
            and isinstance(value, list)
        ):
            kind, value = unwrap(kind.item_type), value[int(step["index"])]
            path += f"[{step['index']}]"
        else:
            break
    return _type_error(path, tool, kind, value)


def _type_error(path: str, tool: str, kind: inspect.Type, value: object) -> CallError:
    place = f"Argument '{path}' of {tool}"
    return CallError(f"{place} must be {describe_type(kind)}{_but_given(path, value)}.")


def _but_given(path: str, value: object) -> str:
    secret = path.partition(".")[0] in SECRET
    return "" if secret else f", not {describe_value(value)}"


def _join(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name
