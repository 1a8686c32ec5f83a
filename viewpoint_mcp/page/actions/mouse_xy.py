"""What the mouse does at points of the viewport, for agents that go by pictures of the page.

A point is looked at before the act, and what lies there is told. It is clicked whatever that is:
who gives coordinates means them.
"""

from __future__ import annotations

import asyncio
from functools import partial

from viewpoint_mcp.errors import CallError, PageError
from viewpoint_mcp.input.mouse import Button
from viewpoint_mcp.page.actions.drag import drag_between
from viewpoint_mcp.page.actions.held_buttons import HeldButtons, rest
from viewpoint_mcp.page.actions.hit.hit_test import Point, Spot, spot_at, written
from viewpoint_mcp.page.actions.mouse import scroller_label
from viewpoint_mcp.page.actions.refusals import refuse_held
from viewpoint_mcp.page.frames import Frame
from viewpoint_mcp.page.page import Page

_MOST_TURNED = 1_000_000
"""Pixels. A page that a wheel was turned on without bounds does not answer the next turn."""


async def click(page: Page, point: Point, *, button: Button, count: int, delay: float) -> Spot:
    """Click there.

    Args:
        count: 2 for a double click.
        delay: Seconds that the button stays down.

    Returns:
        What lay there before.

    Raises:
        CallError: The point is outside of the viewport, or a button is down already.
    """
    refuse_held(page)
    spot = await spot_at(page, point)
    await page.current_action.begin(spot.frame)
    if delay:
        await page.current_action.do(_click_slowly(page, point, button, count, delay))
    else:
        await page.current_action.do(page.mouse.click(*point, button=button, count=count))
    return spot


async def move(page: Page, point: Point) -> Spot:
    """Bring the mouse there, with what it holds; returns what lies there.

    Raises:
        CallError: The point is outside of the viewport.
    """
    spot = await spot_at(page, point)
    await page.current_action.begin(spot.frame)
    await page.current_action.do(rest(page, *point))
    return spot


async def drag(page: Page, start: Point, end: Point) -> tuple[Spot, Spot]:
    """Press the left button at one point and let go at another; returns what lay there.

    Raises:
        CallError: A point is outside of the viewport, they are the same, or a button is down.
        PageError: The page began to drag something and took no drop there.
    """
    refuse_held(page)
    if start == end:
        raise CallError(f"The drag ends where it starts, at {written(start)}.", "Give another end.")
    first, last = await spot_at(page, start), await spot_at(page, end)
    if not await drag_between(page, first, start, last, end):
        raise PageError(
            f"{last.label or 'What lies there'} at {written(end)} did not take "
            f"{first.label or 'what was dragged'}: the page accepts no such drop there.",
            "Nothing was moved. Take a screenshot to see where else it may be dropped.",
        )
    return first, last


async def down(page: Page, button: Button) -> Spot:
    """Press a button where the mouse is, and hold it; returns what lies there.

    Raises:
        CallError: It is down already.
    """
    if page.held_buttons is not None and button in page.held_buttons.buttons:
        raise CallError(
            f"The {button} button of the mouse is down already.",
            "Use browser_mouse_up to let go of it.",
        )
    spot = await spot_at(page, (page.mouse.x, page.mouse.y))
    await page.current_action.begin(spot.frame)
    holding = page.held_buttons
    if holding is not None:
        await holding.press(button)
        return spot
    page.held_buttons = holding = HeldButtons(page, spot.frame)
    try:
        await holding.begin(button, spot.number)
    except BaseException:
        holding.drop()
        raise
    if page.held_buttons is not holding:
        holding.drop()  # The press may have met the page that came.
    return spot


async def up(page: Page, button: Button) -> tuple[Spot | None, bool]:
    """Let go of a button where the mouse is.

    Returns:
        What lies there, and whether the page had begun to drag something and took no drop there.

    Raises:
        CallError: The button is not down.
    """
    holding = page.held_buttons
    if holding is None or button not in holding.buttons:
        raise CallError(
            f"The {button} button of the mouse is not down.", "Use browser_mouse_down to press it."
        )
    try:
        spot = await spot_at(page, (page.mouse.x, page.mouse.y))
    except CallError:  # The viewport is smaller now.
        spot = None
    frame = spot.frame if spot else page.frames.main
    await page.current_action.begin(frame)
    try:
        await holding.release(button, frame)
    except BaseException:
        holding.drop()
        raise
    is_over = page.held_buttons is holding and not holding.buttons
    return spot, is_over and await holding.end()


async def wheel(page: Page, delta_x: float, delta_y: float) -> str:
    """Turn the wheel where the mouse is.

    Args:
        delta_x: Pixels to scroll to the right.
        delta_y: Pixels to scroll down.

    Returns:
        What scrolled by how far; "" when nobody can tell.

    Raises:
        CallError: It is not turned, or too far; or the viewport has become too small for where the
            mouse is.
    """
    if not delta_x and not delta_y:
        raise CallError("The wheel is not turned.", "Give deltaX or deltaY.")
    if max(abs(delta_x), abs(delta_y)) > _MOST_TURNED:
        raise CallError(
            f"The wheel cannot be turned by {written((delta_x, delta_y))}: at most "
            f"{_MOST_TURNED:,} pixels.",
            "Turn it several times.",
        )
    spot = await spot_at(page, (page.mouse.x, page.mouse.y))
    for frame, number in spot.path:
        await page.call(frame, "noteScroll", number)
    await page.current_action.begin(spot.frame)
    await page.current_action.do(page.mouse.wheel(delta_x, delta_y))
    delta = (delta_x, delta_y)
    answers = await asyncio.gather(*(_scrolled(page, frame, delta) for frame, _ in spot.path))
    told = [answer for answer in answers if answer is not None]
    return next(
        filter(None, told), "nothing has scrolled so far" if len(told) == len(answers) else ""
    )


async def _scrolled(page: Page, frame: Frame, delta: Point) -> str | None:
    """Return what scrolled in the frame by how far, "" for nothing; None when nobody can tell."""
    try:
        return await page.current_action.ask(partial(_ask_scrolled, page, frame, delta))
    except PageError:  # Another document is there now.
        return None


async def _ask_scrolled(page: Page, frame: Frame, delta: Point) -> str:
    moved = await page.call(frame, "scrolledSince", *delta)
    if moved is None:
        return ""
    return f"{scroller_label(frame, moved)} scrolled by ({round(moved['x'])}, {round(moved['y'])})"


async def _click_slowly(page: Page, point: Point, button: Button, count: int, delay: float) -> None:
    mouse = page.mouse
    await mouse.move(*point)
    try:
        for number in range(1, count + 1):
            await mouse.down(button=button, count=number)
            await asyncio.sleep(delay)
            await mouse.up(button=button, count=number)
    finally:
        mouse.let_go()
