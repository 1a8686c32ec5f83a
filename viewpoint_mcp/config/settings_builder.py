"""Creation of the settings from the values of the flags, with checks across flags.

A field with one flag is read according to its declaration. Each field that depends on several flags
has a function in this module.
"""

from __future__ import annotations

from typing import Any, get_args

from msgspec.structs import replace

from viewpoint_mcp.config.browser import Channel
from viewpoint_mcp.config.emulation.devices import DEFAULT_PHONE, find_device, override_device
from viewpoint_mcp.config.emulation.emulation import Emulation
from viewpoint_mcp.config.flag_annotations import FlagValues, read_field_values
from viewpoint_mcp.config.listening import Listening
from viewpoint_mcp.config.origins import OriginRules
from viewpoint_mcp.config.proxy import Proxy
from viewpoint_mcp.config.settings import Settings
from viewpoint_mcp.config.timeouts import Timeouts
from viewpoint_mcp.errors import CallError

_AUTO_CONNECT_TIMEOUT = 60.0  # seconds; the browser first asks its user for permission


def build_settings(flag_values: FlagValues) -> Settings:
    """Return the settings for the values of the flags.

    Args:
        flag_values: Values of all flags, converted by `Declaration.convert`.

    Raises:
        CallError: Flags contradict each other.
    """
    flag_values = _merge_storage_state(_replace_channel_endpoint(flag_values))
    _raise_if_browser_flags_conflict(flag_values)
    proxy = _make_proxy(flag_values)
    fields: dict[str, Any] = {
        **read_field_values(Settings, flag_values),
        "emulation": _make_emulation(flag_values),
        "proxy": proxy,
        "origins": _make_origin_rules(flag_values, proxy),
        "timeouts": _make_timeouts(flag_values),
        "listening": _make_listening(flag_values),
    }
    fields["keeps_profile"] = _should_keep_profile(flag_values)
    if "output_dir" in fields:
        fields.setdefault("screenshot_dir", fields["output_dir"])
    return Settings(**fields)


def _replace_channel_endpoint(flag_values: FlagValues) -> FlagValues:
    """Replace `--cdp-endpoint chrome` by `--auto-connect --browser chrome`.

    As in playwright-mcp, the name of a browser stands for the user's running one.
    """
    name = flag_values["cdp_endpoint"]
    if name not in get_args(Channel):
        return flag_values
    return {**flag_values, "cdp_endpoint": None, "auto_connect": True, "browser": name}


def _merge_storage_state(flag_values: FlagValues) -> FlagValues:
    """Let --storage-state stand also for a state in the configuration file itself."""
    state = flag_values["storage_state"] or flag_values["inline_storage_state"]
    return {**flag_values, "storage_state": state}


def _raise_if_browser_flags_conflict(flag_values: FlagValues) -> None:
    if flag_values["auto_connect"] and flag_values["cdp_endpoint"]:
        raise CallError(
            "--auto-connect and --cdp-endpoint both choose the browser. Remove one of them."
        )
    if flag_values["isolated"] and flag_values["user_data_dir"] and not flag_values["auto_connect"]:
        raise CallError(
            "--isolated uses no profile, but --user-data-dir names one. Remove one of them."
        )
    for flag in ("user_data_dir", "cdp_endpoint", "auto_connect"):
        if flag_values["storage_state"] and flag_values[flag] and not flag_values["isolated"]:
            raise CallError(
                f"--storage-state would change the logins of the browser or profile of "
                f"--{flag.replace('_', '-')}. Pass the file to browser_context_create instead."
            )


def _should_keep_profile(flag_values: FlagValues) -> bool:
    """Return whether the server keeps a profile of its own.

    Over HTTP each client begins without logins, and --storage-state defines them.
    """
    others = ("user_data_dir", "isolated", "storage_state", "cdp_endpoint", "auto_connect")
    return flag_values["port"] is None and not any(flag_values[flag] for flag in others)


def _make_emulation(flag_values: FlagValues) -> Emulation:
    """Return the emulation of the chosen device, overridden by the other flags."""
    device = flag_values["device"] or (find_device(DEFAULT_PHONE) if flag_values["mobile"] else {})
    fields = read_field_values(Emulation, flag_values)
    fields.pop("mobile", None)  # --mobile chose a device above.
    if flag_values["is_mobile"] is not None:
        fields["mobile"] = flag_values["is_mobile"]
    return Emulation(**override_device(device, **fields))


def _make_proxy(flag_values: FlagValues) -> Proxy | None:
    proxy: Proxy | None = flag_values["proxy_server"]
    fields = read_field_values(Proxy, flag_values)
    if proxy is None and fields:
        raise CallError("--proxy-bypass needs --proxy-server.")
    return None if proxy is None else replace(proxy, **fields)


def _make_origin_rules(flag_values: FlagValues, proxy: Proxy | None) -> OriginRules:
    rules = OriginRules(**read_field_values(OriginRules, flag_values))
    if not rules.has_entries:
        return rules
    if flag_values["cdp_endpoint"] or flag_values["auto_connect"]:
        raise CallError(
            "--allowed-origins and --blocked-origins cannot control all network access of a "
            "browser that this server did not launch. Remove them, or do not attach."
        )
    if flag_values["proxy_bypass"]:
        raise CallError(
            "--proxy-bypass would let requests evade --allowed-origins and --blocked-origins. "
            "Remove --proxy-bypass."
        )
    if proxy is not None and proxy.scheme == "socks4":
        raise CallError(
            "--allowed-origins and --blocked-origins do not work with SOCKS4. Use socks5://."
        )
    return rules


def _make_timeouts(flag_values: FlagValues) -> Timeouts:
    """Return the timeouts, with a longer default for attaching with --auto-connect."""
    fields = read_field_values(Timeouts, flag_values)
    if flag_values["auto_connect"]:
        fields.setdefault("attach", _AUTO_CONNECT_TIMEOUT)
    return Timeouts(**fields)


def _make_listening(flag_values: FlagValues) -> Listening | None:
    return (
        None
        if flag_values["port"] is None
        else Listening(**read_field_values(Listening, flag_values))
    )
