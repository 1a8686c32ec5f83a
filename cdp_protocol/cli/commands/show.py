"""`cdp show`: lists the messages of a recording, or summarises them."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cdp_protocol.cli import output
from cdp_protocol.cli.commands.record_replay import FILE, read_file
from cdp_protocol.sanitize.terminal import escape_control_characters

if TYPE_CHECKING:
    from cdp_protocol.recording.format import Recording, Side
    from cdp_protocol.recording.listing import Line, Summary

_LEFT = 40  # columns before the content
_WIDE = 160  # columns, if stdout is not a terminal


@click.command()
@click.argument("file", type=FILE)
@click.option(
    "-m",
    "--method",
    "methods",
    metavar="PATTERN",
    multiple=True,
    help="Only these, such as Network.* or Page.navigate; may be repeated.",
)
@click.option("--session", default="", help='The beginning of a session\'s id; "-" for none.')
@click.option("--from", "side", type=click.Choice(["client", "browser"]), help="Who said it.")
@click.option("-c", "--connection", type=int, help="The number of one connection.")
@click.option("--errors", is_flag=True, help="Only what was refused.")
@click.option("--summary", is_flag=True, help="Counts, the slowest and the failed calls, bytes.")
@click.option("--full", is_flag=True, help="Whole messages, however long.")
@click.option("--json", "as_json", is_flag=True, help="Whole, as JSON, one line for each message.")
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
    """List what was said in FILE: time, connection, direction, session, method, parameters.

    An answer stands with its command's method and the time that it took.
    """
    from cdp_protocol.recording import listing

    recording = read_file(file)
    wanted = listing.Filter(methods, session, side, connection, errors)
    listed = [line for line in listing.lines(recording.entries) if listing.passes(line, wanted)]
    if summary:
        _sum_up(listing.Summary.of(listed, recording.entries), as_json=as_json)
    elif as_json:
        for line in listed:
            output.write_json(line.json())
    else:
        width = sys.maxsize if full else max(20, _width() - _LEFT)
        _list(recording, listed, width, others=wanted == listing.Filter(connection=connection))


def _sum_up(summed: Summary, *, as_json: bool) -> None:
    if as_json:
        output.write_json(summed.json())
        return
    for text in summed.texts():
        output.write(escape_control_characters(text))


def _list(recording: Recording, listed: list[Line], width: int, *, others: bool) -> None:
    """Print the listed messages and, if `others`, also the entries that are not messages."""
    from cdp_protocol.recording import listing
    from cdp_protocol.recording.format import Said

    header = recording.header
    where = f"{header.product or 'A browser'} at {header.endpoint or 'a pipe'}"
    output.write(escape_control_characters(f"# {where}, {header.started}"))
    shown = {line.number: line for line in listed}
    for number, entry in enumerate(recording.entries, 1):
        if number in shown:
            output.write(escape_control_characters(shown[number].text(width)))
        elif others and not isinstance(entry, Said):
            output.write(escape_control_characters(listing.other(entry)))


def _width() -> int:
    return shutil.get_terminal_size().columns if os.isatty(1) else _WIDE
