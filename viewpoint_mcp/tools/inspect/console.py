"""The tool that lists console messages."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Annotated, Final

from msgspec import Meta

from viewpoint_mcp.accessibility.printing.invisible_characters import remove_invisible
from viewpoint_mcp.accessibility.printing.sentence_quotes import to_one_line
from viewpoint_mcp.config.settings import ConsoleLevel
from viewpoint_mcp.tools.core.args import Args, Filename
from viewpoint_mcp.tools.core.result import FittedText, ToolResult
from viewpoint_mcp.tools.core.structured_output import Output, Row, keep_newest_rows
from viewpoint_mcp.tools.core.tool import page_tool
from viewpoint_mcp.tools.reply.details.console_errors import render_location
from viewpoint_mcp.tools.reply.file_saving import advise_opening, save_omitted_text, save_page_file
from viewpoint_mcp.tools.reply.heading_escaping import indent_continuation_lines

if TYPE_CHECKING:
    from viewpoint_mcp.page.console.console import Console, ConsoleMessage
    from viewpoint_mcp.page.page import Page

_NOTICE_LENGTH: Final = (
    250  # characters of the notice about omitted messages, without the file name
)


class ConsoleArgs(Args):
    level: Annotated[ConsoleLevel | None, Meta(description="Least severe level")] = None
    """Minimum severity: `error` is the strictest, `debug` shows everything. The level of
    `--console-level` (`info`) if omitted."""
    all: bool = False
    """Whether to include the messages of pages that the tab showed before."""
    filename: Filename = None


class MessageRow(Row):
    type: str
    text: str
    url: str = ""
    line: int = 0
    count: int = 1


class ConsoleOutput(Output):
    messages: list[MessageRow]


@page_tool("browser_console_messages", title="Console", kind="read", output=ConsoleOutput)
async def list_console_messages(page: Page, args: ConsoleArgs) -> ToolResult:
    """List console messages since page load. all: earlier too.

    The list has messages and uncaught errors of the page, its frames and its workers, oldest first.
    The tab keeps the newest 1,000.

    Reply: the numbers of messages, errors and warnings; then one line for each message, with its
    kind, text, script and line. Equal messages in a row are one line with `(×3)`. A list over
    `--snapshot-budget` is cut at its beginning, and a file has all of it. `structuredContent` has
    the same messages as data.
    """
    console = await page.get_console_with_previews()
    level = args.level or console.default_level
    selected = list(console.select_messages(level, include_earlier_documents=args.all))
    head = _render_totals(console, selected, level, every_document=args.all)
    if args.filename is None:
        return ToolResult(fit_text=partial(_render_messages, page, head, selected))
    text = "\n".join([head, "", *map(_render_message, selected), ""])
    path = await save_page_file(page, text, "console", "console messages", args.filename)
    saved = f"{head}\n[Console messages]({path})"
    return ToolResult(saved, output=ConsoleOutput(messages=[], notes=saved))


def _render_totals(
    console: Console,
    selected: Sequence[ConsoleMessage],
    level: ConsoleLevel,
    *,
    every_document: bool,
) -> str:
    totals = console.tab_counts if every_document else console.document_counts
    lines = [
        f"Total messages: {totals.messages} (Errors: {totals.errors}, Warnings: {totals.warnings})"
    ]
    count = sum(message.count for message in selected)
    if count != totals.messages:
        lines.append(f'Returning {count} messages for level "{level}"')
    stored = console.select_messages("debug", include_earlier_documents=every_document)
    if dropped := totals.messages - sum(message.count for message in stored):
        lines.append(f"The oldest {dropped:,} are no longer stored.")
    return "\n".join(lines)


async def _render_messages(
    page: Page, head: str, selected: Sequence[ConsoleMessage], budget: int
) -> FittedText:
    """Return the newest messages that fit the budget. If some do not fit, save all to a file."""
    rows, omission_note = keep_newest_rows([_make_row(message) for message in selected], budget)
    output = ConsoleOutput(messages=rows, notes="\n".join(filter(None, (head, omission_note))))
    room = budget - len(head) - 2
    rendered = _render_newest(selected, room)
    if len(rendered) == len(selected):
        return FittedText("\n".join([head, "", *rendered]) if rendered else head, output)
    path = await save_omitted_text(
        page, "\n".join([*map(_render_message, selected), ""]), "console", "console messages"
    )
    rendered = _render_newest(selected, room - _NOTICE_LENGTH - len(path))
    notice = (
        f"The first {len(selected) - len(rendered):,} of these are omitted. All messages: {path}\n"
        f'To read more, {advise_opening(path)}use a stricter level, such as "error".'
    )
    output.notes = f"{output.notes}\n{notice}"
    return FittedText("\n".join([head, notice, "", *rendered]), output)


def _render_newest(messages: Sequence[ConsoleMessage], budget: int) -> list[str]:
    lines: list[str] = []
    for message in reversed(messages):
        line = _render_message(message)
        budget -= len(line) + 1
        if budget < 0:
            break
        lines.append(line)
    return lines[::-1]


def _make_row(message: ConsoleMessage) -> MessageRow:
    return MessageRow(
        type=message.kind,
        text=remove_invisible(message.text),
        url=to_one_line(message.url),
        line=message.line,
        count=message.count,
    )


def _render_message(message: ConsoleMessage) -> str:
    count = f" (×{message.count:,})" if message.count > 1 else ""
    text = indent_continuation_lines(message.text)
    return f"[{message.kind.upper()}] {text}{render_location(message)}{count}"
