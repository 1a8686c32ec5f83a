"""The mouse of one page: a position, buttons, a wheel. Coordinates are CSS pixels of the viewport.

Every method may be cancelled while a dialog that a handler opened keeps the answer back; see
`dispatch`. What was begun is finished: no button stays down after a click.
"""

from __future__ import annotations

import asyncio
from typing import Literal

from viewpoint_mcp.input.dispatch import Dispatcher, Event, Sender
from viewpoint_mcp.input.keys import Modifier

Button = Literal["left", "right", "middle", "back", "forward"]

_BITS: dict[Button, int] = {"left": 1, "right": 2, "middle": 4, "back": 8, "forward": 16}
_METHOD = "Input.dispatchMouseEvent"


class Mouse:
    """The pointer of one page's target.

    Args:
        session: The session of the page's target.

    Attributes:
        dispatcher: Sends its events.
        winding_up: What the last drag still has to do; the next one begins after it.
        x: Where the pointer is, pixels from the left of the viewport.
        y: And from its top.
    """

    def __init__(self, session: Sender) -> None:
        self.dispatcher = Dispatcher(session)
        self._pressed: list[Button] = []
        self.winding_up: asyncio.Task[None] | None = None
        self.x = 0.0
        self.y = 0.0

    async def move(
        self, x: float, y: float, *, steps: int = 1, modifiers: Modifier = Modifier.NONE
    ) -> None:
        """Move the pointer, on a straight line.

        Each step waits for the answer to the one before: Chromium makes one event of moves that it
        finds waiting together, and a page that is to notice a drag needs them all.

        Args:
            x: Pixels from the left of the viewport.
            y: Pixels from its top.
            steps: Events on the way, the last one at the end.
            modifiers: Modifier keys held meanwhile.
        """
        from_x, from_y = self.x, self.y
        for step in range(1, steps + 1):
            share = step / steps
            event = self._move(
                from_x + (x - from_x) * share, from_y + (y - from_y) * share, modifiers
            )
            await self.dispatcher.send(event)

    async def click(
        self,
        x: float,
        y: float,
        *,
        button: Button = "left",
        count: int = 1,
        modifiers: Modifier = Modifier.NONE,
    ) -> None:
        """Move there and click, all events written in one go.

        Args:
            x: Pixels from the left of the viewport.
            y: Pixels from its top.
            button: Which button.
            count: 1 for a click, 2 for a double-click (which is clicks number 1 and 2), and so on.
            modifiers: Modifier keys held meanwhile.
        """
        events = [self._move(x, y, modifiers)]
        for number in range(1, count + 1):
            events.append(self._press(button, number, modifiers))
            events.append(self._release(button, number, modifiers))
        await self.dispatcher.send(*events)

    async def down(
        self, *, button: Button = "left", count: int = 1, modifiers: Modifier = Modifier.NONE
    ) -> None:
        """Press a button where the pointer is, and hold it.

        Args:
            button: Which button.
            count: The number of the click in a row, 2 for the second of a double-click.
            modifiers: Modifier keys held meanwhile.
        """
        await self.dispatcher.send(self._press(button, count, modifiers))

    async def up(
        self, *, button: Button = "left", count: int = 1, modifiers: Modifier = Modifier.NONE
    ) -> None:
        """Let go of a button where the pointer is.

        Args:
            button: Which button.
            count: The number of the click in a row, as given to `down`.
            modifiers: Modifier keys held meanwhile.
        """
        await self.dispatcher.send(self._release(button, count, modifiers))

    async def hover(self, x: float, y: float) -> None:
        """Rest the pointer there, as a hand does: with a last small move inside of what it entered.

        Args:
            x: Pixels from the left of the viewport.
            y: Pixels from its top.
        """
        # In one go to its neighbour: on a line it would pass what a menu closes for, or opens for.
        await self.move(x - 1, y)
        await self.move(x, y)

    def let_go(self) -> list[asyncio.Task[object]]:
        """Release every button that is held, without waiting, so that an act that was cancelled can
        still do it.

        Returns:
            The calls; nobody has to wait for them.
        """
        held = list(self._pressed)
        return self.dispatcher.post(*(self._release(button, 1, Modifier.NONE) for button in held))

    async def wheel(
        self, delta_x: float, delta_y: float, *, modifiers: Modifier = Modifier.NONE
    ) -> None:
        """Turn the wheel where the pointer is.

        Args:
            delta_x: Pixels to scroll to the right.
            delta_y: Pixels to scroll down.
            modifiers: Modifier keys held meanwhile.
        """
        event = self._event("mouseWheel", modifiers, deltaX=delta_x, deltaY=delta_y)
        await self.dispatcher.send(event)

    async def close(self) -> None:
        """Cancel what cancelled acts left unanswered. Idempotent."""
        await self.dispatcher.close()

    def _move(self, x: float, y: float, modifiers: Modifier) -> Event:
        self.x, self.y = x, y
        # Chromium takes the move for a drag only when it names the button that is held.
        button = self._pressed[-1] if self._pressed else "none"
        return self._event("mouseMoved", modifiers, button=button)

    def _press(self, button: Button, count: int, modifiers: Modifier) -> Event:
        if button not in self._pressed:
            self._pressed.append(button)
        return self._event("mousePressed", modifiers, button=button, clickCount=count)

    def _release(self, button: Button, count: int, modifiers: Modifier) -> Event:
        if button in self._pressed:
            self._pressed.remove(button)
        return self._event("mouseReleased", modifiers, button=button, clickCount=count)

    def _event(self, kind: str, modifiers: Modifier, **details: object) -> Event:
        return _METHOD, {
            "type": kind,
            "x": self.x,
            "y": self.y,
            "modifiers": int(modifiers),
            "buttons": sum(_BITS[button] for button in self._pressed),
            **details,
        }
