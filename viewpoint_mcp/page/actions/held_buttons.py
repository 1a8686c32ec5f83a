"""Mouse buttons that stay down from one tool call to the next."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from viewpoint_mcp.input.drag import Drag
from viewpoint_mcp.input.mouse import Button
from viewpoint_mcp.page.actions.drag import DragObserver, DropOutcome
from viewpoint_mcp.page.frames import Frame

if TYPE_CHECKING:
    from viewpoint_mcp.page.services import PageServices

_MOVE_EVENTS = 5  # events of a move; pages need more than one to recognise a drag


class HeldButtons:
    """The buttons held on one page, from the first press to the last release.

    Args:
        frame: The frame at the mouse position.

    Attributes:
        buttons: The buttons that are down.
    """

    def __init__(self, page: PageServices, frame: Frame) -> None:
        self._page = page
        self._drag = Drag(page.session, page.mouse, frame.session)
        self._drag_observer = DragObserver(page, frame)
        self.buttons: list[Button] = []

    async def press_first(self, button: Button, element_number: int | None) -> None:
        """Press the first button at the mouse position.

        Args:
            element_number: Number of the element there; None for no element.
        """
        await self._drag_observer.start_and_check_native_drag(element_number)
        await self._page.run_unless_blocked(self._drag.start_intercepting_native_drags())
        await self.press_additional_button(button)

    async def press_additional_button(self, button: Button) -> None:
        """Press another button."""
        self.buttons.append(button)
        await self._page.current_action.perform_until_dialog(self._page.mouse.down(button=button))

    async def move_mouse(self, x: float, y: float) -> None:
        """Move the mouse with the held buttons.

        Args:
            x: Pixels from the left of the viewport.
            y: Pixels from its top.
        """
        await self._drag.move(x, y, steps=_MOVE_EVENTS)
        await self._drag.detect_native_drag()

    async def release_button(self, button: Button, frame_at_mouse: Frame) -> None:
        """Release a button at the mouse position.

        Args:
            frame_at_mouse: The frame at the mouse position.
        """
        await self._drag_observer.listen_in_frame(frame_at_mouse)
        self.buttons.remove(button)
        is_drop = self._drag.is_native and button == "left"
        mouse = self._page.mouse
        await self._page.current_action.perform_until_dialog(
            self._drag.release() if is_drop else mouse.up(button=button)
        )

    async def finish_hold(self) -> DropOutcome:
        """End the hold after the last button was released."""
        self._page.held_buttons = None
        await self._page.current_action.perform_until_dialog(
            asyncio.wait({self._drag.end_in_background()})
        )
        return await self._drag_observer.finish_drag(self._drag.start_point)

    def release_all(self) -> None:
        """Release all buttons after a navigation or a failed action, without waiting.

        Adds a sentence for each button to the next reply.
        """
        self._page.held_buttons = None
        self._drag.end_in_background()
        for button in self.buttons:
            self._page.events.append(f"The {button} mouse button was released")
        self.buttons.clear()


async def move_mouse(page: PageServices, x: float, y: float) -> None:
    """Move the mouse to a point, with the buttons that it holds.

    Args:
        x: Pixels from the left of the viewport.
        y: Pixels from its top.
    """
    await (
        page.mouse.hover_with_small_final_move(x, y)
        if page.held_buttons is None
        else page.held_buttons.move_mouse(x, y)
    )
