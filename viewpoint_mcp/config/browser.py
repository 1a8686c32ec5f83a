"""Settings of the browser and of the connection to it, with their flags and parsers."""

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, get_args

from msgspec import Struct, field

from viewpoint_mcp.config.emulation.devices import find_device
from viewpoint_mcp.config.emulation.emulation import Emulation
from viewpoint_mcp.config.emulation.parsers import format_headers, parse_headers
from viewpoint_mcp.config.flag_annotations import ConfigKey, Flag, Heading, make_key_only_flag
from viewpoint_mcp.config.origins import OriginRules
from viewpoint_mcp.config.playwright_options import (
    drop_object,
    keep_object,
    parse_environment,
    parse_ignored_switches,
)
from viewpoint_mcp.config.proxy import Proxy, format_proxy_url, mask_proxy, parse_proxy
from viewpoint_mcp.errors import CallError

Channel = Literal[
    "chrome",
    "chromium",
    "msedge",
    "chrome-beta",
    "chrome-dev",
    "chrome-canary",
    "msedge-beta",
    "msedge-dev",
    "msedge-canary",
]


_PLAYWRIGHT_CHANNELS = ("chrome-for-testing", "chromium-headless-shell")
"""Builds of Chromium that Playwright downloads."""


def parse_channel(name: str) -> str:
    """Check the name of a browser.

    Raises:
        CallError: This server cannot drive that browser, or does not know it.
    """
    if name in get_args(Channel):
        return name
    if name in _PLAYWRIGHT_CHANNELS:
        return "chromium"
    known = ", ".join(get_args(Channel))
    if name in ("firefox", "webkit") or name.startswith("moz-firefox"):
        raise CallError(
            f'"{name}" cannot be used: this server drives browsers that are based on Chromium.',
            f"Use {known}.",
        )
    raise CallError(f'Unknown browser "{name}". Use {known}.')


def is_pipe_connection(connection_kind: str) -> bool:
    """Return whether the connection to a launched browser is a pipe.

    Raises:
        CallError: The kind is "pipe" on Windows, which is not supported.
    """
    if connection_kind == "pipe" and sys.platform == "win32":
        raise CallError("A pipe is not supported on Windows. Use websocket.")
    return connection_kind == "pipe"


def convert_browser_name_to_channel(browser_name: str) -> str | None:
    """Convert a `browserName` of playwright-mcp to a value for --browser.

    "chromium" becomes None, which means the first browser found. Other names stay, and --browser
    checks them.
    """
    return None if browser_name == "chromium" else browser_name


def _to_connection_kind(is_pipe: bool) -> str:
    return "pipe" if is_pipe else "websocket"


def _remove_query(address: str) -> str:
    """Return an address without its query, which often contains a token."""
    base, mark, _ = address.partition("?")
    return f"{base}?<masked>" if mark else base


