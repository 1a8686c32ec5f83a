"""Writes a captured page into a reply, within the budget: what is too long for it goes to a file,
and the reply says how to read on.
"""

from __future__ import annotations

from typing import Final

from viewpoint_mcp.accessibility.budget import fit
from viewpoint_mcp.accessibility.capture import Capture
from viewpoint_mcp.accessibility.depth import cut_below
from viewpoint_mcp.accessibility.render import render
from viewpoint_mcp.page.files import Files
from viewpoint_mcp.tools.result import View

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
    text = render(taken.nodes)
    if view.depth is not None:
        text = cut_below(text, view.depth)
    blank = "" if taken.nodes else "\nThe page has no accessible content."
    if view.filename is not None or view.as_file:
        data = f"{text}\n".encode()
        path = (
            files.save(data, files.output, "page", "yml")
            if view.filename is None
            else files.save_as(data, view.filename)
        )
        return f"- [Snapshot]({files.shown(path)}){blank}"
    return f"```yaml\n{within_budget(text, files, budget)}\n```{blank}"


def within_budget(text: str, files: Files, budget: int) -> str:
    """Cut a text of lines as a snapshot has them that is too long, say how much, and keep the
    whole in a file.
    """
    if len(text) <= budget:
        return text
    path = files.shown(files.save(f"{text}\n".encode(), files.output, "page", "yml"))
    fitted = fit(text, budget - _NOTICE - len(READ_ON) - len(path))
    return (
        f"{fitted.text}\n# Cut to {budget:,} of {len(text):,} characters: {fitted.elements:,} "
        f"elements, {fitted.characters:,} characters are not shown; their refs work.\n"
        f"# The whole, complete YAML: {path}\n{READ_ON}"
    )
