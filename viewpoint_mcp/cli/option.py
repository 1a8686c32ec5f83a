"""How one flag is declared: with the environment variables that it is also read from."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

F = TypeVar("F", bound=Callable[..., Any])

PREFIXES = ("VIEWPOINT_MCP", "PLAYWRIGHT_MCP")


def option(name: str, **attributes: Any) -> Callable[[F], F]:
    """Declare a flag; takes what `click.option` takes."""
    variable = name.split("/", maxsplit=1)[0].lstrip("-").upper().replace("-", "_")
    return click.option(name, envvar=[f"{prefix}_{variable}" for prefix in PREFIXES], **attributes)
