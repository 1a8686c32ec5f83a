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
from viewpoint_mcp.page.actions.actionability_errors import refuse_if_button_down
from viewpoint_mcp.page.actions.held_buttons import move_mouse
from viewpoint_mcp.page.actions.hit.hit_test import find_frame_body
from viewpoint_mcp.page.frames import Frame
from viewpoint_mcp.page.reply_note import ReplyNote

if TYPE_CHECKING:
    from viewpoint_mcp.page.actions.element import Element

ScrollDirection = Literal["up", "down", "left", "right", "top", "bottom"]
_END_NAMES: dict[ScrollDirection, str] = {
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
    refuse_if_button_down(page)
    modifier_bits = modifier_mask(modifiers)

    async def press(x: float, y: float) -> None:
        await page.current_action.record_state_before_events(element.frame)
        await page.current_action.perform_until_dialog(
            page.mouse.click(x, y, button=button, click_count=count, modifiers=modifier_bits)
        )

    try:
        await element.press_and_confirm(press)
    except (ElementCoveredError, ElementDisabledError, ElementNotVisibleError) as error:
        label = await _find_label_to_click_instead(element, error)
        await label.press_and_confirm(press)


async def hover(element: Element) -> None:
    """Scroll the element into view and rest the mouse on it until the next mouse action.

    Raises:
        ElementError: The mouse cannot reach the element; the message names the cause.
    """
    # The tooltip of a disabled element often explains why it is disabled.
    x, y = await element.wait_for_hit_point(allow_disabled=True)
    page = element.page
    await page.current_action.record_state_before_events(element.frame)
    await page.current_action.perform_until_dialog(move_mouse(page, x, y))


async def scroll_into_view(element: Element) -> None:
    """Scroll the element to the centre of the viewport, in all scroll containers around it.

    Raises:
        ElementError: The element is not drawn, or cannot be scrolled into view.
    """
    page = element.page
    await page.current_action.record_state_before_events(element.frame)
    await page.current_action.perform_until_dialog(element.prepare_for_action("centre"))


async def scroll_content(element: Element, direction: ScrollDirection) -> ReplyNote:
    """Scroll the element, else the largest scroll container in it, else the closest around it.

    Args:
        direction: "up", "down", "left" or "right" for one page; "top" or "bottom" for an end.

    Returns:
        A sentence with the scrolled element, the distance, and the rest.

    Raises:
        ElementError: Nothing scrolls there in that direction.
    """
    page, label = element.page, element.label
    if (inner := await find_frame_body(element)) is not None:
        element = inner
    await page.current_action.record_state_before_events(element.frame)
    answer = await page.current_action.perform_until_dialog(
        element.prepare_for_action("scrollInside", {"to": direction})
    )
    if answer is None:
        return f"Scrolled in {label}"  # a dialog opened meanwhile
    if "refused" in answer:
        axis = "sideways" if direction in ("left", "right") else "up or down"
        raise ElementError(
            f"Nothing scrolls {axis} in {element.label}.",
            "If the page scrolls it by script, as code editors do, click it and use "
            "browser_press_key with PageDown, PageUp, ArrowRight or Control+End.",
        )
    scroller, remaining = describe_scroller(element.frame, answer), round(answer["rest"])
    distance = round(abs(answer["x"] or answer["y"]))
    state = f"{remaining:,} px are left" if remaining else f"it is at {_END_NAMES[direction]}"
    return f"Scrolled {scroller} by {distance:,} px; {state}"


def describe_scroller(frame: Frame, answer: dict[str, Any]) -> str:
    """Return the name of the scrolled element for a reply.

    Args:
        answer: The answer of `scrolledSince` or `scrollInside` of `inpage` in that frame.
    """
    name = "the page" if frame.parent is None else "the frame"
    if "by" in answer:
        name = describe_element(answer["by"]["role"], answer["by"]["name"])
    return f"a part of {name}" if answer.get("isPart") else name


async def _find_label_to_click_instead(element: Element, click_error: ElementError) -> Element:
    """Return the label that controls a checkbox or radio button hidden by styles.

    Raises:
        ElementError: The element has no such label; this is `click_error`.
    """
    page, frame = element.page, element.frame
    found = await page.call_inpage(frame, "labelFor", element.ref.element)
    if found is not None:
        return page.elements.get_by_number(frame, found["number"])
    raise click_error
