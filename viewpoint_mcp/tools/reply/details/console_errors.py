"""Texts of new console errors and of the source location of a message."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from viewpoint_mcp.accessibility.printing.printed_snapshot_lines import format_count
from viewpoint_mcp.accessibility.printing.sentence_quotes import to_one_line
from viewpoint_mcp.tools.reply.heading_escaping import indent_continuation_lines

if TYPE_CHECKING:
    from viewpoint_mcp.page.console.console import Console, ConsoleMessage

_MAX_ERRORS: Final = 3  # limit on new errors in a reply
_MAX_ERROR_LENGTH: Final = 200  # limit on the characters of each


def render_new_errors(console: Console) -> Iterable[str]:
    """Yield a line for each new kind of console error, up to a limit, and counts of the others."""
    report = console.unreported.take_errors(_MAX_ERRORS)
    for kind in report.new:
        error = kind.first
        text = to_one_line(indent_continuation_lines(error.text[: 2 * _MAX_ERROR_LENGTH]))
        cut = "…" if len(text) > _MAX_ERROR_LENGTH else ""
        similar = f" ({kind.count:,} similar)" if kind.count > 1 else ""
        yield (f"Console error{similar}: {text[:_MAX_ERROR_LENGTH]}{cut}{render_location(error)}")
    if report.further:
        count = format_count(report.further, "more console error")
        yield f"{count}: see browser_console_messages"
    if report.repeated:
        yield f"{format_count(report.repeated, 'console error')} as before"


def render_location(message: ConsoleMessage) -> str:
    """Return the URL and line of a message as a suffix; "" if the URL is unknown."""
    if not message.url:
        return ""
    url = to_one_line(indent_continuation_lines(message.url))
    return f" @ {url}:{message.line}" if message.line else f" @ {url}"
