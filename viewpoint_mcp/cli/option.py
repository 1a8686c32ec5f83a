"""How one flag is declared: with the environment variables that it is also read from, and by the
same readers as the arguments of tools.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from viewpoint_mcp.errors import CallError

T = TypeVar("T")
F = TypeVar("F", bound=Callable[..., Any])

PREFIXES = ("VIEWPOINT_MCP", "PLAYWRIGHT_MCP")


def option(name: str, **attributes: Any) -> Callable[[F], F]:
    """Declare a flag; takes what `click.option` takes."""
    variable = name.split("/", maxsplit=1)[0].lstrip("-").upper().replace("-", "_")
    return click.option(name, envvar=[f"{prefix}_{variable}" for prefix in PREFIXES], **attributes)


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
