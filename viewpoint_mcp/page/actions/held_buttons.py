"""Buttons of the mouse that stay down from one call to the next."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from viewpoint_mcp.input.drag import Drag
from viewpoint_mcp.input.mouse import Button
from viewpoint_mcp.page.actions.drag import Follower
from viewpoint_mcp.page.frames import Frame

if TYPE_CHECKING:
    from viewpoint_mcp.page.services import PageServices

_STEPS = 5  # events of a move: a page that is to notice a drag wants more than one


class HeldButtons:
    """What is held on one page, from the first button that goes down to the last that comes up.

    Args:
        frame: Where the mouse is.

    Attributes:
        buttons: Those that are down.
    """

    def __init__(self, page: PageServices, frame: Frame) -> None:
        self._page = page
        self._drag = Drag(page.session, page.mouse, frame.session)
        self._follower = Follower(page, frame)
        self.buttons: list[Button] = []

    async def begin(self, button: Button, number: int | None) -> None:
        """Press the first button where the mouse is.

        Args:
            number: The element there.
        """
        await self._follower.begin(number)
        await self._page.race(self._drag.begin())
        await self.press(button)

    async def press(self, button: Button) -> None:
        """Press another one."""
        self.buttons.append(button)
        await self._page.current_action.do(self._page.mouse.down(button=button))

    async def move(self, x: float, y: float) -> None:
        """Move on with what is held.

        Args:
            x: Pixels from the left of the viewport.
            y: Pixels from its top.
        """
        await self._drag.move(x, y, steps=_STEPS)
        await self._drag.notice()

    async def release(self, button: Button, frame: Frame) -> None:
        """Let go of a button where the mouse is.

        Args:
            frame: What is there.
        """
        await self._follower.add(frame)
        self.buttons.remove(button)
        is_drop = self._drag.is_carrying and button == "left"
        mouse = self._page.mouse
        await self._page.current_action.do(
            self._drag.release() if is_drop else mouse.up(button=button)
        )

    async def end(self) -> bool:
        """End it, with all buttons up.

        Returns:
            Whether the page had begun to drag something, and took no drop where the mouse is.
        """
        self._page.held_buttons = None
        await self._page.current_action.do(asyncio.wait({self._drag.end()}))
        return await self._follower.finish(self._drag.start)

    def drop(self) -> None:
        """Let go of everything, without waiting: the page is another now, or the act failed."""
        self._page.held_buttons = None
        self._drag.end()
        for button in self.buttons:
            self._page.events.append(f"The {button} button of the mouse was let go of")
        self.buttons.clear()


async def rest(page: PageServices, x: float, y: float) -> None:
    """Bring the mouse there, with what it holds.

    Args:
        x: Pixels from the left of the viewport.
        y: Pixels from its top.
    """
    await (page.mouse.hover(x, y) if page.held_buttons is None else page.held_buttons.move(x, y))
