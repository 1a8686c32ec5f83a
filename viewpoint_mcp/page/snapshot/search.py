"""Search in the snapshot of a page, by text or by regular expression."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from viewpoint_mcp.accessibility.printing.printed_snapshot_lines import SnapshotLines
from viewpoint_mcp.accessibility.printing.snapshot_yaml import render_tree
from viewpoint_mcp.accessibility.search.regex_search import Pattern
from viewpoint_mcp.accessibility.search.snapshot_search import (
    PrintedMatches,
    find_lines_matching_pattern,
    find_lines_with_text,
    make_searchable_texts,
    render_matches,
)
from viewpoint_mcp.accessibility.tree_capture import Capture


@dataclass(frozen=True, slots=True)
class SnapshotMatches:
    """The matching lines of a snapshot.

    Attributes:
        hits: The matched text with some context, by line.
        is_case_sensitive: Whether a pattern matched the exact case only.
    """

    snapshot_lines: SnapshotLines
    hits: Mapping[int, str]
    is_case_sensitive: bool = False

    def render_matches(self, budget: float = math.inf) -> PrintedMatches:
        """Return the matching lines with the lines around them.

        Args:
            budget: Maximum characters.
        """
        return render_matches(self.snapshot_lines, self.hits, budget)


async def search_snapshot(snapshot: Capture, query: str | Pattern) -> SnapshotMatches:
    """Search a snapshot for a text in any case, or for a pattern.

    Raises:
        CallError: The pattern is malformed, or takes too long.
    """
    snapshot_lines = SnapshotLines(render_tree(snapshot.nodes))
    texts = make_searchable_texts(snapshot_lines, snapshot.nodes)
    if isinstance(query, str):
        return SnapshotMatches(snapshot_lines, find_lines_with_text(texts, query))
    return SnapshotMatches(
        snapshot_lines, await find_lines_matching_pattern(texts, query), not query.flags
    )
