"""`cdp show`: lists the messages of a recording, or summarises them."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cdp_protocol.cli import output
from cdp_protocol.cli.commands.record_replay import FILE_TYPE, read_recording_file
from cdp_protocol.sanitize.terminal_escaping import escape_control_characters

if TYPE_CHECKING:
    from cdp_protocol.recording.file_format import Recording, Side
    from cdp_protocol.recording.message_listing import MessageLine, Summary

_PREFIX_WIDTH = 40  # columns before the content
_DEFAULT_WIDTH = 160  # columns, if stdout is not a terminal


@click.command()
@click.argument("file", type=FILE_TYPE)
@click.option(
    "-m",
    "--method",
    "methods",
    metavar="PATTERN",
    multiple=True,
    help="List only these methods, such as Network.* or Page.navigate. May be repeated.",
)
@click.option(
    "--session",
    default="",
    help='List only this session, by the beginning of its id; "-" for the browser session.',
)
@click.option(
    "--from",
    "side",
    type=click.Choice(["client", "browser"]),
    help="List only messages of this side.",
)
@click.option("-c", "--connection", type=int, help="List only the connection with this number.")
@click.option("--errors", is_flag=True, help="List only error responses.")
@click.option("--summary", is_flag=True, help="Print counts, slow and failed calls, and sizes.")
@click.option("--full", is_flag=True, help="Print complete messages.")
@click.option(
    "--json", "as_json", is_flag=True, help="Print complete messages as JSON, one per line."
)
def show(
    file: Path,
    *,
    methods: tuple[str, ...],
    session: str,
    side: Side | None,
    connection: int | None,
    errors: bool,
    summary: bool,
    full: bool,
    as_json: bool,
) -> None:
    """List the messages of a recording.

    Prints time, connection, direction, session, method and parameters. A response shows the method
    of its command, and its duration.
    """
    from cdp_protocol.recording import message_listing

    recording = read_recording_file(file)
    message_filter = message_listing.MessageFilter(methods, session, side, connection, errors)
    lines = [
        line
        for line in message_listing.list_messages(recording.entries)
        if message_listing.matches_filter(line, message_filter)
    ]
    if summary:
        _print_summary(
            message_listing.Summary.from_lines(lines, recording.entries), as_json=as_json
        )
    elif as_json:
        for line in lines:
            output.write_json(line.as_json())
    else:
        width = sys.maxsize if full else max(20, _output_width() - _PREFIX_WIDTH)
        _print_messages(
            recording,
            lines,
            width,
            include_other_entries=message_filter
            == message_listing.MessageFilter(connection=connection),
        )


def _print_summary(summary: Summary, *, as_json: bool) -> None:
    if as_json:
        output.write_json(summary.as_json())
        return
    for text in summary.text_lines():
        output.write_line(escape_control_characters(text))


def _print_messages(
    recording: Recording, lines: list[MessageLine], width: int, *, include_other_entries: bool
) -> None:
    """Print the listed messages; if `include_other_entries`, also all other entries."""
    from cdp_protocol.recording import message_listing
    from cdp_protocol.recording.file_format import RecordedMessage

    header = recording.header
    browser = f"{header.product or 'A browser'} at {header.endpoint or 'a pipe'}"
    output.write_line(escape_control_characters(f"# {browser}, {header.started}"))
    lines_by_number = {line.number: line for line in lines}
    for number, entry in enumerate(recording.entries, 1):
        if number in lines_by_number:
            output.write_line(escape_control_characters(lines_by_number[number].as_text(width)))
        elif include_other_entries and not isinstance(entry, RecordedMessage):
            output.write_line(
                escape_control_characters(message_listing.format_non_message_entry(entry))
            )


def _output_width() -> int:
    return shutil.get_terminal_size().columns if os.isatty(1) else _DEFAULT_WIDTH
