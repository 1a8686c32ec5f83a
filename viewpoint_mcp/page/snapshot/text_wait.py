"""Waiting for a text to appear on a page, or to disappear."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from viewpoint_mcp.errors import TAKE_NEW_SNAPSHOT, PageTimeoutError
from viewpoint_mcp.page.frames import Frame
from viewpoint_mcp.page.isolated_world import WorldGoneError
from viewpoint_mcp.page.settle.document_watch import DocumentWatch
from viewpoint_mcp.page.snapshot.walked_frame import has_text

if TYPE_CHECKING:
    from viewpoint_mcp.page.services import PageServices

_CHECK_INTERVAL: Final = 0.25  # maximum seconds between two checks
_CALL_MARGIN: Final = 5.0  # seconds added to the limit of an action


async def wait_for_text(page: PageServices, text: str, timeout: float, *, until_gone: bool) -> None:
    """Wait until a frame shows the text, or with `until_gone` until no frame shows it.

    Args:
        timeout: Seconds.

    Raises:
        PageTimeoutError: The text did not appear or disappear within the limit.
    """
    deadline = asyncio.get_running_loop().time() + timeout
    while await _is_on_page(page, text) == until_gone:
        seconds_left = deadline - asyncio.get_running_loop().time()
        if seconds_left <= 0:
            state = "still on the page" if until_gone else "not on the page"
            raise PageTimeoutError(
                f'"{text}" is {state} after {timeout:g} s.',
                TAKE_NEW_SNAPSHOT,
            )
        # Styles and media queries can show and hide text without a change of the document, so
        # check again soon.
        watch = DocumentWatch([page.frames.main])
        await page.run_unless_blocked(watch.start_counting())
        await page.run_unless_blocked(watch.wait_for_change(min(seconds_left, _CHECK_INTERVAL)))


async def _is_on_page(page: PageServices, text: str) -> bool:
    answers = await asyncio.gather(*(_is_in_frame(page, frame, text) for frame in page.frames))
    return any(answers)


async def _is_in_frame(page: PageServices, frame: Frame, text: str) -> bool:
    try:
        limit = page.timeouts.action + _CALL_MARGIN
        return await page.run_unless_blocked(has_text(frame, text, timeout=limit))
    except WorldGoneError:
        return False
