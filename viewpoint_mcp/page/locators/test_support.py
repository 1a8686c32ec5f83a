"""What a test of a page needs, as one interface for tools: locators, and verifications."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, TypeVar

from viewpoint_mcp.errors import VerificationError
from viewpoint_mcp.page.locators import generated_locator, verification
from viewpoint_mcp.page.locators.generated_locator import GeneratedLocator
from viewpoint_mcp.page.locators.verification import ControlType, VerifiedValue, VisibleMatch

if TYPE_CHECKING:
    from viewpoint_mcp.page.actions.element import Element
    from viewpoint_mcp.page.services import PageServices


T = TypeVar("T")


class TestSupport:
    """Generates locators for the elements of one page, and verifies what the page shows."""

    __test__ = False  # pytest collects classes by their names

    def __init__(self, page: PageServices) -> None:
        self._page = page

    async def generate_locator(
        self, element: Element, *, uses_test_ids: bool = True
    ) -> GeneratedLocator:
        """Return a locator of the element; see `generated_locator.generate_locator`."""
        return await generated_locator.generate_locator(
            self._page, element, uses_test_ids=uses_test_ids
        )

    async def verify_role(self, role: str, name: str) -> VisibleMatch:
        """Make sure that an element is visible; see `verification.verify_role`."""
        return await self._repeat(lambda: verification.verify_role(self._page, role, name))

    async def verify_text(self, text: str) -> VisibleMatch:
        """Make sure that a text is visible; see `verification.verify_text`."""
        return await self._repeat(lambda: verification.verify_text(self._page, text))

    async def verify_items(self, element: Element, items: Sequence[str]) -> list[str]:
        """Make sure that a list shows some items; see `verification.verify_items`."""
        return await self._repeat(lambda: verification.verify_items(self._page, element, items))

    async def verify_value(
        self, element: Element, control_type: ControlType, expected: str
    ) -> VerifiedValue:
        """Make sure that a control holds a value; see `verification.verify_value`."""
        return await self._repeat(
            lambda: verification.verify_value(self._page, element, control_type, expected)
        )

    async def _repeat(self, verify: Callable[[], Awaitable[T]]) -> T:
        """Repeat a verification until it holds, at most for the time limit of verifications."""
        elements, limit = self._page.elements, self._page.timeouts.expect
        if limit is None:
            return await verify()
        with elements.wait_for_missing(limit):
            while True:
                try:
                    return await verify()
                except VerificationError:
                    if not await elements.wait_for_change():
                        raise
