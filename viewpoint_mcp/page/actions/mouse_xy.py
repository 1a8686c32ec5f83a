"""Mouse actions at points of the viewport, for agents that work with screenshots.

Each action hit-tests its point first and reports the element there. It does not check whether the
element is actionable, because an agent that passes coordinates means that point.
"""

from __future__ import annotations

import asyncio
from functools import partial

from viewpoint_mcp.errors import CallError, PageError
from viewpoint_mcp.input.mouse import Button
from viewpoint_mcp.page.actions.actionability_errors import refuse_if_button_down
from viewpoint_mcp.page.actions.drag import DropOutcome, describe_drag, drag_between_points
from viewpoint_mcp.page.actions.held_buttons import HeldButtons, move_mouse
from viewpoint_mcp.page.actions.hit.hit_test import HitTarget, Point, find_hit_target, format_point
from viewpoint_mcp.page.actions.mouse import describe_scroller
from viewpoint_mcp.page.frames import Frame
from viewpoint_mcp.page.reply_note import ReplyNote
from viewpoint_mcp.page.services import PageServices

_MAX_DELTA = 1_000_000
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
    ) -> HitTarget:
        """Click at a point; return the element that was there before the click.

        Args:
            count: 2 for a double click.
            delay: Seconds that the button stays down.

        Raises:
            CallError: The point is outside the viewport, or a button is already down.
        """
        refuse_if_button_down(self._page)
        point = (x, y)
        target = await find_hit_target(self._page, point)
        await self._page.current_action.record_state_before_events(target.frame)
        if delay:
            await self._page.current_action.perform_until_dialog(
                _click_slowly(self._page, point, button, count, delay)
            )
        else:
            await self._page.current_action.perform_until_dialog(
                self._page.mouse.click(*point, button=button, click_count=count)
            )
        return target

    async def move(self, x: float, y: float) -> HitTarget:
        """Move the mouse to a point, with the buttons it holds; return the element there.

        Raises:
            CallError: The point is outside the viewport.
        """
        target = await find_hit_target(self._page, (x, y))
        await self._page.current_action.record_state_before_events(target.frame)
        await self._page.current_action.perform_until_dialog(move_mouse(self._page, x, y))
        return target

    async def drag(self, start: Point, end: Point) -> tuple[HitTarget, HitTarget, DropOutcome]:
        """Press the left button at one point and release it at another.

        Returns:
            The elements at both points before the drag, and the end of the drag.

        Raises:
            CallError: A point is outside the viewport, both are the same, or a button is down.
            PageError: The page started a drag and did not accept the drop.
        """
        refuse_if_button_down(self._page)
        if start == end:
            raise CallError(
                f"The drag ends where it starts, at {format_point(start)}.",
                "Pass another end point.",
            )
        start_target, end_target = (
            await find_hit_target(self._page, start),
            await find_hit_target(self._page, end),
        )
        outcome = await drag_between_points(self._page, start_target, start, end_target, end)
        if outcome.is_refused:
            raise PageError(
                f"{end_target.label or 'The page'} at {format_point(end)} did not accept the drop "
                f"of {start_target.label or 'the dragged content'}.",
                "Nothing moved. Take a screenshot to find another target.",
            )
        return start_target, end_target, outcome

    async def describe_drag(self, start: HitTarget, outcome: DropOutcome) -> ReplyNote:
        """Return what a drag did; see `drag.describe_drag`."""
        return await describe_drag(self._page, start.frame, outcome)

    async def down(self, button: Button) -> HitTarget:
        """Press a button at the mouse position and hold it; return the element there.

        Raises:
            CallError: The button is already down, or the mouse is outside the viewport.
        """
        if self._page.held_buttons is not None and button in self._page.held_buttons.buttons:
            raise CallError(
                f"The {button} mouse button is already down.",
                "Use browser_mouse_up to release it.",
            )
        target = await find_hit_target(self._page, self.position)
        await self._page.current_action.record_state_before_events(target.frame)
        held_buttons = self._page.held_buttons
        if held_buttons is not None:
            await held_buttons.press_additional_button(button)
            return target
        self._page.held_buttons = held_buttons = HeldButtons(self._page, target.frame)
        try:
            await held_buttons.press_first(button, target.element_number)
        except BaseException:
            held_buttons.release_all()
            raise
        if self._page.held_buttons is not held_buttons:
            held_buttons.release_all()  # The press may have reached the next document.
        return target

    async def up(self, button: Button) -> tuple[HitTarget, DropOutcome]:
        """Release a button at the mouse position.

        Returns:
            The element there, and the end of the drag.

        Raises:
            CallError: The button is not down.
        """
        held_buttons = self._page.held_buttons
        if held_buttons is None or button not in held_buttons.buttons:
            raise CallError(
                f"The {button} mouse button is not down.",
                "Use browser_mouse_down to press it.",
            )
        try:
            target = await find_hit_target(self._page, self.position)
        except CallError:  # The viewport has become smaller.
            target = HitTarget(self.position, self._page.frames.main)
        await self._page.current_action.record_state_before_events(target.frame)
        try:
            await held_buttons.release_button(button, target.frame)
        except BaseException:
            held_buttons.release_all()
            raise
        is_over = self._page.held_buttons is held_buttons and not held_buttons.buttons
        outcome = await held_buttons.finish_hold() if is_over else DropOutcome.NO_NATIVE_DRAG
        return target, outcome

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
            raise CallError("Both deltas are 0.", "Pass deltaX or deltaY.")
        if max(abs(delta_x), abs(delta_y)) > _MAX_DELTA:
            raise CallError(
                f"The wheel cannot turn by {format_point(delta)}: at most {_MAX_DELTA:,} px.",
                "Turn it several times.",
            )
        target = await find_hit_target(self._page, self.position)
        for frame, number in target.frame_path:
            await self._page.call_inpage(frame, "noteScroll", number)
        await self._page.current_action.record_state_before_events(target.frame)
        await self._page.current_action.perform_until_dialog(
            self._page.mouse.wheel(delta_x, delta_y)
        )
        sentence = f"Turned the wheel by {format_point(delta)} at {format_point(self.position)}"
        answers = await asyncio.gather(
            *(
                _describe_scrolling_if_known(self._page, frame, delta)
                for frame, _ in target.frame_path
            )
        )
        if scrolled := next(filter(None, answers), ""):
            return f"{sentence}: {scrolled}"
        return sentence if None in answers else f"{sentence}: nothing has scrolled so far"


async def _describe_scrolling_if_known(
    page: PageServices, frame: Frame, delta: Point
) -> str | None:
    """Return the scrolled element and the distance; "" for no scrolling, None if unknown."""
    try:
        return await page.current_action.query_document_unless_navigating(
            partial(_query_scrolling_description, page, frame, delta)
        )
    except PageError:  # The frame shows another document now.
        return None


async def _query_scrolling_description(page: PageServices, frame: Frame, delta: Point) -> str:
    moved = await page.call_inpage(frame, "scrolledSince", *delta)
    if moved is None:
        return ""
    return (
        f"{describe_scroller(frame, moved)} scrolled by ({round(moved['x'])}, {round(moved['y'])})"
    )


async def _click_slowly(
    page: PageServices, point: Point, button: Button, count: int, delay: float
) -> None:
    mouse = page.mouse
    await mouse.move(*point)
    try:
        for number in range(1, count + 1):
            await mouse.down(button=button, click_count=number)
            await asyncio.sleep(delay)
            await mouse.up(button=button, click_count=number)
    finally:
        mouse.release_all()
