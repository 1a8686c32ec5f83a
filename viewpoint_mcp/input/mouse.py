"""The mouse of one page: position, buttons, wheel. Coordinates are CSS pixels of the viewport.

Every method may be cancelled while a dialog that a handler opened delays the answer; see
`dispatch`. Events that have started are completed, so no button stays down after a click.
"""

from __future__ import annotations

import asyncio
from typing import Literal

from viewpoint_mcp.input.dispatch import CdpSender, Event, EventDispatcher
from viewpoint_mcp.input.keys import Modifier

Button = Literal["left", "right", "middle", "back", "forward"]

_BUTTON_BITS: dict[Button, int] = {"left": 1, "right": 2, "middle": 4, "back": 8, "forward": 16}
_METHOD = "Input.dispatchMouseEvent"


class Mouse:
    """The pointer of one page's target.

    Args:
        session: CDP session of the page's target.

    Attributes:
        dispatcher: Sends the mouse events.
        drag_end_task: Task that ends the last drag; the next drag starts after it.
        x: Position of the pointer, in pixels from the left of the viewport.
        y: Position of the pointer, in pixels from the top of the viewport.
    """

    def __init__(self, session: CdpSender) -> None:
        self.dispatcher = EventDispatcher(session)
        self._pressed: list[Button] = []
        self.drag_end_task: asyncio.Task[None] | None = None
        self.x = 0.0
        self.y = 0.0

    async def move(
        self, x: float, y: float, *, steps: int = 1, modifiers: Modifier = Modifier.NONE
    ) -> None:
        """Move the pointer on a straight line.

        Each step waits for the answer to the step before. Chromium merges moves that wait together
        into one event, but a page needs all of them to recognise a drag.

        Args:
            x: Pixels from the left of the viewport.
            y: Pixels from its top.
            steps: Number of events; the last one is at the point.
            modifiers: Modifier keys to hold.
        """
        from_x, from_y = self.x, self.y
        for step in range(1, steps + 1):
            share = step / steps
            event = self._make_move(
                from_x + (x - from_x) * share, from_y + (y - from_y) * share, modifiers
            )
            await self.dispatcher.send(event)

    async def click(
        self,
        x: float,
        y: float,
        *,
        button: Button = "left",
        click_count: int = 1,
        modifiers: Modifier = Modifier.NONE,
    ) -> None:
        """Move to a point and click, with all events written together.

        Args:
            x: Pixels from the left of the viewport.
            y: Pixels from its top.
            button: The button to click.
            click_count: 1 for a click, 2 for a double click (clicks number 1 and 2), and so on.
            modifiers: Modifier keys to hold.
        """
        events = [self._make_move(x, y, modifiers)]
        for number in range(1, click_count + 1):
            events.append(self._make_press(button, number, modifiers))
            events.append(self._make_release(button, number, modifiers))
        await self.dispatcher.send(*events)

    async def down(
        self, *, button: Button = "left", click_count: int = 1, modifiers: Modifier = Modifier.NONE
    ) -> None:
        """Press a button at the pointer position, and hold it.

        Args:
            button: The button to press.
            click_count: Number of the click in a series; 2 for the second click of a double click.
            modifiers: Modifier keys to hold.
        """
        await self.dispatcher.send(self._make_press(button, click_count, modifiers))

    async def up(
        self, *, button: Button = "left", click_count: int = 1, modifiers: Modifier = Modifier.NONE
    ) -> None:
        """Release a button at the pointer position.

        Args:
            button: The button to release.
            click_count: Number of the click in a series, as passed to `down`.
            modifiers: Modifier keys to hold.
        """
        await self.dispatcher.send(self._make_release(button, click_count, modifiers))

    async def hover_with_small_final_move(self, x: float, y: float) -> None:
        """Move the pointer to a point, with a last small move inside the element that it entered.

        A hand causes such a move, too, when the pointer stops.

        Args:
            x: Pixels from the left of the viewport.
            y: Pixels from its top.
        """
        # Jump to the neighbouring pixel. On a line, the pointer could pass elements that open or
        # close a menu.
        await self.move(x - 1, y)
        await self.move(x, y)

    def release_all(self) -> list[asyncio.Task[object]]:
        """Release all held buttons in the background, so that a cancelled action can do it, too.

        Returns:
            The calls, which the caller does not have to await.
        """
        buttons = list(self._pressed)
        return self.dispatcher.send_in_background(
            *(self._make_release(button, 1, Modifier.NONE) for button in buttons)
        )

    async def wheel(
        self, delta_x: float, delta_y: float, *, modifiers: Modifier = Modifier.NONE
    ) -> None:
        """Turn the wheel at the pointer position.

        Args:
            delta_x: Pixels to scroll to the right.
            delta_y: Pixels to scroll down.
            modifiers: Modifier keys to hold.
        """
        event = self._make_event("mouseWheel", modifiers, deltaX=delta_x, deltaY=delta_y)
        await self.dispatcher.send(event)

    async def cancel_unanswered_calls(self) -> None:
        """Cancel the unanswered calls of cancelled actions. Idempotent."""
        await self.dispatcher.close()

    def _make_move(self, x: float, y: float, modifiers: Modifier) -> Event:
        self.x, self.y = x, y
        # Chromium treats the move as a drag only if the event names the held button.
        button = self._pressed[-1] if self._pressed else "none"
        return self._make_event("mouseMoved", modifiers, button=button)

    def _make_press(self, button: Button, click_count: int, modifiers: Modifier) -> Event:
        if button not in self._pressed:
            self._pressed.append(button)
        return self._make_event("mousePressed", modifiers, button=button, clickCount=click_count)

    def _make_release(self, button: Button, click_count: int, modifiers: Modifier) -> Event:
        if button in self._pressed:
            self._pressed.remove(button)
        return self._make_event("mouseReleased", modifiers, button=button, clickCount=click_count)

    def _make_event(self, event_type: str, modifiers: Modifier, **details: object) -> Event:
        return _METHOD, {
            "type": event_type,
            "x": self.x,
            "y": self.y,
            "modifiers": int(modifiers),
            "buttons": sum(_BUTTON_BITS[button] for button in self._pressed),
            **details,
        }
