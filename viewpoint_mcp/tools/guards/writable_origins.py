"""The guard that permits actions only on pages of `--writable-origins`."""

from __future__ import annotations

from typing import Any

from viewpoint_mcp.config.origins import OriginRules, is_url_listed, to_texts
from viewpoint_mcp.errors import BlockedError
from viewpoint_mcp.page.shorten import shorten_url
from viewpoint_mcp.tools.core.tool import Tool

_KINDS_THAT_ACT = frozenset({"input", "script", "state"})
_SCROLLING_TOOL = "browser_mouse_wheel"


def raise_if_page_not_writable(rules: OriginRules, tool: Tool[Any], args: Any, url: str) -> None:
    """Raise an error if a tool would act on a page on which the agent may only read.

    Args:
        url: The URL of the page. Frames within the page count as part of it.

    Raises:
        BlockedError: The tool acts on the page, and no entry of the list matches the URL.
    """
    if tool.kind in _KINDS_THAT_ACT and not (
        _only_reads(tool, args) or is_url_listed(rules.writable, url)
    ):
        raise BlockedError(
            f"{tool.name} was not run: the agent may only read {shorten_url(url)}. "
            f"--writable-origins permits actions on {', '.join(to_texts(rules.writable))}.",
            "Only the user who started this server can change that.",
        )


def _only_reads(tool: Tool[Any], args: Any) -> bool:
    """Return whether a call of an acting tool only scrolls, or cancels a dialog or file chooser."""
    is_cancellation = (
        getattr(args, "accept", True) is False
        if tool.answers_modal == "dialog"
        else tool.answers_modal == "chooser" and not args.paths
    )
    return tool.name == _SCROLLING_TOOL or is_cancellation
