"""The text of a snapshot: whole, an overview, or cut to the budget and saved to a file."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from typing import Final, NamedTuple

from viewpoint_mcp.accessibility.printing.depth_limit import limit_depth
from viewpoint_mcp.accessibility.printing.messages_first import (
    describe_invalid_fields,
    lead_with_messages,
)
from viewpoint_mcp.accessibility.printing.overview import make_overview
from viewpoint_mcp.accessibility.printing.plain_text import render_plain_text
from viewpoint_mcp.accessibility.printing.printed_snapshot_lines import format_count
from viewpoint_mcp.accessibility.printing.sentence_quotes import to_one_line
from viewpoint_mcp.accessibility.printing.short_addresses import shorten_addresses
from viewpoint_mcp.accessibility.printing.snapshot_yaml import NameStyle, render_tree
from viewpoint_mcp.errors import DirectoryNotWritableError
from viewpoint_mcp.files.records import FileDescription
from viewpoint_mcp.tools.reply.snapshot_capture import CapturedPage

_MIN_OVERVIEW_LENGTH: Final = 6000
_OVERVIEW_PERCENT: Final = 15  # percentage of the budget that an overview uses, if that is more
_MAX_WHOLE_PERCENT: Final = 133  # A page up to this percentage of an overview's length is not cut.
_MAX_SHOWN_PERCENT: Final = 90  # An overview with more of the page is replaced by the whole page.
_CHANGES_FACTOR: Final = 2  # The changes after an action may be this many times as long.
_CUT_NAME_END: Final = '…"'  # in the print of each name that is cut
_LOOKS_LIKE_NOTICE: Final = re.compile(r"^(?=\[[\d,]+ of [\d,]+ characters)", re.MULTILINE)
_NOTICE_LENGTH: Final = 200  # maximum length of the notice at the end, without the name of the file


async def render_within_budget(captured: CapturedPage, budget: int) -> str:
    """Render a view within the budget, or an overview if the call did not request a view.

    The capture caches the text, and the page may reuse the capture while it does not change.
    """
    is_folded = captured.nodes is not captured.capture.nodes
    view, printed = captured.view, {} if is_folded else captured.capture.text_cache
    key = view.depth, view.only_changes, budget
    text, file = printed.get(key, ("", None))
    if text and (file is None or file.exists()):
        return text
    whole = render_nodes(captured, "whole" if view.root else "cut")
    length = _overview_length(budget) if view.only_changes else budget
    if len(whole) <= min(length * _MAX_WHOLE_PERCENT // 100, budget):
        text, file = whole, None
    else:
        brief = whole
        if view.root or _CUT_NAME_END in whole:
            brief = render_nodes(captured, "cut" if view.root else "short")
        source = Source()
        if not view.only_changes:
            source = await _save_as_source(whole, captured)
        file = source.file
        text = _cut_text(whole, brief, length, budget, source)
    if view.only_changes and (notice := describe_invalid_fields(captured.capture.nodes)):
        text = f"{notice}\n{text}"
    printed[key] = text, file
    return text


def render_nodes(captured: CapturedPage, name_style: NameStyle) -> str:
    """Render the nodes as YAML, down to the depth of the view.

    After an action, messages and dialogs come first, and addresses are shortened.
    """
    nodes, view = captured.nodes, captured.view
    if view.only_changes:
        nodes = shorten_addresses(lead_with_messages(nodes), captured.capture.base_url)
    text = render_tree(nodes, name_style)
    return text if captured.view.depth is None else limit_depth(text, captured.view.depth)


def render_whole(captured: CapturedPage) -> str:
    """Render a view for a file: without a budget, as YAML or as plain text."""
    if captured.view.is_text:
        return render_plain_text(captured.capture.nodes)
    return render_nodes(captured, "whole" if captured.view.root else "cut")


async def fit_plain_text(captured: CapturedPage, budget: int) -> str:
    """Return the plain text of a view. If it exceeds the budget, cut it and save all of it."""
    whole = _LOOKS_LIKE_NOTICE.sub(r"\\", render_whole(captured))
    if len(whole) <= budget:
        return whole
    source = await _save_as_source(whole, captured)
    path = f"{source.path}, " if source.file else ""
    end = budget - _NOTICE_LENGTH - len(source.path + source.error)
    shown = whole[: whole.rfind("\n", 0, end)] if "\n" in whole[:end] else whole[:end]
    return (
        f"{shown}\n[{len(shown):,} of {len(whole):,} characters. "
        f"To read more: {path}browser_snapshot (a part: ref), browser_find.{source.error}]"
    )


async def fit_changes(changes: str, captured: CapturedPage, budget: int) -> str:
    """Return changes, cut to a multiple of an overview's length if they are longer."""
    length = min(_overview_length(budget) * _CHANGES_FACTOR, budget)
    if len(changes) <= length:
        return changes
    source = await _save_as_source(changes, captured)
    return _cut_text(changes, changes, length, budget, source)


