"""Snapshot of a page or of one element, with all frames below it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from viewpoint_mcp.accessibility.capture import Capture, capture
from viewpoint_mcp.page.frames import Frame
from viewpoint_mcp.page.snapshot.frame_snapshot import WalkedFrame

if TYPE_CHECKING:
    from viewpoint_mcp.page.actions.element import Element
    from viewpoint_mcp.page.services import PageServices


async def take_snapshot(
    page: PageServices, root: Element | None, *, all_refs: bool, boxes: bool
) -> Capture:
    """Return the accessibility tree of the page, or of one element.

    Args:
        root: The element; None for the whole page.
        all_refs: Assign refs to structural elements, too.
        boxes: Include each element's box, in CSS pixels of its frame's viewport.

    Raises:
        StaleRef: The ref of `root` no longer names its element.
        PageError: The page is interrupted, or does not answer.
    """
    top, number = page.frames.main, None
    if root is not None:
        await root.check()
        top, number = root.frame, root.ref.element
    taken = await page.race(_capture(page, top, number, all_refs, boxes))
    if taken.gone:
        # The document was replaced during the walk, so capture the next document instead.
        taken = await page.race(_capture(page, page.frames.main, None, all_refs, boxes))
    page.blockers.unresponsive = False
    return taken


async def _capture(
    page: PageServices, top: Frame, number: int | None, all_refs: bool, boxes: bool
) -> Capture:
    def walked(frame: Frame) -> WalkedFrame:
        return WalkedFrame(frame, page.frames, page.refs, page.context, page.number)

    below = [walked(frame) for frame in page.frames if frame.is_below(top)]
    return await capture(walked(top), below, root=number, all_refs=all_refs, boxes=boxes)
