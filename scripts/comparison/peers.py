"""The stored tools of a peer, and the reasons for the differences from them."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, TypeAlias

import msgspec

HERE: Final = Path(__file__).parent
PLAYWRIGHT_REASONS: Final = HERE / "playwright_mcp.toml"
DEVTOOLS_REASONS: Final = HERE / "chrome_devtools_mcp.toml"

# The reasons of one tool by arguments ("first, second"), "absent" or "behavior".
Reasons: TypeAlias = Mapping[str, str]


class PeerTool(msgspec.Struct, frozen=True, rename="camel"):
    """A tool of a peer.

    Args:
        capability: The value of `--caps` that enables it, or "core".
        read_only: Its readOnlyHint.
    """

    input_schema: dict[str, Any]
    capability: str = "core"
    read_only: bool = False


class Peer(msgspec.Struct, frozen=True):
    """The tools of a peer.

    Args:
        source: The package with its version, and what it was asked for.
        tools: The tools by their names.
    """

    source: str
    tools: dict[str, PeerTool]


class Equivalent(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The tools that do the same as a tool of chrome-devtools-mcp.

    Args:
        ours: The tools; none if nothing does the same.
        same: Its arguments that exist here, with `argument` of the first tool, or `tool.argument`.
        differs: Its other arguments, with the reason.
        absent: Why nothing does the same.
        note: A difference that the arguments do not show.
    """

    ours: tuple[str, ...] = ()
    same: dict[str, str] = {}
    differs: dict[str, str] = {}
    absent: str = ""
    note: str = ""


def read_playwright_mcp() -> Peer:
    return _read(HERE / "playwright_mcp.json")


def read_chrome_devtools_mcp() -> Peer:
    return _read(HERE / "chrome_devtools_mcp.json")


def read_reasons() -> dict[str, Reasons]:
    """Return the reasons for the differences from playwright-mcp, by tool."""
    reasons: dict[str, Reasons] = msgspec.convert(
        _read_toml(PLAYWRIGHT_REASONS), dict[str, dict[str, str]]
    )
    return reasons


def read_equivalents() -> dict[str, Equivalent]:
    """Return the equivalents of the tools of chrome-devtools-mcp, by tool."""
    return msgspec.convert(_read_toml(DEVTOOLS_REASONS), dict[str, Equivalent])


def _read(path: Path) -> Peer:
    return msgspec.convert(json.loads(path.read_text(encoding="utf-8")), Peer)


def _read_toml(path: Path) -> dict[str, Any]:
    return tomllib.loads(path.read_text(encoding="utf-8"))
