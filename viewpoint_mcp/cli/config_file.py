"""The configuration file, whose values become the defaults of the flags.

It is a JSON object with the keys of playwright-mcp, and the names of flags in camelCase. `$schema`
has no effect.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import click

from viewpoint_mcp.cli.flag_option import VALUE_SOURCES, KeyOption
from viewpoint_mcp.cli.ignored_flags import (
    IGNORED_KEYS,
    Ignored,
    raise_if_refused,
    record_ignored_name,
)
from viewpoint_mcp.config.flag_annotations import ConfigKey, Declaration
from viewpoint_mcp.errors import CallError

Converter = Callable[[Any], Any]
FlagsByKey = Mapping[str, list[tuple[str, Converter | None]]]
"""Flags by the path of a key, each with its parameter name and the conversion of the value.

The conversion is None if the value already has the form of the command line.
"""

# Editors read it to complete and check the file.
_SCHEMA_KEY = "$schema"
# As in playwright-mcp, other relative paths start from the working directory.
_KEYS_RELATIVE_TO_FILE = ("browser.initScript", "initScript")
# Other versions of Playwright may have other keys below these.
_PLAYWRIGHT_SECTIONS = ("browser.launchOptions", "browser.contextOptions")
_UNKNOWN = Ignored("Playwright has no such option, or a version that this server does not know.")
_CREDENTIALS_KEY = "browser.contextOptions.httpCredentials"
_SENDING = Ignored(
    'A browser sends credentials only to a server that asks for them. "always" concerns requests '
    "that Playwright sends without the browser.",
    ("unauthorized", None),
)


def make_config_callback(
    declarations: Iterable[Declaration],
) -> Callable[[click.Context, click.Parameter, Path | None], None]:
    """Return the click callback of --config, which reads the file and sets the defaults.

    Args:
        declarations: The flags that may have keys in the file.
    """
    keys: dict[str, list[tuple[str, Converter | None]]] = {}
    for declaration in declarations:
        for key in declaration.flag.config_keys:
            path, convert = (key.path, key.convert) if isinstance(key, ConfigKey) else (key, None)
            keys.setdefault(path, []).append((declaration.flag.parameter_name, convert))

    def read(context: click.Context, _flag: click.Parameter, path: Path | None) -> None:
        if path is not None:
            _set_defaults(context, keys, path)

    return read


def _set_defaults(context: click.Context, flags_by_key: FlagsByKey, path: Path) -> None:
    """Make the values of a configuration file the defaults of the flags.

    Raises:
        click.BadParameter: The file is not a JSON object, or has an unknown key or a malformed
            value.
    """
    parameters = {flag.name or "": flag for flag in context.command.params}
    defaults: dict[str, Any] = {}
    sources: dict[str, str] = {}
    for key, value in _flatten_to_dotted_keys(_load_config(path), "", flags_by_key):
        if value is None or key == _SCHEMA_KEY:
            continue
        try:
            raise_if_refused(key, value)
        except CallError as error:
            raise click.BadParameter(f"{error} The key comes from {path}.") from None
        if key in IGNORED_KEYS:
            record_ignored_name(context, f"{key} of {path}", IGNORED_KEYS[key], value)
            continue
        if key == _CREDENTIALS_KEY:
            _note_ignored_sending(context, value, path)
        if key in _KEYS_RELATIVE_TO_FILE:
            value = _resolve_paths(value, path.parent)
        for name, default in _find_defaults(key, value, flags_by_key):
            is_name_of_key_only = key not in flags_by_key and isinstance(
                parameters.get(name), KeyOption
            )
            if name not in parameters or is_name_of_key_only:
                _ignore_or_reject_unknown_key(context, key, path)
                continue
            is_list = parameters[name].multiple or parameters[name].nargs == -1
            defaults[name] = [default] if is_list and not isinstance(default, list) else default
            sources[name] = f"{key} of {path}"
    context.default_map = defaults
    context.meta[VALUE_SOURCES] = sources


def _load_config(path: Path) -> dict[str, Any]:
    try:
        config = json.loads(path.read_text(encoding="utf-8-sig"))
    except (OSError, ValueError) as error:
        raise click.BadParameter(f"Cannot read {path} as JSON: {error}.") from error
    if not isinstance(config, dict):
        raise click.BadParameter(f"{path} is not a JSON object.")
    return config


def _resolve_paths(value: Any, directory: Path) -> Any:
    """Resolve a path or a list of paths against a directory. Values of other types stay."""
    if isinstance(value, list):
        return [_resolve_paths(each, directory) for each in value]
    return str(directory / value) if isinstance(value, str) else value


def _note_ignored_sending(context: click.Context, value: Any, path: Path) -> None:
    """Record the part of `httpCredentials` that has no effect in a browser."""
    for each in value if isinstance(value, list) else [value]:
        if isinstance(each, dict):
            name = f"{_CREDENTIALS_KEY}.send of {path}"
            record_ignored_name(context, name, _SENDING, each.get("send"))


def _ignore_or_reject_unknown_key(context: click.Context, key: str, path: Path) -> None:
    if key.startswith(_PLAYWRIGHT_SECTIONS):
        record_ignored_name(context, f"{key} of {path}", _UNKNOWN, value=None)
        return
    raise click.BadParameter(f"Unknown key {key} in {path}. Correct or remove it.")


def _flatten_to_dotted_keys(
    config: Mapping[str, Any], section: str, flags_by_key: FlagsByKey
) -> Iterator[tuple[str, Any]]:
    """Yield each key that is not a section, as a path separated by dots, and its value."""
    for key, value in config.items():
        full_key = f"{section}.{key}" if section else key
        is_section = any(each.startswith(f"{full_key}.") for each in (*flags_by_key, *IGNORED_KEYS))
        if isinstance(value, dict) and is_section:
            yield from _flatten_to_dotted_keys(value, full_key, flags_by_key)
        else:
            yield full_key, value


def _find_defaults(key: str, value: Any, flags_by_key: FlagsByKey) -> Iterator[tuple[str, Any]]:
    """Yield the parameters that a key sets, and their values in the form of the command line."""
    if key not in flags_by_key:
        yield _to_snake_case(key), value
    for name, convert in flags_by_key.get(key, ()):
        if convert is None and isinstance(value, dict):
            raise click.BadParameter(f"The value of {key} has the wrong type.")
        try:
            default = value if convert is None else convert(value)
        except CallError as error:
            raise click.BadParameter(str(error)) from None
        except (KeyError, TypeError, AttributeError) as error:
            raise click.BadParameter(f"The value of {key} has the wrong type.") from error
        if default is not None:
            yield name, default


def _to_snake_case(key: str) -> str:
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in key)
