"""The flags, each also read from VIEWPOINT_MCP_<NAME> and PLAYWRIGHT_MCP_<NAME>, and what they
mean.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from viewpoint_mcp.browser import storage_state
from viewpoint_mcp.browser.proxy.parse import parse_bypass, parse_proxy
from viewpoint_mcp.cli.capabilities import OPTIONAL, capabilities_of, read_capabilities
from viewpoint_mcp.cli.emulation import EMULATION_OPTIONS, emulation_of
from viewpoint_mcp.cli.option import PREFIXES, read_with
from viewpoint_mcp.cli.option import option as _option
from viewpoint_mcp.cli.origins import ORIGIN_OPTIONS, origins_of
from viewpoint_mcp.errors import CallError
from viewpoint_mcp.settings import ImageResponses, Proxy, Settings, SnapshotMode, Timeouts

_CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")


class Lines(click.types.StringParamType):
    """Texts that may hold blanks; in the environment each has a line of its own."""

    envvar_list_splitter = "\n"


def read_sandbox(
    _context: click.Context, _option: click.Parameter, value: bool | None
) -> bool | None:
    """Let the environment switch it off by the negative name as well, as for playwright-mcp."""
    named = (os.environ.get(f"{prefix}_NO_SANDBOX", "") for prefix in PREFIXES)
    return False if value is None and any(map(_is_true, named)) else value


def _is_true(text: str) -> bool:
    return text.strip().lower() in ("1", "true", "yes", "on")


def read_headers(
    _context: click.Context, _option: click.Parameter, values: Sequence[str]
) -> dict[str, str]:
    """Read HTTP headers, each as NAME: VALUE."""
    headers = {}
    for value in values:
        name, colon, content = value.partition(":")
        if (
            not colon
            or _CONTROL.search(content)
            or not re.fullmatch(r"[!#$%&'*+.^_`|~\w-]+", name.strip())
        ):
            # It is not repeated: it may hold a secret.
            raise click.BadParameter('one is not a header; write it as "Name: value".')
        headers[name.strip()] = content.strip()
    return headers


def _checked_state(path: Path) -> Path:
    """Refuse a file that cannot be read, or that no browser could take."""
    storage_state.read(path)
    return path


def _bytes(text: str) -> int:
    found = re.fullmatch(r"\s*(\d{1,15})\s*([kmg]?)b?\s*", text, re.IGNORECASE | re.ASCII)
    size = int(found[1]) * 1024 ** " kmg".index(found[2].lower() or " ") if found else 0
    if not size:
        raise CallError(f'"{text}" is no size.', "Give bytes, or such as 500k, 20M or 1G.")
    return size


_MILLISECONDS = click.IntRange(min=0)
_ATTACH = 30_000
_ATTACH_ASKING = 60_000  # while the user is asked
_ABSOLUTE = click.Path(path_type=Path, resolve_path=True)

OPTIONS: tuple[Callable[[Any], Any], ...] = (
    _option("--headless", is_flag=True, help="Run Chromium without a window."),
    _option(
        "--browser",
        type=click.Choice(["chrome", "chromium", "msedge"]),
        help="Which browser to look for; the first that is found if left out.",
    ),
    _option("--executable-path", type=_ABSOLUTE, help="The browser's executable."),
    _option(
        "--sandbox/--no-sandbox",
        callback=read_sandbox,
        default=None,
        help="Chromium's own sandbox; on where Chromium can use it, if left out.",
    ),
    _option(
        "--user-data-dir", type=_ABSOLUTE, help="Profile to keep; a temporary one if left out."
    ),
    _option(
        "--isolated", is_flag=True, help="Keep cookies and storage in memory only, off the record."
    ),
    _option(
        "--cdp-endpoint",
        help="Attach to a running browser: http(s) or ws(s) address, or host:port.",
    ),
    _option(
        "--cdp-header",
        type=Lines(),
        callback=read_headers,
        metavar="NAME:VALUE",
        multiple=True,
        help="HTTP header to send when attaching; may be repeated.",
    ),
    _option(
        "--cdp-timeout",
        type=_MILLISECONDS,
        help="Milliseconds to attach. [30000; 60000 with --auto-connect]",
    ),
    _option(
        "--auto-connect",
        is_flag=True,
        help="Attach to your running browser, found by its profile: that of --user-data-dir, or "
        "the usual one of --browser.",
    ),
    _option(
        "--storage-state",
        type=_ABSOLUTE,
        callback=read_with(_checked_state),
        metavar="FILE",
        help="Cookies and storage that the default context begins with, as Playwright and "
        "browser_context_save_storage write them.",
    ),
    *EMULATION_OPTIONS,
    _option(
        "--proxy-server",
        callback=read_with(parse_proxy),
        metavar="URL",
        help="Proxy of the browser, and of contexts made without one of their own: "
        "http://host:port, https:// or socks5://; may hold user:password@.",
    ),
    _option(
        "--proxy-bypass",
        callback=read_with(parse_bypass),
        metavar="HOSTS",
        help="What goes without the proxy, separated by commas, such as .example.com,localhost.",
    ),
    *ORIGIN_OPTIONS,
    _option(
        "--caps",
        callback=read_with(read_capabilities),
        metavar="NAME,...",
        multiple=True,
        help=f"Further tools to offer: {', '.join(OPTIONAL)}.",
    ),
    _option(
        "--snapshot-mode",
        type=click.Choice([mode.value for mode in SnapshotMode]),
        default=SnapshotMode.DIFF.value,
        help="What replies to actions show of the page: what changed, all of it, the name of a "
        "file that has it, or nothing. [diff]",
    ),
    _option(
        "--snapshot-budget",
        type=click.IntRange(min=1000),
        default=40_000,
        help="Most characters of a snapshot in a reply. [40000]",
    ),
    _option(
        "--screenshot-dir",
        type=_ABSOLUTE,
        default=".viewpoint-mcp-screenshots",
        help="Where screenshots go. [.viewpoint-mcp-screenshots]",
    ),
    _option(
        "--image-responses",
        type=click.Choice([*(mode.value for mode in ImageResponses), "allow"]),
        default=ImageResponses.FILE.value,
        help="What the reply to a screenshot brings beside the file: its name, the image as well "
        "(inline; allow means the same), the image alone (only), or neither (omit). [file]",
    ),
    _option(
        "--output-dir",
        type=_ABSOLUTE,
        default=".viewpoint-mcp",
        help="Where other files go. [.viewpoint-mcp]",
    ),
    _option(
        "--output-max-size",
        callback=read_with(_bytes),
        metavar="BYTES",
        help="Most bytes of the files that the server wrote to these two directories, or as 500k, "
        "20M, 1G; the oldest go when they are more. [no limit]",
    ),
    _option(
        "--allow-dir",
        type=click.Path(path_type=Path, resolve_path=True, exists=True, file_okay=False),
        metavar="PATH",
        multiple=True,
        help="Directory, beside the working directory, whose files pages may be given; may be "
        "repeated.",
    ),
    _option(
        "--allow-unrestricted-file-access",
        is_flag=True,
        help="Open file: URLs, read and write files anywhere.",
    ),
    _option(
        "--timeout-action",
        type=_MILLISECONDS,
        default=5_000,
        help="Milliseconds for an act. [5000]",
    ),
    _option(
        "--timeout-navigation",
        type=_MILLISECONDS,
        default=60_000,
        help="Milliseconds for a page to load. [60000]",
    ),
    _option(
        "--timeout-settle",
        type=_MILLISECONDS,
        default=500,
        help="Most milliseconds to wait for the first effect of script that ran. [500]",
    ),
    _option(
        "--idle-timeout",
        type=_MILLISECONDS,
        help="Milliseconds without a call until the browser is closed, which the next call starts "
        "again; 0 for never. [3600000 if headless and not attached, else 0]",
    ),
    _option(
        "--log-level",
        type=click.Choice(["debug", "info", "warning", "error"]),
        default="warning",
        help="What is logged to stderr. [warning]",
    ),
)


def settings_of(values: dict[str, Any]) -> Settings:
    """Make the settings of what click parsed.

    Args:
        values: By the flags' names, with underscores.

    Raises:
        click.UsageError: Flags do not go together.
    """
    _check_together(values)
    attach = values["cdp_timeout"]
    if attach is None:
        attach = _ATTACH_ASKING if values["auto_connect"] else _ATTACH
    return Settings(
        headless=values["headless"],
        channel=values["browser"],
        executable=values["executable_path"],
        sandbox=values["sandbox"],
        cdp_endpoint=values["cdp_endpoint"],
        cdp_headers=values["cdp_header"],
        auto_connect=values["auto_connect"],
        user_data_dir=values["user_data_dir"],
        isolated=values["isolated"],
        storage_state=values["storage_state"],
        emulation=emulation_of(values),
        proxy=_proxy_of(values["proxy_server"], values["proxy_bypass"]),
        origins=origins_of(values),
        snapshot_mode=SnapshotMode(values["snapshot_mode"]),
        snapshot_budget=values["snapshot_budget"],
        image_responses=_image_responses_of(values["image_responses"]),
        capabilities=capabilities_of(values["caps"]),
        screenshot_dir=values["screenshot_dir"],
        output_dir=values["output_dir"],
        output_max_size=values["output_max_size"],
        unrestricted_files=values["allow_unrestricted_file_access"],
        allowed_dirs=values["allow_dir"],
        timeouts=Timeouts(
            action=values["timeout_action"] / 1000,
            navigation=values["timeout_navigation"] / 1000,
            settle=values["timeout_settle"] / 1000,
            attach=attach / 1000,
            idle=None if (idle := values["idle_timeout"]) is None else idle / 1000,
        ),
    )


def _image_responses_of(name: str) -> ImageResponses:
    """Take playwright-mcp's word for inline, too."""
    return ImageResponses.INLINE if name == "allow" else ImageResponses(name)


def _check_together(values: dict[str, Any]) -> None:
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
