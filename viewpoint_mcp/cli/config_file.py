"""The configuration file, whose values become the defaults of the flags.

It is a JSON object with the keys of playwright-mcp, and the names of flags in camelCase.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import click

from viewpoint_mcp.cli.option import ORIGINS
from viewpoint_mcp.cli.playwright_only import ignore
from viewpoint_mcp.config.flag import Declaration, Key
from viewpoint_mcp.errors import CallError

Convert = Callable[[Any], Any]
Keys = Mapping[str, list[tuple[str, Convert | None]]]
"""Flags by the path of a key, each with its parameter name and the conversion of the value.

The conversion is None if the value already has the form of the command line.
"""

_IGNORED = frozenset(
    {
        "browser.remoteEndpoint",
        "browser.initPage",
        "timeouts.expect",
        "extension",
        "testIdAttribute",
        "codegen",
        "webmcp",
        "saveTrace",
        "saveVideo",
        "outputMode",
    }
)
# Playwright has many other keys below these.
_PLAYWRIGHTS = ("browser.launchOptions", "browser.contextOptions")


def make_config_reader(
    declarations: Iterable[Declaration],
) -> Callable[[click.Context, click.Parameter, Path | None], None]:
    """Return the click callback of --config, which reads the file and sets the defaults.

    Args:
        declarations: The flags that may have keys in the file.
    """
    keys: dict[str, list[tuple[str, Convert | None]]] = {}
    for declaration in declarations:
        for key in declaration.flag.keys:
            path, convert = (key.path, key.convert) if isinstance(key, Key) else (key, None)
            keys.setdefault(path, []).append((declaration.flag.parameter, convert))

    def read(context: click.Context, _flag: click.Parameter, path: Path | None) -> None:
        if path is not None:
            _set_defaults(context, keys, path)

    return read


def _set_defaults(context: click.Context, keys: Keys, path: Path) -> None:
    """Make the values of a configuration file the defaults of the flags.

    Raises:
        click.BadParameter: The file is not a JSON object, or has an unknown key or a malformed
            value.
    """
    known = {flag.name or "": flag for flag in context.command.params}
    defaults: dict[str, Any] = {}
    origins: dict[str, str] = {}
    for key, value in _leaves(_load(path), "", keys):
        if value is None:
            continue
        if key in _IGNORED:
            ignore(context, f"{key} of {path}")
            continue
        for name, default in _defaults(key, value, keys):
            if name not in known:
                _ignore_or_refuse(context, key, path)
                continue
            is_list = known[name].multiple or known[name].nargs == -1
            defaults[name] = [default] if is_list and not isinstance(default, list) else default
            origins[name] = f"{key} of {path}"
    context.default_map = defaults
    context.meta[ORIGINS] = origins


def _load(path: Path) -> dict[str, Any]:
    try:
        config = json.loads(path.read_text(encoding="utf-8-sig"))
    except (OSError, ValueError) as error:
        raise click.BadParameter(f"{path} cannot be read as JSON: {error}.") from error
    if not isinstance(config, dict):
        raise click.BadParameter(f"{path} is not a JSON object.")
    return config


def _ignore_or_refuse(context: click.Context, key: str, path: Path) -> None:
    if key.startswith(_PLAYWRIGHTS):
        ignore(context, f"{key} of {path}")
        return
    raise click.BadParameter(
        f"{path} has the key {key}, which there is none of here. Leave it out, or correct it."
    )


def _leaves(config: Mapping[str, Any], path: str, keys: Keys) -> Iterator[tuple[str, Any]]:
    """Yield each key that is not a section, as a path separated by dots, and its value."""
    for key, value in config.items():
        whole = f"{path}.{key}" if path else key
        is_section = any(each.startswith(f"{whole}.") for each in (*keys, *_IGNORED))
        if isinstance(value, dict) and is_section:
            yield from _leaves(value, whole, keys)
        else:
            yield whole, value


def _defaults(key: str, value: Any, keys: Keys) -> Iterator[tuple[str, Any]]:
    """Yield the parameters that a key sets, and their values in the form of the command line."""
    if key not in keys:
        yield _snake(key), value
    for name, convert in keys.get(key, ()):
        if convert is None and isinstance(value, dict):
            raise click.BadParameter(f"The value of {key} is not as it should be.")
        try:
            default = value if convert is None else convert(value)
        except CallError as error:
            raise click.BadParameter(str(error)) from None
        except (KeyError, TypeError, AttributeError) as error:
            raise click.BadParameter(f"The value of {key} is not as it should be.") from error
        if default is not None:
            yield name, default


def _snake(key: str) -> str:
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in key)