class BrowserSettings(Struct, frozen=True, kw_only=True):
    """The settings of the browser, which `Settings` extends.

    Args:
        ignored_switches: Default switches of the browser that are left out; True for all that the
            connection does not need.
        browser_environment: The environment of the browser; None for that of the server.
        partial_downloads_dir: The directory in which the browser writes downloads until they are
            complete; None for the system's temporary directory.
        accepts_downloads: Whether files are downloaded.
        storage_state: The initial cookies and storage of the default context: a file, or the
            content of such a file.
    """

    headless: Annotated[
        bool,
        Flag(
            "--headless",
            Heading.BROWSER,
            "Run Chromium without a window.",
            config_keys=("browser.launchOptions.headless",),
        ),
    ] = False
    channel: Annotated[
        Channel | None,
        Flag(
            "--browser",
            Heading.BROWSER,
            "Browser to look for: chrome, chromium or msedge; chrome-beta, -dev or -canary; "
            "msedge-beta, -dev or -canary. The first of chrome, chromium and msedge that is found "
            "if omitted.",
            metavar="NAME",
            parse=parse_channel,
            value_type=str,
            config_keys=(
                "browser.launchOptions.channel",
                ConfigKey("browser.browserName", convert_browser_name_to_channel),
            ),
        ),
    ] = None
    executable: Annotated[
        Path | None,
        Flag(
            "--executable-path",
            Heading.BROWSER,
            "Path of the browser's executable.",
            config_keys=("browser.launchOptions.executablePath",),
        ),
    ] = None
    sandbox: Annotated[
        bool | None,
        Flag(
            "--sandbox/--no-sandbox",
            Heading.BROWSER,
            "Use Chromium's sandbox. Enabled where Chromium supports it if omitted.",
            config_keys=("browser.launchOptions.chromiumSandbox",),
        ),
    ] = None
    user_data_dir: Annotated[
        Path | None,
        Flag(
            "--user-data-dir",
            Heading.BROWSER,
            "Profile directory to keep.",
            default_text="one for each browser and working directory, in the user's cache; over "
            "HTTP a temporary one",
            config_keys=("browser.userDataDir",),
        ),
    ] = None
    keeps_profile: bool = False
    isolated: Annotated[
        bool,
        Flag(
            "--isolated",
            Heading.BROWSER,
            "Keep cookies and storage in memory only (off the record).",
            config_keys=("browser.isolated",),
        ),
    ] = False
    shared_context: Annotated[
        bool,
        Flag(
            "--shared-browser-context",
            Heading.BROWSER,
            "Share contexts and tabs between all HTTP clients. Each client has its own if omitted.",
        ),
    ] = False
    cdp_endpoint: Annotated[
        str | None,
        Flag(
            "--cdp-endpoint",
            Heading.BROWSER,
            "Attach to a running browser. Address as http(s) or ws(s) URL, or host:port; or the "
            "name of a browser, as --auto-connect with --browser.",
            config_keys=("browser.cdpEndpoint",),
            to_config=_remove_query,
        ),
    ] = None
    cdp_headers: Annotated[
        Mapping[str, str],
        Flag(
            "--cdp-header",
            Heading.BROWSER,
            "HTTP header to send when attaching. Repeatable.",
            metavar="NAME:VALUE",
            parse=parse_headers,
            is_repeatable=True,
            can_contain_spaces=True,
            config_keys=(
                ConfigKey("browser.cdpHeaders", format_headers),
                ConfigKey("browser.remoteHeaders", format_headers),
            ),
            extra_variables=("PLAYWRIGHT_MCP_CDP_HEADERS", "PLAYWRIGHT_MCP_REMOTE_HEADERS"),
        ),
    ] = field(default_factory=dict)
    auto_connect: Annotated[
        bool,
        Flag(
            "--auto-connect",
            Heading.BROWSER,
            "Attach to your running browser, found by its profile: --user-data-dir, or the "
            "default profile of --browser.",
        ),
    ] = False
    by_pipe: Annotated[
        bool,
        Flag(
            "--browser-connection",
            Heading.BROWSER,
            "Connection to a launched browser. A pipe opens no port.",
            default_text="websocket",
            parse=is_pipe_connection,
            to_config=_to_connection_kind,
            choices=("websocket", "pipe"),
        ),
    ] = False
    trace_cdp: Annotated[
        Path | None,
        Flag(
            "--trace-cdp",
            Heading.BROWSER,
            "Record the CDP messages for `cdp show` and `cdp replay`. Secrets and typed "
            "text are masked, but not the content of pages.",
            metavar="FILE",
        ),
    ] = None
    browser_args: Annotated[
        tuple[str, ...],
        Flag(
            "--browser-arg",
            Heading.BROWSER,
            "Additional switch for the browser's command line, such as --lang=de. Repeatable.",
            metavar="SWITCH",
            is_repeatable=True,
            can_contain_spaces=True,
            config_keys=("browser.launchOptions.args",),
        ),
    ] = ()
    ignored_switches: Annotated[
        bool | tuple[str, ...],
        make_key_only_flag(
            "browser.launchOptions.ignoreDefaultArgs",
            parse=parse_ignored_switches,
            value_type=object,
        ),
    ] = False
    browser_environment: Annotated[
        Mapping[str, str] | None,
        make_key_only_flag(
            "browser.launchOptions.env", convert=parse_environment, value_type=object
        ),
    ] = None
    partial_downloads_dir: Annotated[
        Path | None, make_key_only_flag("browser.launchOptions.downloadsPath")
    ] = None
    accepts_downloads: Annotated[
        bool, make_key_only_flag("browser.contextOptions.acceptDownloads")
    ] = True
    storage_state: Annotated[
        Path | Mapping[str, Any] | None,
        make_key_only_flag(
            "browser.contextOptions.storageState",
            name="--inline-storage-state",
            convert=keep_object,
            value_type=object,
        ),
        Flag(
            "--storage-state",
            Heading.BROWSER,
            "File with the initial cookies and storage of the default context, as written "
            "by Playwright and browser_context_save_storage.",
            metavar="FILE",
            config_keys=(ConfigKey("browser.contextOptions.storageState", drop_object),),
        ),
    ] = None
    emulation: Annotated[
        Emulation,
        Flag(
            "--device",
            Heading.PAGES,
            'Device to emulate, such as "iPhone 15" or "Pixel 7 landscape".',
            metavar="NAME",
            parse=find_device,
            listed_after="--viewport-size",
        ),
    ] = field(default_factory=Emulation)
    proxy: Annotated[
        Proxy | None,
        Flag(
            "--proxy-server",
            Heading.NETWORK,
            "Proxy of the browser and of contexts without a proxy: http://host:port, "
            "https:// or socks5://, optionally with user:password@.",
            metavar="URL",
            parse=parse_proxy,
            config_keys=(
                ConfigKey("browser.launchOptions.proxy", format_proxy_url),
                ConfigKey("browser.contextOptions.proxy", format_proxy_url),
            ),
            to_config=mask_proxy,
        ),
    ] = None
    origins: OriginRules = field(default_factory=OriginRules)

    @property
    def should_attach(self) -> bool:
        """Whether the server attaches to a running browser instead of launching one."""
        return self.cdp_endpoint is not None or self.auto_connect
