"""Creation of the settings from the values of the flags, with checks across flags.

A field with one flag is read according to its declaration. Each field that depends on several flags
has a function in this module.
"""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from viewpoint_mcp.config.devices import device
from viewpoint_mcp.config.emulation import GENERIC_PHONE, Emulation, over_device
from viewpoint_mcp.config.flag import Values, read_fields
from viewpoint_mcp.config.listening import Listening
from viewpoint_mcp.config.origins import OriginRules
from viewpoint_mcp.config.proxy import Proxy
from viewpoint_mcp.config.settings import Settings
from viewpoint_mcp.config.timeouts import Timeouts
from viewpoint_mcp.errors import CallError

_ATTACH_WHILE_ASKING = 60.0  # seconds; the browser first asks its user for permission


def make_settings(values: Values) -> Settings:
    """Return the settings for the values of the flags.

    Args:
        values: Values of all flags, converted by `Declaration.convert`.

    Raises:
        CallError: Flags contradict each other.
    """
    _refuse_two_browsers(values)
    proxy = _make_proxy(values)
    fields: dict[str, Any] = {
        **read_fields(Settings, values),
        "emulation": _make_emulation(values),
        "proxy": proxy,
        "origins": _make_origins(values, proxy),
        "timeouts": _make_timeouts(values),
        "listening": _make_listening(values),
    }
    return Settings(**fields)


def _refuse_two_browsers(values: Values) -> None:
    if values["auto_connect"] and values["cdp_endpoint"]:
        raise CallError(
            "--auto-connect finds the browser by itself; leave out one of it and --cdp-endpoint."
        )
    if values["isolated"] and values["user_data_dir"] and not values["auto_connect"]:
        raise CallError(
            "--isolated keeps nothing in a profile, so there is none to name with "
            "--user-data-dir; leave one of them out."
        )
    for flag in ("user_data_dir", "cdp_endpoint", "auto_connect"):
        if values["storage_state"] and values[flag] and not values["isolated"]:
            raise CallError(
                f"--storage-state does not go with --{flag.replace('_', '-')}, where the logins of "
                "that browser are left alone; give the file to browser_context_create."
            )


def _make_emulation(values: Values) -> Emulation:
    """Return the emulation of the chosen device, overridden by the other flags."""
    chosen = values["device"] or (device(GENERIC_PHONE) if values["mobile"] else {})
    fields = read_fields(Emulation, values)
    fields.pop("mobile", None)  # --mobile chose a device above.
    return Emulation(**over_device(chosen, **fields))


def _make_proxy(values: Values) -> Proxy | None:
    proxy: Proxy | None = values["proxy_server"]
    fields = read_fields(Proxy, values)
    if proxy is None and fields:
        raise CallError("--proxy-bypass needs --proxy-server.")
    return None if proxy is None else replace(proxy, **fields)


def _make_origins(values: Values, proxy: Proxy | None) -> OriginRules:
    rules = OriginRules(**read_fields(OriginRules, values))
    if not rules.are_given:
        return rules
    if values["cdp_endpoint"] or values["auto_connect"]:
        raise CallError(
            "--allowed-origins and --blocked-origins need a browser that this server starts: one "
            "that runs already has ways to the network that they cannot close. Leave them out, or "
            "the attaching."
        )
    if values["proxy_bypass"]:
        raise CallError(
            "--proxy-bypass does not go with --allowed-origins and --blocked-origins, which what "
            "goes without the proxy would escape."
        )
    if proxy is not None and proxy.scheme == "socks4":
        raise CallError(
            "--allowed-origins and --blocked-origins do not go with a SOCKS4 proxy; use socks5://."
        )
    return rules


def _make_timeouts(values: Values) -> Timeouts:
    """Return the timeouts, with a longer default for attaching with --auto-connect."""
    fields = read_fields(Timeouts, values)
    if values["auto_connect"]:
        fields.setdefault("attach", _ATTACH_WHILE_ASKING)
    return Timeouts(**fields)


def _make_listening(values: Values) -> Listening | None:
    return None if values["port"] is None else Listening(**read_fields(Listening, values))
