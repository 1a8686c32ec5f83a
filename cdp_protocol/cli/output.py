"""The output of commands: tables, JSON, and texts of pages with control characters escaped."""

from __future__ import annotations

import os
import shutil
import sys
import unicodedata
from collections.abc import Iterable, Sequence
from typing import Any

import orjson

from cdp_protocol.cli.run_command import Failure, discard_stdout
from cdp_protocol.sanitize.terminal_escaping import escape_control_characters, escape_json
from cdp_protocol.wire.json_codec import encode


def write_line(line: str) -> None:
    """Print a line to stdout immediately, in UTF-8 whatever the encoding of the terminal."""
    write_encoded_line(line.encode(errors="backslashreplace"))


def write_text(text: str) -> None:
    """Print a text from a page. On a terminal, escape the control characters in its lines."""
    if sys.stdout.isatty():
        text = "\n".join(map(escape_control_characters, text.split("\n")))
    write_line(text)


def write_json(value: Any, *, pretty: bool = False) -> None:
    """Print a value as JSON: on one line or, if `pretty`, indented."""
    line = encode(value, orjson.OPT_INDENT_2 if pretty else 0)
    if sys.stdout.isatty():
        line = escape_json(line.decode()).encode()
    write_encoded_line(line)


def write_encoded_line(line: bytes) -> None:
    """Print an encoded line.

    Raises:
        BrokenPipeError: The process that read stdout has gone.
        Failure: The line cannot be written for another reason, such as a full disk.
    """
    try:
        sys.stdout.buffer.write(line + b"\n")
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        discard_stdout()
        raise Failure(f"Cannot write to stdout: {error.strerror}.") from error


def terminal_width() -> int | None:
    """Return the columns of the terminal; None if stdout is not a terminal."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else None


def should_colour() -> bool:
    """Return whether to print colours: on a terminal that supports them, unless NO_COLOR is set."""
    if not sys.stdout.isatty() or os.environ.get("NO_COLOR"):
        return False
    return sys.platform != "win32" or "WT_SESSION" in os.environ


def format_table(rows: Iterable[Sequence[str]], *, width: int | None = None) -> list[str]:
    """Return rows as lines with aligned columns. The last column is not padded.

    Args:
        rows: The cells of each row. All rows have the same number of cells.
        width: Maximum columns of a line, which is cut there; None for whole lines.
    """
    cells = [[escape_control_characters(cell) for cell in row] for row in rows]
    widths = [max(map(text_width, column)) for column in zip(*cells, strict=True)]
    lines = []
    for row in cells:
        padded = [
            cell + " " * (column_width - text_width(cell))
            for cell, column_width in zip(row[:-1], widths[:-1], strict=True)
        ]
        line = "  ".join([*padded, row[-1]]).rstrip()
        lines.append(line if width is None else truncate(line, width))
    return lines


def text_width(text: str) -> int:
    """Return the number of terminal columns that a text occupies."""
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.combining(each) else 1 + (unicodedata.east_asian_width(each) in "WF")
        for each in text
    )


def truncate(text: str, width: int) -> str:
    """Return a text cut to a number of columns, with an ellipsis if it was cut."""
    if text_width(text) <= width:
        return text
    used = 1
    for index, each in enumerate(text):
        used += text_width(each)
        if used > width:
            return f"{text[:index]}…"
    return text
