"""Resizing of the viewport as an action, whose consequences settling waits for."""

from __future__ import annotations

from contextlib import suppress

from viewpoint_mcp.page.emulation.emulation import PageEmulation
from viewpoint_mcp.page.services import DocumentReplacedError, PageServices


async def resize_viewport(
    page: PageServices, emulation: PageEmulation, width: int, height: int
) -> None:
    """Set the size of the viewport, and wait until the page received the resize event.

    Args:
        width: CSS pixels.
        height: CSS pixels.

    Raises:
        PageError: The page is blocked, or does not answer.
    """
    await page.current_action.record_state_before_events()
    await page.run_unless_blocked(emulation.resize_viewport(width, height))
    # Chromium sends the event with the next frame.
    with suppress(DocumentReplacedError):
        await page.current_action.perform_until_dialog(
            page.call_inpage(page.frames.main, "nextFrame")
        )
