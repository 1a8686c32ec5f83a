"""Drags from one element or point to another, and drops of data from outside the browser."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Awaitable, Callable, Mapping, Sequence
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING

from viewpoint_mcp.errors import (
    CallError,
    ElementCoveredError,
    ElementDisabledError,
    ElementError,
    ElementNotVisibleError,
    ModalOpenError,
    PageError,
)
from viewpoint_mcp.input.drag import (
    Drag,
    cancel_external_drag,
    make_external_drag_data,
    notify_source_process_of_drag_end,
)
from viewpoint_mcp.input.drag import drop_external_data as drop_load
from viewpoint_mcp.page.actions.actionability_errors import refuse_if_button_down
from viewpoint_mcp.page.actions.hit.hit_test import HitTarget, Point, format_point
from viewpoint_mcp.page.frames import Frame
from viewpoint_mcp.page.reply_note import ReplyNote

if TYPE_CHECKING:
    from viewpoint_mcp.page.actions.element import Element
    from viewpoint_mcp.page.services import PageServices

_HOLD_TIME = 0.3  # seconds; some drag libraries start a drag after a delay, mostly 250 ms
_REST_TIME = 0.1  # seconds; some libraries read the pointer position only every 50 ms
_ARRIVAL_TIME = 0.05  # seconds at the end point before the last moves
# CSS pixels; other libraries start a drag after a distance, mostly 10 pixels.
_START_DISTANCE = 12.0
_STEP_DISTANCE = 25.0  # CSS pixels between two mouse events
_OVERSHOOT = 3.0  # CSS pixels to move past the end point on each axis, and back
_LEGACY_TYPES = {"text": "text/plain", "url": "text/uri-list"}


async def drag_element(start: Element, end: Element) -> DropOutcome:
    """Press the mouse on one element and release it on the other.

    Returns:
        The end of the drag; see `describe_drag`.

    Raises:
        CallError: Both are the same element, or a mouse button is already down.
        ElementError: One of them cannot be reached, or the page did not accept the drop.
    """
    if start.frame is end.frame and start.ref == end.ref:
        raise CallError(f"{start.label} cannot be dragged onto itself.", "Pass another endRef.")
    page = start.page
    refuse_if_button_down(page)
    (x, y), offset = await _find_start_and_vector(start, end)
    observer = DragObserver(page, *_find_drop_frames(page, start, end))
    is_native = await observer.start_and_check_native_drag(start.ref.element)
    await page.current_action.record_state_before_events(end.frame)

    async def find_end() -> Point:
        return await _find_end_point_with_fallback(end, (x + offset[0], y + offset[1]))

    await page.current_action.perform_until_dialog(
        _press_move_release(
            page,
            start.frame,
            (x, y),
            offset,
            find_end,
            seconds_before_move=0 if is_native else _HOLD_TIME,
            pixels_past_end=_OVERSHOOT,
        )
    )
    outcome = await observer.finish_drag((x, y))
    if outcome.is_refused:
        raise ElementError(
            f"{end.label} did not accept the drop of {start.label}.",
            "Nothing moved. Take a snapshot to find another target.",
        )
    return outcome


async def _find_start_and_vector(start: Element, end: Element) -> tuple[Point, Point]:
    """Return the point to press, and the vector from there to the end; scroll both into view."""
    end_point = await end.wait_for_hit_point()
    shared_offset = None
    if start.frame is end.frame:
        shared_offset = await start.page.call_inpage(
            start.frame, "bringTogether", start.ref.element, end.ref.element
        )
    x, y = await start.wait_for_hit_point()
    if shared_offset:
        return (x, y), (shared_offset["x"], shared_offset["y"])
    return (x, y), (end_point[0] - x, end_point[1] - y)


async def describe_drag(page: PageServices, frame: Frame, outcome: DropOutcome) -> ReplyNote:
    """Return what a drag did, as far as a snapshot does not show it; called after settling.

    Args:
        frame: The frame where the drag started.
    """
    if outcome is DropOutcome.ACCEPTED:
        return "; the page accepted the drop"
    try:
        moved = await page.call_inpage(frame, "draggedBy")
    except (PageError, ModalOpenError):
        return ""
    return f"; it moved by {format_point((moved['x'], moved['y']))} px" if moved else ""


async def drag_between_points(
    page: PageServices, start_target: HitTarget, start: Point, end_target: HitTarget, end: Point
) -> DropOutcome:
    """Press the mouse at one point and release it at the other.

    Args:
        start_target: The element at the start point.
        end_target: The element at the end point.
    """
    observer = DragObserver(page, start_target.frame, end_target.frame)
    is_native = await observer.start_and_check_native_drag(start_target.element_number)
    await page.current_action.record_state_before_events(end_target.frame)

    async def find_end() -> Point:
        return end

    offset = (end[0] - start[0], end[1] - start[1])
    # Do not move past the end point, because the drag may draw a line.
    await page.current_action.perform_until_dialog(
        _press_move_release(
            page,
            start_target.frame,
            start,
            offset,
            find_end,
            seconds_before_move=0 if is_native else _HOLD_TIME,
            pixels_past_end=0,
        )
    )
    return await observer.finish_drag(start)


async def drop_from_outside(
    element: Element, files: Sequence[Path], data: Mapping[str, str]
) -> None:
    """Drop files or data from outside the browser on an element.

    Args:
        files: Files and directories that the server may read.
        data: Texts by MIME type. `text` and `url` stand for `text/plain` and `text/uri-list`.

    Raises:
        CallError: A mouse button is down.
        ElementError: The element cannot be reached, or the page did not accept the drop.
    """
    page = element.page
    refuse_if_button_down(page)
    x, y = await element.wait_for_hit_point()
    texts = {
        _LEGACY_TYPES.get(mime_type.lower(), mime_type): text for mime_type, text in data.items()
    }
    drag_data = make_external_drag_data(texts, [str(path) for path in files])
    observer = DragObserver(page, *_find_drop_frames(page, element))
    await observer.start_and_check_native_drag()
    await page.current_action.record_state_before_events(element.frame)
    await page.current_action.perform_until_dialog(drop_load(page.mouse, x, y, drag_data))
    events = await observer.collect_events()
    if not events.has_dropped:
        cancel_external_drag(page.mouse, drag_data)
    if not events.is_accepted:
        raise ElementError(
            f"{element.label} did not accept the drop.",
            "Take a snapshot to find another target. For a file input, use browser_file_upload.",
        )


async def _press_move_release(
    page: PageServices,
    frame: Frame,
    start: Point,
    vector_to_end: Point,
    find_end: Callable[[], Awaitable[Point]],
    *,
    seconds_before_move: float,
    pixels_past_end: float,
) -> None:
    """Press, move and release the mouse.

    Args:
        frame: The frame of the start point.
        start: The start point.
        vector_to_end: Expected vector from the start to the end.
        find_end: Returns the end point. Called after the first moves, when the drag has started.
        seconds_before_move: Seconds before the first move.
        pixels_past_end: Pixels to move past the end point on each axis, and back.
    """
    async with Drag(page.session, page.mouse, frame.session) as drag:
        await drag.press(*start)
        await asyncio.sleep(seconds_before_move)
        await drag.move(
            *_point_in_direction(
                start, vector_to_end, min(_START_DISTANCE, math.hypot(*vector_to_end) / 2)
            ),
            steps=3,
        )
        end = await find_end()
        distance = math.dist((page.mouse.x, page.mouse.y), end)
        await drag.move(*end, steps=max(5, min(20, round(distance / _STEP_DISTANCE))))
        # The first event over a drop target only announces the drag; later events let the page
        # accept it. Sortable lists make room when the pointer passes the middle of an item.
        # Sortable lists ignore the pointer for up to 30 ms after each change, such as the one of an
        # item on the way.
        await asyncio.sleep(_ARRIVAL_TIME)
        # At the exact centre of an item, some lists cannot decide between before and after, so the
        # pointer leaves the centre on both axes.
        await drag.move(
            end[0] + math.copysign(pixels_past_end, vector_to_end[0]),
            end[1] + math.copysign(pixels_past_end, vector_to_end[1]),
        )
        await asyncio.sleep(_REST_TIME)
        await drag.move(*end)
        await drag.release()


def _point_in_direction(
    point: tuple[float, float], direction: tuple[float, float], distance: float
) -> tuple[float, float]:
    """Return the point `distance` pixels away from `point`, in the direction of `direction`."""
    share = distance / (math.hypot(*direction) or 1.0)
    return point[0] + direction[0] * share, point[1] + direction[1] * share


async def _find_end_point_with_fallback(end: Element, fallback_point: Point) -> Point:
    """Return the point of `end` after the drag has started; scroll to it if necessary.

    The page may have made room for the dragged element. If `end` is covered, hidden or disabled
    now, return `fallback_point`.
    """
    try:
        return await end.wait_for_hit_point()
    except (ElementCoveredError, ElementNotVisibleError, ElementDisabledError):
        # The dragged element itself probably covers the end.
        return fallback_point


class DragEvents:
    """Drag events that the documents received.

    Attributes:
        has_started: Whether the page allowed the browser's native drag and drop to start.
        has_ended: Whether the source document received the end of the drag.
        has_dropped: Whether a document received a drop.
        is_accepted: Whether the page or a field in it accepted the drop.
    """

    def __init__(
        self, reports: Sequence[Mapping[str, bool]], *, is_document_gone: bool = False
    ) -> None:
        self.has_started = any(report["started"] for report in reports)
        self.has_ended = any(report["ended"] for report in reports)
        self.has_dropped = any(report["dropped"] for report in reports)
        # After a navigation or a dialog, a document cannot answer. The drop caused that, so the
        # page accepted it.
        self.is_accepted = is_document_gone or any(report["taken"] for report in reports)


def _find_drop_frames(page: PageServices, *elements: Element) -> list[Frame]:
    """Return the frames of the elements, and the frames that the elements show.

    If the drop target is an iframe, the document in it receives the drop.
    """
    elements_in_frames = {(element.frame, element.ref.element) for element in elements}
    child_frames = [
        frame for frame in page.frames if (frame.parent, frame.owner_number) in elements_in_frames
    ]
    return [*(element.frame for element in elements), *child_frames]


class DropOutcome(Enum):
    """The end of a drag."""

    REFUSED = "The page started a native drag and did not accept the drop."
    ACCEPTED = "The page started a native drag and accepted the drop."
    NO_NATIVE_DRAG = "The page received only mouse events."

    @property
    def is_refused(self) -> bool:
        return self is DropOutcome.REFUSED


class DragObserver:
    """Observer of drag-and-drop events in documents.

    Args:
        frames: The frame where the drag starts, then the frames where it may end.
    """

    def __init__(self, page: PageServices, *frames: Frame) -> None:
        self._page = page
        self._frames: list[Frame] = list(dict.fromkeys(frames))

    async def start_and_check_native_drag(self, pressed_element_number: int | None = None) -> bool:
        """Start to listen for drag-and-drop events.

        Args:
            pressed_element_number: Number of the pressed element in the first frame.

        Returns:
            Whether the browser drags that element natively.
        """
        answers = [
            await self._page.call_inpage(frame, "followDrag", pressed_element_number)
            for frame in self._frames
        ]
        return bool(answers[0])

    async def listen_in_frame(self, frame: Frame) -> None:
        """Listen in another frame, too."""
        if frame not in self._frames:
            self._frames.append(frame)
            await self._page.call_inpage(frame, "followDrag", None)

    async def finish_drag(self, start: Point) -> DropOutcome:
        """End the drag in the document where it started, and stop listening.

        Args:
            start: The point where the drag started.
        """
        events = await self.collect_events()
        if events.has_started and not events.has_ended:
            await self._page.current_action.perform_until_dialog(
                notify_source_process_of_drag_end(self._page.mouse, *start)
            )
        if not events.has_started:
            return DropOutcome.NO_NATIVE_DRAG
        return DropOutcome.ACCEPTED if events.is_accepted else DropOutcome.REFUSED

    async def collect_events(self) -> DragEvents:
        """Return the received events and stop listening."""
        reports, is_document_gone = [], False
        for frame in self._frames:
            try:
                reports.append(await self._page.call_inpage(frame, "dragSeen"))
            except (PageError, ModalOpenError):
                is_document_gone = True
        return DragEvents(reports, is_document_gone=is_document_gone)
