"""What the mouse does to elements."""

from __future__ import annotations

from collections.abc import Iterable

from viewpoint_mcp.input.keys import modifier_mask
from viewpoint_mcp.input.mouse import Button
from viewpoint_mcp.page.elements import Element


async def click(
    element: Element, *, button: Button = "left", count: int = 1, modifiers: Iterable[str] = ()
) -> None:
    """Bring the element into view and click it where a person could.

    Args:
        count: 2 for a double click.
        modifiers: Keys held meanwhile, by their names ("Control").

    Raises:
        ElementError: It cannot be clicked; the message names the cause.
    """
    page = element.page
    held = modifier_mask(modifiers)

    async def press(x: float, y: float) -> None:
        await page.acts.begin(element.frame)
        await page.acts.do(page.mouse.click(x, y, button=button, count=count, modifiers=held))

    await element.hit(press)
