"""The tool that finds something on the page without showing all of it."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated

from msgspec import Meta

from viewpoint_mcp.accessibility.outline import Outline, plural
from viewpoint_mcp.accessibility.render import render
from viewpoint_mcp.errors import CallError
from viewpoint_mcp.tools.core.args import Args, Filename
from viewpoint_mcp.tools.core.result import ToolResult
from viewpoint_mcp.tools.core.tool import page_tool

if TYPE_CHECKING:
    from viewpoint_mcp.accessibility.regex import Pattern
    from viewpoint_mcp.page.page import Page

_LONGEST_QUOTED = 100


class FindArgs(Args):
    text: str | None = None
    regex: Annotated[str | None, Meta(description="x, or /x/i for any case")] = None
    filename: Filename = None


@page_tool("browser_find", title="Find", kind="read")
async def find(page: Page, args: FindArgs) -> ToolResult:
    """Find text or regex in the snapshot: the lines around each match."""
    from viewpoint_mcp.accessibility.find import find_pattern, find_text, searched, show

    text, pattern = _wanted(args)
    taken = await page.snapshot()
    outline = Outline(render(taken.nodes))
    texts = searched(outline, taken.nodes)
    hits = find_text(texts, text) if pattern is None else await find_pattern(texts, pattern)
    quoted = _quoted(args.regex) if pattern else f'"{_quoted(text)}"'
    if not hits:
        return ToolResult(_nothing(quoted, outline, pattern))
    if args.filename is None:
        return ToolResult(within=lambda budget: _shown(quoted, outline, hits, budget))
    data = f"{show(outline, hits).text}\n"
    path = await asyncio.to_thread(page.files.save_as, data, args.filename)
    count = plural(len(hits), "match")
    return ToolResult(f"Found {count} for {quoted}: [Matches]({page.files.shown(path)})")


def _wanted(args: FindArgs) -> tuple[str, Pattern | None]:
    """The text, white space tidied as the page's is, or the pattern.

    Raises:
        CallError: Both are given, or none, or one that can find nothing.
    """
    from viewpoint_mcp.accessibility.regex import Pattern

    if args.text is not None and args.regex is not None:
        raise CallError("text and regex exclude each other.", "Give one of them.")
    if args.regex is not None:
        return "", Pattern.parse(args.regex)
    text = " ".join((args.text or "").split())
    if not text:
        raise CallError("browser_find needs text or regex, not empty.", "Give one of them.")
    return text, None


def _shown(quoted: str, outline: Outline, hits: Mapping[int, str], budget: int) -> str:
    from viewpoint_mcp.accessibility.find import show

    found = show(outline, hits, budget)
    count = plural(len(hits), "match")
    part = f", the first {found.shown:,} shown" if found.shown < len(hits) else ""
    return f"Found {count} for {quoted}{part}:\n```yaml\n{found.text}\n```"


def _nothing(quoted: str, outline: Outline, pattern: Pattern | None) -> str:
    lines = plural(len(outline.lines), "line")
    case = (
        " A regex is case-sensitive unless written /x/i." if pattern and not pattern.flags else ""
    )
    return (
        f"No match for {quoted} in the {lines} of the snapshot.{case} What is hidden or not loaded "
        "yet is not in it: try a shorter text, browser_wait_for, or look at browser_snapshot."
    )


def _quoted(text: str | None) -> str:
    text = text or ""
    return text if len(text) <= _LONGEST_QUOTED else f"{text[:_LONGEST_QUOTED]}…"
