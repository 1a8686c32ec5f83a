"""The capabilities that --caps accepts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from types import MappingProxyType
from typing import Final

from viewpoint_mcp.config.flag_annotations import split_list
from viewpoint_mcp.tools.catalog import OPTIONAL_CAPABILITIES

_NEW_NAMES: Final[Mapping[str, str]] = MappingProxyType(
    {"verify": "testing", "tracing": "devtools"}
)
"""Capabilities that playwright-mcp has renamed."""

# Capabilities of playwright-mcp that are always enabled here, and names that its older versions
# used for them.
_ALWAYS_ENABLED: Final = frozenset(
    {
        *("core", "core-navigation", "core-tabs", "core-input", "core-install"),
        *("tabs", "install", "history", "wait", "files"),
    }
)


def parse_capabilities(texts: Sequence[str]) -> tuple[str, ...]:
    """Parse names of capabilities, separated by commas or blanks, in any case.

    Unknown names are accepted, as by playwright-mcp; see `describe_unknown_capabilities`.
    """
    names = (name.lower() for name in split_list(texts))
    return tuple(dict.fromkeys(_NEW_NAMES.get(name, name) for name in names))


def describe_unknown_capabilities(names: Iterable[str]) -> str:
    """Return a sentence about capabilities without tools here; "" if there are none."""
    unknown = [each for each in names if each not in (*OPTIONAL_CAPABILITIES, *_ALWAYS_ENABLED)]
    if not unknown:
        return ""
    similar = [get_close_matches(each, OPTIONAL_CAPABILITIES, 1) for each in unknown]
    meant = ", ".join(name for names in similar for name in names)
    question = f" Is {meant} meant?" if meant else ""
    return f"There are no tools for {', '.join(unknown)}.{question}"
