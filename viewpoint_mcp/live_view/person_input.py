"""The input of a person, performed on the page that the view shows.

Nothing of it is logged, and the session log, traces and generated code do not contain it, because
it is no tool call.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from cdp_protocol import CdpError
from viewpoint_mcp.errors import CallError
from viewpoint_mcp.live_view.person_events import (
    AnswerDialog,
    CancelFileChooser,
    InsertText,
    MoveMouse,
    PersonEvent,
    PressButton,
    PressKey,
    ReleaseButton,
    ReleaseEverything,
    ReleaseKey,
    TurnWheel,
)

if TYPE_CHECKING:
    from viewpoint_mcp.input.keyboard import Keyboard
    from viewpoint_mcp.page.devtools.viewer_session import ViewerSession, Viewport
    from viewpoint_mcp.page.page import Page

NOTE: Final = "A person used the page in the live view"
"""The event in the next reply of the agent."""


async def perform(
    event: PersonEvent, page: Page, session: ViewerSession, viewport: Viewport, limit: float
) -> None:
    """Perform one event on a page.

    Args:
        viewport: The viewport that the picture of the viewer shows.
        limit: Seconds to wait for the answer. A page whose script runs, or that shows a dialog,
            answers later, and the event takes effect then.
    """
    match event:
        case AnswerDialog(accept, text):
            if page.blockers.dialog is not None:
                await page.answer_current_or_next_dialog(accept=accept, prompt_text=text)
        case CancelFileChooser():
            if page.blockers.file_chooser is not None:
                await page.upload_files_and_describe_result(())
        case ReleaseEverything():
            await _wait(session.release_input(), limit)
        case MoveMouse() | PressButton() | ReleaseButton() | TurnWheel():
            await _wait(_use_mouse(event, session, viewport), limit)
        case PressKey() | ReleaseKey() | InsertText():
            await _wait(use_keyboard(event, session.keyboard), limit)


async def _use_mouse(
    event: MoveMouse | PressButton | ReleaseButton | TurnWheel,
    session: ViewerSession,
    viewport: Viewport,
) -> None:
    mouse, held = session.mouse, session.keyboard.modifiers
    x, y = viewport.to_point(event.x, event.y)
    if isinstance(event, MoveMouse):
        await mouse.move(x, y, modifiers=held)
        return
    mouse.x, mouse.y = x, y
    match event:
        case PressButton():
            await mouse.down(button=event.button, click_count=event.clicks, modifiers=held)
        case ReleaseButton():
            await mouse.up(button=event.button, click_count=event.clicks, modifiers=held)
        case TurnWheel():
            await mouse.wheel(event.right, event.down, modifiers=held)


async def use_keyboard(event: PressKey | ReleaseKey | InsertText, keyboard: Keyboard) -> None:
    """Perform an event of the keyboard: the page gets the character that the person typed."""
    match event:
        case InsertText(text):
            await keyboard.insert_text(text)
        case PressKey(key, _, types=True) if not keyboard.can_type(key):
            # A character of another keyboard layout, or one that Caps Lock changed.
            await keyboard.insert_text(key)
        case PressKey(key, code):
            with suppress(CallError):  # a key that only some keyboards have, such as volume keys
                await keyboard.down(_choose_key_name(key, code))
        case ReleaseKey(key, code):
            with suppress(CallError):
                await keyboard.up(_choose_key_name(key, code))


def _choose_key_name(key: str, code: str) -> str:
    """Return the name of a key for `Keyboard`.

    Modifiers and the number pad have several keys of one name. In a shortcut, a letter of another
    script means its place on the keyboard.
    """
    is_sided = key in ("Shift", "Control", "Alt", "Meta")
    is_number_pad = code.startswith("Numpad") and (len(key) == 1 or key == "Enter")
    is_foreign = len(key) == 1 and not key.isascii()
    return code if code and (is_sided or is_number_pad or is_foreign) else key


async def _wait(action: Awaitable[None], limit: float) -> None:
    with suppress(TimeoutError, CdpError):
        async with asyncio.timeout(limit):
            await action
