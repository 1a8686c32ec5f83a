"""Click options for flags, which are also read from the environment.

If a value of the configuration file is not valid, the error message names its key.
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
"""Key in the `meta` of a click context: by parameter, the key and file that set its default."""
_EXPLICIT = (ParameterSource.COMMANDLINE, ParameterSource.ENVIRONMENT)


class Lines(click.types.StringParamType):
    """A list of texts that may contain blanks; an environment variable has one text per line."""

    envvar_list_splitter = "\n"


class Option(click.Option):
    """A click option with a heading and environment variables.

    If a value from the configuration file is not valid, the error names its key.

    Args:
        name: The name on the command line; "--on/--off" for a pair.
        variables: Additional environment variables, with lower priority than those of the name.
        heading: The heading in the help; "" for "Other".
        attributes: Further arguments of `click.Option`.
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
            # JSON can have numbers, arrays and objects where click and parsers expect strings.
            what = "The value is not as it should be."
            if isinstance(error, click.BadParameter):
                what = error.message
            sentence = f"{what} It is {context.meta[ORIGINS][self.name]}."
            raise click.BadParameter(sentence, context, self) from None


def make_option(declaration: Declaration, check: Check | None = None) -> Option:
    """Return the click option of a declared flag.

    Args:
        declaration: The flag and its field.
        check: Checks and converts the value after the declaration; raises CallError.
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
    """Return whether the environment switches off a pair such as --sandbox/--no-sandbox.

    The variable of the negative name must be true, as in playwright-mcp. The command line and the
    variable of the positive name have priority over it.
    """
    if context.get_parameter_source(option.name or "") in _EXPLICIT:
        return False
    stems = (name.lstrip("-").upper().replace("-", "_") for name in option.secondary_opts)
    named = (os.environ.get(f"{prefix}_{stem}", "") for stem in stems for prefix in PREFIXES)
    return any(text.strip().lower() in ("1", "true", "yes", "on") for text in named)


def _click_type(declaration: Declaration) -> click.ParamType[Any] | None:
    """Return the click type of a flag; None if click derives it."""
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
