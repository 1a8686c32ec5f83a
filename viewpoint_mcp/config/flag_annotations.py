"""Declarations of flags as annotations of the settings' fields.

A flag is one `Flag` in the annotation of one field, which may have several. `cli` derives from it
the option, the environment variables, the keys of the configuration file, and the help.

A module with flags has no `from __future__ import annotations`, which would turn annotations into
strings. To evaluate these strings at each start would take longer than everything else here.
"""

from __future__ import annotations

import re
import types
import typing
from collections.abc import Callable, Iterable, Iterator, Mapping
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias

from msgspec import NODEFAULT, Struct, structs

VARIABLE_PREFIXES = ("VIEWPOINT_MCP", "PLAYWRIGHT_MCP")

FlagValues: TypeAlias = Mapping[str, Any]
"""Values of flags by `Flag.parameter_name`; None or () for a flag that is not set."""


class Heading(StrEnum):
    """The headings of the help, in the order of the help."""

    BROWSER = "Browser"
    PAGES = "Pages"
    NETWORK = "Network"
    TOOLS = "Tools and replies"
    FILES = "Files"
    WAITING = "Waiting"
    SERVER = "Server"


class ConfigKey(Struct, frozen=True):
    """A key of the configuration file whose value has another form than on the command line.

    Args:
        path: Keys from the top level down, separated by dots.
        convert: Returns the value in the form of the command line, or None if the flag stays unset.
            A KeyError, TypeError or AttributeError means that the value has the wrong type.
    """

    path: str
    convert: Callable[[Any], Any]


class Flag(Struct, frozen=True):
    """The declaration of one setting as a flag.

    Every flag is also read from VIEWPOINT_MCP_<NAME> and PLAYWRIGHT_MCP_<NAME>, and from the
    top-level key of the configuration file that is its name in camelCase.

    Args:
        name: The name on the command line; "--on/--off" for a pair.
        heading: The heading in the help.
        help: The effect, without the default.
        default_text: The default in the help; None to derive it from the field if it is a number or
            a word.
        metavar: The placeholder of the value in the help; None to derive it from the type.
        parse: Converts a value to that of the field, or raises CallError.
        value_type: The type of the argument of `parse`. None derives it from the field if its type
            is a basic one, else it is str. `object` accepts any value of the configuration file.
        choices: The accepted words, if the type of the field does not list them.
        path_kind: What must exist if the value is a path; None if the path need not exist.
        minimum: The lowest number; None for no limit.
        scale: Units of the flag per unit of the field, such as 1000 for milliseconds.
        is_repeatable: Whether the flag can be repeated. `parse` then takes all values at once.
        can_contain_spaces: Whether values can contain spaces. The environment variable then has one
            value per line.
        config_keys: Additional keys of the configuration file, as paths or as a `ConfigKey`.
        extra_variables: Additional environment variables, with lower priority.
        listed_after: The flag that precedes this one in the help; None for the order of the
            declarations.
        is_key_only: Whether only the configuration file can set it; see `make_key_only_flag`.
        to_config: Returns the value of the field in the form of the configuration file, for
            `browser_get_config`. It masks what is secret. None if the value has this form, and is
            neither secret nor a struct; the values of a mapping are masked anyway.
    """

    name: str
    heading: Heading
    help: str
    default_text: str | None = None
    metavar: str | None = None
    parse: Callable[[Any], Any] | None = None
    value_type: type | None = None
    choices: tuple[str, ...] = ()
    path_kind: Literal["file", "directory"] | None = None
    minimum: int | None = None
    scale: int = 1
    is_repeatable: bool = False
    can_contain_spaces: bool = False
    config_keys: tuple[str | ConfigKey, ...] = ()
    extra_variables: tuple[str, ...] = ()
    listed_after: str | None = None
    is_key_only: bool = False
    to_config: Callable[[Any], Any] | None = None

    @property
    def parameter_name(self) -> str:
        """The name as a Python identifier, without the negative form of a pair."""
        return self.name.split("/", maxsplit=1)[0].lstrip("-").replace("-", "_")

    @property
    def main_key(self) -> str:
        """The key of the configuration file: that of playwright-mcp, or the name in camelCase."""
        for key in self.config_keys:
            return key.path if isinstance(key, ConfigKey) else key
        first, *rest = self.parameter_name.split("_")
        return "".join([first, *(word.capitalize() for word in rest)])


def make_key_only_flag(
    path: str,
    *,
    name: str | None = None,
    convert: Callable[[Any], Any] | None = None,
    parse: Callable[[Any], Any] | None = None,
    value_type: type | None = None,
    minimum: int | None = None,
    scale: int = 1,
    to_config: Callable[[Any], Any] | None = None,
) -> Flag:
    """Return the declaration of a setting that only a key of the configuration file sets.

    The command line, the environment and the help do not have it.

    Args:
        path: The key, from the top level down, separated by dots.
        name: The name of the flag, which only has to be unique; None to derive it from the key.
        convert: As in `ConfigKey`; None if the value needs no conversion.
        parse: As in `Flag`, like the other arguments.
    """
    words = re.sub(r"([A-Z]+)", r"-\1", path.rpartition(".")[2]).lower()
    return Flag(
        name or f"--{words}",
        Heading.BROWSER,
        "",
        parse=parse,
        value_type=value_type,
        minimum=minimum,
        scale=scale,
        config_keys=(path if convert is None else ConfigKey(path, convert),),
        is_key_only=True,
        to_config=to_config,
    )


