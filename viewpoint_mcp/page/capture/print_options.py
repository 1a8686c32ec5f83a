"""The print options that a user writes: paper format, margins and page ranges."""

from __future__ import annotations

import math
import re
from typing import Final

from viewpoint_mcp.errors import CallError

_UNITS_PER_INCH: Final = {"in": 1.0, "cm": 2.54, "mm": 25.4, "px": 96.0}  # units per inch
_MILLIMETRES_PER_INCH: Final = 25.4

PAPER_FORMATS: Final = {
    "Letter": (8.5, 11.0),
    "Legal": (8.5, 14.0),
    "Tabloid": (11.0, 17.0),
    "Ledger": (17.0, 11.0),
    **{
        f"A{number}": (width / _MILLIMETRES_PER_INCH, height / _MILLIMETRES_PER_INCH)
        for number, (width, height) in enumerate(
            ((841, 1189), (594, 841), (420, 594), (297, 420), (210, 297), (148, 210), (105, 148))
        )
    },
}
"""Width and height of each paper format, inches."""

_LENGTH = re.compile(r"([0-9]+(?:\.[0-9]*)?|\.[0-9]+)(in|cm|mm|px)?", re.IGNORECASE)
_RANGE = re.compile(r"[0-9]{1,9}( *- *([0-9]{1,9})?)?|- *[0-9]{1,9}")
_MAX_MARGIN = 50.0  # inches of a margin, more than any paper has; Chromium ignores absurd values
_TOLERANCE = 0.02  # inches; Chromium rounds to pixels


def paper_size(format_name: str) -> tuple[float, float]:
    """Return the width and height of a paper format in inches.

    Args:
        format_name: A key of `PAPER_FORMATS`, in any case.

    Raises:
        CallError: The format is unknown.
    """
    for known, size in PAPER_FORMATS.items():
        if known.lower() == format_name.strip().lower():
            return size
    raise CallError(
        f'"{format_name}" is not a paper format.', f"Use one of {', '.join(PAPER_FORMATS)}."
    )


def paper_name(width: float, height: float) -> str:
    """Return the name of a paper size, such as "A4 landscape", or its size in millimetres.

    Args:
        width: Inches.
        height: Inches.
    """
    for name, (short, long) in PAPER_FORMATS.items():
        if _is_almost_equal(width, short) and _is_almost_equal(height, long):
            return name
    for name, (short, long) in PAPER_FORMATS.items():
        if _is_almost_equal(width, long) and _is_almost_equal(height, short):
            return f"{name} landscape"
    return f"{round(width * _MILLIMETRES_PER_INCH)} x {round(height * _MILLIMETRES_PER_INCH)} mm"


def parse_margins(text: str) -> tuple[float, float, float, float]:
    """Parse margins: one to four lengths, assigned to the sides as in CSS.

    Returns:
        Top, right, bottom and left, in inches.

    Raises:
        CallError: The text is no valid list of margins.
    """
    lengths = [_parse_length(word) for word in text.replace(",", " ").split()]
    if not 1 <= len(lengths) <= 4 or None in lengths:
        raise CallError(
            f'"{text}" is not a margin.',
            'Pass one to four lengths in px, in, cm or mm, such as "1cm" or "10mm 20mm".',
        )
    top, *rest = [length or 0.0 for length in lengths]
    right = rest[0] if rest else top
    bottom = rest[1] if len(rest) > 1 else top
    left = rest[2] if len(rest) > 2 else right
    return top, right, bottom, left


def parse_page_ranges(text: str) -> str:
    """Return page ranges, such as "1-3, 5" or "2-", in the form that Chromium accepts.

    Raises:
        CallError: The text contains no valid ranges, or a range ends before it begins.
    """
    parts = [part.strip() for part in text.replace("–", "-").split(",")]
    for part in parts:
        numbers = [int(number) for number in re.findall("[0-9]+", part)]
        if not _RANGE.fullmatch(part) or 0 in numbers or numbers != sorted(numbers):
            raise CallError(
                f'"{text}" is not a page range.',
                'Pass ranges such as "1-3, 5". Pages count from 1.',
            )
    return ",".join(parts)


def _parse_length(word: str) -> float | None:
    """Return a length in inches; None if the text is no length, or an absurd one."""
    found = _LENGTH.fullmatch(word)
    length = float(found[1]) / _UNITS_PER_INCH[(found[2] or "px").lower()] if found else math.inf
    return length if length <= _MAX_MARGIN else None


def _is_almost_equal(one: float, other: float) -> bool:
    return abs(one - other) < _TOLERANCE
