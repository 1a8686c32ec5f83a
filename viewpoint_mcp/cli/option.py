"""How one flag is declared: with the environment variables that it is also read from, and by the
same readers as the arguments of tools.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

import click
from click.core import ParameterSource

from viewpoint_mcp.errors import CallError

T = TypeVar("T")
F = TypeVar("F", bound=Callable[..., Any])

ABSOLUTE = click.Path(path_type=Path, resolve_path=True)
MILLISECONDS = click.IntRange(min=0)
PREFIXES = ("VIEWPOINT_MCP", "PLAYWRIGHT_MCP")
ORIGINS = f"{__name__}.origins"
"""In a context's `meta`: where in a configuration file each flag's value stands."""


class Flag(click.Option):
    """A flag that knows the group it is shown in, and tells where a wrong value came from."""

    group = ""

    def handle_parse_result(
        self, context: click.Context, given: Mapping[str, Any], arguments: list[str]
    ) -> tuple[Any, list[str]]:
        try:
            return super().handle_parse_result(context, given, arguments)
        except (click.BadParameter, TypeError, AttributeError) as error:
            source = context.get_parameter_source(self.name or "")
            if source is not ParameterSource.DEFAULT_MAP:
                raise
            # JSON has numbers, lists and objects where click and readers expect texts.
            what = "The value is not as it should be."
            if isinstance(error, click.BadParameter):
                what = error.message
            sentence = f"{what} It is {context.meta[ORIGINS][self.name]}."
            raise click.BadParameter(sentence, context, self) from None


def option(name: str, *, also_read: Sequence[str] = (), **attributes: Any) -> Callable[[F], F]:
    """Declare a flag; takes what `click.option` takes.

    Args:
        also_read: Environment variables that count less than those of the flag's own name.
    """
    variable = name.split("/", maxsplit=1)[0].lstrip("-").upper().replace("-", "_")
    variables = [*(f"{prefix}_{variable}" for prefix in PREFIXES), *also_read]
    return click.option(name, cls=Flag, envvar=variables, **attributes)


def read_with(
    parse: Callable[[Any], T],
) -> Callable[[click.Context, click.Parameter, Any], T | None]:
    """Make a callback of a reader, which may raise CallError for what it is given."""

    def read(_context: click.Context, _option: click.Parameter, value: Any) -> T | None:
        try:
            return None if value is None else parse(value)
        except CallError as error:
            raise click.BadParameter(str(error)) from None

    return read
