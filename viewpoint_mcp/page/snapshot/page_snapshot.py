"""Snapshot of a page or of one element, with all frames below it."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from viewpoint_mcp.accessibility.capture import Capture, capture
from viewpoint_mcp.page.frames import Frame
from viewpoint_mcp.page.services import DocumentGone
from viewpoint_mcp.page.settle.document_watch import DocumentWatch
from viewpoint_mcp.page.snapshot.frame_snapshot import WalkedFrame

if TYPE_CHECKING:
    from viewpoint_mcp.page.actions.element import Element
    from viewpoint_mcp.page.services import PageServices

_CONTENT_LIMIT: Final = 2.0  # maximum seconds to wait for the first content of a loading document
_LOOK_AGAIN: Final = 0.25  # maximum seconds between two checks


async def take_snapshot(
    page: PageServices, root: Element | None, *, all_refs: bool, boxes: bool
) -> Capture:
    """Return the accessibility tree of the page, or of one element.

    A document that is still loading and has no content yet, such as the one of a new tab, gets up
    to 2 s to show its first content.

    Args:
        root: The element; None for the whole page.
        all_refs: Assign refs to structural elements, too.
        boxes: Include each element's box, in CSS pixels of its frame's viewport.

    Raises:
        StaleRefError: The ref of `root` no longer names its element.
        PageError: The page is interrupted, or does not answer.
    """
    top, number = page.frames.main, None
    if root is not None:
        await root.check_exists()
        top, number = root.frame, root.ref.element
    taken = await page.run_unless_blocked(_capture(page, top, number, all_refs, boxes))
    if taken.gone:
        # The document was replaced during the walk, so capture the next document instead.
        taken = await page.run_unless_blocked(
            _capture(page, page.frames.main, None, all_refs, boxes)
        )
    page.blockers.is_unresponsive = False
    if root is None and not taken.nodes:
        return await _wait_for_content(page, taken, all_refs=all_refs, boxes=boxes)
    return taken


async def _wait_for_content(
    page: PageServices, empty: Capture, *, all_refs: bool, boxes: bool
) -> Capture:
    """Return the first capture with content, or the last one when the document has loaded."""
    now = asyncio.get_running_loop().time
    deadline = now() + _CONTENT_LIMIT
    taken = empty
    while not taken.nodes and now() < deadline and await _is_loading(page):
        watch = DocumentWatch([page.frames.main])
        await page.run_unless_blocked(watch.start_counting())
        await page.run_unless_blocked(watch.wait_for_change(min(deadline - now(), _LOOK_AGAIN)))
        taken = await page.run_unless_blocked(
            _capture(page, page.frames.main, None, all_refs, boxes)
        )
    return taken


async def _is_loading(page: PageServices) -> bool:
    try:
        state = await page.call_inpage(page.frames.main, "loadingNow")
    except DocumentGone:
        return True  # the next document is on its way
    return state is None or state["isLoading"]


async def _capture(
    page: PageServices, top: Frame, number: int | None, all_refs: bool, boxes: bool
) -> Capture:
    def walked(frame: Frame) -> WalkedFrame:
        return WalkedFrame(frame, page.frames, page.refs, page.context_number, page.page_number)

    below = [walked(frame) for frame in page.frames if frame.is_descendant_of(top)]
    return await capture(walked(top), below, root=number, all_refs=all_refs, boxes=boxes)
