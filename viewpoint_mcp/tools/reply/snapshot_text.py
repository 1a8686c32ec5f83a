"""The text of a snapshot within the budget. A longer snapshot is saved to a file."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Final

from viewpoint_mcp.accessibility.printing.depth_limit import limit_depth
from viewpoint_mcp.accessibility.printing.snapshot_budget import fit_to_budget
from viewpoint_mcp.accessibility.printing.snapshot_yaml import NameStyle, render_tree
from viewpoint_mcp.files.records import FileDescription
from viewpoint_mcp.tools.reply.snapshot_capture import CapturedPage

_NOTICE_LENGTH: Final = 250  # characters of the notice at the end, without the name of the file

HOW_TO_READ_MORE: Final = (
    "# To read more: browser_find (text or regex), or browser_snapshot with ref (a part: a ref, or "
    'a CSS selector such as "main") or depth.'
)


async def render_within_budget(captured: CapturedPage, budget: int) -> str:
    """Render a view within the budget.

    The capture caches the text, and the page may reuse the capture while it does not change.
    """
    view, printed = captured.view, captured.capture.text_cache
    key = view.depth, budget
    text, file = printed.get(key, ("", None))
    if not text or (file and not file.exists()):
        whole = render_nodes(captured, "whole" if view.root else "cut")
        brief = None
        if len(whole) > budget:
            brief = render_nodes(captured, "cut" if view.root else "short")
        text, file = printed[key] = await fit_snapshot(whole, captured, budget, brief)
    return text


def render_nodes(captured: CapturedPage, name_style: NameStyle) -> str:
    """Render the nodes as YAML, down to the depth of the view."""
    text = render_tree(captured.capture.nodes, name_style)
    return text if captured.view.depth is None else limit_depth(text, captured.view.depth)


async def fit_snapshot(
    text: str, captured: CapturedPage, budget: int, short_text: str | None = None
) -> tuple[str, Path | None]:
    """Cut a text that exceeds the budget, add a notice, and save the whole text to a file.

    Args:
        text: YAML lines of a snapshot.
        short_text: The same snapshot with shorter names, to be cut instead of `text`.

    Returns:
        The text within the budget, and the file; None if no file was written.

    Raises:
        CallError: The file cannot be written.
    """
    if len(text) <= budget:
        return text, None
    file = await save_snapshot(text, captured)
    path = captured.page.files.format_path_for_reply(file)
    fitted = fit_to_budget(
        short_text or text, budget - _NOTICE_LENGTH - len(HOW_TO_READ_MORE) - len(path)
    )
    notice = (
        f"# Cut to {budget:,} of {len(text):,} characters: {fitted.omitted_elements:,} "
        f"elements, {len(text) - len(fitted.text):,} characters are omitted. Their refs work.\n"
        f"# The complete snapshot: {path}\n{HOW_TO_READ_MORE}"
    )
    return f"{fitted.text}\n{notice}", file


async def save_snapshot(text: str, captured: CapturedPage) -> Path:
    """Save a text to the file that the view names, or to a file with a generated name.

    Raises:
        CallError: The file cannot be written.
    """
    page, view = captured.page, captured.view
    about = FileDescription(
        kind="snapshot",
        url=page.url,
        title=captured.capture.title,
        context=page.context_name,
        what=f"snapshot of {view.root.label}" if view.root else "snapshot",
    )
    data = f"{text}\n"
    if view.filename is None:
        return await asyncio.to_thread(page.files.save, data, "yml", about)
    return await asyncio.to_thread(page.files.save_as, data, view.filename, about)
