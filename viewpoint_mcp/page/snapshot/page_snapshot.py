"""Snapshot of a page or of one element, with all frames below it."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from operator import attrgetter
from typing import TYPE_CHECKING, Final

from viewpoint_mcp.accessibility.capture_options import DEFAULT_OPTIONS, CaptureOptions
from viewpoint_mcp.accessibility.tree_capture import Capture, capture_tree
from viewpoint_mcp.page.frames import Frame
from viewpoint_mcp.page.services import DocumentReplacedError
from viewpoint_mcp.page.settle.document_watch import DocumentWatch
from viewpoint_mcp.page.snapshot.carried_refs import carry_over_refs
from viewpoint_mcp.page.snapshot.walked_frame import WalkedFrame

if TYPE_CHECKING:
    from viewpoint_mcp.page.actions.element import Element
    from viewpoint_mcp.page.services import PageServices

_CONTENT_TIMEOUT: Final = 2.0  # maximum seconds to wait for the first content of a loading document
_CHECK_INTERVAL: Final = 0.25  # maximum seconds between two checks


async def take_snapshot(
    page: PageServices, root: Element | None = None, options: CaptureOptions = DEFAULT_OPTIONS
) -> Capture:
    """Return the accessibility tree of the page, or of one element.

    A document that is still loading and has no content yet, such as the one of a new tab, gets up
    to 2 s to show its first content.

    Args:
        root: The element; None for the whole page.
        options: The options.

    Raises:
        StaleRefError: The ref of `root` no longer names its element.
        PageError: The page is interrupted, or does not answer.
    """
    top, root_number = page.frames.main, None
    if root is not None:
        await root.check_exists()
        top, root_number = root.frame, root.ref.element
    capture = await page.run_unless_blocked(_capture_frames(page, top, root_number, options))
    if capture.is_document_gone:
        # The document was replaced during the walk, so capture the next document instead.
        capture = await page.run_unless_blocked(
            _capture_frames(page, page.frames.main, None, options)
        )
    page.blockers.is_unresponsive = False
    if root is None and not capture.nodes:
        capture = await _wait_for_content(page, capture, options)
    if root is None:
        with suppress(DocumentReplacedError):
            await carry_over_refs(page, capture)
    return capture


async def _wait_for_content(
    page: PageServices, empty_capture: Capture, options: CaptureOptions
) -> Capture:
    """Return the first capture with content, or the last one when the document has loaded."""
    now = asyncio.get_running_loop().time
    deadline = now() + _CONTENT_TIMEOUT
    capture = empty_capture
    while not capture.nodes and now() < deadline and await _is_loading(page):
        watch = DocumentWatch([page.frames.main])
        await page.run_unless_blocked(watch.start_counting())
        await page.run_unless_blocked(watch.wait_for_change(min(deadline - now(), _CHECK_INTERVAL)))
        capture = await page.run_unless_blocked(
            _capture_frames(page, page.frames.main, None, options)
        )
    return capture


async def _is_loading(page: PageServices) -> bool:
    try:
        state = await page.call_inpage(page.frames.main, "loadingNow")
    except DocumentReplacedError:
        return True  # the next document is on its way
    return state is None or state["isLoading"]


async def _capture_frames(
    page: PageServices, top: Frame, root_number: int | None, options: CaptureOptions
) -> Capture:
    def to_walked_frame(frame: Frame) -> WalkedFrame:
        return WalkedFrame(frame, page.frames, page.refs, page.context_number, page.page_number)

    frames = sorted(top.list_descendants(), key=attrgetter("number"))
    descendants = list(map(to_walked_frame, frames))
    return await capture_tree(
        to_walked_frame(top), descendants, root_number=root_number, options=options
    )
