"""Writes a captured page into a reply, within the budget: what is too long for it goes to a file,
and the reply says how to read on.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from viewpoint_mcp.accessibility.budget import fit
from viewpoint_mcp.accessibility.capture import Capture
from viewpoint_mcp.accessibility.depth import cut_below
from viewpoint_mcp.accessibility.render import render
from viewpoint_mcp.files.places import Files
from viewpoint_mcp.files.records import About
from viewpoint_mcp.tools.result import View

_SNAPSHOT: Final = About(kind="snapshot")
_NOTICE: Final = 250  # characters of the notice at the end, without the file's name

READ_ON: Final = (
    "# Read on: browser_find (text or regex), or browser_snapshot with ref (a part: a ref, or a "
    'CSS selector such as "main") or depth.'
)


def show(taken: Capture, view: View, files: Files, budget: int) -> str:
    """Return the section of a reply that shows a snapshot as `view` says.

    Args:
        budget: Characters.

    Raises:
        CallError: The file cannot be written.
    """
    blank = "" if taken.nodes else "\nThe page has no accessible content."
    if view.filename is not None or view.as_file:
        data = f"{_lines(taken, view)}\n".encode()
        path = (
            files.save(data, "yml", _SNAPSHOT)
            if view.filename is None
            else files.save_as(data, view.filename)
        )
        return f"- [Snapshot]({files.shown(path)}){blank}"
    return f"```yaml\n{_fitted(taken, view, files, budget)}\n```{blank}"


def _fitted(taken: Capture, view: View, files: Files, budget: int) -> str:
    """The lines within the budget; made once for a page that does not change."""
    key = view.depth, budget
    text, whole = taken.printed.get(key, ("", None))
    if not text or (whole and not whole.exists()):
        text, whole = taken.printed[key] = _cut(_lines(taken, view), files, budget)
    return text


def _lines(taken: Capture, view: View) -> str:
    text = render(taken.nodes)
    return text if view.depth is None else cut_below(text, view.depth)


def within_budget(text: str, files: Files, budget: int) -> str:
    """Cut a text of lines as a snapshot has them that is too long, say how much, and keep the
    whole in a file.
    """
    return _cut(text, files, budget)[0]


def _cut(text: str, files: Files, budget: int) -> tuple[str, Path | None]:
    """The text within the budget, and the file with the whole where something was cut."""
    if len(text) <= budget:
        return text, None
    whole = files.save(f"{text}\n".encode(), "yml", _SNAPSHOT)
    path = files.shown(whole)
    fitted = fit(text, budget - _NOTICE - len(READ_ON) - len(path))
    notice = (
        f"# Cut to {budget:,} of {len(text):,} characters: {fitted.elements:,} "
        f"elements, {fitted.characters:,} characters are not shown; their refs work.\n"
        f"# The whole, complete YAML: {path}\n{READ_ON}"
    )
    return f"{fitted.text}\n{notice}", whole
