"""Search for the elements of a Playwright locator in the frames of a page."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

from viewpoint_mcp.accessibility.search.playwright_locator import ENTER_FRAME, Step
from viewpoint_mcp.errors import PageError
from viewpoint_mcp.page.frames import Frame

if TYPE_CHECKING:
    from viewpoint_mcp.page.services import PageServices

_CHILD_FRAME_TIMEOUT: Final = 1.0  # seconds for a search in a frame below the main frame


async def locate(page: PageServices, steps: Sequence[Step]) -> tuple[Frame, dict[str, Any]]:
    """Return a frame, and the answer of `locate` of `inpage` in it.

    The steps before the first iframe are performed in the first frame where they match, those after
    it in the frame that the iframe shows. If an iframe cannot be entered, the answer is about the
    iframe.
    """
    first, *inner = _split_at_frames(steps)
    frame, answer = await _locate_in_any_frame(page, first)
    for part in inner:
        if "number" not in answer:
            return frame, answer
        child = await _find_child_frame(page, frame, answer["number"])
        if child is None:
            return frame, {"matches": 0}
        frame, answer = child, await page.call_inpage(child, "locate", part)
    return frame, answer


async def _locate_in_any_frame(
    page: PageServices, steps: Sequence[Step]
) -> tuple[Frame, dict[str, Any]]:
    main = page.frames.main
    answer: dict[str, Any] = await page.call_inpage(main, "locate", steps)
    for frame in page.frames if answer.get("matches") == 0 else ():
        if frame is not main:
            with suppress(PageError):
                found = await page.call_inpage(frame, "locate", steps, timeout=_CHILD_FRAME_TIMEOUT)
                if found.get("matches") != 0:
                    return frame, found
    return main, answer


async def _find_child_frame(page: PageServices, frame: Frame, number: int) -> Frame | None:
    """Return the frame that an iframe shows; None if the element shows none.

    Source: CDP `DOM.describeNode`.
    """
    world = await page.run_unless_blocked(frame.world())
    object_id = await page.run_unless_blocked(world.get_element_object_id(number))
    if object_id is None:
        return None
    described = await page.run_unless_blocked(frame.session.DOM.describeNode(objectId=object_id))
    return page.frames.get(described["node"].get("frameId", ""))


def _split_at_frames(steps: Sequence[Step]) -> list[list[Step]]:
    """Return the steps before the first iframe, those up to the next one, and so on."""
    parts: list[list[Step]] = [[]]
    for step in steps:
        if step == ENTER_FRAME:
            parts.append([])
        else:
            parts[-1].append(step)
    return parts
