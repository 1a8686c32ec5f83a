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
    accepts_secret_name,
    describe_type,
    describe_value,
    unwrap_type,
    unwrap_type_of_value,
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
"""Ref of an element, as printed in a reply (`e12`). Or a locator, in the words of a snapshot:
`button "Save"`, `button "Delete" in row "Anna"`, or of Playwright:
`getByRole('button', { name: 'Save' })`, `text=Save`; it searches all frames. Or a CSS selector in
the main frame. A locator or selector must match exactly one element."""
ElementDescription = str | None  # as in playwright-mcp; see UNLISTED_ARGUMENTS
"""Description of the element in words. It selects nothing. If the ref is stale, the error suggests
elements that fit the description."""
Filename = str | None  # the instructions of the server explain it to clients, like `context`
"""File to save the result in, instead of showing it. The path is relative to the working directory,
or absolute. An existing file is replaced."""
ContextName = str | None
"""Name of the browser context to act in. The active context if omitted. The call does not make it
the active one."""
TypedText = Annotated[str, Meta(extra={"accepts_secret_name": True})]
"""Text to type into a page. If it names a secret, the parser replaces it with its value."""
MouseButton = Literal["left", "right", "middle"]
"""Mouse button to use."""
ModifierKey = Literal["Alt", "Control", "ControlOrMeta", "Meta", "Shift"]

# Argument names of other servers, with the names used here. A struct that has a field of the first
# name does not use the alias.
ARGUMENT_ALIASES: Mapping[str, str] = MappingProxyType(
    {
        "target": "ref",
        "startTarget": "startRef",
        "endTarget": "endRef",
        "includeStatic": "static",
        "path": "filename",
        "steps": "calls",
        "name": "tool",
        "args": "arguments",
        "input": "arguments",
    }
)

# Accepted, but not in tools/list, because a model sends each listed argument with every call.
UNLISTED_ARGUMENTS = frozenset({"element", "startElement", "endElement"})

# Arguments that may contain a password. Error messages do not repeat their values.
SECRET_ARGUMENTS = frozenset({"proxy"})

# Arguments that name files, by their names in Python. They may be in a root of the client.
FILE_ARGUMENTS = ("filename", "path", "paths", "storage_state")

ArgsT = TypeVar("ArgsT", bound=Args)

_LARGEST_INTEGER = 2**53 - 1  # the largest integer that JavaScript represents exactly
_ERROR_PATH = re.compile(r" - at `\$\.?(?P<path>.*)`$")
_PATH_STEP = re.compile(r"\[(?P<index>\d+|\.\.\.)\]|(?P<name>[^.\[\]]+)")


def parse_arguments(
    args_type: type[ArgsT], arguments: object, *, tool_name: str, secrets: Secrets = NO_SECRETS
) -> ArgsT:
    """Parse the arguments of a call into their struct.

    Args:
        args_type: The struct to fill.
        arguments: The arguments that the client sent; None counts as an empty object.
        tool_name: The name of the tool, for error messages.
        secrets: The secrets. A `TypedText` argument that is the name of one becomes its value.

    Raises:
        CallError: An argument is unknown, missing or of a wrong type. The message names the first
            such argument.
    """
    struct_type = _struct_type(args_type)
    given_arguments = {} if arguments is None else arguments
    normalized = _ArgumentNormalizer(tool_name, secrets).rename_aliases_and_remove_nulls(
        struct_type, given_arguments, ""
    )
    try:
        return msgspec.convert(normalized, args_type, strict=False)
    except msgspec.ValidationError as error:
        raise _translate_validation_error(str(error), struct_type, normalized, tool_name) from None


def list_file_names(args: Args) -> list[str]:
    """Return the names of files in the arguments of a call."""
    names: list[str] = []
    for argument in FILE_ARGUMENTS:
        value = getattr(args, argument, None) or ()
        names += [value] if isinstance(value, str) else value
    return names


@functools.cache
def _struct_type(args_type: type[Args]) -> inspect.StructType:
    struct_type = inspect.type_info(args_type)
    assert isinstance(struct_type, inspect.StructType)
    return struct_type


