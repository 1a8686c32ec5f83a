"""What the user chose, read once from flags, environment and configuration file, and never changed.

Each flag is one `Flag` on one field: here, in `BrowserSettings`, or in the group that a field holds
(`Emulation`, `Proxy`, `OriginRules`, `Timeouts`, `Listening`).
"""

from pathlib import Path
from typing import Annotated, Literal

from msgspec import field

from viewpoint_mcp.config.browser import BrowserSettings, Channel
from viewpoint_mcp.config.emulation import ColorScheme, Emulation
from viewpoint_mcp.config.flag import Flag, Heading
from viewpoint_mcp.config.listening import Listening
from viewpoint_mcp.config.origins import OriginEntry, OriginRules
from viewpoint_mcp.config.proxy import Proxy
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

ConsoleLevel = Literal["error", "warning", "info", "debug"]

_OUTPUT = ".viewpoint-mcp"
_SCREENSHOTS = ".viewpoint-mcp-screenshots"


class Settings(BrowserSettings, frozen=True, kw_only=True):
    """All choices of one server, those about the browser included.

    Paths are absolute; sizes on the screen are CSS pixels, on disk bytes; times are seconds.

    Args:
        listening: None where one client is served, over stdin and stdout.
    """

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
