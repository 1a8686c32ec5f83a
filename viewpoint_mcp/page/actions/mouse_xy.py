"""Mouse actions at points of the viewport, for agents that work with screenshots.

Each action hit-tests its point first and reports the element there. It does not check whether the
element is actionable, because an agent that passes coordinates means that point.
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
from viewpoint_mcp.page.services import PageServices

_MOST_TURNED = 1_000_000
"""Maximum pixels of one turn. After a turn without a limit, the page does not answer the next one.
"""


class PageMouse:
    """The mouse of one page, moved to points of the viewport."""

    def __init__(self, page: PageServices) -> None:
        self._page = page

    @property
    def position(self) -> Point:
        """The mouse position in CSS pixels from the upper left corner of the viewport."""
        return self._page.mouse.x, self._page.mouse.y

    async def click(
        self, x: float, y: float, *, button: Button = "left", count: int = 1, delay: float = 0.0
    ) -> Spot:
        """Click at a point; return the element that was there before the click.

        Args:
            count: 2 for a double click.
            delay: Seconds that the button stays down.

        Raises:
            CallError: The point is outside the viewport, or a button is already down.
        """
        refuse_held(self._page)
        point = (x, y)
        spot = await spot_at(self._page, point)
        await self._page.current_action.record_state(spot.frame)
        if delay:
            await self._page.current_action.perform(
                _click_slowly(self._page, point, button, count, delay)
            )
        else:
            await self._page.current_action.perform(
                self._page.mouse.click(*point, button=button, count=count)
            )
        return spot

    async def move(self, x: float, y: float) -> Spot:
        """Move the mouse to a point, with the buttons it holds; return the element there.

        Raises:
            CallError: The point is outside the viewport.
        """
        spot = await spot_at(self._page, (x, y))
        await self._page.current_action.record_state(spot.frame)
        await self._page.current_action.perform(rest(self._page, x, y))
        return spot

    async def drag(self, start: Point, end: Point) -> tuple[Spot, Spot]:
        """Press the left button at one point and release it at another.

        Returns:
            The elements at both points before the drag.

        Raises:
            CallError: A point is outside the viewport, both are the same, or a button is down.
            PageError: The page started a drag and did not accept the drop.
        """
        refuse_held(self._page)
        if start == end:
            raise CallError(
                f"The drag ends where it starts, at {written(start)}.", "Give another end."
            )
        first, last = await spot_at(self._page, start), await spot_at(self._page, end)
        if not await drag_between(self._page, first, start, last, end):
            raise PageError(
                f"{last.label or 'What lies there'} at {written(end)} did not take "
                f"{first.label or 'what was dragged'}: the page accepts no such drop there.",
                "Nothing was moved. Take a screenshot to see where else it may be dropped.",
            )
        return first, last

    async def down(self, button: Button) -> Spot:
        """Press a button at the mouse position and hold it; return the element there.

        Raises:
            CallError: The button is already down, or the mouse is outside the viewport.
        """
        if self._page.held_buttons is not None and button in self._page.held_buttons.buttons:
            raise CallError(
                f"The {button} button of the mouse is down already.",
                "Use browser_mouse_up to let go of it.",
            )
        spot = await spot_at(self._page, self.position)
        await self._page.current_action.record_state(spot.frame)
        holding = self._page.held_buttons
        if holding is not None:
            await holding.press(button)
            return spot
        self._page.held_buttons = holding = HeldButtons(self._page, spot.frame)
        try:
            await holding.begin(button, spot.number)
        except BaseException:
            holding.drop()
            raise
        if self._page.held_buttons is not holding:
            holding.drop()  # The press may have reached the next document.
        return spot

    async def up(self, button: Button) -> tuple[Spot, bool]:
        """Release a button at the mouse position.

        Returns:
            The element there, and whether the page started a drag and did not accept the drop.

        Raises:
            CallError: The button is not down.
        """
        holding = self._page.held_buttons
        if holding is None or button not in holding.buttons:
            raise CallError(
                f"The {button} button of the mouse is not down.",
                "Use browser_mouse_down to press it.",
            )
        try:
            spot = await spot_at(self._page, self.position)
        except CallError:  # The viewport has become smaller.
            spot = Spot(self.position, self._page.frames.main)
        await self._page.current_action.record_state(spot.frame)
        try:
            await holding.release(button, spot.frame)
        except BaseException:
            holding.drop()
            raise
        is_over = self._page.held_buttons is holding and not holding.buttons
        return spot, is_over and await holding.end()

    async def wheel(self, delta_x: float, delta_y: float) -> str:
        """Turn the wheel at the mouse position.

        Args:
            delta_x: Pixels to scroll to the right.
            delta_y: Pixels to scroll down.

        Returns:
            A sentence about the turn, with the scrolled element and the distance if they are known.

        Raises:
            CallError: Both deltas are 0, a delta is too large, or the mouse is outside the viewport
                because the viewport has become smaller.
        """
        delta = (delta_x, delta_y)
        if not any(delta):
            raise CallError("The wheel is not turned.", "Give deltaX or deltaY.")
        if max(abs(delta_x), abs(delta_y)) > _MOST_TURNED:
            raise CallError(
                f"The wheel cannot be turned by {written(delta)}: at most {_MOST_TURNED:,} pixels.",
                "Turn it several times.",
            )
        spot = await spot_at(self._page, self.position)
        for frame, number in spot.path:
            await self._page.call_inpage(frame, "noteScroll", number)
        await self._page.current_action.record_state(spot.frame)
        await self._page.current_action.perform(self._page.mouse.wheel(delta_x, delta_y))
        turned = f"Turned the wheel by {written(delta)} at {written(self.position)}"
        answers = await asyncio.gather(
            *(_scrolled(self._page, frame, delta) for frame, _ in spot.path)
        )
        if scrolled := next(filter(None, answers), ""):
            return f"{turned}: {scrolled}"
        return turned if None in answers else f"{turned}: nothing has scrolled so far"


async def _scrolled(page: PageServices, frame: Frame, delta: Point) -> str | None:
    """Return the scrolled element and the distance; "" for no scrolling, None if unknown."""
    try:
        return await page.current_action.query_document(partial(_ask_scrolled, page, frame, delta))
    except PageError:  # The frame shows another document now.
        return None


async def _ask_scrolled(page: PageServices, frame: Frame, delta: Point) -> str:
    moved = await page.call_inpage(frame, "scrolledSince", *delta)
    if moved is None:
        return ""
    return f"{scroller_label(frame, moved)} scrolled by ({round(moved['x'])}, {round(moved['y'])})"


async def _click_slowly(
    page: PageServices, point: Point, button: Button, count: int, delay: float
) -> None:
    mouse = page.mouse
    await mouse.move(*point)
    try:
        for number in range(1, count + 1):
            await mouse.down(button=button, count=number)
            await asyncio.sleep(delay)
            await mouse.up(button=button, count=number)
    finally:
        mouse.let_go()
