"""Reads a configuration file: JSON with playwright-mcp's keys, each of which becomes the default of
a flag, and the flags' own names in camelCase.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any
from urllib.parse import quote

import click

from viewpoint_mcp.cli.option import ORIGINS
from viewpoint_mcp.cli.playwright_only import ignore

Flags = Iterator[tuple[str, Any]]

# The path of a key -> the parameter of the flag that it stands for.
_FLAGS: Mapping[str, str] = MappingProxyType(
    {
        "browser.isolated": "isolated",
        "browser.userDataDir": "user_data_dir",
        "browser.launchOptions.channel": "browser",
        "browser.launchOptions.headless": "headless",
        "browser.launchOptions.executablePath": "executable_path",
        "browser.launchOptions.chromiumSandbox": "sandbox",
        "browser.launchOptions.args": "browser_arg",
        "browser.contextOptions.userAgent": "user_agent",
        "browser.contextOptions.locale": "locale",
        "browser.contextOptions.timezoneId": "timezone",
        "browser.contextOptions.permissions": "grant_permissions",
        "browser.contextOptions.colorScheme": "color_scheme",
        "browser.contextOptions.offline": "offline",
        "browser.contextOptions.ignoreHTTPSErrors": "ignore_https_errors",
        "browser.cdpEndpoint": "cdp_endpoint",
        "browser.cdpTimeout": "cdp_timeout",
        "browser.initScript": "init_script",
        "server.port": "port",
        "server.host": "host",
        "server.allowedHosts": "allowed_hosts",
        "capabilities": "caps",
        "console.level": "console_level",
        "network.allowedOrigins": "allowed_origins",
        "network.blockedOrigins": "blocked_origins",
        "timeouts.action": "timeout_action",
        "timeouts.navigation": "timeout_navigation",
        "timeouts.settle": "timeout_settle",
        "timeouts.idle": "idle_timeout",
        "snapshot.mode": "snapshot_mode",
        "snapshot.boxes": "snapshot_boxes",
    }
)
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
_PLAYWRIGHTS = ("browser.launchOptions", "browser.contextOptions")  # have many keys more


def read_config(context: click.Context, _flag: click.Parameter, path: Path | None) -> None:
    """Make the values of a configuration file the defaults of the flags.

    Raises:
        click.BadParameter: It is no JSON object, or has a key that nobody knows.
    """
    if path is None:
        return
    try:
        config = json.loads(path.read_text(encoding="utf-8-sig"))
    except (OSError, ValueError) as error:
        raise click.BadParameter(f"{path} cannot be read as JSON: {error}.") from error
    if not isinstance(config, dict):
        raise click.BadParameter(f"{path} is not a JSON object.")
    known = {flag.name or "": flag for flag in context.command.params}
    defaults: dict[str, Any] = {}
    origins: dict[str, str] = {}
    for key, value in _leaves(config, ""):
        if value is None:
            continue
        if key in _IGNORED:
            ignore(context, f"{key} of {path}")
            continue
        for name, meant in _flags(key, value):
            if name not in known:
                _refuse(context, key, path)
                continue
            is_list = known[name].multiple or known[name].nargs == -1
            defaults[name] = [meant] if is_list and not isinstance(meant, list) else meant
            origins[name] = f"{key} of {path}"
    context.default_map = defaults
    context.meta[ORIGINS] = origins


def _refuse(context: click.Context, key: str, path: Path) -> None:
    if key.startswith(_PLAYWRIGHTS) and key not in _FLAGS:
        ignore(context, f"{key} of {path}")
        return
    raise click.BadParameter(
        f"{path} has the key {key}, which there is none of here. Leave it out, or correct it."
    )


def _leaves(config: Mapping[str, Any], path: str) -> Iterator[tuple[str, Any]]:
    """Yield each key that stands for something, with the keys above it, and its value."""
    for key, value in config.items():
        whole = f"{path}.{key}" if path else key
        if isinstance(value, dict) and _is_section(whole):
            yield from _leaves(value, whole)
        else:
            yield whole, value


def _is_section(path: str) -> bool:
    return any(key.startswith(f"{path}.") for key in (*_FLAGS, *_IGNORED, *_READERS))


def _flags(key: str, value: Any) -> Flags:
    """Yield the parameters that a key stands for, and their values as on the command line."""
    if key in _READERS:
        try:
            yield from _READERS[key](value)
        except (KeyError, TypeError, AttributeError) as error:
            raise click.BadParameter(f"The value of {key} is not as it should be.") from error
    elif key in _FLAGS:
        if isinstance(value, dict):
            raise click.BadParameter(f"The value of {key} is not as it should be.")
        yield _FLAGS[key], value
    else:
        yield _snake(key), value


def _snake(key: str) -> str:
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in key)


def _browser_name(value: str) -> Flags:
    if value != "chromium":
        yield "browser", value  # which refuses it


def _viewport(value: Mapping[str, int]) -> Flags:
    yield "viewport_size", f"{value['width']}x{value['height']}"


def _geolocation(value: Mapping[str, float]) -> Flags:
    place = value["latitude"], value["longitude"], value.get("accuracy", 10)
    yield "geolocation", ",".join(map(str, place))


def _service_workers(value: str) -> Flags:
    yield "block_service_workers", value == "block"


def _storage_state(value: object) -> Flags:
    if isinstance(value, dict):
        raise click.BadParameter(
            "browser.contextOptions.storageState is a state; write it to a file, and give its path."
        )
    yield "storage_state", value


def _headers(value: Mapping[str, str]) -> Flags:
    yield "cdp_header", [f"{name}: {each}" for name, each in value.items()]


def _proxy(value: Mapping[str, str]) -> Flags:
    server = value["server"]
    if username := value.get("username"):
        credentials = f"{quote(username, safe='')}:{quote(value.get('password', ''), safe='')}"
        scheme, separator, rest = server.rpartition("://")
        server = f"{scheme}{separator}{credentials}@{rest}"
    yield "proxy_server", server
    if value.get("bypass"):
        yield "proxy_bypass", value["bypass"]


_READERS: Mapping[str, Callable[[Any], Flags]] = MappingProxyType(
    {
        "browser.browserName": _browser_name,
        "browser.contextOptions.viewport": _viewport,
        "browser.contextOptions.geolocation": _geolocation,
        "browser.contextOptions.serviceWorkers": _service_workers,
        "browser.contextOptions.storageState": _storage_state,
        "browser.cdpHeaders": _headers,
        "browser.launchOptions.proxy": _proxy,
        "browser.contextOptions.proxy": _proxy,
    }
)
