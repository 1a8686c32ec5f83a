"""The tool that searches the snapshot of the page."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING, Annotated, Final

from msgspec import Meta

from viewpoint_mcp.accessibility.printing.printed_snapshot_lines import format_count
from viewpoint_mcp.errors import CallError
from viewpoint_mcp.tools.core.args import Args, Filename
from viewpoint_mcp.tools.core.result import ToolResult
from viewpoint_mcp.tools.core.tool import page_tool

if TYPE_CHECKING:
    from viewpoint_mcp.page.page import Page
    from viewpoint_mcp.page.snapshot.search import SnapshotMatches

_MAX_QUERY_LENGTH: Final = 100
_MAX_LENGTH: Final = 6000  # characters of the printed matches


class FindArgs(Args):
    text: str | None = None
    """Text to find, in any case and with any white space. Give `text` or `regex`."""
    regex: Annotated[str | None, Meta(description="Pattern or /pattern/i")] = None
    """Regular expression to find, in Python's syntax, at most 1,000 characters. It is
    case-sensitive unless written as `/pattern/i`; the flags `m` and `s` work too."""
    ref: Annotated[str | None, Meta(description="Element to search")] = None
    """Element to search in. A ref, a locator or a CSS selector of one element. The whole page if
    omitted."""
    urls: Annotated[bool, Meta(description="Search addresses of links")] = False
    """Whether to search the addresses of links instead of the visible texts."""
    filename: Filename = None


@page_tool("browser_find", title="Find", kind="read")
async def find_in_snapshot(page: Page, args: FindArgs) -> ToolResult:
    """Find visible text or regex on the page: names, texts, values of fields.

    The call takes a new snapshot and searches it. Use it on long pages instead of reading the whole
    snapshot. Refs in the reply can be used at once.

    Reply: the number of matches; then each matching line once. If different elements contain the
    matches, a comment names these. For a match in a row, list item or card, a comment lists its
    controls. At most 6,000 characters are printed, and the other matches are counted. A search
    without a match is no error.

    Errors: both arguments, or none, are given; the expression is malformed, or matching it exceeds
    5 s.
    """
    from viewpoint_mcp.accessibility.search.regex_search import Pattern
    from viewpoint_mcp.accessibility.search.snapshot_search import render_matches

    text = _parse_query(args)
    root = await page.find_element(args.ref) if args.ref else None
    pattern = text if args.regex is None else Pattern.parse(args.regex)
    matches = await page.search(pattern, root, has_urls=args.urls)
    query = f'"{_shorten_query(text)}"' if args.regex is None else _shorten_query(args.regex)
    if not matches.hits:
        return ToolResult(_explain_no_match(query, matches))
    if args.filename is None:
        return ToolResult(fit_text=partial(_render_matches, query, matches))
    data = f"{render_matches(matches.hits).text}\n"
    path = await asyncio.to_thread(page.files.save_as, data, args.filename)
    count = format_count(len(matches.hits), "match")
    return ToolResult(
        f"Found {count} for {query}: [Matches]({page.files.format_path_for_reply(path)})"
    )


def _parse_query(args: FindArgs) -> str:
    """Return the text to find, with white space normalised; "" if the call has a regex.

    Raises:
        CallError: The call has both text and regex, or neither.
    """
    if args.text is not None and args.regex is not None:
        raise CallError("Give text or regex, not both.")
    text = " ".join((args.text or "").split())
    if args.regex is None and not text:
        raise CallError("browser_find needs a text or regex that is not empty.")
    return text


def _render_matches(query: str, matches: SnapshotMatches, budget: int) -> str:
    from viewpoint_mcp.accessibility.search.snapshot_search import render_matches

    found, hits = render_matches(matches.hits, min(budget, _MAX_LENGTH)), len(matches.hits)
    part = f", the first {found.match_count:,} shown" if found.match_count < hits else ""
    return f"Found {format_count(hits, 'match')} for {query}{part}:\n```yaml\n{found.text}\n```"


def _explain_no_match(query: str, matches: SnapshotMatches) -> str:
    if matches.count_in_urls:
        count = format_count(matches.count_in_urls, "line")
        return f"No match for {query} in visible text, but in addresses on {count}: use urls: true."
    case = " A regex is case-sensitive unless written /x/i." if matches.is_case_sensitive else ""
    return (
        f"No match for {query} in names, texts and values.{case} Hidden and unloaded content is "
        "not searched. Try a shorter text, browser_wait_for or browser_snapshot."
    )


def _shorten_query(text: str) -> str:
    return text if len(text) <= _MAX_QUERY_LENGTH else f"{text[:_MAX_QUERY_LENGTH]}…"