class Declaration(Struct, frozen=True):
    """A flag and the field that declares it.

    Args:
        field_name: The name of the field.
        field_type: The type of the field, without None.
        default: The default of the field; None if a factory creates it.
        flag: The flag.
    """

    field_name: str
    field_type: Any
    default: Any
    flag: Flag

    @property
    def type_before_convert(self) -> Any:
        """The type to which click converts the text, before `convert`."""
        if self.flag.value_type is not None or self.flag.scale != 1:
            return self.flag.value_type or int
        return (
            self.field_type
            if self.field_type in (bool, int, float, Path) and not self.choices
            else str
        )

    @property
    def choices(self) -> tuple[str, ...]:
        """The accepted words; () for any text, or if `Flag.parse` checks them."""
        if self.flag.parse is not None:
            return self.flag.choices
        if self.flag.choices or typing.get_origin(self.field_type) is Literal:
            return self.flag.choices or typing.get_args(self.field_type)
        return tuple(map(str, self.field_type)) if _is_str_enum(self.field_type) else ()

    @property
    def help(self) -> str:
        """The help, with the default in brackets."""
        default = self.flag.default_text or _format_default_for_help(self.default, self.flag.scale)
        return f"{self.flag.help} [{default}]" if default else self.flag.help

    def convert(self, value: Any) -> Any:
        """Convert a value that click read to the value of the field.

        Raises:
            CallError: The value is not valid.
        """
        if self.flag.scale != 1:
            value /= self.flag.scale
        if self.flag.parse is not None:
            return self.flag.parse(value)
        return self.field_type(value) if _is_str_enum(self.field_type) else value


def split_list(texts: Iterable[str]) -> tuple[str, ...]:
    """Return the items of lists that are separated by commas or blanks."""
    return tuple(item for text in texts for item in text.replace(",", " ").split())


def list_environment_variables(name: str, *extra_variables: str) -> tuple[str, ...]:
    """Return the environment variables of a flag, highest priority first.

    Args:
        name: The name on the command line, such as "--cdp-header".
        extra_variables: Additional variables, which come last.
    """
    stem = name.split("/", maxsplit=1)[0].lstrip("-").upper().replace("-", "_")
    return (*(f"{prefix}_{stem}" for prefix in VARIABLE_PREFIXES), *extra_variables)


def list_declarations(struct: type[Struct]) -> list[Declaration]:
    """Return the flags of a struct and of the structs in it, in the order of the help."""
    declarations = list(_iterate_declarations(struct))
    ordered = [each for each in declarations if each.flag.listed_after is None]
    for each in declarations:
        if each.flag.listed_after is not None:
            names = [other.flag.name for other in ordered]
            ordered.insert(names.index(each.flag.listed_after) + 1, each)
    headings = list(Heading)
    return sorted(ordered, key=lambda each: headings.index(each.flag.heading))


def read_field_values(struct: type[Struct], flag_values: FlagValues) -> dict[str, Any]:
    """Return the fields of a struct whose flags are set, by name.

    If several flags of a field are set, the last one decides. Flags of nested structs are not read.

    Args:
        struct: The struct.
        flag_values: Converted values of all flags.
    """
    fields = (
        (each.field_name, flag_values[each.flag.parameter_name])
        for declarations, _ in _list_declarations_and_types(struct)
        for each in declarations
    )
    return {field: value for field, value in fields if value is not None and value != ()}


def iterate_declared_values(struct: Struct) -> Iterator[tuple[Declaration, Any]]:
    """Yield the flags of a struct and of the structs in it, each with the value of its field.

    Of several flags of a field, only the last one is yielded.
    """
    described = zip(structs.fields(struct), _list_declarations_and_types(type(struct)), strict=True)
    for field, (declarations, _) in described:
        value = getattr(struct, field.name)
        if declarations:
            yield declarations[-1], value
        if isinstance(value, Struct):
            yield from iterate_declared_values(value)


def _iterate_declarations(struct: type[Struct]) -> Iterator[Declaration]:
    for declarations, field_type in _list_declarations_and_types(struct):
        yield from declarations
        if isinstance(field_type, type) and issubclass(field_type, Struct):
            yield from _iterate_declarations(field_type)


@cache
def _list_declarations_and_types(
    struct: type[Struct],
) -> tuple[tuple[tuple[Declaration, ...], Any], ...]:
    """Return for each field the declarations of its flags and its type without None."""
    return tuple(_read_declarations_and_type(field) for field in structs.fields(struct))


def _read_declarations_and_type(field: structs.FieldInfo) -> tuple[tuple[Declaration, ...], Any]:
    field_type = _strip_annotated_and_none(field.type)
    default = None if field.default is NODEFAULT else field.default
    flags = [note for note in getattr(field.type, "__metadata__", ()) if isinstance(note, Flag)]
    return tuple(Declaration(field.name, field_type, default, flag) for flag in flags), field_type


def _strip_annotated_and_none(type_hint: Any) -> Any:
    """Return a type without its annotations and without None."""
    if typing.get_origin(type_hint) is Annotated:
        type_hint = type_hint.__origin__
    if typing.get_origin(type_hint) in (types.UnionType, typing.Union):
        type_hint, *_ = (each for each in typing.get_args(type_hint) if each is not types.NoneType)
    return type_hint


def _format_default_for_help(default: object, scale: int) -> str:
    """Return a default in the form of the help; "" if the help does not show it."""
    if isinstance(default, bool) or not isinstance(default, (str, int, float)):
        return ""
    return str(default) if isinstance(default, str) else str(round(default * scale))


def _is_str_enum(field_type: Any) -> bool:
    return isinstance(field_type, type) and issubclass(field_type, StrEnum)
