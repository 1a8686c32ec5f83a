"""The snapshot of a page or of one element, with all frames below it."""

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
        all_refs: Give refs to structure as well.
        boxes: Include each element's box, CSS pixels of its frame's viewport.

    Raises:
        PageError: The page is interrupted, or does not answer.
    """
    top, number = page.frames.main, None
    if root is not None:
        await root.check()
        top, number = root.frame, root.ref.element
    taken = await page.race(_capture(page, top, number, all_refs, boxes))
    if taken.gone:
        # The document went away under the walk; the caller wants to see its successor.
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
