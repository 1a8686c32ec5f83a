"""Capture of the page for a reply."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from viewpoint_mcp.accessibility.capture_options import CaptureOptions
from viewpoint_mcp.accessibility.known.folding import fold_known_parts
from viewpoint_mcp.accessibility.tree import Node
from viewpoint_mcp.accessibility.tree_capture import Capture
from viewpoint_mcp.page.page import Page
from viewpoint_mcp.tools.core.result import PageView


@dataclass(frozen=True, slots=True)
class CapturedPage:
    """A capture of a page for one view.

    Attributes:
        nodes: The nodes to print; those of the capture, but some may be folded.
        document_id: CDP `Network.LoaderId` of the captured document; "" if the page was replaced
            during the capture.
    """

    page: Page
    view: PageView
    capture: Capture
    nodes: Sequence[Node | str]
    document_id: str

    def fold_known_parts(self) -> CapturedPage:
        """Return the same with each part that the agent knows as one line."""
        known = self.page.baselines.current.find_known_parts(self.capture.tree)
        return replace(self, nodes=fold_known_parts(self.capture.tree, known))


async def capture_page(page: Page, view: PageView, *, boxes: bool) -> CapturedPage:
    """Capture the part of the page that the view shows.

    Raises:
        PageError: A dialog, a crash or a long-running script blocks the page.
        ElementError: The root of the view no longer exists.
    """
    document = page.document_id
    options = CaptureOptions(all_refs=view.all_refs, boxes=boxes, hidden=view.hidden)
    capture = await page.snapshot(view.root, options=options)
    is_replaced = page.document_id != document or capture.is_document_gone
    return CapturedPage(page, view, capture, capture.nodes, "" if is_replaced else document)
