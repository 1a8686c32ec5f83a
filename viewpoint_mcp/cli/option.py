"""One flag as an option of click: read from the environment too, with errors that say where a wrong
value stands.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from viewpoint_mcp.cli.capabilities import OPTIONAL
from viewpoint_mcp.config.flag import PREFIXES, Declaration, environment_variables
from viewpoint_mcp.errors import CallError

Check = Callable[[Any], Any]

ORIGINS = f"{__name__}.origins"
"""In a context's `meta`: where in a configuration file each flag's value stands."""
_EXPLICIT = (ParameterSource.COMMANDLINE, ParameterSource.ENVIRONMENT)


class Lines(click.types.StringParamType):
    """Texts that may hold blanks; in the environment each has a line of its own."""

    envvar_list_splitter = "\n"


class Option(click.Option):
    """A flag that knows the heading it is shown under, and tells where a wrong value came from.

    Args:
        name: As on the command line; "--on/--off" for a pair.
        variables: Further environment variables, which count less than those of the name.
        heading: "" for the last one.
        attributes: As `click.Option` takes them.
    """

    def __init__(
        self, name: str, *, variables: tuple[str, ...] = (), heading: str = "", **attributes: Any
    ) -> None:
        self.heading = heading
        super().__init__([name], envvar=environment_variables(name, *variables), **attributes)

    def handle_parse_result(
        self, context: click.Context, given: Mapping[str, Any], arguments: list[str]
    ) -> tuple[Any, list[str]]:
        try:
            return super().handle_parse_result(context, given, arguments)
        except (click.BadParameter, TypeError, AttributeError) as error:
            source = context.get_parameter_source(self.name or "")
            if source is not ParameterSource.DEFAULT_MAP:
                raise
            # JSON has numbers, lists and objects where click and parsers expect texts.
            what = "The value is not as it should be."
            if isinstance(error, click.BadParameter):
                what = error.message
            sentence = f"{what} It is {context.meta[ORIGINS][self.name]}."
            raise click.BadParameter(sentence, context, self) from None


def make_option(declaration: Declaration, check: Check | None = None) -> Option:
    """Return the option of a declared flag.

    Args:
        check: Checks and converts the value further; raises CallError with what is wrong.
    """
    flag = declaration.flag

    def convert(context: click.Context, option: click.Parameter, value: Any) -> Any:
        if is_switched_off(context, option):
            value = False
        if value is None or value == ():
            return value
        try:
            value = declaration.convert(value)
            return value if check is None else check(value)
        except CallError as error:
            raise click.BadParameter(str(error)) from None

    return Option(
        flag.name,
        variables=flag.variables,
        heading=flag.heading,
        help=declaration.help.replace("{capabilities}", ", ".join(OPTIONAL)),
        type=_click_type(declaration),
        is_flag=declaration.takes is bool,
        multiple=flag.is_repeatable,
        default=None,
        metavar=flag.metavar,
        callback=convert,
    )


def is_switched_off(context: click.Context, option: click.Parameter) -> bool:
    """Return whether the environment has the negative name of a pair, as for playwright-mcp, and
    neither it nor the command line has the positive one.
    """
    if context.get_parameter_source(option.name or "") in _EXPLICIT:
        return False
    stems = (name.lstrip("-").upper().replace("-", "_") for name in option.secondary_opts)
    named = (os.environ.get(f"{prefix}_{stem}", "") for stem in stems for prefix in PREFIXES)
    return any(text.strip().lower() in ("1", "true", "yes", "on") for text in named)


def _click_type(declaration: Declaration) -> click.ParamType[Any] | None:
    """Return the type that reads a flag's text; None where click knows it."""
    flag = declaration.flag
    if flag.path is not None or declaration.takes is Path:
        return click.Path(
            path_type=Path,
            resolve_path=flag.path != "file",
            exists=flag.path is not None,
            file_okay=flag.path != "directory",
            dir_okay=flag.path != "file",
        )
    if declaration.choices:
        return click.Choice(declaration.choices)
    if flag.minimum is not None:
        return click.IntRange(min=flag.minimum)
    if declaration.takes is object:
        return click.UNPROCESSED
    if flag.has_blanks:
        return Lines()
    if declaration.takes is int:
        return click.INT
    return click.FLOAT if declaration.takes is float else None
