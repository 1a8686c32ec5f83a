"""Command lines in playwright-mcp's form: lists separated by blanks, and old names of flags.

click reads neither: a flag that can be repeated has one value each time.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType

import click

_OLD_FLAGS: Mapping[str, Sequence[str]] = MappingProxyType(
    {"--vision": ("--caps", "vision"), "--remote-header": ("--cdp-header",)}
)
"""Flags of older versions of playwright-mcp, and the arguments that replace them."""


def convert_arguments(
    arguments: Sequence[str], options: Iterable[click.Parameter], commands: Collection[str]
) -> list[str]:
    """Return a command line with one value after each flag.

    `--grant-permissions midi camera` becomes `--grant-permissions midi --grant-permissions camera`.
    As in playwright-mcp, a list ends at the next flag, and `--flag=value` has one value. Here it
    also ends at the name of a sub-command.

    Args:
        arguments: The command line without the program.
        options: The options of the command.
        commands: The names of its sub-commands. Their arguments are not changed.
    """
    by_name = {
        name: option
        for option in options
        if isinstance(option, click.Option)
        for name in (*option.opts, *option.secondary_opts)
    }
    return list(_convert([*_replace_old_flags(arguments)], by_name, commands))


def _replace_old_flags(arguments: Sequence[str]) -> Iterator[str]:
    for argument in arguments:
        name, equals, value = argument.partition("=")
        if name not in _OLD_FLAGS:
            yield argument
        elif equals:
            yield f"{_OLD_FLAGS[name][0]}={value}"
        else:
            yield from _OLD_FLAGS[name]


def _convert(
    arguments: Sequence[str], options: Mapping[str, click.Option], commands: Collection[str]
) -> Iterator[str]:
    position = 0
    while position < len(arguments):
        name = arguments[position]
        option = options.get(name)
        position += 1
        if option is None and not name.startswith("-"):  # a sub-command
            yield from arguments[position - 1 :]
            return
        yield name
        if option is None or option.is_flag or position == len(arguments):
            continue
        yield arguments[position]
        position += 1
        if not option.multiple:
            continue
        while position < len(arguments) and _is_list_item(arguments[position], commands):
            yield from (name, arguments[position])
            position += 1


def _is_list_item(argument: str, commands: Collection[str]) -> bool:
    return argument not in commands and (argument == "-" or not argument.startswith("-"))