def _overview_length(budget: int) -> int:
    """Return the number of characters that the first look at a page should have.

    Args:
        budget: The maximum number of characters.
    """
    return max(min(budget, _MIN_OVERVIEW_LENGTH), budget * _OVERVIEW_PERCENT // 100)


class Source(NamedTuple):
    """The file with a text of which a reply shows only a part.

    Args:
        file: The file; None for none.
        path: The path of the file, as replies name it.
        error: Why the file could not be saved, after a blank; "" for no failure.
    """

    file: Path | None = None
    path: str = ""
    error: str = ""


async def _save_as_source(text: str, captured: CapturedPage) -> Source:
    """Save a text that is too long to show. The reply is of use without the file, too."""
    try:
        file = await save_snapshot(text, captured)
    except DirectoryNotWritableError as error:
        return Source(error=f" {error}")
    return Source(file, captured.page.files.format_path_for_reply(file))


def _describe_source(source: Source) -> str:
    """Return how to read what a text omits."""
    if source.file is not None:
        return f"{source.path}, browser_snapshot (a part: ref, depth)"
    part = "a part: ref, depth" if source.error else "all, or a part: ref"
    return f"browser_snapshot ({part})"


def _cut_text(whole: str, brief: str, length: int, budget: int, source: Source) -> str:
    """Return an overview with a notice at its end.

    Args:
        whole: YAML lines of a snapshot.
        brief: The same snapshot with shorter names, to be cut instead.
        length: The number of characters that the overview should have.
        budget: The maximum number of characters.
        source: The file with the whole text.
    """
    more = _describe_source(source)
    notice_length = _NOTICE_LENGTH + len(more) + len(source.error)
    overview = make_overview(brief, length - notice_length, budget - notice_length)
    shown = len(overview.text)
    if shown * 100 > len(whole) * _MAX_SHOWN_PERCENT and len(whole) <= budget:
        return whole
    return (
        f"{overview.text}\n# {shown:,} of {len(whole):,} characters, "
        f"{format_count(overview.omitted_elements, 'element')} omitted. "
        f"To read more: {more}, browser_find.{source.error}"
    )


async def save_snapshot(text: str, captured: CapturedPage) -> Path:
    """Save a text to the file that the view names, or to a file with a generated name.

    Raises:
        CallError: The file cannot be written.
    """
    page, view = captured.page, captured.view
    about = FileDescription(
        kind="snapshot",
        url=page.url,
        title=to_one_line(captured.capture.title),
        context=page.context_name,
        what=f"snapshot of {view.root.label}" if view.root else "snapshot",
    )
    comment = "" if view.is_text else captured.capture.hidden_elements_comment
    data = f"{text}{comment}\n"
    if view.filename is None:
        suffix = "txt" if view.is_text else "yml"
        return await asyncio.to_thread(page.files.save, data, suffix, about)
    return await asyncio.to_thread(page.files.save_as, data, view.filename, about)
