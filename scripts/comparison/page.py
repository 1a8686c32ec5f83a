"""Rendering of docs/comparison.md."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import Final

from scripts.comparison import devtools_table, playwright_table
from scripts.comparison.peers import (
    read_chrome_devtools_mcp,
    read_equivalents,
    read_playwright_mcp,
    read_reasons,
)
from scripts.comparison.playwright_table import Row
from viewpoint_mcp.tools.catalog import list_all_tools

TEXT: Final = Path(__file__).with_name("page.md")


class ComparisonIncomplete(Exception):
    """A difference has no reason, a reason has no difference, or a difference is forbidden.

    Attributes:
        mistakes: One sentence for each, with the file to change.
    """

    def __init__(self, mistakes: Sequence[str]) -> None:
        super().__init__("\n".join(mistakes))
        self.mistakes = tuple(mistakes)


def render_comparison_page() -> str:
    """Return the whole page.

    Raises:
        ComparisonIncomplete: A difference has no reason, a reason has no difference, or a
            difference is forbidden.
    """
    ours = {tool.name: tool for tool in list_all_tools()}
    playwright, devtools = read_playwright_mcp(), read_chrome_devtools_mcp()
    rows, mistakes = playwright_table.compare_tools(playwright, ours, read_reasons())
    equivalents = read_equivalents()
    others, more = devtools_table.compare_tools(devtools, ours, equivalents)
    if mistakes or more:
        raise ComparisonIncomplete([*mistakes, *more])
    added = playwright_table.list_added_tools(playwright, ours)
    return TEXT.read_text(encoding="utf-8").format(
        playwright_source=playwright.source,
        playwright_summary=_summarize(rows),
        playwright_wider=_count_wider(rows),
        playwright_rows="\n".join(_playwright_rows(rows, set(ours))),
        added_rows="\n".join(
            f"| [`{tool.name}`](tools.md#{tool.name}) | {tool.capability} "
            f"| {_escape(tool.description)} |"
            for tool in added
        ),
        devtools_source=devtools.source,
        devtools_summary=_summarize(others),
        shared_rows="\n".join(
            f"| `{argument}` | {reason} |"
            for argument, reason in equivalents[devtools_table.SHARED].differs.items()
        ),
        devtools_rows="\n".join(
            f"| `{row.tool}` | {row.verdict} | {_escape(row.text)} |" for row in others
        ),
    )


def _playwright_rows(rows: Iterable[Row], ours: set[str]) -> Iterator[str]:
    for capability, group in groupby(rows, lambda row: row.capability):
        heading = capability if capability == "core" else f"--caps {capability}"
        yield f"| **{heading}** | | |"
        for row in group:
            name = f"[`{row.tool}`](tools.md#{row.tool})" if row.tool in ours else f"`{row.tool}`"
            yield f"| {name} | {row.verdict} | {_escape(row.text)} |"


def _summarize(rows: Sequence[Row]) -> str:
    counts = Counter(row.verdict for row in rows)
    return (
        f"{len(rows)} tools: {counts['same']} the same, {counts['differs']} different, "
        f"{counts['absent']} absent."
    )


def _count_wider(rows: Iterable[Row]) -> int:
    """Return how many tools differ, but accept each call that the peer's tool accepts."""
    return sum(row.verdict == "differs" and row.accepts_all for row in rows)


def _escape(cell: str) -> str:
    return cell.replace("|", "\\|")
