"""Selection of a given text in a field, in an editor, or in the text of a document."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from viewpoint_mcp.errors import (
    TAKE_NEW_SNAPSHOT,
    CallError,
    ElementDisabledError,
    ElementError,
    ElementNotVisibleError,
)
from viewpoint_mcp.page.actions.hit.hit_test import find_frame_body
from viewpoint_mcp.page.actions.hit.inpage_answers import InpageAnswer
from viewpoint_mcp.page.actions.text_input import quote

if TYPE_CHECKING:
    from viewpoint_mcp.page.actions.element import Element

_MAX_KEY_PRESSES: Final = 200  # presses of an arrow key in a field that scripts cannot select in


async def select_text(element: Element, text: str, occurrence: int | None = None) -> str:
    """Select a text that an element contains, and settle.

    A field or editor gets the focus, so that typing replaces the text.

    Args:
        occurrence: Number of the occurrence, from 1; None if the text must occur once.

    Returns:
        The sentence for the reply.

    Raises:
        CallError: The text does not occur, or several times, or not so often.
        ElementError: The element was removed, or text in it cannot be selected.
    """
    page = element.page
    async with page.settle_afterwards():
        await page.current_action.record_state_before_events(element.frame)
        options = {"text": text, "occurrence": occurrence}
        answer = await _call_select_text(element, options)
        if answer.get("refused") == "frame":
            body = await find_frame_body(element)
            if body is None:
                raise ElementError(f"{element.label} shows no text.", TAKE_NEW_SNAPSHOT)
            element, answer = body, await _call_select_text(body, options)
        match answer.get("kind"):
            case "keys":
                await _select_by_keys(element, answer["start"], answer["length"])
            case "mouse":
                await _select_by_mouse(element, answer)
    what = f"{len(text)} characters" if answer["isSecret"] else quote(text)
    return f"Selected {what} in {element.label}"


async def _call_select_text(element: Element, options: dict[str, Any]) -> InpageAnswer:
    answer = await element.check_inpage_answer(
        await element.page.call_inpage(
            element.frame, "selectText", element.ref.element, options, timeout=element.call_timeout
        )
    )
    if "matches" in answer:
        raise _mismatch_error(element, options["text"], options["occurrence"], answer)
    match answer.get("refused"):
        case "disabled":
            raise ElementDisabledError(f"{element.label} is disabled.", "Enable it first.")
        case "hidden":
            raise ElementNotVisibleError(f"{element.label} is not visible.", TAKE_NEW_SNAPSHOT)
        case "focus":
            raise ElementDisabledError(f"{element.label} did not get the focus.")
        case "value":
            raise ElementError(
                f"{element.label} has no text to select.",
                "Replace its value with browser_type and ref.",
            )
    return answer


def _mismatch_error(
    element: Element, text: str, occurrence: int | None, answer: InpageAnswer
) -> CallError:
    count, label = answer["matches"], element.label
    if answer["isSecret"]:
        content, what = f"it holds {answer['count']} characters", "the text"
    else:
        content, what = f"it contains {quote(answer['held'])}", quote(text)
    if count == 0:
        return CallError(
            f"{label} does not contain {what}; {content}.", "Pass a part of it; case matters."
        )
    if occurrence is None:
        return CallError(
            f"{label} contains {what} {count} times.",
            f"Pass a longer text, or occurrence (1 to {count}).",
        )
    times = "once" if count == 1 else f"{count} times"
    return CallError(f"{label} contains {what} {times}, so it has no occurrence {occurrence}.")


async def _select_by_keys(element: Element, start: int, length: int) -> None:
    """Select a part of a field whose whole content is selected, with arrow keys."""
    page = element.page
    if start + length > _MAX_KEY_PRESSES:
        raise ElementError(
            f"The text is too far from the beginning of {element.label}.",
            "Replace the whole content with browser_type and ref.",
        )
    keys = ["ArrowLeft", *["ArrowRight"] * start, *["Shift+ArrowRight"] * length]
    for key in keys:
        await page.current_action.perform_until_dialog(page.keyboard.press(key))


async def _select_by_mouse(element: Element, answer: InpageAnswer) -> None:
    """Drag the mouse over the text; if this does not select it exactly, let a script select it."""
    page, frame = element.page, element.frame
    if "from" in answer and frame.parent is None:
        await page.current_action.perform_until_dialog(_drag(element, answer["from"], answer["to"]))
    elif answer.get("isDrawnOnly"):
        raise ElementError(
            f"The text of {element.label} cannot be selected.",
            "Its editor draws the text, and the mouse does not reach it. Use browser_press_key.",
        )
    if page.blockers.dialog is None:
        await page.call_inpage(frame, "ensureTextSelected", element.ref.element)


async def _drag(element: Element, start: dict[str, float], end: dict[str, float]) -> None:
    mouse = element.page.mouse
    await mouse.move(start["x"], start["y"])
    try:
        await mouse.down()
        await mouse.move((start["x"] + end["x"]) / 2, (start["y"] + end["y"]) / 2)
        await mouse.move(end["x"], end["y"])
        await mouse.up()
    finally:
        mouse.release_all()
