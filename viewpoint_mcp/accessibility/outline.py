"""The lines of a printed snapshot as a tree: which stand under which, how long they are, what they
say. For whoever shows a part of them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import accumulate
from typing import Final

_ROLE: Final = re.compile(r" *- '?([^\s:']+)")
_OTHERS: Final = ("- /", "- text:", "#")  # lines that stand for no element
_QUOTED_KEY: Final = re.compile(r"( *- '(?:[^']|'')*'): ")
_PLAIN_KEY: Final = re.compile(r"( *- (?!')(?:(?! #)[^\n])*?): ")

_quote = json.JSONEncoder(ensure_ascii=False).encode
_decoder = json.JSONDecoder(strict=False)


class Outline:
    """The lines of a snapshot.

    Attributes:
        lines: As they are printed, none with a line break in it.
        levels: How deep each stands; 0 at the top.
        ends: For each the index past the last line that stands under it.
    """

    def __init__(self, text: str) -> None:
        self.lines = text.split("\n")
        stripped = [line.lstrip(" ") for line in self.lines]
        self.levels = [
            (len(line) - len(rest)) // 2 for line, rest in zip(self.lines, stripped, strict=True)
        ]
        self.ends = _ends(self.levels)
        self._offsets = [0, *accumulate([len(line) + 1 for line in self.lines])]
        self._elements = [0, *accumulate([not rest.startswith(_OTHERS) for rest in stripped])]

    def role(self, index: int) -> str:
        """The role of a line's element; "text" for a text, "/url" for a property."""
        match = _ROLE.match(self.lines[index])
        return match[1] if match else ""

    def size(self, start: int, end: int) -> int:
        """Characters of the lines from `start` to before `end`, line breaks included."""
        return self._offsets[end] - self._offsets[start]

    def elements(self, start: int, end: int) -> int:
        """How many of the lines stand for an element, not for a text or a property."""
        return self._elements[end] - self._elements[start]

    def siblings(self, start: int, end: int) -> Iterator[int]:
        """Yield the topmost lines of the range, which begins with one of them."""
        ends = self.ends
        while start < end:
            yield start
            start = ends[start]

    def parents(self) -> list[int]:
        """For each line the one that it stands under; -1 at the top."""
        nearest = {-1: -1}
        parents: list[int] = []
        for index, level in enumerate(self.levels):
            nearest[level] = index
            parents.append(nearest.get(level - 1, -1))
        return parents


def _ends(levels: list[int]) -> list[int]:
    ends = [len(levels)] * len(levels)
    open_lines: list[int] = []
    before = -1
    for index, level in enumerate(levels):
        if level <= before:
            while open_lines and levels[open_lines[-1]] >= level:
                ends[open_lines.pop()] = index
        open_lines.append(index)
        before = level
    return ends


def split(line: str) -> tuple[str, str, str]:
    """Return a line's indentation and key, the text that it gives, "" for none, and the comment
    behind that.
    """
    match = _QUOTED_KEY.match(line) or _PLAIN_KEY.match(line)
    if match is None:
        return line, "", ""
    value = line[match.end() :]
    if value.startswith('"'):
        text, end = _decoder.raw_decode(value)
        return match[1], text, value[end:]
    text, mark, comment = value.partition(" #")
    return match[1], text, mark + comment


def shorten(line: str, room: int) -> str:
    """Cut a line's text so that the line has at most `room` characters, and say how much is left
    out. A line without a text stays as it is.
    """
    key, text, comment = split(line)
    if len(line) <= room or not text:
        return line
    keep = max(0, room - len(key) - len(': "…"'))
    while True:
        shown = text[:keep].rstrip()
        cut = f"{key}: {_quote(shown + '…')} # {len(text) - len(shown):,} more characters{comment}"
        if len(cut) <= room or keep == 0:
            return cut
        # Escapes make a text longer than it is.
        keep = max(0, min(keep - 1, keep * (room - len(key)) // len(cut), keep - len(cut) + room))


def plural(count: int, noun: str) -> str:
    """Return a count with its noun, as `2 rows`."""
    if count != 1:
        noun += "es" if noun.endswith(("x", "s", "ch")) else "s"
    return f"{count:,} {noun}"
