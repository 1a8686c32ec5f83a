"""What --caps may name, and what of it there are tools for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from viewpoint_mcp.errors import CallError
from viewpoint_mcp.tools.catalog import TOOLS

OPTIONAL = tuple(dict.fromkeys(tool.capability for tool in TOOLS if tool.capability != "core"))

# What playwright-mcp and its older versions call what is always on, and what else they have.
_ALWAYS = ("core", "core-navigation", "core-tabs", "core-input", "core-install")
_FORMER = ("tabs", "install", "history", "wait", "files")
_PEERS = (
    *("config", "network", "storage", "testing", "devtools", "downloads"),
    *("verify", "tracing", "internal"),
)
_KNOWN = (*OPTIONAL, *_ALWAYS, *_FORMER, *_PEERS)


def read_capabilities(texts: Sequence[str]) -> tuple[str, ...]:
    """Read names of capabilities, separated by commas, in any case.

    Raises:
        CallError: One of them nobody knows.
    """
    names = dict.fromkeys(name.strip().lower() for text in texts for name in text.split(","))
    for name in names:
        if name and name not in _KNOWN:
            raise CallError(
                f'"{name}" is no capability.',
                f"There are {', '.join(OPTIONAL)}; "
                f"and known from playwright-mcp {', '.join(_KNOWN[len(OPTIONAL) :])}.",
            )
    return tuple(filter(None, names))


def find_missing_capabilities(names: Iterable[str]) -> list[str]:
    """Return those that playwright-mcp alone has tools for."""
    return [name for name in names if name in _PEERS]