class _ArgumentNormalizer:
    """Converts the arguments of a call to the form of their struct, at all depths."""

    def __init__(self, tool_name: str, secrets: Secrets) -> None:
        self._tool_name = tool_name
        self._secrets = secrets

    def rename_aliases_and_remove_nulls(
        self, struct_type: inspect.StructType, value: object, path: str
    ) -> dict[str, Any]:
        """Return an object with aliases renamed and nulls removed.

        Args:
            path: The path of the object in the arguments, for error messages; "" for the root.

        Raises:
            CallError: An argument is unknown, missing, given twice, or no valid number.
        """
        if not isinstance(value, dict):
            subject = (
                f"'{path}' of {self._tool_name}" if path else f"The arguments of {self._tool_name}"
            )
            raise CallError(f"{subject} must be an object{_describe_given_value(path, value)}.")
        fields = {field.encode_name: field for field in struct_type.fields}
        normalized: dict[str, Any] = {}
        for key, item in value.items():
            name = key if key in fields else ARGUMENT_ALIASES.get(key, key)
            if name not in fields:
                raise CallError(
                    f"Unknown argument '{_join_path(path, key)}'.",
                    self._describe_accepted_arguments(path, struct_type),
                )
            if item is None and not _distinguishes_null_from_absent(fields[name]):
                continue
            if name in normalized and normalized[name] != item:
                raise CallError(
                    f"'{_join_path(path, name)}' is given twice, once under another name.",
                    self._describe_accepted_arguments(path, struct_type),
                )
            normalized[name] = self._resolve_secrets_and_check_numbers(
                fields[name].type, item, _join_path(path, name)
            )
        self._raise_if_required_argument_missing(struct_type, normalized, path)
        return normalized

    def _raise_if_required_argument_missing(
        self, struct_type: inspect.StructType, normalized: Mapping[str, Any], path: str
    ) -> None:
        for field in struct_type.fields:
            name = field.encode_name
            if field.required and name not in normalized:
                raise CallError(
                    f"{self._tool_name} needs the argument '{_join_path(path, name)}', "
                    f"{describe_type(field.type)}.",
                    self._describe_accepted_arguments(path, struct_type),
                )

    def _describe_accepted_arguments(self, path: str, struct_type: inspect.StructType) -> str:
        subject = f"'{path}' of {self._tool_name}" if path else self._tool_name
        names = ", ".join(field.encode_name for field in struct_type.fields)
        return f"{subject} takes: {names}." if names else f"{subject} takes no arguments."

    def _resolve_secrets_and_check_numbers(
        self, declared_type: inspect.Type, value: object, path: str
    ) -> object:
        value_type = unwrap_type_of_value(declared_type, value)
        if isinstance(value, str) and accepts_secret_name(declared_type):
            return self._secrets.get_value_or_same_text(value)
        if isinstance(value_type, inspect.StructType):
            return self.rename_aliases_and_remove_nulls(value_type, value, path)
        if isinstance(value_type, inspect.ListType) and isinstance(value, list):
            return [
                self._resolve_secrets_and_check_numbers(
                    value_type.item_type, item, f"{path}[{index}]"
                )
                for index, item in enumerate(value)
            ]
        if isinstance(value_type, inspect.IntType | inspect.FloatType) and not _is_valid_number(
            value_type, value
        ):
            raise _make_type_error(path, self._tool_name, value_type, value)
        return value


def _distinguishes_null_from_absent(field: inspect.Field) -> bool:
    """Return whether null differs from an absent argument.

    Such a field has the default UNSET, which msgspec reports as no default.
    """
    has_default = (field.default, field.default_factory) != (msgspec.NODEFAULT, msgspec.NODEFAULT)
    return not field.required and not has_default


def _is_valid_number(number_type: inspect.Type, value: object) -> bool:
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
    if isinstance(number_type, inspect.IntType):
        return abs(number) <= _LARGEST_INTEGER
    return math.isfinite(number)


def _translate_validation_error(
    message: str, struct_type: inspect.StructType, arguments: dict[str, Any], tool_name: str
) -> CallError:
    """Translate a validation error of msgspec to an error that names the argument and its value."""
    found = _ERROR_PATH.search(message)
    value_type: inspect.Type = struct_type
    value: object = arguments
    path = ""
    for step in _PATH_STEP.finditer(found["path"] if found else ""):
        if step["name"] and isinstance(value_type, inspect.StructType) and isinstance(value, dict):
            name = step["name"]
            value, path = value[name], _join_path(path, name)
            value_type = next(
                unwrap_type_of_value(field.type, value)
                for field in value_type.fields
                if field.encode_name == name
            )
        elif (
            (step["index"] or "...") != "..."
            and isinstance(value_type, inspect.ListType)
            and isinstance(value, list)
        ):
            value_type, value = unwrap_type(value_type.item_type), value[int(step["index"])]
            path += f"[{step['index']}]"
        else:
            break
    return _make_type_error(path, tool_name, value_type, value)


def _make_type_error(
    path: str, tool_name: str, expected_type: inspect.Type, value: object
) -> CallError:
    subject = f"Argument '{path}' of {tool_name}"
    return CallError(
        f"{subject} must be {describe_type(expected_type)}{_describe_given_value(path, value)}."
    )


def _describe_given_value(path: str, value: object) -> str:
    secret = path.partition(".")[0] in SECRET_ARGUMENTS
    return "" if secret else f", not {describe_value(value)}"


def _join_path(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name
