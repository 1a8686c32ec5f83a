"""The text about the marks on a screenshot."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

from viewpoint_mcp.accessibility.diff.equality import iterate_nodes_at_any_depth
from viewpoint_mcp.accessibility.printing.snapshot_budget import fit_to_budget
from viewpoint_mcp.accessibility.printing.snapshot_yaml import render_label
from viewpoint_mcp.accessibility.tree import Node
from viewpoint_mcp.page.capture.marked_screenshot import MarkedScreenshot

RenderWithinBudget: TypeAlias = Callable[[int], str]
"""Renders a text within a budget of characters."""

_CUT_NOTICE: Final = "# Cut: browser_snapshot lists all."


def make_mark_legend_renderer(
    screenshot: MarkedScreenshot, last_seen_nodes: Sequence[Node | str]
) -> RenderWithinBudget:
    """Return a function that renders the text about the marks for a budget of characters.

    The text contains the number of marked elements. It has one line for each marked element that
    the agent's last snapshot does not contain, or shows differently.

    Args:
        screenshot: The marked screenshot.
        last_seen_nodes: The nodes of the snapshot of this document that the agent saw last.
    """
    sentence = _count_sentence(len(screenshot.marked_nodes), screenshot.ref_count)
    if screenshot.is_moving and screenshot.marked_nodes:
        sentence += " The page moves, so marks may be misplaced."
    read = {
        node.ref: render_label(node)
        for node in iterate_nodes_at_any_depth(last_seen_nodes)
        if node.ref
    }
    lines = [
        f"- {text}"
        for node in screenshot.marked_nodes
        if (text := render_label(node)) != read.get(node.ref)
    ]
    if not lines:
        return lambda _: sentence
    legend = "\n".join(lines)
    return lambda budget: f"{sentence}\n```yaml\n{_cut_legend(legend, budget)}\n```"


def _cut_legend(legend: str, budget: int) -> str:
    if len(legend) <= budget:
        return legend
    fitted = fit_to_budget(legend, budget - len(_CUT_NOTICE))
    return f"{fitted.text}\n{_CUT_NOTICE}"


def _count_sentence(marked_count: int, ref_count: int) -> str:
    if ref_count == 0:
        return "Nothing is marked: no element of the page has a ref."
    left_out = "outside the screenshot, covered or hidden"
    if marked_count == 0:
        return f"Nothing is marked: all {ref_count} elements with a ref are {left_out}."
    text = f"{marked_count} elements are marked with their refs"
    if marked_count == 1:
        text = "1 element is marked with its ref"
    return (
        f"{text}."
        if marked_count == ref_count
        else f"{text} (of {ref_count}; the others are {left_out})."
    )
