"""Choice of the view of a page in a reply: the whole page, its changes, a file or nothing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from msgspec.structs import replace

from viewpoint_mcp.accessibility.diff.diff_yaml import is_shorter_than_snapshot, render_changes
from viewpoint_mcp.accessibility.diff.drawing_changes import describe_drawing_changes
from viewpoint_mcp.accessibility.diff.hidden_wrappers import unwrap_hidden
from viewpoint_mcp.accessibility.diff.partial_view import replace_part
from viewpoint_mcp.accessibility.diff.tree_comparison import compare_trees
from viewpoint_mcp.accessibility.known.tree_index import TreeIndex
from viewpoint_mcp.accessibility.printing.sentence_quotes import to_one_line
from viewpoint_mcp.accessibility.tree_capture import Capture
from viewpoint_mcp.config.settings import SnapshotMode
from viewpoint_mcp.page.snapshot.baseline import Baseline
from viewpoint_mcp.tools.core.result import PageView, ToolResult
from viewpoint_mcp.tools.reply.snapshot_capture import CapturedPage

_VIEW_AFTER_ACTION: Final = {
    SnapshotMode.DIFF: PageView(only_changes=True),
    SnapshotMode.FULL: PageView(),
    SnapshotMode.FILE: PageView(to_file=True),
    SnapshotMode.NONE: PageView(has_snapshot=False),
}


@dataclass(frozen=True, slots=True)
class RenderedChanges:
    """The changes of a page since the agent saw it.

    Attributes:
        introduction: The sentence that introduces the changes, or states that there are none.
        yaml: The changes; "" for none.
    """

    introduction: str
    yaml: str


def choose_view(result: ToolResult, mode: SnapshotMode) -> PageView | None:
    """Return the view that the tool requests, or the view of the mode after an action.

    Returns:
        The view; None if the reply shows neither a snapshot nor the state of the page.
    """
    if result.view is not None:
        return result.view
    return _VIEW_AFTER_ACTION[mode] if result.snapshot else None


def is_complete_view(view: PageView) -> bool:
    """Return whether a view shows the whole page, or all its changes since the baseline."""
    return replace(view, budget=None) in (PageView(), PageView(only_changes=True))


def find_tree_seen(captured: CapturedPage) -> TreeIndex | None:
    """Return the tree that the agent knows after a view of a page.

    Returns:
        The tree; None if the view shows an unknown part of it, so that the baseline must stay.
    """
    view, capture = captured.view, captured.capture
    if is_complete_view(view):
        return capture.tree
    nodes = captured.page.baselines.current.nodes_for(captured.document_id)
    if nodes is None or not is_complete_view(replace(view, root=None)):
        return None
    seen = replace_part(nodes, capture.nodes)
    return None if seen is None else TreeIndex(seen, capture.base_url)


def find_changes(capture: Capture, baseline: Baseline, document_id: str) -> RenderedChanges | None:
    """Compare a page with its baseline.

    Args:
        document_id: CDP `Network.LoaderId` of the captured document.

    Returns:
        The changes; None if the reply must show the whole page, because the document has no
        baseline or the changes are longer than the page.
    """
    nodes, old_nodes = capture.nodes, baseline.nodes_for(document_id)
    if old_nodes is None:
        return None
    since = " since it was last shown whole" if baseline.is_older_than_view else ""
    old_content, content = unwrap_hidden(old_nodes), unwrap_hidden(nodes)
    items = compare_trees(old_content, content)
    yaml = render_changes(items, content, baseline.repeated_texts)
    if not yaml:
        return RenderedChanges(f"No change on the page{since}.", "")
    sentence = f"Changes on the page{since}:"
    if not is_shorter_than_snapshot(len(sentence) + len(yaml), nodes):
        return None
    return RenderedChanges(sentence, yaml)


def describe_painting(capture: Capture, baseline: Baseline, document_id: str) -> str:
    """Return which drawings changed since the baseline, for a sentence; "" for none.

    Args:
        document_id: CDP `Network.LoaderId` of the captured document.
    """
    if baseline.nodes_for(document_id) is None:
        return ""
    return to_one_line("; ".join(describe_drawing_changes(baseline.drawings, capture.drawings)))
