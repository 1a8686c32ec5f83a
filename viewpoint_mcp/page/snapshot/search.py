"""Search in the snapshot of a page, by text or by regular expression."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from viewpoint_mcp.accessibility.search.regex_search import Pattern
from viewpoint_mcp.accessibility.search.searchable_lines import iterate_searchable_lines
from viewpoint_mcp.accessibility.search.snapshot_search import (
    Hit,
    find_lines_matching_pattern,
    find_lines_with_text,
)
from viewpoint_mcp.accessibility.tree_capture import Capture


@dataclass(frozen=True, slots=True)
class SnapshotMatches:
    """The matching lines of a snapshot.

    Attributes:
        hits: The matches, in the order of the page.
        is_case_sensitive: Whether a pattern matched the exact case only.
        count_in_urls: The number of links whose address matches. Counted only without hits.
    """

    hits: Sequence[Hit]
    is_case_sensitive: bool = False
    count_in_urls: int = 0


async def search_snapshot(
    snapshot: Capture, query: str | Pattern, *, has_urls: bool = False
) -> SnapshotMatches:
    """Search a snapshot for a text in any case, or for a pattern.

    Args:
        has_urls: Whether to search the addresses of links instead of the visible texts.

    Raises:
        CallError: The pattern is malformed, or takes too long.
    """
    lines = list(iterate_searchable_lines(snapshot.nodes))

    async def find(*, has_urls: bool) -> Sequence[Hit]:
        if isinstance(query, str):
            return find_lines_with_text(lines, query, has_urls=has_urls)
        return await find_lines_matching_pattern(lines, query, has_urls=has_urls)

    hits = await find(has_urls=has_urls)
    count_in_urls = 0 if hits or has_urls else len(await find(has_urls=True))
    is_case_sensitive = isinstance(query, Pattern) and not query.flags
    return SnapshotMatches(hits, is_case_sensitive, count_in_urls)
