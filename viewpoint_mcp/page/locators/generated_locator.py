"""Generation of Playwright locators that find an element again, also after a reload."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from viewpoint_mcp.accessibility.search.locator_code import LocatorLanguage, render_locator
from viewpoint_mcp.accessibility.search.playwright_locator import ENTER_FRAME, Step
from viewpoint_mcp.errors import ElementError, PageError

if TYPE_CHECKING:
    from viewpoint_mcp.page.actions.element import Element
    from viewpoint_mcp.page.frames import Frame
    from viewpoint_mcp.page.services import PageServices


@dataclass(frozen=True, slots=True)
class GeneratedLocator:
    """A locator that only one element of the page matches, and facts about the element.

    Attributes:
        steps: The steps, as `parse_playwright_locator` returns them.
        is_closed: Whether the element is in a closed shadow root, which Playwright cannot reach.
        role: The role of the element.
        control: The kind of a form control: "select", "textarea", "input:date"; "" for others.
        has_list: Whether it is an input with a list of suggestions.
    """

    steps: Sequence[Step]
    is_closed: bool = False
    role: str = ""
    control: str = ""
    has_list: bool = False

    def render(self, language: LocatorLanguage = "typescript") -> str:
        """Return the locator as code, without the page before it."""
        return render_locator(self.steps, language)


async def generate_locator(
    page: PageServices, element: Element, *, uses_test_ids: bool = True
) -> GeneratedLocator:
    """Return a locator of the element, from the main frame through each iframe around it.

    Args:
        uses_test_ids: Whether test ids may find it. Otherwise only what a person sees does, or the
            markup.

    Raises:
        ElementError: The element is gone.
        PageError: Its frame has no iframe that a person sees.
    """
    await element.check_exists()
    test_ids = page.test_ids if uses_test_ids else ()
    answer = await _generate_in_frame(page, element.frame, element.ref.element, test_ids)
    steps, is_closed, frame = answer["steps"], answer["isClosed"], element.frame
    while frame.parent is not None:
        owner_number = await _find_owner_number(page, frame)
        owner = await _generate_in_frame(page, frame.parent, owner_number, page.test_ids)
        steps = [*owner["steps"], ENTER_FRAME, *steps]
        is_closed = is_closed or owner["isClosed"]
        frame = frame.parent
    return GeneratedLocator(
        steps, is_closed, answer["role"], answer["control"], has_list=answer["hasList"]
    )


async def _generate_in_frame(
    page: PageServices, frame: Frame, number: int, test_ids: Sequence[str]
) -> dict[str, Any]:
    answer: dict[str, Any] | None = await page.call_inpage(
        frame, "generateLocator", number, test_ids
    )
    if answer is None:
        raise ElementError("The element disappeared while its locator was generated.")
    return answer


async def _find_owner_number(page: PageServices, frame: Frame) -> int:
    """Return the number of the frame's iframe in the parent. A snapshot assigns it."""
    if frame.owner_number is None:
        from viewpoint_mcp.page.snapshot.page_snapshot import take_snapshot

        await take_snapshot(page, None)
    if frame.owner_number is None:
        raise PageError("The frame of the element is hidden, so that no locator can enter it.")
    return frame.owner_number
