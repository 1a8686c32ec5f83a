"""What the mouse does to elements, dragging apart: see `drags`."""

from __future__ import annotations

from collections.abc import Iterable

from viewpoint_mcp.accessibility.refs import Ref
from viewpoint_mcp.errors import Covered, Disabled, ElementError, NotVisible
from viewpoint_mcp.input.keys import modifier_mask
from viewpoint_mcp.input.mouse import Button
from viewpoint_mcp.page.elements import Element
from viewpoint_mcp.page.holding import rest
from viewpoint_mcp.page.refusals import refuse_held


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
    refuse_held(page)
    held = modifier_mask(modifiers)

    async def press(x: float, y: float) -> None:
        await page.acts.begin(element.frame)
        await page.acts.do(page.mouse.click(x, y, button=button, count=count, modifiers=held))

    try:
        await element.hit(press)
    except (Covered, Disabled, NotVisible) as error:
        label = await _label_of(element, error)
        await label.hit(press)


async def hover(element: Element) -> None:
    """Bring the element into view and rest the mouse on it; it stays there until the next act.

    Raises:
        ElementError: It cannot be pointed at; the message names the cause.
    """
    # Why something is disabled is often told by its tooltip.
    x, y = await element.point(even_disabled=True)
    page = element.page
    await page.acts.begin(element.frame)
    await page.acts.do(rest(page, x, y))


async def scroll_into_view(element: Element) -> None:
    """Scroll the element to the centre of the viewport, through all that scrolls around it.

    Raises:
        ElementError: It is not drawn, or nothing scrolls it there.
    """
    page = element.page
    await page.acts.begin(element.frame)
    await page.acts.do(element.prepare("centre"))


async def _label_of(element: Element, error: ElementError) -> Element:
    """Return what works a checkbox or radio button that is hidden behind a styled label.

    Raises:
        ElementError: There is none; why the element itself cannot be clicked.
    """
    page, frame, ref = element.page, element.frame, element.ref
    found = await page.call(frame, "labelFor", ref.element)
    if found is not None:
        label = Ref(ref.context, ref.page, ref.frame, found["number"])
        return Element(page, frame, label, None)
    raise error
