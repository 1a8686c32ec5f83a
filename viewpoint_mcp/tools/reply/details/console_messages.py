"""Console errors among the events of a reply, and the place that a message comes from."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from viewpoint_mcp.tools.reply.sanitize import indent_lines, one_line

if TYPE_CHECKING:
    from viewpoint_mcp.page.console.console import Console, Message

_EVENTS: Final = 3  # new errors that a reply shows
_EVENT: Final = 200  # characters of each


def render_new_errors(console: Console) -> Iterable[str]:
    """Return the console errors that no reply has shown, one per line, and the number of others."""
    errors, more = console.take_errors(_EVENTS)
    for error in errors:
        text = one_line(indent_lines(error.text[: 2 * _EVENT]))
        cut = "…" if len(text) > _EVENT else ""
        yield f"Console error: {text[:_EVENT]}{cut}{render_place(error)}"
    if more:
        yield f"{more:,} more console errors: see browser_console_messages"


def render_place(message: Message) -> str:
    """Return the URL and the line of a message, as a suffix; "" if they are unknown."""
    if not message.url:
        return ""
    url = one_line(indent_lines(message.url))
    return f" @ {url}:{message.line}" if message.line else f" @ {url}"
