"""Ranges of refs in replies: regions that a new document shows as the document before.

- navigation "Sidebar": same as before (e1-e30, e34)
# same as before: e40-e52
"""

from __future__ import annotations

import re
from collections.abc import Sequence

REGION = re.compile(r"same as before(?: \(|: )([^()\n]+)")
REF = re.compile(r"(.*?)e(\d+)")


def find_ranges(reply: str) -> list[str]:
    """Return the ranges of the refs that a reply declares valid; `e1-e30` includes both ends."""
    return [part.strip() for ranges in REGION.findall(reply) for part in ranges.split(",")]


def is_in_ranges(ref: str, ranges: Sequence[str]) -> bool:
    """Return whether a ref is in one of the ranges, which are of one frame each."""
    return any(_is_in_range(ref, one) for one in ranges)


def _is_in_range(ref: str, bounds: str) -> bool:
    first, _, last = bounds.partition("-")
    parts = [REF.fullmatch(one) for one in (ref, first, last or first)]
    if not all(parts):
        return False
    prefixes = {part[1] for part in parts if part}
    number, low, high = (int(part[2]) for part in parts if part)
    return len(prefixes) == 1 and low <= number <= high
