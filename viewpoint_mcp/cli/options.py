"""The flags, each also read from VIEWPOINT_MCP_<NAME> and PLAYWRIGHT_MCP_<NAME>, and what they
mean.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

import click
from msgspec.structs import replace

from viewpoint_mcp.cli.browser_flags import BROWSER_FLAGS, PROFILE_FLAGS, PROXY_FLAGS
from viewpoint_mcp.cli.capabilities import OPTIONAL, capabilities_of
from viewpoint_mcp.cli.config import read_config
from viewpoint_mcp.cli.emulation import EMULATION_FLAGS, emulation_of
from viewpoint_mcp.cli.group import Declaration
from viewpoint_mcp.cli.option import MILLISECONDS, option
from viewpoint_mcp.cli.origins import ORIGIN_FLAGS, origins_of
from viewpoint_mcp.cli.playwright_only import PLAYWRIGHT_FLAGS
from viewpoint_mcp.cli.reply_flags import FILE_FLAGS, REPLY_FLAGS
from viewpoint_mcp.cli.server_flags import SERVER_FLAGS, listening_of
from viewpoint_mcp.config.secrets import Secrets
from viewpoint_mcp.config.settings import ImageResponses, Proxy, Settings, SnapshotMode, Timeouts
from viewpoint_mcp.tools.catalog import offered

log = logging.getLogger(__name__)

_ATTACH = 30_000
_ATTACH_ASKING = 60_000  # while the user is asked
_NO_LIMIT = 86_400_000  # a day

_WAITING_FLAGS: tuple[Declaration, ...] = (
    option(
        "--timeout-action",
        type=MILLISECONDS,
        default=5_000,
        help="Milliseconds for an act; 0 for no limit. [5000]",
    ),
    option(
        "--timeout-navigation",
        type=MILLISECONDS,
        default=60_000,
        help="Milliseconds for a page to load; 0 for no limit. [60000]",
    ),
    option(
        "--timeout-settle",
        type=MILLISECONDS,
        default=500,
        help="Most milliseconds to wait for the first effect of script that ran. [500]",
    ),
    option(
        "--idle-timeout",
        type=MILLISECONDS,
        help="Milliseconds without a call until the browser is closed, which the next call starts "
        "again; 0 for never. [3600000 if headless and not attached, else 0]",
    ),
)

_SERVER_FLAGS: tuple[Declaration, ...] = (
    option(
        "--config",
        type=click.Path(path_type=Path, exists=True, dir_okay=False),
        callback=read_config,
        is_eager=True,
        expose_value=False,
        metavar="FILE",
        help="JSON file with the keys of playwright-mcp's; the environment and flags count more.",
    ),
    option(
        "--log-level",
        type=click.Choice(["debug", "info", "warning", "error"]),
        default="warning",
        help="What is logged to stderr. [warning]",
    ),
)

FLAGS: Mapping[str, tuple[Declaration, ...]] = MappingProxyType(
    {
        "Browser": (*BROWSER_FLAGS, *PROFILE_FLAGS),
        "Pages": EMULATION_FLAGS,
        "Network": (*PROXY_FLAGS, *ORIGIN_FLAGS),
        "Tools and replies": REPLY_FLAGS,
        "Files": FILE_FLAGS,
        "Waiting": _WAITING_FLAGS,
        "Server": (*SERVER_FLAGS, *_SERVER_FLAGS),
        "": PLAYWRIGHT_FLAGS,
    }
)
"""All flags, by the heading that they are shown under."""


def settings_of(values: dict[str, Any]) -> Settings:
    """Make the settings of what click parsed.

    Args:
        values: By the flags' names, with underscores.

    Raises:
        click.UsageError: Flags do not go together.
    """
    _check_together(values)
    return Settings(
        headless=values["headless"],
        channel=values["browser"],
        executable=values["executable_path"],
        sandbox=values["sandbox"],
        cdp_endpoint=values["cdp_endpoint"],
        trace_cdp=values["trace_cdp"],
        cdp_headers=values["cdp_header"],
        auto_connect=values["auto_connect"],
        user_data_dir=values["user_data_dir"],
        isolated=values["isolated"],
        shared_context=values["shared_browser_context"],
        storage_state=values["storage_state"],
        emulation=emulation_of(values),
        by_pipe=values["browser_connection"] == "pipe",
        browser_args=values["browser_arg"],
        proxy=_proxy_of(values["proxy_server"], values["proxy_bypass"]),
        origins=origins_of(values),
        snapshot_mode=SnapshotMode(values["snapshot_mode"]),
        snapshot_budget=values["snapshot_budget"],
        snapshot_boxes=values["snapshot_boxes"],
        console_level=values["console_level"],
        image_responses=_image_responses_of(values["image_responses"]),
        capabilities=capabilities_of(values["caps"]),
        tools=values["tools"],
        secrets=_secrets_of(values["secrets"]),
        save_session=values["save_session"],
        absolute_paths=values["file_paths"] == "absolute",
        screenshot_dir=values["screenshot_dir"],
        output_dir=values["output_dir"],
        output_max_size=values["output_max_size"],
        unrestricted_files=values["allow_unrestricted_file_access"],
        allowed_dirs=values["allow_dir"],
        timeouts=_timeouts_of(values),
        listening=listening_of(values),
    )


def _timeouts_of(values: dict[str, Any]) -> Timeouts:
    attach = values["cdp_timeout"]
    if attach is None:
        attach = _ATTACH_ASKING if values["auto_connect"] else _ATTACH
    return Timeouts(
        action=(values["timeout_action"] or _NO_LIMIT) / 1000,
        navigation=(values["timeout_navigation"] or _NO_LIMIT) / 1000,
        settle=values["timeout_settle"] / 1000,
        attach=(attach or _NO_LIMIT) / 1000,
        idle=None if (idle := values["idle_timeout"]) is None else idle / 1000,
    )


def _secrets_of(secrets: Secrets) -> Secrets:
    if short := secrets.unmasked:
        log.warning("--secrets: %s can be typed, but are too short to be masked.", ", ".join(short))
    return secrets


def _image_responses_of(name: str) -> ImageResponses:
    """Take playwright-mcp's word for inline, too."""
    return ImageResponses.INLINE if name == "allow" else ImageResponses(name)


def _check_together(values: dict[str, Any]) -> None:
    if not offered(frozenset(values["caps"]), values["tools"]):
        raise click.UsageError(
            "--tools leaves no tool to offer. Name others, or switch the named ones on with --caps "
            f"({', '.join(OPTIONAL)})."
        )
    if values["auto_connect"] and values["cdp_endpoint"]:
        raise click.UsageError(
            "--auto-connect finds the browser by itself; leave out one of it and --cdp-endpoint."
        )
    if values["isolated"] and values["user_data_dir"] and not values["auto_connect"]:
        raise click.UsageError(
            "--isolated keeps nothing in a profile, so there is none to name with "
            "--user-data-dir; leave one of them out."
        )
    for flag in ("user_data_dir", "cdp_endpoint", "auto_connect"):
        if values["storage_state"] and values[flag] and not values["isolated"]:
            raise click.UsageError(
                f"--storage-state does not go with --{flag.replace('_', '-')}, where the logins of "
                "that browser are left alone; give the file to browser_context_create."
            )


def _proxy_of(proxy: Proxy | None, bypass: tuple[str, ...] | None) -> Proxy | None:
    if proxy is None and bypass:
        raise click.UsageError("--proxy-bypass needs --proxy-server.")
    return replace(proxy, bypass=bypass) if proxy is not None and bypass else proxy
