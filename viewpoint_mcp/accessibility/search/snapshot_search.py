"""Text search in a snapshot. Matching lines are printed with adjacent lines and ancestors."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from viewpoint_mcp.accessibility.printing.long_names import has_cut_name, rest_of_name
from viewpoint_mcp.accessibility.printing.printed_snapshot_lines import (
    SnapshotLines,
    format_count,
    shorten_line,
    split_into_key_text_and_comment,
)
from viewpoint_mcp.accessibility.printing.snapshot_yaml import render_label, render_tree
from viewpoint_mcp.accessibility.search.regex_search import Pattern, search_texts
from viewpoint_mcp.accessibility.tree import Node

CONTEXT_LINES: Final = 3
"""Number of lines printed before and after a match."""

_MAX_LINE_LENGTH: Final = 300
_EXCERPT_MARGIN: Final = 60  # maximum characters before and after a match in an excerpt
_MAX_COMMENT_LENGTH: Final = 120  # maximum length of the comment about omitted matches
_ESCAPE: Final = re.compile(r"\\(.)")
_ESCAPED_CHARACTERS: Final = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}

_quote = json.JSONEncoder(ensure_ascii=False).encode


class SearchableText(NamedTuple):
    """A searchable text of a snapshot line.

    Attributes:
        line: The index of the line.
        text: The text.
    """

    line: int
    text: str

    def excerpt(self, start: int, end: int) -> str:
        """Return the match from `start` to `end` with the text around it, cut with "…"."""
        end = min(end, start + _EXCERPT_MARGIN)
        first, last = max(0, start - _EXCERPT_MARGIN), min(len(self.text), end + _EXCERPT_MARGIN)
        before, after = "…" if first else "", "…" if last < len(self.text) else ""
        return f"{before}{self.text[first:last]}{after}"


@dataclass(frozen=True, slots=True)
class PrintedMatches:
    """The printed matches.

    Attributes:
        text: The lines of YAML.
        match_count: The number of matching lines in the text.
    """

    text: str
    match_count: int


def make_searchable_texts(
    snapshot_lines: SnapshotLines, nodes: Sequence[Node | str]
) -> list[SearchableText]:
    """Return the searchable texts of the lines, without YAML escapes.

    A long name that is printed cut is searched as a whole. The line with the rest of the name is
    not searched.

    Args:
        snapshot_lines: The lines of the snapshot.
        nodes: The tree from which the lines were printed.
    """
    texts = [
        SearchableText(index, _unescape_line(line))
        for index, line in enumerate(snapshot_lines.lines)
    ]
    index = 0
    for node in _iterate_nodes_with_cut_name(nodes):
        found = _find_line_with_label(render_label(node), snapshot_lines.lines, index)
        if found is None:
            continue  # The content of the line repeats the name, which is not printed.
        index = found
        texts.append(SearchableText(index, node.name))
        index += 1
        if (rest := _find_line_with_rest_of_name(node, snapshot_lines.lines, index)) is not None:
            texts[rest] = SearchableText(rest, "")
    return texts


def _unescape_line(line: str) -> str:
    line = line.lstrip(" ").removeprefix("- ")
    if "\\" not in line and "'" not in line:
        return line
    key, text, _ = split_into_key_text_and_comment(f"- {line}")
    key = key.removeprefix("- ")
    if key.startswith("'"):
        key = key.strip("'").replace("''", "'")
    key = _remove_escapes(key)
    if not line.endswith('"'):  # A quoted text has no escapes any more, but its parts may have.
        text = _remove_escapes(text)
    return f"{key}: {text}" if text else key


def _remove_escapes(text: str) -> str:
    return _ESCAPE.sub(lambda match: _ESCAPED_CHARACTERS.get(match[1], match[1]), text)


def _iterate_nodes_with_cut_name(nodes: Sequence[Node | str]) -> Iterator[Node]:
    pending = list(reversed(nodes))
    while pending:
        node = pending.pop()
        if isinstance(node, Node):
            if has_cut_name(node):
                yield node
            pending.extend(reversed(node.children))


def _find_line_with_label(label: str, lines: Sequence[str], first_index: int) -> int | None:
    quoted = label.replace("'", "''")
    matches = (
        index
        for index in range(first_index, len(lines))
        if label in lines[index] or quoted in lines[index]
    )
    return next(matches, None)


def _find_line_with_rest_of_name(node: Node, lines: Sequence[str], first_index: int) -> int | None:
    """Return the index of the separate line with the rest of a cut name; None if none exists.

    Args:
        node: The node with the cut name.
        lines: The lines of the snapshot.
        first_index: The line after that of the name.
    """
    is_there = first_index < len(lines) and lines[first_index].lstrip(" ") == render_tree(
        [rest_of_name(node)]
    )
    return first_index if is_there else None


def find_lines_with_text(texts: Sequence[SearchableText], query: str) -> dict[int, str]:
    """Return the lines that contain a text, ignoring case, each with an excerpt of the match."""
    query = query.casefold()
    hits: dict[int, str] = {}
    for each in texts:
        start = each.text.casefold().find(query)
        if start >= 0:
            hits.setdefault(each.line, each.excerpt(start, start + len(query)))
    return hits


async def find_lines_matching_pattern(
    texts: Sequence[SearchableText], pattern: Pattern
) -> dict[int, str]:
    """Return the lines that match a regular expression, each with an excerpt of the match.

    Raises:
        CallError: The pattern is malformed, or the search exceeds its time limit.
    """
    hits: dict[int, str] = {}
    for match in await search_texts(pattern, [each.text for each in texts]):
        each = texts[match.index]
        hits.setdefault(each.line, each.excerpt(match.start, match.end))
    return hits


def render_matches(
    snapshot_lines: SnapshotLines, excerpt_by_line: Mapping[int, str], budget: float = math.inf
) -> PrintedMatches:
    """Print the matching lines with adjacent lines and ancestors.

    Args:
        snapshot_lines: The lines of the snapshot.
        excerpt_by_line: The index of each matching line -> an excerpt of the match.
        budget: The maximum number of characters. Matches that do not fit are counted.
    """
    writer = _MatchWriter(snapshot_lines, excerpt_by_line, budget - _MAX_COMMENT_LENGTH)
    for line in sorted(excerpt_by_line):
        if line > writer.last_index and not writer.add_match(line):
            break
    match_count = sum(line <= writer.last_index for line in excerpt_by_line)
    if match_count < len(excerpt_by_line):
        omitted = format_count(len(excerpt_by_line) - match_count, "more match")
        writer.lines.append(f"# … {omitted} not shown. Narrow the search.")
    return PrintedMatches("\n".join(writer.lines), match_count)


class _MatchWriter:
    """Collects the lines to print, in their order.

    Attributes:
        lines: The collected lines.
        last_index: The index of the last collected line; -1 for none.
    """

    def __init__(
        self, snapshot_lines: SnapshotLines, excerpt_by_line: Mapping[int, str], budget: float
    ) -> None:
        self.lines: list[str] = []
        self.last_index = -1
        self._snapshot_lines = snapshot_lines
        self._parents = snapshot_lines.parent_lines()
        self._excerpt_by_line = excerpt_by_line
        self._budget = budget
        self._max_line_length = int(min(_MAX_LINE_LENGTH, budget / 10))

    def add_match(self, line_index: int) -> bool:
        """Add a line, its ancestors and adjacent lines; return False if they do not fit."""
        start = max(self.last_index + 1, line_index - CONTEXT_LINES)
        end = min(len(self._snapshot_lines.lines), line_index + CONTEXT_LINES + 1)
        path = self._find_unprinted_ancestors(start)
        chunk = [self._render_line(index) for index in path]
        skipped = start - self.last_index - 1 - len(path)
        if skipped:
            indent = "  " * self._snapshot_lines.levels[start]
            chunk.append(f"{indent}# … {format_count(skipped, 'line')}")
        chunk += [self._render_line(index) for index in range(start, end)]
        self._budget -= sum(len(line) + 1 for line in chunk)
        if self._budget < 0 and self.lines:
            return False
        self.lines += chunk
        self.last_index = end - 1
        return True

    def _find_unprinted_ancestors(self, line_index: int) -> list[int]:
        """Return the ancestor lines of a line that are not printed yet, from the top."""
        path: list[int] = []
        room = self._budget / 2
        while (line_index := self._parents[line_index]) > self.last_index:
            room -= len(self._render_line(line_index))
            if room < 0:
                break
            path.append(line_index)
        return path[::-1]

    def _render_line(self, line_index: int) -> str:
        line = self._snapshot_lines.lines[line_index]
        rendered = shorten_line(line, self._max_line_length)
        if line_index not in self._excerpt_by_line:
            return rendered
        excerpt = self._excerpt_by_line[line_index]
        if excerpt.strip("…") in _unescape_line(rendered):
            return f"{rendered} # match"
        return f"{rendered} # match: {_quote(excerpt)}"
