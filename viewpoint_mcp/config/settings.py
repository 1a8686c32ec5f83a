"""What the user chose, read once from flags and environment by `cli` and then never changed."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import Literal

from msgspec import Struct, field

from viewpoint_mcp.config.secrets import NO_SECRETS, Secrets

Channel = Literal["chrome", "chromium", "msedge"]
ConsoleLevel = Literal["error", "warning", "info", "debug"]
ColorScheme = Literal["light", "dark", "no-preference"]


class SnapshotMode(StrEnum):
    """What the reply to an action shows of the page."""

    DIFF = "diff"
    FULL = "full"
    FILE = "file"
    NONE = "none"


class ImageResponses(StrEnum):
    """What the reply to a screenshot brings of it, beside its file on disk."""

    FILE = "file"
    INLINE = "inline"
    ONLY = "only"
    OMIT = "omit"


class Timeouts(Struct, frozen=True):
    """How long each kind of waiting may last, in seconds.

    Args:
        script: Of the agent's own, promises included; `evaluate` uses at most 22.
        answer: Without any answer from the browser, until it is considered hung.
        idle: Without a call, until the browser is closed; 0 for ever, None for what suits it.
    """

    action: float = 5.0
    navigation: float = 60.0
    settle: float = 0.5
    launch: float = 30.0
    attach: float = 30.0
    script: float = 22.0
    answer: float = 10.0  # long enough for a busy machine
    idle: float | None = None


class Emulation(Struct, frozen=True, kw_only=True):
    """What pages are told of the device they are on, and of who sits before it.

    Args:
        viewport: Width and height in CSS pixels; None leaves them to the window.
        scale: Device pixels in a CSS pixel; None for the screen's own.
        mobile: Whether pages are laid out as on a phone: `meta viewport`, overlay scroll bars.
        touch: Whether there is a touch screen.
        user_agent: `%s` in it stands for the version of the Chrome that runs.
        hints: Client hints that go with it (CDP `Emulation.UserAgentMetadata`); None for what the
            user agent itself tells.
        locale: BCP 47 tag.
        time_zone: IANA name.
        geolocation: Latitude and longitude in degrees, accuracy in metres. Pages may ask for it.
        permissions: Names of the Permissions API that every page has.
        init_scripts: Sources that run in each document before its own scripts, in the page's world.
    """

    viewport: tuple[int, int] | None = None
    scale: float | None = None
    mobile: bool = False
    touch: bool = False
    user_agent: str | None = None
    hints: Mapping[str, str | bool] | None = None
    locale: str | None = None
    time_zone: str | None = None
    geolocation: tuple[float, float, float] | None = None
    permissions: tuple[str, ...] = ()
    color_scheme: ColorScheme | None = None
    offline: bool = False
    ignore_https_errors: bool = False
    block_service_workers: bool = False
    init_scripts: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return "Emulation(...)"


class Proxy(Struct, frozen=True, kw_only=True):
    """The proxy that a context's traffic goes through. Made by `browser.proxy.parse`.

    Args:
        scheme: http, https, socks4 or socks5.
        host: A name or an address; that of IPv6 without brackets.
        bypass: Rules for what goes without it, in Chromium's form.
        username: "" when it wants none.
        password: Never in a repr, nor is the user's name.
    """

    scheme: str
    host: str
    port: int
    bypass: tuple[str, ...] = ()
    username: str = ""
    password: str = ""

    def __repr__(self) -> str:
        return f"Proxy({self.server})"

    @property
    def address(self) -> str:
        """`host:port`."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{host}:{self.port}"

    @property
    def server(self) -> str:
        """`scheme://host:port`, as Chromium takes it: without credentials."""
        return f"{self.scheme}://{self.address}"


class OriginEntry(Struct, frozen=True):
    """One entry of a list of origins. Made by `page.origins`.

    Args:
        text: As the user wrote it.
        scheme: http, which stands for ws too, or https, for wss; None for all.
        host: In lower case, as Chromium writes it; `*` for any, `*.` before one for what is below
            it.
        port: None for any.
    """

    text: str
    scheme: str | None
    host: str
    port: int | None


class OriginRules(Struct, frozen=True):
    """Where pages may go, by any way there is.

    Args:
        allowed: Nowhere else; everywhere if it is empty.
        blocked: Nor there, even if allowed.
    """

    allowed: tuple[OriginEntry, ...] = ()
    blocked: tuple[OriginEntry, ...] = ()

    @property
    def are_given(self) -> bool:
        return bool(self.allowed or self.blocked)


class Listening(Struct, frozen=True, kw_only=True):
    """How the server is reached over HTTP.

    Args:
        host: Name or address to listen on.
        port: 0 for any free one.
        allowed_hosts: Names that clients may ask for, beside loopback's and `host`; `*` for any.
        asks_for_key: Whether clients need one.
        key: The one that its user chose; None for a new one.
    """

    host: str
    port: int
    allowed_hosts: tuple[str, ...] = ()
    asks_for_key: bool = True
    key: str | None = None

    def __repr__(self) -> str:
        return f"Listening({self.host}:{self.port})"


class Settings(Struct, frozen=True):
    """All choices of one server. Paths are absolute; sizes on the screen are CSS pixels, on disk
    bytes; times are seconds.

    Args:
        listening: None where one client is served, over stdin and stdout.
    """

    headless: bool = False
    channel: Channel | None = None
    executable: Path | None = None
    sandbox: bool | None = None
    cdp_endpoint: str | None = None
    trace_cdp: Path | None = None
    cdp_headers: Mapping[str, str] = field(default_factory=dict)
    auto_connect: bool = False
    user_data_dir: Path | None = None
    isolated: bool = False
    shared_context: bool = False
    by_pipe: bool = False
    browser_args: tuple[str, ...] = ()
    storage_state: Path | None = None
    emulation: Emulation = field(default_factory=Emulation)
    proxy: Proxy | None = None
    origins: OriginRules = field(default_factory=OriginRules)
    snapshot_mode: SnapshotMode = SnapshotMode.DIFF
    snapshot_budget: int = 40_000
    snapshot_boxes: bool = False
    console_level: ConsoleLevel = "info"
    image_responses: ImageResponses = ImageResponses.FILE
    capabilities: frozenset[str] = frozenset()
    working_dir: Path = field(default_factory=Path.cwd)
    screenshot_dir: Path = field(default_factory=lambda: Path.cwd() / ".viewpoint-mcp-screenshots")
    output_dir: Path = field(default_factory=lambda: Path.cwd() / ".viewpoint-mcp")
    output_max_size: int | None = None
    unrestricted_files: bool = False
    absolute_paths: bool = False
    save_session: bool = False
    tools: tuple[str, ...] = ()
    secrets: Secrets = NO_SECRETS
    allowed_dirs: tuple[Path, ...] = ()
    timeouts: Timeouts = field(default_factory=Timeouts)
    listening: Listening | None = None

    def __repr__(self) -> str:
        return "Settings(...)"  # addresses, headers and scripts in it may hold secrets

    @property
    def attaches(self) -> bool:
        """Whether the browser is not started, but the user's."""
        return self.cdp_endpoint is not None or self.auto_connect
