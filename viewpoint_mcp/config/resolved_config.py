"""The settings of a server in the form of the configuration file, with secrets masked."""

from __future__ import annotations

import re
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from pathlib import Path
from typing import Any, Final

from msgspec import Struct

from viewpoint_mcp.config.flag_annotations import Declaration, iterate_declared_values
from viewpoint_mcp.config.settings import Settings

_CREDENTIALS: Final = re.compile(r"(?<=://)[^/?#@\s]+(?=@)")
_MASKED: Final = "<masked>"


def render_as_config(settings: Settings) -> dict[str, Any]:
    """Return the settings as the JSON object that the configuration file would contain.

    Settings without a value are absent.
    """
    config: dict[str, Any] = {}
    for declaration, value in iterate_declared_values(settings):
        rendered = _render_value(declaration, value)
        if rendered is not None and rendered not in ((), [], {}, ""):
            _insert(config, declaration.flag.main_key.split("."), rendered)
    return config


def _render_value(declaration: Declaration, value: Any) -> Any:
    """Return the value of a field as JSON; None if the flags of its own fields describe it."""
    flag = declaration.flag
    if value is None:
        return None
    if flag.to_config is not None:
        return _to_json(flag.to_config(value), flag.name)
    if isinstance(value, Struct):
        return None
    if isinstance(value, Mapping):
        return dict.fromkeys(value, _MASKED)
    return _to_json(value * flag.scale if flag.scale != 1 else value, flag.name)


def _to_json(value: Any, flag_name: str) -> Any:
    """Return a value as JSON. Credentials in URLs are masked."""
    if isinstance(value, bool | int):
        return value
    if isinstance(value, float):
        return int(value) if value.is_integer() else value
    if isinstance(value, str | Path):
        return _CREDENTIALS.sub(_MASKED, str(value))
    if isinstance(value, Mapping):
        return {name: _to_json(each, flag_name) for name, each in value.items()}
    if isinstance(value, list | tuple | AbstractSet):
        items = [_to_json(each, flag_name) for each in value]
        return sorted(items) if isinstance(value, AbstractSet) else items
    raise TypeError(f"{flag_name} needs `to_config`, because a {type(value).__name__} is no JSON.")


def _insert(config: dict[str, Any], path: list[str], value: Any) -> None:
    """Set a value at a path. Objects of several flags at the same path are merged."""
    *sections, last = path
    for section in sections:
        config = config.setdefault(section, {})
    if isinstance(value, dict) and isinstance(config.get(last), dict):
        config[last] |= value
    else:
        config[last] = value
