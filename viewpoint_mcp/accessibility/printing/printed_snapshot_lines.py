"""The lines of a printed snapshot as a tree, with their roles and sizes.

The modules that print a part of a snapshot use it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import accumulate
from typing import Final

MAX_INLINE_LENGTH: Final = 300
"""Maximum number of characters of content on the line of an element."""

MAX_ROW_LENGTH: Final = 600
"""The same of a row."""

PART_SEPARATOR: Final = " | "
"""Separates the parts of content on the line of an element."""

_ROLE: Final = re.compile(r" *- '?([^\s:']+)")
_NON_ELEMENT_PREFIXES: Final = ("- text:", "#")  # beginnings of lines that are not elements
_MAX_LINE_WITH_ELEMENTS: Final = 2 * MAX_ROW_LENGTH  # with the line's own label and indentation
_QUOTED_KEY: Final = re.compile(r"( *- '(?:[^']|'')*'): ")
_SINGLE_QUOTED: Final = re.compile(r"'((?:[^']|'')*)'")
_PLAIN_KEY: Final = re.compile(r"( *- (?!')(?:(?! #)[^\n])*?): ")

_quote = json.JSONEncoder(ensure_ascii=False).encode
_decoder = json.JSONDecoder(strict=False)


class SnapshotLines:
    """The lines of a snapshot as a tree.

    Attributes:
        lines: The printed lines, without line breaks.
        levels: The depth of each line; 0 at the top.
        subtree_ends: For each line, the index after its last descendant line.
    """

    def __init__(self, text: str) -> None:
        self.lines = text.split("\n")
        stripped = [line.lstrip(" ") for line in self.lines]
        self.levels = [
            (len(line) - len(rest)) // 2 for line, rest in zip(self.lines, stripped, strict=True)
        ]
        self.subtree_ends = _find_subtree_ends(self.levels)
        self._offsets = [0, *accumulate([len(line) + 1 for line in self.lines])]
        self._elements = [
            0,
            *accumulate([_count_elements_of_line(line) for line in stripped]),
        ]

    def role_of_line(self, line_index: int) -> str:
        """Return the role of a line's element; "text" for a text."""
        match = _ROLE.match(self.lines[line_index])
        return match[1] if match else ""

    def count_characters(self, start: int, end: int) -> int:
        """Return the number of characters of lines `start` to `end - 1`, with line breaks."""
        return self._offsets[end] - self._offsets[start]

    def count_elements(self, start: int, end: int) -> int:
        """Return the number of elements in lines `start` to `end - 1`.

        Lines of texts and comments do not count.
        """
        return self._elements[end] - self._elements[start]

    def sibling_lines(self, start: int, end: int) -> Iterator[int]:
        """Yield the lines of a range that have the level of its first line.

        Args:
            start: The first line; no line of the range has a lower level.
            end: The index after the last line.
        """
        ends = self.subtree_ends
        while start < end:
            yield start
            start = ends[start]

    def parent_lines(self) -> list[int]:
        """Return the index of each line's parent line; -1 for lines at the top."""
        nearest = {-1: -1}
        parents: list[int] = []
        for index, level in enumerate(self.levels):
            nearest[level] = index
            parents.append(nearest.get(level - 1, -1))
        return parents


def _count_elements_of_line(line: str) -> int:
    """Return the number of elements on a line without indentation: its own, and those with refs."""
    if line.startswith(_NON_ELEMENT_PREFIXES):
        return 0
    return max(1, line.count("[ref=")) if len(line) <= _MAX_LINE_WITH_ELEMENTS else 1


def _find_subtree_ends(levels: list[int]) -> list[int]:
    ends = [len(levels)] * len(levels)
    open_lines: list[int] = []
    previous_level = -1
    for index, level in enumerate(levels):
        if level <= previous_level:
            while open_lines and levels[open_lines[-1]] >= level:
                ends[open_lines.pop()] = index
        open_lines.append(index)
        previous_level = level
    return ends


def split_into_key_text_and_comment(line: str) -> tuple[str, str, str]:
    """Split a line of a snapshot.

    Returns:
        The indentation with the key, the text after the key, and the comment after the text. Text
        and comment are "" if the line has no text. The text is not quoted as in YAML.
    """
    match = _QUOTED_KEY.match(line) or _PLAIN_KEY.match(line)
    if match is None:
        return line, "", ""
    value = line[match.end() :]
    if value.startswith('"'):
        text, end = _decoder.raw_decode(value)
        return match[1], text, value[end:]
    if quoted := _SINGLE_QUOTED.match(value):
        return match[1], quoted[1].replace("''", "'"), value[quoted.end() :]
    text, mark, comment = value.partition(" #")
    return match[1], text, mark + comment


def shorten_line(line: str, max_length: int) -> str:
    """Cut the text of a line so that the line has at most `max_length` characters.

    A comment counts the omitted characters. A line without a text does not change, nor a line that
    may have elements in its text. A line with a long key can still be longer than `max_length`.
    """
    key, text, comment = split_into_key_text_and_comment(line)
    if len(line) <= max_length or not text or may_have_elements_in_text(line):
        return line
    keep = max(0, max_length - len(key) - len(': "…"'))
    while True:
        beginning = text[:keep].rstrip()
        omitted = f"{len(text) - len(beginning):,} more characters"
        cut = f"{key}: {_quote(beginning + '…')} # {omitted}{comment}"
        if len(cut) <= max_length or keep == 0:
            return cut
        # Escapes make the printed text longer, so estimate again.
        keep = max(
            0,
            min(keep - 1, keep * (max_length - len(key)) // len(cut), keep - len(cut) + max_length),
        )


def may_have_elements_in_text(line: str) -> bool:
    """Return whether a line may have elements in its text, so that it must not be cut."""
    return PART_SEPARATOR in line and len(line) <= _MAX_LINE_WITH_ELEMENTS


def format_count(count: int, noun: str) -> str:
    """Return a count with its noun, in the plural if necessary: `2 rows`."""
    if count != 1:
        noun += "es" if noun.endswith(("x", "s", "ch")) else "s"
    return f"{count:,} {noun}"
