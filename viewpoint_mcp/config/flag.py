"""How a field of the settings is declared as a flag.

A flag is one `Flag` in the annotation of one field. `cli` derives from it the option, the
environment variables, the keys of the configuration file, the help and the README's table.

A module with flags has no `from __future__ import annotations`: its annotations are values, and
compiling them from strings at each start takes longer than all else here.
"""

from __future__ import annotations

import types
import typing
from collections.abc import Callable, Iterator, Mapping
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias

from msgspec import NODEFAULT, Struct, structs

PREFIXES = ("VIEWPOINT_MCP", "PLAYWRIGHT_MCP")

Values: TypeAlias = Mapping[str, Any]
"""The flags' values by `Flag.parameter`; None or () for a flag that was not given."""


class Heading(StrEnum):
    """The headings of the help, in their order."""

    BROWSER = "Browser"
    PAGES = "Pages"
    NETWORK = "Network"
    TOOLS = "Tools and replies"
    FILES = "Files"
    WAITING = "Waiting"
    SERVER = "Server"


class Key(Struct, frozen=True):
    """A key of the configuration file whose value is written otherwise than on the command line.

    Args:
        path: Keys from the top down, separated by dots.
        convert: Returns what the command line would have, or None to leave the flag alone. A
            KeyError, TypeError or AttributeError means that the value has the wrong shape.
    """

    path: str
    convert: Callable[[Any], Any]


class Flag(Struct, frozen=True):
    """How one setting is given.

    Every flag is also read from VIEWPOINT_MCP_<NAME>, PLAYWRIGHT_MCP_<NAME>, and the name in
    camelCase as a key at the top of the configuration file.

    Args:
        name: As on the command line; "--on/--off" for a pair.
        help: The effect, without the default.
        default: The default in the help; derived from the field where it is a number or a word.
        metavar: Stands for the value in the help; derived from the type where it is left out.
        parse: Converts the value into the field's; raises CallError with what is wrong.
        takes: What `parse` converts; derived from the field's type where that is a basic one, else
            str. `object` is whatever the configuration file has.
        choices: The words that are accepted, where the field's type does not list them.
        path: What must exist, where the value is a path.
        minimum: The least number.
        scale: How many of the flag's units make one of the field's: 1000 for milliseconds.
        is_repeatable: Whether it may be given several times; `parse` then converts all values.
        has_blanks: Whether each value has a line of its own in the environment, for blanks are part
            of it.
        keys: Further keys of the configuration file, by the path or as a `Key`.
        variables: Further environment variables, which count less.
        after: The flag that it follows in the help, where that is not the one declared before it.
    """

    name: str
    heading: Heading
    help: str
    default: str | None = None
    metavar: str | None = None
    parse: Callable[[Any], Any] | None = None
    takes: type | None = None
    choices: tuple[str, ...] = ()
    path: Literal["file", "directory"] | None = None
    minimum: int | None = None
    scale: int = 1
    is_repeatable: bool = False
    has_blanks: bool = False
    keys: tuple[str | Key, ...] = ()
    variables: tuple[str, ...] = ()
    after: str | None = None

    @property
    def parameter(self) -> str:
        """The name as a Python identifier, without that of the negative form."""
        return self.name.split("/", maxsplit=1)[0].lstrip("-").replace("-", "_")


class Declaration(Struct, frozen=True):
    """A flag and the field that declares it.

    Args:
        kind: The field's type, without None.
        default: The field's default; None where it is made anew for each instance.
    """

    field: str
    kind: Any
    default: Any
    flag: Flag

    @property
    def takes(self) -> Any:
        """What click converts the text to, before `convert`."""
        if self.flag.takes is not None or self.flag.scale != 1:
            return self.flag.takes or int
        return self.kind if self.kind in (bool, int, float, Path) and not self.choices else str

    @property
    def choices(self) -> tuple[str, ...]:
        """The words that are accepted; () for any text."""
        if self.flag.choices or typing.get_origin(self.kind) is Literal:
            return self.flag.choices or typing.get_args(self.kind)
        return tuple(map(str, self.kind)) if _is_enumeration(self.kind) else ()

    @property
    def help(self) -> str:
        """The help, with the default in brackets."""
        shown = self.flag.default or _format_default(self.default, self.flag.scale)
        return f"{self.flag.help} [{shown}]" if shown else self.flag.help

    def convert(self, value: Any) -> Any:
        """Convert what click read into the value of the field.

        Raises:
            CallError: The value is wrong.
        """
        if self.flag.scale != 1:
            value /= self.flag.scale
        if self.flag.parse is not None:
            return self.flag.parse(value)
        return self.kind(value) if _is_enumeration(self.kind) else value


def environment_variables(name: str, *others: str) -> tuple[str, ...]:
    """Return the environment variables of a flag, the one that counts most first.

    Args:
        name: As on the command line, such as "--cdp-header".
    """
    stem = name.split("/", maxsplit=1)[0].lstrip("-").upper().replace("-", "_")
    return (*(f"{prefix}_{stem}" for prefix in PREFIXES), *others)


def list_declarations(settings: type[Struct]) -> list[Declaration]:
    """Return the flags of a struct and of the structs in it, in the order of the help."""
    every = list(_walk(settings))
    ordered = [each for each in every if each.flag.after is None]
    for each in every:
        if each.flag.after is not None:
            names = [other.flag.name for other in ordered]
            ordered.insert(names.index(each.flag.after) + 1, each)
    headings = list(Heading)
    return sorted(ordered, key=lambda each: headings.index(each.flag.heading))


def read_fields(settings: type[Struct], values: Values) -> dict[str, Any]:
    """Return the fields of a struct that its own flags set, by name."""
    fields = ((each.field, values[each.flag.parameter]) for each, _ in _fields(settings) if each)
    return {field: value for field, value in fields if value is not None and value != ()}


def _walk(settings: type[Struct]) -> Iterator[Declaration]:
    for declaration, kind in _fields(settings):
        if declaration is not None:
            yield declaration
        if isinstance(kind, type) and issubclass(kind, Struct):
            yield from _walk(kind)


@cache
def _fields(settings: type[Struct]) -> tuple[tuple[Declaration | None, Any], ...]:
    """Return for each field its flag, if it has one, and its type without None."""
    return tuple(_declare(field) for field in structs.fields(settings))


def _declare(field: structs.FieldInfo) -> tuple[Declaration | None, Any]:
    kind = _kind(field.type)
    default = None if field.default is NODEFAULT else field.default
    flags = [note for note in getattr(field.type, "__metadata__", ()) if isinstance(note, Flag)]
    return (Declaration(field.name, kind, default, flags[0]) if flags else None), kind


def _kind(hint: Any) -> Any:
    """Return a type without its annotations and without None."""
    if typing.get_origin(hint) is Annotated:
        hint = hint.__origin__
    if typing.get_origin(hint) in (types.UnionType, typing.Union):
        hint, *_ = (each for each in typing.get_args(hint) if each is not types.NoneType)
    return hint


def _format_default(default: object, scale: int) -> str:
    """Return a default as the help has it; "" for one that goes without saying."""
    if isinstance(default, bool) or not isinstance(default, (str, int, float)):
        return ""
    return str(default) if isinstance(default, str) else str(round(default * scale))


def _is_enumeration(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, StrEnum)
