"""What the user chose, read once from flags, environment and configuration file, and never changed.

Each flag is one `Flag` on one field, here or in the group that the field holds.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Literal

from msgspec import Struct, field

from viewpoint_mcp.config.browser import (
    channel_of,
    headers_of,
    parse_connection,
    parse_headers,
    state_path_of,
)
from viewpoint_mcp.config.devices import device
from viewpoint_mcp.config.emulation import ColorScheme, Emulation
from viewpoint_mcp.config.flag import Flag, Heading, Key
from viewpoint_mcp.config.listening import Listening
from viewpoint_mcp.config.origins import OriginEntry, OriginRules
from viewpoint_mcp.config.proxy import Proxy, parse_proxy, server_of
from viewpoint_mcp.config.replies import (
    ImageResponses,
    SnapshotMode,
    parse_bytes,
    parse_file_paths,
    parse_image_responses,
)
from viewpoint_mcp.config.secrets import NO_SECRETS, Secrets, read_secrets
from viewpoint_mcp.config.timeouts import Timeouts

# All that settings are made of, for programs that make their own.
__all__ = [
    "Channel",
    "ColorScheme",
    "ConsoleLevel",
    "Emulation",
    "ImageResponses",
    "Listening",
    "OriginEntry",
    "OriginRules",
    "Proxy",
    "Settings",
    "SnapshotMode",
    "Timeouts",
]

Channel = Literal["chrome", "chromium", "msedge"]
ConsoleLevel = Literal["error", "warning", "info", "debug"]

_OUTPUT = ".viewpoint-mcp"
_SCREENSHOTS = ".viewpoint-mcp-screenshots"


class Settings(Struct, frozen=True, kw_only=True):
    """All choices of one server. Paths are absolute; sizes on the screen are CSS pixels, on disk
    bytes; times are seconds.

    Args:
        listening: None where one client is served, over stdin and stdout.
    """

    headless: Annotated[
        bool,
        Flag(
            "--headless",
            Heading.BROWSER,
            "Run Chromium without a window.",
            keys=("browser.launchOptions.headless",),
        ),
    ] = False
    channel: Annotated[
        Channel | None,
        Flag(
            "--browser",
            Heading.BROWSER,
            "Which browser to look for; the first that is found if left out.",
            keys=("browser.launchOptions.channel", Key("browser.browserName", channel_of)),
        ),
    ] = None
    executable: Annotated[
        Path | None,
        Flag(
            "--executable-path",
            Heading.BROWSER,
            "The browser's executable.",
            keys=("browser.launchOptions.executablePath",),
        ),
    ] = None
    sandbox: Annotated[
        bool | None,
        Flag(
            "--sandbox/--no-sandbox",
            Heading.BROWSER,
            "Chromium's own sandbox; on where Chromium can use it, if left out.",
            keys=("browser.launchOptions.chromiumSandbox",),
        ),
    ] = None
    user_data_dir: Annotated[
        Path | None,
        Flag(
            "--user-data-dir",
            Heading.BROWSER,
            "Profile to keep; a temporary one if left out.",
            keys=("browser.userDataDir",),
        ),
    ] = None
    isolated: Annotated[
        bool,
        Flag(
            "--isolated",
            Heading.BROWSER,
            "Keep cookies and storage in memory only, off the record.",
            keys=("browser.isolated",),
        ),
    ] = False
    shared_context: Annotated[
        bool,
        Flag(
            "--shared-browser-context",
            Heading.BROWSER,
            "Let all HTTP clients act in the same contexts and tabs; each has its own if left out.",
        ),
    ] = False
    cdp_endpoint: Annotated[
        str | None,
        Flag(
            "--cdp-endpoint",
            Heading.BROWSER,
            "Attach to a running browser: http(s) or ws(s) address, or host:port.",
            keys=("browser.cdpEndpoint",),
        ),
    ] = None
    cdp_headers: Annotated[
        Mapping[str, str],
        Flag(
            "--cdp-header",
            Heading.BROWSER,
            "HTTP header to send when attaching; may be repeated.",
            metavar="NAME:VALUE",
            parse=parse_headers,
            is_repeatable=True,
            has_blanks=True,
            keys=(Key("browser.cdpHeaders", headers_of),),
            variables=("PLAYWRIGHT_MCP_CDP_HEADERS",),
        ),
    ] = field(default_factory=dict)
    auto_connect: Annotated[
        bool,
        Flag(
            "--auto-connect",
            Heading.BROWSER,
            "Attach to your running browser, found by its profile: that of --user-data-dir, or "
            "the usual one of --browser.",
        ),
    ] = False
    by_pipe: Annotated[
        bool,
        Flag(
            "--browser-connection",
            Heading.BROWSER,
            "How a browser that is launched is spoken to; by pipe it opens no port.",
            default="websocket",
            parse=parse_connection,
            choices=("websocket", "pipe"),
        ),
    ] = False
    trace_cdp: Annotated[
        Path | None,
        Flag(
            "--trace-cdp",
            Heading.BROWSER,
            "Record what is said to the browser, for `cdp show` and `cdp replay`; secrets and "
            "what is typed are left out, but not what pages show or make of it.",
            metavar="FILE",
        ),
    ] = None
    browser_args: Annotated[
        tuple[str, ...],
        Flag(
            "--browser-arg",
            Heading.BROWSER,
            "Further switch for the browser's command line, such as --lang=de; may be repeated.",
            metavar="SWITCH",
            is_repeatable=True,
            has_blanks=True,
            keys=("browser.launchOptions.args",),
        ),
    ] = ()
    storage_state: Annotated[
        Path | None,
        Flag(
            "--storage-state",
            Heading.BROWSER,
            "Cookies and storage that the default context begins with, as Playwright and "
            "browser_context_save_storage write them.",
            metavar="FILE",
            keys=(Key("browser.contextOptions.storageState", state_path_of),),
        ),
    ] = None
    emulation: Annotated[
        Emulation,
        Flag(
            "--device",
            Heading.PAGES,
            'Device to emulate, such as "iPhone 15" or "Pixel 7 landscape".',
            metavar="NAME",
            parse=device,
            after="--viewport-size",
        ),
    ] = field(default_factory=Emulation)
    proxy: Annotated[
        Proxy | None,
        Flag(
            "--proxy-server",
            Heading.NETWORK,
            "Proxy of the browser, and of contexts made without one of their own: "
            "http://host:port, https:// or socks5://; may hold user:password@.",
            metavar="URL",
            parse=parse_proxy,
            keys=(
                Key("browser.launchOptions.proxy", server_of),
                Key("browser.contextOptions.proxy", server_of),
            ),
        ),
    ] = None
    origins: OriginRules = field(default_factory=OriginRules)
    capabilities: Annotated[
        frozenset[str],
        Flag(
            "--caps",
            Heading.TOOLS,
            "Further tools to offer: {capabilities}.",
            metavar="NAME,...",
            is_repeatable=True,
            keys=("capabilities",),
        ),
    ] = frozenset()
    tools: Annotated[
        tuple[str, ...],
        Flag(
            "--tools",
            Heading.TOOLS,
            "Tools to offer: all, slim (what most tasks take), readonly, names such as "
            "browser_context_*, and with - before it what to leave out.",
            default="all",
            metavar="NAME,...",
            is_repeatable=True,
        ),
    ] = ()
    snapshot_mode: Annotated[
        SnapshotMode,
        Flag(
            "--snapshot-mode",
            Heading.TOOLS,
            "What replies to actions show of the page: what changed, all of it, the name of a "
            "file that has it, or nothing.",
            keys=("snapshot.mode",),
        ),
    ] = SnapshotMode.DIFF
    snapshot_budget: Annotated[
        int,
        Flag(
            "--snapshot-budget",
            Heading.TOOLS,
            "Most characters of a snapshot in a reply.",
            minimum=1000,
        ),
    ] = 40_000
    snapshot_boxes: Annotated[
        bool,
        Flag(
            "--snapshot-boxes",
            Heading.TOOLS,
            "Tell each element's box in snapshots: [box=x,y,width,height] in CSS pixels.",
            keys=("snapshot.boxes",),
        ),
    ] = False
    console_level: Annotated[
        ConsoleLevel,
        Flag(
            "--console-level",
            Heading.TOOLS,
            "What browser_console_messages tells if it is not said: this and what is worse.",
            keys=("console.level",),
        ),
    ] = "info"
    secrets: Annotated[
        Secrets,
        Flag(
            "--secrets",
            Heading.TOOLS,
            "File of NAME=VALUE lines. The agent types a value by its name, and is shown "
            "<secret>NAME</secret> for it.",
            metavar="FILE",
            parse=read_secrets,
            takes=object,
            variables=("PLAYWRIGHT_MCP_SECRETS_FILE",),
        ),
    ] = NO_SECRETS
    image_responses: Annotated[
        ImageResponses,
        Flag(
            "--image-responses",
            Heading.TOOLS,
            "What the reply to a screenshot brings beside the file: its name, the image as well "
            "(inline; allow means the same), the image alone (only), or neither (omit).",
            parse=parse_image_responses,
            choices=(*map(str, ImageResponses), "allow"),
        ),
    ] = ImageResponses.FILE
    working_dir: Path = field(default_factory=Path.cwd)
    screenshot_dir: Annotated[
        Path,
        Flag("--screenshot-dir", Heading.FILES, "Where screenshots go.", default=_SCREENSHOTS),
    ] = field(default_factory=lambda: Path(_SCREENSHOTS).resolve())
    output_dir: Annotated[
        Path,
        Flag("--output-dir", Heading.FILES, "Where other files go.", default=_OUTPUT),
    ] = field(default_factory=lambda: Path(_OUTPUT).resolve())
    output_max_size: Annotated[
        int | None,
        Flag(
            "--output-max-size",
            Heading.FILES,
            "Most bytes of the files that the server wrote to these two directories, or as 500k, "
            "20M, 1G; the oldest go when they are more.",
            default="no limit",
            metavar="BYTES",
            parse=parse_bytes,
            takes=str,
        ),
    ] = None
    allowed_dirs: Annotated[
        tuple[Path, ...],
        Flag(
            "--allow-dir",
            Heading.FILES,
            "Directory, beside the working directory, whose files pages may be given; may be "
            "repeated.",
            metavar="PATH",
            path="directory",
            is_repeatable=True,
        ),
    ] = ()
    unrestricted_files: Annotated[
        bool,
        Flag(
            "--allow-unrestricted-file-access",
            Heading.FILES,
            "Open file: URLs, read and write files anywhere.",
        ),
    ] = False
    absolute_paths: Annotated[
        bool,
        Flag(
            "--file-paths",
            Heading.FILES,
            "How replies name files: relative to the working directory, or absolute.",
            default="relative",
            parse=parse_file_paths,
            choices=("relative", "absolute"),
        ),
    ] = False
    save_session: Annotated[
        bool,
        Flag(
            "--save-session",
            Heading.FILES,
            "Write each call and its reply to session-TIME.md in the output directory.",
        ),
    ] = False
    timeouts: Timeouts = field(default_factory=Timeouts)
    listening: Listening | None = None

    def __repr__(self) -> str:
        return "Settings(...)"  # addresses, headers and scripts in it may hold secrets

    @property
    def attaches(self) -> bool:
        """Whether the browser is not started, but the user's."""
        return self.cdp_endpoint is not None or self.auto_connect
