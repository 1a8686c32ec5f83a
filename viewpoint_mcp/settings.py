"""What the user chose, read once from flags and environment by `cli` and then never changed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Literal

Channel = Literal["chrome", "chromium", "msedge"]


class SnapshotMode(StrEnum):
    """What the reply to an action shows of the page."""

    DIFF = "diff"
    FULL = "full"
    FILE = "file"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Timeouts:
    """How long each kind of waiting may last, in seconds."""

    action: float = 5.0
    navigation: float = 60.0
    settle: float = 0.5
    launch: float = 30.0
    attach: float = 30.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Emulation:
    """What pages are told of the device they are on, and of who sits before it.

    Args:
        viewport: Width and height in CSS pixels; None leaves them to the window.
    """

    viewport: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Settings:
    """All choices of one server. Paths are absolute; sizes are CSS pixels; times are seconds."""

    headless: bool = False
    channel: Channel | None = None
    executable: Path | None = None
    sandbox: bool | None = None
    cdp_endpoint: str | None = field(default=None, repr=False)
    cdp_headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    auto_connect: bool = False
    user_data_dir: Path | None = None
    emulation: Emulation = field(default_factory=Emulation)
    snapshot_mode: SnapshotMode = SnapshotMode.DIFF
    snapshot_budget: int = 40_000
    working_dir: Path = field(default_factory=Path.cwd)
    screenshot_dir: Path = field(default_factory=lambda: Path.cwd() / ".viewpoint-mcp-screenshots")
    output_dir: Path = field(default_factory=lambda: Path.cwd() / ".viewpoint-mcp")
    unrestricted_files: bool = False
    allowed_dirs: tuple[Path, ...] = ()
    timeouts: Timeouts = field(default_factory=Timeouts)

    @property
    def attaches(self) -> bool:
        """Whether the browser is not started, but the user's."""
        return self.cdp_endpoint is not None or self.auto_connect
