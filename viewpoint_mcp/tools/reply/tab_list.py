"""The list of open tabs in a reply."""

from __future__ import annotations

from typing import TYPE_CHECKING

from viewpoint_mcp.page.shorten import shorten_url
from viewpoint_mcp.tools.reply.page_text import one_line

if TYPE_CHECKING:
    from viewpoint_mcp.browser.context import Context


def list_tabs(context: Context) -> str:
    """Return the open tabs, to be told: one a line, its index, and a mark at the active one."""
    if not context.tabs:
        return "No open tabs. Navigate to a URL to create one."
    lines = []
    for index, tab in enumerate(context.tell()):
        current = "(current) " if tab is context.active else ""
        crashed = " [crashed]" if tab.page_now and tab.page_now.blockers.crashed else ""
        dialog = " [dialog open]" if tab.dialog is not None else ""
        lines.append(
            f"- {index}: {current}[{one_line(tab.title)}]({shorten_url(tab.url)}){crashed}{dialog}"
        )
    return "\n".join(lines)
