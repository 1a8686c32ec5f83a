"""What commands print: tables, JSON, and texts of pages made harmless for a terminal."""

from __future__ import annotations

import os
import shutil
import sys
import unicodedata
from collections.abc import Iterable, Sequence
from typing import Any

import orjson

from cdp_protocol.cli.run_command import Failure, forget_stdout
from cdp_protocol.sanitize.terminal import harmless, harmless_json
from cdp_protocol.wire.codec import encode


def write(line: str) -> None:
    """Print a line on stdout at once, in UTF-8 whatever the terminal says it speaks."""
    write_bytes(line.encode(errors="backslashreplace"))


def write_text(text: str) -> None:
    """Print a page's text: as it is, but on a terminal, where its lines are made harmless."""
    if sys.stdout.isatty():
        text = "\n".join(map(harmless, text.split("\n")))
    write(text)


def write_json(value: Any, *, pretty: bool = False) -> None:
    """Print a value as JSON, on one line unless it shall be pretty."""
    line = encode(value, orjson.OPT_INDENT_2 if pretty else 0)
    if sys.stdout.isatty():
        line = harmless_json(line.decode()).encode()
    write_bytes(line)


def write_bytes(line: bytes) -> None:
    """Print a line that is encoded already.

    Raises:
        BrokenPipeError: nobody reads it any more.
        Failure: it cannot be written for another reason, such as a full disk.
    """
    try:
        sys.stdout.buffer.write(line + b"\n")
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        forget_stdout()
        raise Failure(f"What was to be printed cannot be written: {error.strerror}.") from error


def width() -> int | None:
    """The columns of the terminal that we print on; None when it is none."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else None


def has_colour() -> bool:
    """Whether colours are seen as such: on a terminal, unless its user wants none."""
    if not sys.stdout.isatty() or os.environ.get("NO_COLOR"):
        return False
    return sys.platform != "win32" or "WT_SESSION" in os.environ


def table(rows: Iterable[Sequence[str]], *, width: int | None = None) -> list[str]:
    """Lines with the cells of each row under one another; the last column is left as it is.

    Args:
        width: Columns of the terminal, where lines are cut; None for whole lines.
    """
    cells = [[harmless(cell) for cell in row] for row in rows]
    widths = [max(map(columns, column)) for column in zip(*cells, strict=True)]
    lines = []
    for row in cells:
        padded = [
            cell + " " * (wide - columns(cell))
            for cell, wide in zip(row[:-1], widths[:-1], strict=True)
        ]
        line = "  ".join([*padded, row[-1]]).rstrip()
        lines.append(line if width is None else cut(line, width))
    return lines


def columns(text: str) -> int:
    """How many columns of a terminal a text takes."""
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.combining(each) else 1 + (unicodedata.east_asian_width(each) in "WF")
        for each in text
    )


def cut(text: str, width: int) -> str:
    """A text in at most so many columns; an ellipsis tells that something is missing."""
    if columns(text) <= width:
        return text
    taken = 1
    for index, each in enumerate(text):
        taken += columns(each)
        if taken > width:
            return f"{text[:index]}…"
    return text
