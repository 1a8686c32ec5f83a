"""Parsers of options of Playwright that only a configuration file has.

Each raises CallError or TypeError if the value is malformed.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def parse_ignored_switches(value: object) -> bool | tuple[str, ...]:
    """Parse `ignoreDefaultArgs`: true for all default switches, or a list of switches."""
    if isinstance(value, bool):
        return value
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        raise TypeError
    return tuple(value)


def parse_environment(value: object) -> dict[str, str]:
    """Parse `env`: an object of names and texts or numbers. A null value is not set."""
    if not isinstance(value, Mapping):
        raise TypeError
    environment: dict[str, str] = {}
    for name, content in value.items():
        if content is None:
            continue
        if isinstance(content, bool) or not isinstance(content, (str, int, float)):
            raise TypeError
        environment[name] = str(content)
    return environment


def keep_object(value: Any) -> dict[str, Any] | None:
    """Return an object of JSON; None for a value of another type."""
    return value if isinstance(value, dict) else None


def drop_object(value: Any) -> Any:
    """Return a value of JSON; None for an object."""
    return None if isinstance(value, dict) else value
