"""Writes a captured page into a reply, within the budget: what is too long for it goes to a file,
and the reply says how to read on.
"""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Final

from viewpoint_mcp.accessibility.budget import fit
from viewpoint_mcp.accessibility.capture import Capture
from viewpoint_mcp.accessibility.depth import cut_below
from viewpoint_mcp.accessibility.render import Names, render
from viewpoint_mcp.files.records import About
from viewpoint_mcp.page.page import Page
from viewpoint_mcp.page.snapshot.blank_page import NOTHING
from viewpoint_mcp.tools.core.result import View

_NOTICE: Final = 250  # characters of the notice at the end, without the file's name

READ_ON: Final = (
    "# Read on: browser_find (text or regex), or browser_snapshot with ref (a part: a ref, or a "
    'CSS selector such as "main") or depth.'
)


async def show(taken: Capture, view: View, page: Page, budget: int) -> str:
    """Return the section of a reply that shows a snapshot as `view` says.

    Args:
        page: What it was taken of.
        budget: Characters.

    Raises:
        CallError: The file cannot be written.
    """
    blank = await _why_blank(taken, view, page)
    if view.filename is not None or view.as_file:
        path = await _saved(_lines(taken, view, "whole" if view.root else "cut"), taken, view, page)
        return f"- [Snapshot]({page.files.shown(path)}){blank}"
    return f"```yaml\n{await _fitted(taken, view, page, budget)}\n```{blank}"


async def _why_blank(taken: Capture, view: View, page: Page) -> str:
    """The line below a snapshot that shows nothing, or nothing but that the page is loading."""
    if view.root is not None:
        return "" if taken.nodes else f"\n{NOTHING}"
    if taken.nodes and not page.is_left_blank:
        return ""
    why = await page.explain_blank(is_empty=not taken.nodes)
    return f"\n{why}" if why else ""


async def _fitted(taken: Capture, view: View, page: Page, budget: int) -> str:
    """The lines within the budget; made once for a page that does not change."""
    key = view.depth, budget
    text, whole = taken.printed.get(key, ("", None))
    if not text or (whole and not whole.exists()):
        lines = _lines(taken, view, "whole" if view.root else "cut")
        brief = None
        if len(lines) > budget:
            brief = _lines(taken, view, "cut" if view.root else "short")
        text, whole = taken.printed[key] = await within_budget(
            lines, taken, view, page, budget, brief
        )
    return text


def _lines(taken: Capture, view: View, names: Names) -> str:
    text = render(taken.nodes, names)
    return text if view.depth is None else cut_below(text, view.depth)


async def within_budget(
    text: str, taken: Capture, view: View, page: Page, budget: int, brief: str | None = None
) -> tuple[str, Path | None]:
    """Cut a text of lines as a snapshot has them that is too long, say how much, and keep the
    whole in a file, which is returned as well.

    Args:
        brief: The same with shorter names, which is cut in its place.
    """
    if len(text) <= budget:
        return text, None
    whole = await _saved(text, taken, view, page)
    path = page.files.shown(whole)
    fitted = fit(brief or text, budget - _NOTICE - len(READ_ON) - len(path))
    notice = (
        f"# Cut to {budget:,} of {len(text):,} characters: {fitted.elements:,} "
        f"elements, {len(text) - len(fitted.text):,} characters are not shown; their refs work.\n"
        f"# The whole, complete YAML: {path}\n{READ_ON}"
    )
    return f"{fitted.text}\n{notice}", whole


async def _saved(text: str, taken: Capture, view: View, page: Page) -> Path:
    """Write it where the view says, without waiting for the disk here."""
    about = About(
        kind="snapshot",
        url=page.url,
        title=taken.title,
        context=page.context_name,
        what=f"snapshot of {view.root.label}" if view.root else "snapshot",
    )
    data = f"{text}\n"
    if view.filename is None:
        return await asyncio.to_thread(page.files.save, data, "yml", about)
    return await asyncio.to_thread(page.files.save_as, data, view.filename, about)
