"""Texts of new console errors and of the source location of a message."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from viewpoint_mcp.tools.reply.sanitize import indent_lines, one_line

if TYPE_CHECKING:
    from viewpoint_mcp.page.console.console import Console, ConsoleMessage

_EVENTS: Final = 3  # limit on new errors in a reply
_EVENT: Final = 200  # limit on the characters of each


def render_new_errors(console: Console) -> Iterable[str]:
    """Yield a line for each new console error, up to a limit, and the number of further errors.

    An error is new if no earlier reply has counted or shown it.
    """
    errors, more = console.take_new_errors(_EVENTS)
    for error in errors:
        text = one_line(indent_lines(error.text[: 2 * _EVENT]))
        cut = "…" if len(text) > _EVENT else ""
        yield f"Console error: {text[:_EVENT]}{cut}{render_place(error)}"
    if more:
        yield f"{more:,} more console errors: see browser_console_messages"


def render_place(message: ConsoleMessage) -> str:
    """Return the URL and line of a message as a suffix; "" if the URL is unknown."""
    if not message.url:
        return ""
    url = one_line(indent_lines(message.url))
    return f" @ {url}:{message.line}" if message.line else f" @ {url}"
