"""The text about the marks on a screenshot."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from viewpoint_mcp.accessibility.budget import fit
from viewpoint_mcp.accessibility.diff.equality import nodes_of
from viewpoint_mcp.accessibility.render import label
from viewpoint_mcp.accessibility.tree import Node
from viewpoint_mcp.page.capture.annotate import Marked

_READ_ON: Final = "# Cut: browser_snapshot names them all."


def describe_marks(taken: Marked, known: Sequence[Node | str]) -> Callable[[int], str]:
    """Return a function that renders the text about the marks for a budget of characters.

    The text contains the number of marked elements. It has one line for each marked element that
    the agent's last snapshot does not contain, or shows differently.

    Args:
        taken: The marked screenshot.
        known: The nodes of the snapshot of this document that the agent saw last.
    """
    sentence = _count(len(taken.marked), taken.with_ref)
    if taken.is_restless and taken.marked:
        sentence += " The page moves: marks may be beside what they mark."
    read = {node.ref: label(node) for node in nodes_of(known) if node.ref}
    lines = [f"- {text}" for node in taken.marked if (text := label(node)) != read.get(node.ref)]
    if not lines:
        return lambda _: sentence
    legend = "\n".join(lines)
    return lambda budget: f"{sentence}\n```yaml\n{_cut(legend, budget)}\n```"


def _cut(legend: str, budget: int) -> str:
    if len(legend) <= budget:
        return legend
    fitted = fit(legend, budget - len(_READ_ON))
    return f"{fitted.text}\n{_READ_ON}"


def _count(marked: int, with_ref: int) -> str:
    if with_ref == 0:
        return "Nothing is marked: no element of the page has a ref."
    left_out = "outside of the picture, covered or hidden"
    if marked == 0:
        return f"Nothing is marked: all {with_ref} elements with a ref are {left_out}."
    text = f"{marked} elements are marked with their refs"
    if marked == 1:
        text = "1 element is marked with its ref"
    return (
        f"{text}." if marked == with_ref else f"{text} (of {with_ref}; the others are {left_out})."
    )
