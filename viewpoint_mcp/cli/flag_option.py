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

from viewpoint_mcp.config.flag_annotations import (
    VARIABLE_PREFIXES,
    ConfigKey,
    Declaration,
    list_environment_variables,
)
from viewpoint_mcp.errors import CallError
from viewpoint_mcp.tools.catalog import OPTIONAL_CAPABILITIES

FlagCheck = Callable[[Any], Any]

VALUE_SOURCES = f"{__name__}.origins"
"""Key in the `meta` of a click context: by parameter, the key and file that set its default."""
_EXPLICIT_SOURCES = (ParameterSource.COMMANDLINE, ParameterSource.ENVIRONMENT)


class LineListType(click.types.StringParamType):
    """A list of texts that may contain spaces; an environment variable has one text per line."""

    envvar_list_splitter = "\n"


class FlagOption(click.Option):
    """A click option with a heading and environment variables.

    If a value from the configuration file is not valid, the error names its key.

    Args:
        name: The name on the command line; "--on/--off" for a pair.
        extra_variables: Additional environment variables. Those of the name have priority.
        heading: The heading in the help; "" for "Other".
        attributes: Further arguments of `click.Option`.
    """

    def __init__(
        self,
        name: str,
        *,
        extra_variables: tuple[str, ...] = (),
        heading: str = "",
        **attributes: Any,
    ) -> None:
        self.heading = heading
        super().__init__(
            [name], envvar=list_environment_variables(name, *extra_variables), **attributes
        )

    def handle_parse_result(
        self, context: click.Context, opts: Mapping[str, Any], arguments: list[str]
    ) -> tuple[Any, list[str]]:
        try:
            return super().handle_parse_result(context, opts, arguments)
        except (click.BadParameter, TypeError, AttributeError) as error:
            source = context.get_parameter_source(self.name or "")
            if source is not ParameterSource.DEFAULT_MAP:
                raise
            # JSON can have numbers, arrays and objects where click and parsers expect strings.
            message = "The value has the wrong type."
            if isinstance(error, click.BadParameter):
                message = error.message
            message = f"{message} It comes from {context.meta[VALUE_SOURCES][self.name]}."
            raise click.BadParameter(message, context, self) from None


class KeyOption(FlagOption):
    """An option that only the configuration file can set; the command line does not have it.

    Args:
        name: The name that the option would have on the command line.
        key: The key of the configuration file, which errors name.
        attributes: Further arguments of `click.Option`.
    """

    def __init__(self, name: str, *, key: str, **attributes: Any) -> None:
        self.key = key
        super().__init__(name, hidden=True, **attributes)
        self.envvar = None

    def add_to_parser(self, parser: object, ctx: click.Context) -> None:
        """Add nothing to the parser of the command line."""

    def get_error_hint(self, ctx: click.Context | None) -> str:
        return self.key


def make_option(declaration: Declaration, check: FlagCheck | None = None) -> FlagOption:
    """Return the click option of a declared flag.

    Args:
        declaration: The flag and its field.
        check: Checks and converts the value after the declaration; raises CallError.
    """
    flag = declaration.flag

    def convert(context: click.Context, option: click.Parameter, value: Any) -> Any:
        if is_disabled_by_environment(context, option):
            value = False
        if value is None or value == ():
            return value
        try:
            value = declaration.convert(value)
            return value if check is None else check(value)
        except CallError as error:
            raise click.BadParameter(str(error)) from None

    if flag.is_key_only:
        (key,) = flag.config_keys
        return KeyOption(
            flag.name,
            key=key.path if isinstance(key, ConfigKey) else key,
            type=_choose_click_type(declaration),
            is_flag=declaration.type_before_convert is bool,
            default=None,
            callback=convert,
        )
    return FlagOption(
        flag.name,
        extra_variables=flag.extra_variables,
        heading=flag.heading,
        help=declaration.help.replace("{capabilities}", ", ".join(OPTIONAL_CAPABILITIES)),
        type=_choose_click_type(declaration),
        is_flag=declaration.type_before_convert is bool,
        multiple=flag.is_repeatable,
        default=None,
        metavar=flag.metavar,
        callback=convert,
    )


def is_disabled_by_environment(context: click.Context, option: click.Parameter) -> bool:
    """Return whether the environment switches off a pair such as --sandbox/--no-sandbox.

    The variable of the negative name must be true, as in playwright-mcp. The command line and the
    variable of the positive name have priority over it.
    """
    if context.get_parameter_source(option.name or "") in _EXPLICIT_SOURCES:
        return False
    stems = (name.lstrip("-").upper().replace("-", "_") for name in option.secondary_opts)
    values = (
        os.environ.get(f"{prefix}_{stem}", "") for stem in stems for prefix in VARIABLE_PREFIXES
    )
    return any(text.strip().lower() in ("1", "true", "yes", "on") for text in values)


def _choose_click_type(declaration: Declaration) -> click.ParamType[Any] | None:
    """Return the click type of a flag; None if click derives it."""
    flag = declaration.flag
    if flag.path_kind is not None or declaration.type_before_convert is Path:
        return click.Path(
            path_type=Path,
            resolve_path=flag.path_kind != "file",
            exists=flag.path_kind is not None,
            file_okay=flag.path_kind != "directory",
            dir_okay=flag.path_kind != "file",
        )
    if declaration.choices:
        return click.Choice(declaration.choices)
    if flag.minimum is not None:
        return click.IntRange(min=flag.minimum)
    if declaration.type_before_convert is object:
        return click.UNPROCESSED
    if flag.can_contain_spaces:
        return LineListType()
    if declaration.type_before_convert is int:
        return click.INT
    return click.FLOAT if declaration.type_before_convert is float else None
