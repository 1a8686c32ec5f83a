"""Which of the tools are offered, by the words of --tools: profiles, names, and names left out.

A model pays for every tool that is listed, and may be kept from some of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fnmatch import fnmatchcase
from types import MappingProxyType
from typing import Any, Final

from msgspec.structs import replace

from viewpoint_mcp.errors import CallError
from viewpoint_mcp.tools.core.tool import Tool

# The tools of the profile, each with the optional arguments that it lists; it takes the others too.
_SLIM: Final[Mapping[str, frozenset[str]]] = MappingProxyType(
    {
        "browser_snapshot": frozenset(),
        "browser_take_screenshot": frozenset(),
        "browser_navigate": frozenset(),
        "browser_navigate_back": frozenset(),
        "browser_click": frozenset(),
        "browser_type": frozenset({"ref", "submit"}),
        "browser_select_option": frozenset(),
        "browser_press_key": frozenset(),
        "browser_wait_for": frozenset({"text", "time"}),
        "browser_handle_dialog": frozenset({"promptText"}),
        "browser_file_upload": frozenset({"paths"}),
        "browser_tabs": frozenset({"index"}),
    }
)
_LOOKING: Final = frozenset({"read", "record", "view", "navigate"})
PROFILES: Final = ("all", "slim", "readonly")
"""All; what most tasks take; what shows pages and goes to others, and acts on none."""


def read_selection(texts: Sequence[str], tools: Sequence[Tool[Any]]) -> tuple[str, ...]:
    """Read words separated by commas.

    Args:
        texts: Each a profile, a tool's name or a pattern of names such as browser_context_*; with
            "-" before it, what is left out.
        tools: All that there are.

    Raises:
        CallError: A word means no tool.
    """
    words = [word.strip() for text in texts for word in text.split(",")]
    for word in filter(None, words):
        if not any(_means(word.removeprefix("-"), tool) for tool in tools):
            raise CallError(
                f'"{word}" is no tool.',
                f"Give {', '.join(PROFILES)}, or names such as {tools[0].name}, *_screenshot, "
                "-browser_evaluate.",
            )
    return tuple(filter(None, words))


def select(tools: Iterable[Tool[Any]], words: Sequence[str]) -> tuple[Tool[Any], ...]:
    """Return the tools that the words mean; one word counts more than those before it.

    Args:
        words: See `read_selection`. Of all, if the first leaves something out. Those of the profile
            slim are listed briefly.
    """
    return tuple(
        replace(tool, slim=_SLIM.get(tool.name)) if "slim" in words else tool
        for tool in tools
        if _is_chosen(tool, words)
    )


def _is_chosen(tool: Tool[Any], words: Sequence[str]) -> bool:
    chosen = not words or words[0].startswith("-")
    for word in words:
        if _means(word.removeprefix("-"), tool):
            chosen = not word.startswith("-")
    return chosen


def _means(word: str, tool: Tool[Any]) -> bool:
    if word == "slim":
        return tool.name in _SLIM
    if word == "readonly":
        return tool.kind in _LOOKING
    return word == "all" or fnmatchcase(tool.name, word)
