"""Texts of new console errors and of the source location of a message."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from viewpoint_mcp.tools.reply.heading_escaping import indent_continuation_lines, to_one_line

if TYPE_CHECKING:
    from viewpoint_mcp.page.console.console import Console, ConsoleMessage

_MAX_ERRORS: Final = 3  # limit on new errors in a reply
_MAX_ERROR_LENGTH: Final = 200  # limit on the characters of each


def render_new_errors(console: Console) -> Iterable[str]:
    """Yield a line for each new console error, up to a limit, and the number of further errors.

    An error is new if no earlier reply has counted or shown it.
    """
    errors, more = console.take_new_errors_and_count_further(_MAX_ERRORS)
    for error in errors:
        text = to_one_line(indent_continuation_lines(error.text[: 2 * _MAX_ERROR_LENGTH]))
        cut = "…" if len(text) > _MAX_ERROR_LENGTH else ""
        yield f"Console error: {text[:_MAX_ERROR_LENGTH]}{cut}{render_location(error)}"
    if more:
        yield f"{more:,} more console errors: see browser_console_messages"


def render_location(message: ConsoleMessage) -> str:
    """Return the URL and line of a message as a suffix; "" if the URL is unknown."""
    if not message.url:
        return ""
    url = to_one_line(indent_continuation_lines(message.url))
    return f" @ {url}:{message.line}" if message.line else f" @ {url}"
