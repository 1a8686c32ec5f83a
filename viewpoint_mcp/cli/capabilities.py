"""The capabilities that --caps accepts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from viewpoint_mcp.config.flag_annotations import split_list
from viewpoint_mcp.errors import CallError
from viewpoint_mcp.tools.catalog import OPTIONAL_CAPABILITIES

# Capabilities of playwright-mcp that are always enabled here, names that its older versions used,
# and capabilities without tools here.
_ALWAYS_ENABLED = ("core", "core-navigation", "core-tabs", "core-input", "core-install")
_OLD_PLAYWRIGHT_NAMES = ("tabs", "install", "history", "wait", "files")
_PLAYWRIGHT_ONLY = (
    *("downloads", "verify"),
    *("tracing", "internal"),
)
_ACCEPTED = (*OPTIONAL_CAPABILITIES, *_ALWAYS_ENABLED, *_OLD_PLAYWRIGHT_NAMES, *_PLAYWRIGHT_ONLY)


def parse_capabilities(texts: Sequence[str]) -> tuple[str, ...]:
    """Parse names of capabilities, separated by commas or blanks, in any case.

    Raises:
        CallError: Neither this server nor playwright-mcp has a capability of that name.
    """
    names = dict.fromkeys(name.lower() for name in split_list(texts))
    for name in names:
        if name not in _ACCEPTED:
            raise CallError(
                f'Unknown capability "{name}".',
                f"Use {', '.join(OPTIONAL_CAPABILITIES)}. These names of playwright-mcp have no "
                f"effect: {', '.join(_ACCEPTED[len(OPTIONAL_CAPABILITIES) :])}.",
            )
    return tuple(names)


def find_unsupported_capabilities(names: Iterable[str]) -> list[str]:
    """Return the names of capabilities that only playwright-mcp has tools for."""
    return [name for name in names if name in _PLAYWRIGHT_ONLY]
