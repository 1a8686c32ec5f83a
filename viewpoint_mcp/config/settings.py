"""The settings of a server, from flags, environment variables and the configuration file.

They do not change while the server runs. Each flag is one `Flag` on one field: here, in
`BrowserSettings`, or in the group that a field holds (`Emulation`, `Proxy`, `OriginRules`,
`Timeouts`, `Listening`).
"""

from pathlib import Path
from typing import Annotated, Literal

from msgspec import field

from viewpoint_mcp.config.browser import BrowserSettings, Channel
from viewpoint_mcp.config.default_directories import (
    can_write_to,
    choose_directory_for_files,
    is_replacement,
)
from viewpoint_mcp.config.emulation.emulation import ColorScheme, Emulation
from viewpoint_mcp.config.flag_annotations import Flag, Heading
from viewpoint_mcp.config.listening import Listening
from viewpoint_mcp.config.origins import OriginEntry, OriginRules
from viewpoint_mcp.config.proxy import Proxy
from viewpoint_mcp.config.reply_content import (
    ImageResponses,
    SnapshotMode,
    parse_byte_size,
    parse_image_responses,
    parse_snapshot_mode,
    parse_test_id_attributes,
    should_use_absolute_paths,
)
from viewpoint_mcp.config.secrets import NO_SECRETS, Secrets, read_secrets
from viewpoint_mcp.config.timeouts import Timeouts

# All types of the settings, for programs that create their own.
__all__ = [
    "Channel",
    "CodegenLanguage",
    "ColorScheme",
    "ConsoleLevel",
    "Emulation",
    "ImageResponses",
    "Listening",
    "OriginEntry",
    "OriginRules",
    "OutflowMode",
    "Proxy",
    "Settings",
    "SnapshotMode",
    "Timeouts",
]

ConsoleLevel = Literal["error", "warning", "info", "debug"]
CodegenLanguage = Literal["typescript", "python", "none"]
OutflowMode = Literal["note", "ask", "block", "off"]

_DEFAULT_OUTPUT_DIR = ".viewpoint-mcp"
_DEFAULT_SCREENSHOT_DIR = ".viewpoint-mcp-screenshots"


def _to_path_form(are_absolute: bool) -> str:
    return "absolute" if are_absolute else "relative"


