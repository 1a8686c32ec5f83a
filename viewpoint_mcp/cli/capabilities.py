"""The capabilities that --caps accepts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from viewpoint_mcp.errors import CallError
from viewpoint_mcp.tools.catalog import TOOLS

OPTIONAL = tuple(dict.fromkeys(tool.capability for tool in TOOLS if tool.capability != "core"))

# Capabilities of playwright-mcp that are always on here, those of its older versions, and those
# without tools here.
_ALWAYS = ("core", "core-navigation", "core-tabs", "core-input", "core-install")
_FORMER = ("tabs", "install", "history", "wait", "files")
_PEERS = (
    *("config", "network", "storage", "testing", "devtools", "downloads"),
    *("verify", "tracing", "internal"),
)
_KNOWN = (*OPTIONAL, *_ALWAYS, *_FORMER, *_PEERS)


def read_capabilities(texts: Sequence[str]) -> tuple[str, ...]:
    """Parse names of capabilities, separated by commas, in any case.

    Raises:
        CallError: Neither this server nor playwright-mcp has a capability of that name.
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
    """Return the names of capabilities that only playwright-mcp has tools for."""
    return [name for name in names if name in _PEERS]
