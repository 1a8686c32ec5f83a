"""Text search in a snapshot. Matching lines are printed with adjacent lines and ancestors."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from viewpoint_mcp.accessibility.long_names import is_cut, rest_of
from viewpoint_mcp.accessibility.outline import Outline, plural, shorten, split
from viewpoint_mcp.accessibility.regex import Pattern, search
from viewpoint_mcp.accessibility.render import label, render
from viewpoint_mcp.accessibility.tree import Node

CONTEXT: Final = 3
"""Number of lines printed before and after a match."""

_LONGEST_LINE: Final = 300
_AROUND: Final = 60  # maximum characters before and after a match in an excerpt
_NOTE: Final = 120  # maximum length of the comment about omitted matches
_ESCAPE: Final = re.compile(r"\\(.)")
_ESCAPED: Final = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}

_quote = json.JSONEncoder(ensure_ascii=False).encode


class Searched(NamedTuple):
    """A searchable text of a snapshot line.

    Attributes:
        line: The index of the line.
        text: The text.
    """

    line: int
    text: str

    def excerpt(self, start: int, end: int) -> str:
        """Return the match from `start` to `end` with the text around it, cut with "…"."""
        end = min(end, start + _AROUND)
        first, last = max(0, start - _AROUND), min(len(self.text), end + _AROUND)
        before, after = "…" if first else "", "…" if last < len(self.text) else ""
        return f"{before}{self.text[first:last]}{after}"


@dataclass(frozen=True, slots=True)
class Found:
    """The printed matches.

    Attributes:
        text: The lines of YAML.
        shown: The number of matching lines in the text.
    """

    text: str
    shown: int


def searched(outline: Outline, nodes: Sequence[Node | str]) -> list[Searched]:
    """Return the searchable texts of the lines, without YAML escapes.

    A long name that is printed cut is searched as a whole. The line with the rest of the name is
    not searched.

    Args:
        outline: The lines of the snapshot.
        nodes: The tree from which the lines were printed.
    """
    texts = [Searched(index, _plain(line)) for index, line in enumerate(outline.lines)]
    index = 0
    for node in _long_names(nodes):
        index = _line_of(label(node), outline.lines, index)
        texts.append(Searched(index, node.name))
        index += 1
        if (rest := _line_of_rest(node, outline.lines, index)) is not None:
            texts[rest] = Searched(rest, "")
    return texts


def _plain(line: str) -> str:
    line = line.lstrip(" ").removeprefix("- ")
    if "\\" not in line and not line.startswith("'"):
        return line
    key, text, _ = split(f"- {line}")
    key = key.removeprefix("- ")
    if key.startswith("'"):
        key = key.strip("'").replace("''", "'")
    key = _ESCAPE.sub(lambda match: _ESCAPED.get(match[1], match[1]), key)
    return f"{key}: {text}" if text else key


def _long_names(nodes: Sequence[Node | str]) -> Iterator[Node]:
    pending = list(reversed(nodes))
    while pending:
        node = pending.pop()
        if isinstance(node, Node):
            if is_cut(node):
                yield node
            pending.extend(reversed(node.children))


def _line_of(key: str, lines: Sequence[str], first: int) -> int:
    quoted = key.replace("'", "''")
    return next(
        index for index in range(first, len(lines)) if key in lines[index] or quoted in lines[index]
    )


def _line_of_rest(node: Node, lines: Sequence[str], index: int) -> int | None:
    """Return the index of the separate line with the rest of a cut name; None if none exists.

    Args:
        node: The node with the cut name.
        lines: The lines of the snapshot.
        index: The line after that of the name. Lines of properties can precede the rest.
    """
    while index < len(lines) and lines[index].lstrip(" ").startswith("- /"):
        index += 1
    is_there = index < len(lines) and lines[index].lstrip(" ") == render([rest_of(node)])
    return index if is_there else None


def find_text(texts: Sequence[Searched], wanted: str) -> dict[int, str]:
    """Return the lines that contain a text, ignoring case, each with an excerpt of the match."""
    wanted = wanted.casefold()
    hits: dict[int, str] = {}
    for each in texts:
        start = each.text.casefold().find(wanted)
        if start >= 0:
            hits.setdefault(each.line, each.excerpt(start, start + len(wanted)))
    return hits


async def find_pattern(texts: Sequence[Searched], pattern: Pattern) -> dict[int, str]:
    """Return the lines that match a regular expression, each with an excerpt of the match.

    Raises:
        CallError: The pattern is malformed, or the search exceeds its time limit.
    """
    hits: dict[int, str] = {}
    for match in await search(pattern, [each.text for each in texts]):
        each = texts[match.index]
        hits.setdefault(each.line, each.excerpt(match.start, match.end))
    return hits


def show(outline: Outline, hits: Mapping[int, str], budget: float = math.inf) -> Found:
    """Print the matching lines with adjacent lines and ancestors.

    Args:
        outline: The lines of the snapshot.
        hits: The index of each matching line -> an excerpt of the match.
        budget: The maximum number of characters. Matches that do not fit are counted.
    """
    writer = _Writer(outline, hits, budget - _NOTE)
    for line in sorted(hits):
        if line > writer.last and not writer.add(line):
            break
    shown = sum(line <= writer.last for line in hits)
    if shown < len(hits):
        hidden = plural(len(hits) - shown, "more match")
        writer.lines.append(f"# … {hidden} not shown. Search for something narrower.")
    return Found("\n".join(writer.lines), shown)


class _Writer:
    """Collects the lines to print, in their order.

    Attributes:
        lines: The collected lines.
        last: The index of the last collected line; -1 for none.
    """

    def __init__(self, outline: Outline, hits: Mapping[int, str], room: float) -> None:
        self.lines: list[str] = []
        self.last = -1
        self._outline = outline
        self._parents = outline.parents()
        self._hits = hits
        self._room = room
        self._longest = int(min(_LONGEST_LINE, room / 10))

    def add(self, hit: int) -> bool:
        """Add a line, its ancestors and adjacent lines; return False if they do not fit."""
        start = max(self.last + 1, hit - CONTEXT)
        end = min(len(self._outline.lines), hit + CONTEXT + 1)
        path = self._path(start)
        chunk = [self._line(index) for index in path]
        skipped = start - self.last - 1 - len(path)
        if skipped:
            indent = "  " * self._outline.levels[start]
            chunk.append(f"{indent}# … {plural(skipped, 'line')}")
        chunk += [self._line(index) for index in range(start, end)]
        self._room -= sum(len(line) + 1 for line in chunk)
        if self._room < 0 and self.lines:
            return False
        self.lines += chunk
        self.last = end - 1
        return True

    def _path(self, index: int) -> list[int]:
        """Return the ancestor lines of a line that are not printed yet, from the top."""
        path: list[int] = []
        room = self._room / 2
        while (index := self._parents[index]) > self.last:
            room -= len(self._line(index))
            if room < 0:
                break
            path.append(index)
        return path[::-1]

    def _line(self, index: int) -> str:
        line = self._outline.lines[index]
        shown = shorten(line, self._longest)
        if index not in self._hits:
            return shown
        excerpt = self._hits[index]
        if excerpt.strip("…") in _plain(shown):
            return f"{shown} # match"
        return f"{shown} # match: {_quote(excerpt)}"
