"""Mouse actions on elements, except dragging (see `drag`)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Literal

from viewpoint_mcp.accessibility.refs import describe_element
from viewpoint_mcp.errors import (
    ElementCoveredError,
    ElementDisabledError,
    ElementError,
    ElementNotVisibleError,
)
from viewpoint_mcp.input.keys import modifier_mask
from viewpoint_mcp.input.mouse import Button
from viewpoint_mcp.page.actions.held_buttons import rest
from viewpoint_mcp.page.actions.hit.hit_test import body_in
from viewpoint_mcp.page.actions.refusals import refuse_held
from viewpoint_mcp.page.frames import Frame

if TYPE_CHECKING:
    from viewpoint_mcp.page.actions.element import Element

ScrollTo = Literal["up", "down", "left", "right", "top", "bottom"]
_ENDS: dict[ScrollTo, str] = {
    **dict.fromkeys(("up", "top"), "the top"),
    **dict.fromkeys(("down", "bottom"), "the bottom"),
    "left": "the left end",
    "right": "the right end",
}


async def click(
    element: Element, *, button: Button = "left", count: int = 1, modifiers: Iterable[str] = ()
) -> None:
    """Scroll the element into view and click it.

    If a checkbox or radio button cannot be clicked, its label is clicked instead.

    Args:
        count: 2 for a double click.
        modifiers: Names of the modifier keys to hold ("Control").

    Raises:
        CallError: A mouse button is down, or a name is not a modifier.
        ElementError: The element cannot be clicked; the message names the cause.
    """
    page = element.page
    refuse_held(page)
    held = modifier_mask(modifiers)

    async def press(x: float, y: float) -> None:
        await page.current_action.record_state(element.frame)
        await page.current_action.perform(
            page.mouse.click(x, y, button=button, count=count, modifiers=held)
        )

    try:
        await element.hit(press)
    except (ElementCoveredError, ElementDisabledError, ElementNotVisibleError) as error:
        label = await _label_of(element, error)
        await label.hit(press)


async def hover(element: Element) -> None:
    """Scroll the element into view and rest the mouse on it until the next mouse action.

    Raises:
        ElementError: The mouse cannot reach the element; the message names the cause.
    """
    # The tooltip of a disabled element often explains why it is disabled.
    x, y = await element.wait_for_hit_point(even_disabled=True)
    page = element.page
    await page.current_action.record_state(element.frame)
    await page.current_action.perform(rest(page, x, y))


async def scroll_into_view(element: Element) -> None:
    """Scroll the element to the centre of the viewport, in all scroll containers around it.

    Raises:
        ElementError: The element is not drawn, or cannot be scrolled into view.
    """
    page = element.page
    await page.current_action.record_state(element.frame)
    await page.current_action.perform(element.prepare("centre"))


async def scroll_inside(element: Element, to: ScrollTo) -> str:
    """Scroll the element, else the largest scroll container in it, else the closest around it.

    Args:
        to: "up", "down", "left" or "right" for one page; "top" or "bottom" for an end.

    Returns:
        A sentence with the scrolled element, the distance, and the rest.

    Raises:
        ElementError: Nothing scrolls there in that direction.
    """
    page, label = element.page, element.label
    if (inner := await body_in(element)) is not None:
        element = inner
    await page.current_action.record_state(element.frame)
    done = await page.current_action.perform(element.prepare("scrollInside", {"to": to}))
    if done is None:
        return f"Scrolled in {label}"  # a dialog opened meanwhile
    if "refused" in done:
        way = "sideways" if to in ("left", "right") else "up or down"
        raise ElementError(
            f"Nothing scrolls {way} in {element.label}.",
            "If it moves its content itself, as code editors do, click into it and use "
            "browser_press_key with PageDown, PageUp, ArrowRight or Control+End.",
        )
    what, left = scroller_label(element.frame, done), round(done["rest"])
    by = round(abs(done["x"] or done["y"]))
    state = f"{left:,} px are left" if left else f"it is at {_ENDS[to]}"
    return f"Scrolled {what} by {by:,} px; {state}"


def scroller_label(frame: Frame, moved: dict[str, Any]) -> str:
    """Return the name of the scrolled element for a reply.

    Args:
        moved: The answer of `scrolledSince` or `scrollInside` of `inpage` in that frame.
    """
    what = "the page" if frame.parent is None else "the frame"
    if "by" in moved:
        what = describe_element(moved["by"]["role"], moved["by"]["name"])
    return f"a part of {what}" if moved.get("isPart") else what


async def _label_of(element: Element, error: ElementError) -> Element:
    """Return the label that controls a checkbox or radio button hidden by styles.

    Raises:
        ElementError: The element has no such label; this is `error`.
    """
    page, frame = element.page, element.frame
    found = await page.call_inpage(frame, "labelFor", element.ref.element)
    if found is not None:
        return page.elements.get_by_number(frame, found["number"])
    raise error
