"""Drags from one element or point to another, and drops of data from outside the browser."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Awaitable, Callable, Mapping, Sequence
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
from viewpoint_mcp.input.drag import Drag, carry_away, end_at, from_outside
from viewpoint_mcp.input.drag import drop as drop_load
from viewpoint_mcp.page.actions.hit.hit_test import Point, Spot
from viewpoint_mcp.page.actions.refusals import refuse_held
from viewpoint_mcp.page.frames import Frame

if TYPE_CHECKING:
    from viewpoint_mcp.page.actions.element import Element
    from viewpoint_mcp.page.services import PageServices

_HOLD = 0.3  # seconds; some drag libraries start a drag after a delay, mostly 250 ms
_REST = 0.1  # seconds; some libraries read the pointer position only every 50 ms
_THRESHOLD = 12.0  # CSS pixels; other libraries start a drag after a distance, mostly 10 pixels
_STEP = 25.0  # CSS pixels between two mouse events
_BEYOND = 3.0  # CSS pixels to move past the end point, and back
_LEGACY_TYPES = {"text": "text/plain", "url": "text/uri-list"}


async def drag(start: Element, end: Element) -> None:
    """Press the mouse on one element and release it on the other.

    Raises:
        CallError: Both are the same element, or a mouse button is already down.
        ElementError: One of them cannot be reached, or the page did not accept the drop.
    """
    if start.frame is end.frame and start.ref == end.ref:
        raise CallError(f"{start.label} cannot be dragged to itself.", "Give another endRef.")
    page = start.page
    refuse_held(page)
    goal = await end.wait_for_hit_point()
    together = None
    if start.frame is end.frame:
        together = await page.call_inpage(
            start.frame, "bringTogether", start.ref.element, end.ref.element
        )
    x, y = await start.wait_for_hit_point()
    way = (together["x"], together["y"]) if together else (goal[0] - x, goal[1] - y)
    follower = Follower(page, *_shown_by(page, start, end))
    is_native = await follower.begin(start.ref.element)
    await page.current_action.record_state(end.frame)

    async def where_now() -> Point:
        return await _where_now(end, (x + way[0], y + way[1]))

    hold = 0 if is_native else _HOLD
    await page.current_action.perform(
        _carry(page, start.frame, (x, y), way, where_now, hold=hold, beyond=_BEYOND)
    )
    if await follower.finish((x, y)):
        raise ElementError(
            f"{end.label} did not take {start.label}: the page accepts no such drop there.",
            "Nothing was moved. Take a snapshot to see what else it may be dropped on.",
        )


async def drag_between(
    page: PageServices, first: Spot, start: Point, last: Spot, end: Point
) -> bool:
    """Press the mouse at one point and release it at the other.

    Args:
        first: The element at the start point.
        last: The element at the end point.

    Returns:
        False if the page started a drag and did not accept the drop.
    """
    follower = Follower(page, first.frame, last.frame)
    is_native = await follower.begin(first.number)
    await page.current_action.record_state(last.frame)

    async def goal() -> Point:
        return end

    way = (end[0] - start[0], end[1] - start[1])
    hold = 0 if is_native else _HOLD
    # Do not move past the end point, because the drag may draw a line.
    await page.current_action.perform(
        _carry(page, first.frame, start, way, goal, hold=hold, beyond=0)
    )
    return not await follower.finish(start)


async def drop(element: Element, files: Sequence[Path], data: Mapping[str, str]) -> None:
    """Drop files or data from outside the browser on an element.

    Args:
        files: Files and directories that the server may read.
        data: Texts by MIME type. `text` and `url` stand for `text/plain` and `text/uri-list`.

    Raises:
        CallError: A mouse button is down.
        ElementError: The element cannot be reached, or the page did not accept the drop.
    """
    page = element.page
    refuse_held(page)
    x, y = await element.wait_for_hit_point()
    texts = {_LEGACY_TYPES.get(kind.lower(), kind): text for kind, text in data.items()}
    load = from_outside(texts, [str(path) for path in files])
    follower = Follower(page, *_shown_by(page, element))
    await follower.begin()
    await page.current_action.record_state(element.frame)
    await page.current_action.perform(drop_load(page.mouse, x, y, load))
    seen = await follower.seen()
    if not seen.dropped:
        carry_away(page.mouse, load)
    if not seen.taken:
        raise ElementError(
            f"{element.label} took nothing: the page accepts no such drop there.",
            "Take a snapshot to see what else there is; for a file field use browser_file_upload.",
        )


async def _carry(
    page: PageServices,
    frame: Frame,
    point: Point,
    way: Point,
    where_now: Callable[[], Awaitable[Point]],
    *,
    hold: float,
    beyond: float,
) -> None:
    """Press, move and release the mouse.

    Args:
        frame: The frame of the start point.
        point: The start point.
        way: Expected vector from the start to the end.
        where_now: Returns the end point. Called after the first moves, when the drag has started.
        hold: Seconds before the first move.
        beyond: Pixels to move past the end point, and back.
    """
    async with Drag(page.session, page.mouse, frame.session) as held:
        await held.press(*point)
        await asyncio.sleep(hold)
        await held.move(*_along(point, way, min(_THRESHOLD, math.hypot(*way) / 2)), steps=3)
        goal = await where_now()
        distance = math.dist((page.mouse.x, page.mouse.y), goal)
        await held.move(*goal, steps=max(5, min(20, round(distance / _STEP))))
        # The first event over a drop target only announces the drag; later events let the page
        # accept it. Sortable lists make room when the pointer passes the middle of an item.
        await held.move(*_along(goal, way, beyond))
        await asyncio.sleep(_REST)
        await held.move(*goal)
        await held.release()


def _along(
    point: tuple[float, float], way: tuple[float, float], distance: float
) -> tuple[float, float]:
    """Return the point `distance` pixels away from `point`, in the direction of `way`."""
    share = distance / (math.hypot(*way) or 1.0)
    return point[0] + way[0] * share, point[1] + way[1] * share


async def _where_now(end: Element, before: tuple[float, float]) -> tuple[float, float]:
    """Return the point of `end` after the drag has started; scroll to it if necessary.

    The page may have made room for the dragged element. If `end` is covered, hidden or disabled
    now, return `before`.
    """
    try:
        return await end.wait_for_hit_point()
    except (ElementCoveredError, ElementNotVisibleError, ElementDisabledError):
        # The dragged element itself probably covers the end.
        return before


class Seen:
    """Drag events that the documents received.

    Attributes:
        started: Whether the page allowed the browser's native drag and drop to start.
        ended: Whether the source document received the end of the drag.
        dropped: Whether a document received a drop.
        taken: Whether the page or a field in it accepted the drop.
    """

    def __init__(self, told: Sequence[Mapping[str, bool]], *, is_left: bool = False) -> None:
        self.started = any(each["started"] for each in told)
        self.ended = any(each["ended"] for each in told)
        self.dropped = any(each["dropped"] for each in told)
        # After a navigation or a dialog, a document cannot answer. The drop caused that, so the
        # page accepted it.
        self.taken = is_left or any(each["taken"] for each in told)


def _shown_by(page: PageServices, *elements: Element) -> list[Frame]:
    """Return the frames of the elements, and the frames that the elements show.

    If the drop target is an iframe, the document in it receives the drop.
    """
    owners = {(each.frame, each.ref.element) for each in elements}
    inside = [frame for frame in page.frames if (frame.parent, frame.owner_number) in owners]
    return [*(each.frame for each in elements), *inside]


class Follower:
    """Observer of drag-and-drop events in documents.

    Args:
        frames: The frame where the drag starts, then the frames where it may end.
    """

    def __init__(self, page: PageServices, *frames: Frame) -> None:
        self._page = page
        self._frames: list[Frame] = list(dict.fromkeys(frames))

    async def begin(self, number: int | None = None) -> bool:
        """Start to listen for drag-and-drop events.

        Args:
            number: Number of the pressed element in the first frame.

        Returns:
            Whether the browser drags that element natively.
        """
        answers = [
            await self._page.call_inpage(frame, "followDrag", number) for frame in self._frames
        ]
        return bool(answers[0])

    async def add(self, frame: Frame) -> None:
        """Listen in another frame, too."""
        if frame not in self._frames:
            self._frames.append(frame)
            await self._page.call_inpage(frame, "followDrag", None)

    async def finish(self, start: Point) -> bool:
        """End the drag in the document where it started, and stop listening.

        Args:
            start: The point where the drag started.

        Returns:
            Whether the page started a drag and did not accept the drop.
        """
        seen = await self.seen()
        if seen.started and not seen.ended:
            await self._page.current_action.perform(end_at(self._page.mouse, *start))
        return seen.started and not seen.taken

    async def seen(self) -> Seen:
        """Return the received events and stop listening."""
        told, is_left = [], False
        for frame in self._frames:
            try:
                told.append(await self._page.call_inpage(frame, "dragSeen"))
            except (PageError, ModalOpenError):
                is_left = True
        return Seen(told, is_left=is_left)
