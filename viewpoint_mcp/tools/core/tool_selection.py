"""Selection of the offered tools by the words of --tools: profiles, names, excluded names.

Every listed tool costs the model tokens, and a user may want to withhold some tools.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase
from typing import Any, Final

from msgspec.structs import replace

from viewpoint_mcp.config.flag_annotations import split_list
from viewpoint_mcp.errors import CallError
from viewpoint_mcp.tools.core.tool import Tool

_READONLY_KINDS: Final = frozenset({"read", "record", "view", "navigate"})
PROFILES: Final = ("all", "slim", "readonly")
"""The profiles: all tools; the tools that most tasks need; the tools that act on no page."""


def parse_selection(texts: Sequence[str], tools: Sequence[Tool[Any]]) -> tuple[str, ...]:
    """Parse the words of --tools, which are separated by commas or blanks.

    Args:
        texts: Each word is a profile, the name of a tool or a pattern such as browser_context_*.
            "-" before a word excludes its tools.
        tools: All tools.

    Raises:
        CallError: A word matches no tool.
    """
    words = split_list(texts)
    for word in words:
        if not any(_matches_tool(word.removeprefix("-"), tool) for tool in tools):
            raise CallError(
                f'No tool matches "{word}".',
                f"Use {', '.join(PROFILES)}, or names such as {tools[0].name}, *_screenshot, "
                "-browser_evaluate.",
            )
    return words


def select_tools(tools: Iterable[Tool[Any]], words: Sequence[str]) -> tuple[Tool[Any], ...]:
    """Return the tools that the words select. A later word overrides earlier words.

    Args:
        words: See `parse_selection`. Without words, or if the first word excludes tools, all other
            tools are selected. The word slim gives the tools of that profile their short form in
            tools/list.
    """
    return tuple(
        replace(tool, is_brief="slim" in words and tool.slim is not None)
        for tool in tools
        if _is_selected(tool, words)
    )


def _is_selected(tool: Tool[Any], words: Sequence[str]) -> bool:
    is_selected = not words or words[0].startswith("-")
    for word in words:
        if _matches_tool(word.removeprefix("-"), tool):
            is_selected = not word.startswith("-")
    return is_selected


def _matches_tool(word: str, tool: Tool[Any]) -> bool:
    if word == "slim":
        return tool.slim is not None
    if word == "readonly":
        return tool.kind in _READONLY_KINDS
    return word == "all" or fnmatchcase(tool.name, word)