class Settings(BrowserSettings, frozen=True, kw_only=True):
    """All settings of one server.

    Paths are absolute. Screen sizes are in CSS pixels, file sizes in bytes, and times in seconds.

    Args:
        keeps_profile: Whether a launched browser has a profile in the user's cache, one for each
            browser and working directory.
        listening: Settings of the HTTP server; None to serve one client over stdin and stdout.
    """

    capabilities: Annotated[
        frozenset[str],
        Flag(
            "--caps",
            Heading.TOOLS,
            "Additional tools to offer: vision, pdf, storage, network, testing, devtools, config, "
            "handoff, webmcp.",
            metavar="NAME,...",
            is_repeatable=True,
            config_keys=("capabilities",),
        ),
    ] = frozenset()
    tools: Annotated[
        tuple[str, ...],
        Flag(
            "--tools",
            Heading.TOOLS,
            "Tools to offer: all, slim (enough for most tasks), readonly, or names such as "
            "browser_context_*. A leading - removes tools.",
            default_text="all",
            metavar="NAME,...",
            is_repeatable=True,
        ),
    ] = ()
    snapshot_mode: Annotated[
        SnapshotMode,
        Flag(
            "--snapshot-mode",
            Heading.TOOLS,
            "Snapshot in replies to actions: the changes, the full snapshot, a file with "
            "it, or none.",
            parse=parse_snapshot_mode,
            choices=(*map(str, SnapshotMode), "incremental"),
            config_keys=("snapshot.mode",),
        ),
    ] = SnapshotMode.DIFF
    snapshot_budget: Annotated[
        int,
        Flag(
            "--snapshot-budget",
            Heading.TOOLS,
            "Maximum number of characters of a snapshot in a reply. The first look at a page gets "
            "15 % of it, but at least 6000.",
            minimum=1000,
        ),
    ] = 40_000
    snapshot_boxes: Annotated[
        bool,
        Flag(
            "--snapshot-boxes",
            Heading.TOOLS,
            "Print the box of each element in snapshots: [box=x,y,width,height] in CSS pixels.",
            config_keys=("snapshot.boxes",),
        ),
    ] = False
    console_level: Annotated[
        ConsoleLevel,
        Flag(
            "--console-level",
            Heading.TOOLS,
            "Default minimum level for browser_console_messages.",
            config_keys=("console.level",),
        ),
    ] = "info"
    test_ids: Annotated[
        tuple[str, ...],
        Flag(
            "--test-id-attribute",
            Heading.TOOLS,
            "Attribute of the test ids that getByTestId('...') searches. Commas separate several.",
            default_text="data-testid",
            metavar="NAME,...",
            parse=parse_test_id_attributes,
            value_type=str,
            to_config=",".join,
        ),
    ] = ("data-testid",)
    codegen: Annotated[
        CodegenLanguage,
        Flag(
            "--codegen",
            Heading.TOOLS,
            "Language of the Playwright code for each action that replies show: typescript, "
            "python, or none.",
        ),
    ] = "none"
    secrets: Annotated[
        Secrets,
        Flag(
            "--secrets",
            Heading.TOOLS,
            "File of NAME=VALUE lines. The agent types a value by its name; replies show "
            "<secret>NAME</secret> instead of it.",
            metavar="FILE",
            parse=read_secrets,
            value_type=object,
            to_config=Secrets.mask_values,
            extra_variables=("PLAYWRIGHT_MCP_SECRETS_FILE",),
        ),
    ] = NO_SECRETS
    outflow: Annotated[
        OutflowMode,
        Flag(
            "--outflow",
            Heading.TOOLS,
            "Effect of a call that gives one site what another site showed: a note in the reply, a "
            "question to the user (MCP elicitation), a refusal, or none.",
        ),
    ] = "note"
    image_responses: Annotated[
        ImageResponses,
        Flag(
            "--image-responses",
            Heading.TOOLS,
            "Content of the reply to a screenshot: the file name (file), also the image "
            "(inline, allow), only the image (only), or neither (omit).",
            parse=parse_image_responses,
            choices=(*map(str, ImageResponses), "allow"),
        ),
    ] = ImageResponses.FILE
    working_dir: Path = field(default_factory=Path.cwd)
    screenshot_dir: Annotated[
        Path,
        Flag(
            "--screenshot-dir",
            Heading.FILES,
            "Directory for screenshots.",
            default_text=f"--output-dir if given, else {_DEFAULT_SCREENSHOT_DIR}",
        ),
    ] = field(default_factory=lambda: choose_directory_for_files(_DEFAULT_SCREENSHOT_DIR))
    output_dir: Annotated[
        Path,
        Flag(
            "--output-dir",
            Heading.FILES,
            "Directory for other files, and for screenshots unless --screenshot-dir is given.",
            default_text=_DEFAULT_OUTPUT_DIR,
        ),
    ] = field(default_factory=lambda: choose_directory_for_files(_DEFAULT_OUTPUT_DIR))
    output_max_size: Annotated[
        int | None,
        Flag(
            "--output-max-size",
            Heading.FILES,
            "Maximum total size of saved files in --screenshot-dir and --output-dir (500k, 20M, "
            "1G). The oldest are deleted first.",
            default_text="no limit",
            metavar="BYTES",
            parse=parse_byte_size,
            value_type=str,
        ),
    ] = None
    allowed_dirs: Annotated[
        tuple[Path, ...],
        Flag(
            "--allow-dir",
            Heading.FILES,
            "Directory, besides the working directory, whose files pages may get. Repeatable.",
            metavar="PATH",
            path_kind="directory",
            is_repeatable=True,
        ),
    ] = ()
    unrestricted_files: Annotated[
        bool,
        Flag(
            "--allow-unrestricted-file-access",
            Heading.FILES,
            "Allow file: and chrome: URLs, and reading and writing files anywhere.",
        ),
    ] = False
    absolute_paths: Annotated[
        bool,
        Flag(
            "--file-paths",
            Heading.FILES,
            "Form of file names in replies: relative to the working directory, or absolute.",
            default_text="relative",
            parse=should_use_absolute_paths,
            to_config=_to_path_form,
            choices=("relative", "absolute"),
        ),
    ] = False
    shell: Annotated[
        bool,
        Flag(
            "--shell",
            Heading.SERVER,
            "Let the command viewpoint look at the sessions of clients and act in them.",
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

    @property
    def replaced_directory(self) -> Path | None:
        """The directory of the user's cache for files that the working directory cannot keep."""
        for directory in (self.output_dir, self.screenshot_dir):
            if is_replacement(directory, self.working_dir):
                return directory
        return None

    @property
    def directory_notice(self) -> str:
        """A sentence about `replaced_directory`; "" if the working directory keeps the files."""
        if self.replaced_directory is None:
            return ""
        return (
            f"Files are saved in {self.replaced_directory}, because the server was started in "
            f"{self.working_dir}. Start it with --output-dir to choose another directory."
        )

    @property
    def named_files_dir(self) -> Path:
        """The directory to which names of new files are relative.

        It is the working directory, or the output directory if that one cannot be written to.
        """
        return self.working_dir if can_write_to(self.working_dir) else self.output_dir

    @property
    def has_test_support(self) -> bool:
        """Whether pages need the functions for tests: locators are generated, or pages verified."""
        return "testing" in self.capabilities or self.codegen != "none"

    @property
    def has_webmcp(self) -> bool:
        """Whether the tools that pages offer can be called."""
        return "webmcp" in self.capabilities

    def __repr__(self) -> str:
        return "Settings(...)"  # Addresses, headers and scripts may contain secrets.
