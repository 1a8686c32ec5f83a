"""The element with the focus, in any frame, and the selected text."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from viewpoint_mcp.accessibility.printing.sentence_quotes import escape_quotes, to_one_line
from viewpoint_mcp.accessibility.refs import describe_element
from viewpoint_mcp.errors import ElementError, PageError
from viewpoint_mcp.page.actions.hit.hit_test import find_child_frame
from viewpoint_mcp.page.frames import Frame

if TYPE_CHECKING:
    from viewpoint_mcp.page.actions.element import Element
    from viewpoint_mcp.page.services import PageServices

_MAX_SELECTION = 80  # maximum characters of selected text in a reply


async def find_focused_field(page: PageServices) -> Element:
    """Return the editable element that has the focus.

    Raises:
        ElementError: No editable element has the focus.
    """
    frame, found = await _find_focus(page, page.frames.main)
    if found.get("isEditable"):
        return page.elements.get_by_number(frame, found["number"])
    holder = f"; {describe_element(found['role'], found['name'])} has it" if "role" in found else ""
    raise ElementError(
        f"No editable element has the focus{holder}.", "Click the field first, or pass ref."
    )


async def describe_selected_text(page: PageServices, frame: Frame) -> str:
    """Return a line for the reply with the selected text; "" if nothing is selected.

    Args:
        frame: The frame that the action used. The selection is in it, or in a frame inside it.
    """
    found = None
    if page.blockers.blocking_error() is None:
        with suppress(PageError):  # The action led to another document.
            _, found = await _find_focus(page, frame)
    if not found or not found["selected"]["count"]:
        return ""
    text, count = found["selected"]["text"], found["selected"]["count"]
    if text is None:
        return f"Selected: {count:,} characters"
    line = to_one_line(text) or " "
    if len(line) <= _MAX_SELECTION and count == len(text):
        return f'Selected: "{escape_quotes(line)}"'
    return f'Selected: "{escape_quotes(line[:_MAX_SELECTION])}…" ({count:,} characters)'


async def start_reading_copied_text(page: PageServices) -> Callable[[], Awaitable[str]]:
    """Start to read what a key copies from the element with the focus.

    Returns:
        A function that returns the copied text after the key; "" if nothing was copied.
    """
    frame, _ = await _find_focus(page, page.frames.main)
    await page.call_inpage(frame, "expectCopy")

    async def read_copied_text() -> str:
        if page.blockers.blocking_error() is not None:
            return ""
        with suppress(PageError):  # The key led to another document.
            return await page.call_inpage(frame, "copiedText") or ""
        return ""

    return read_copied_text


async def describe_key_receiver(page: PageServices) -> str:
    """Return a clause that names the element with the focus, or says that none has it.

    Returns:
        "" if the page cannot answer.
    """
    found = None
    if page.blockers.blocking_error() is None:
        with suppress(PageError):  # The key led to another document.
            _, found = await _find_focus(page, page.frames.main)
    if found is None:
        return ""
    if "role" not in found:
        return "nothing has the focus, so the document received the key"
    return f"{describe_element(found['role'], found['name'])} has the focus"


async def _find_focus(page: PageServices, frame: Frame) -> tuple[Frame, dict[str, Any]]:
    """Return the innermost frame with the focus, and the answer of `focusNow` of `inpage` there."""
    while True:
        found: dict[str, Any] = await page.call_inpage(frame, "focusNow")
        child = (
            await find_child_frame(page, frame, found["number"]) if found.get("isFrame") else None
        )
        if child is None:
            return frame, found
        frame = child
