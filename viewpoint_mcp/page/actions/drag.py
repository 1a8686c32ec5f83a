"""Dragging an element to another with the mouse, and dropping what comes from outside."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from viewpoint_mcp.errors import (
    CallError,
    Covered,
    Disabled,
    ElementError,
    ModalOpen,
    NotVisible,
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

_HOLD = 0.3  # seconds; drag libraries tell a drag from a click by a delay, of 250 ms mostly
_REST = 0.1  # seconds; and some look but every 50 ms where the pointer is
_THRESHOLD = 12.0  # CSS pixels; others begin when the pointer has gone so far, 10 mostly
_STEP = 25.0  # CSS pixels
_BEYOND = 3.0  # CSS pixels
_LEGACY_TYPES = {"text": "text/plain", "url": "text/uri-list"}


async def drag(start: Element, end: Element) -> None:
    """Press the mouse on one element and let go on the other.

    Raises:
        CallError: They are the same.
        ElementError: One of them cannot be reached, or the page took no drop there.
    """
    if start.frame is end.frame and start.ref == end.ref:
        raise CallError(f"{start.label} cannot be dragged to itself.", "Give another endRef.")
    page = start.page
    refuse_held(page)
    goal = await end.wait_for_hit_point()
    together = None
    if start.frame is end.frame:
        together = await page.call(start.frame, "bringTogether", start.ref.element, end.ref.element)
    x, y = await start.wait_for_hit_point()
    way = (together["x"], together["y"]) if together else (goal[0] - x, goal[1] - y)
    follower = Follower(page, *_shown_by(page, start, end))
    is_native = await follower.begin(start.ref.element)
    await page.current_action.begin(end.frame)

    async def where_now() -> Point:
        return await _where_now(end, (x + way[0], y + way[1]))

    hold = 0 if is_native else _HOLD
    await page.current_action.do(
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
    """Press the mouse at one point and let go at the other.

    Args:
        first: What lies at the start.
        last: What lies at the end.

    Returns:
        False when the page began to drag something and took no drop there.
    """
    follower = Follower(page, first.frame, last.frame)
    is_native = await follower.begin(first.number)
    await page.current_action.begin(last.frame)

    async def goal() -> Point:
        return end

    way = (end[0] - start[0], end[1] - start[1])
    hold = 0 if is_native else _HOLD
    # Exactly there and no further: it may be a line that is drawn.
    await page.current_action.do(_carry(page, first.frame, start, way, goal, hold=hold, beyond=0))
    return not await follower.finish(start)


async def drop(element: Element, files: Sequence[Path], data: Mapping[str, str]) -> None:
    """Drop something from outside of the browser on an element.

    Args:
        files: Files and directories that may be read.
        data: Texts by their MIME types.

    Raises:
        ElementError: It cannot be reached, or the page took no drop there.
    """
    page = element.page
    refuse_held(page)
    x, y = await element.wait_for_hit_point()
    texts = {_LEGACY_TYPES.get(kind.lower(), kind): text for kind, text in data.items()}
    load = from_outside(texts, [str(path) for path in files])
    follower = Follower(page, *_shown_by(page, element))
    await follower.begin()
    await page.current_action.begin(element.frame)
    await page.current_action.do(drop_load(page.mouse, x, y, load))
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
    """Press, move and let go.

    Args:
        frame: Where it begins.
        where_now: Asked for the end on the way there.
        hold: Seconds before the first move.
        beyond: Pixels that it goes too far, and back.
    """
    async with Drag(page.session, page.mouse, frame.session) as held:
        await held.press(*point)
        await asyncio.sleep(hold)
        await held.move(*_along(point, way, min(_THRESHOLD, math.hypot(*way) / 2)), steps=3)
        goal = await where_now()
        distance = math.dist((page.mouse.x, page.mouse.y), goal)
        await held.move(*goal, steps=max(5, min(20, round(distance / _STEP))))
        # The first event over a place only tells that something came, the ones after it let it be
        # taken; and lists give way when the pointer is past the middle of an item.
        await held.move(*_along(goal, way, beyond))
        await asyncio.sleep(_REST)
        await held.move(*goal)
        await held.release()


def _along(
    point: tuple[float, float], way: tuple[float, float], distance: float
) -> tuple[float, float]:
    """Return the point that lies so many pixels from another, in the direction of the way."""
    share = distance / (math.hypot(*way) or 1.0)
    return point[0] + way[0] * share, point[1] + way[1] * share


async def _where_now(end: Element, before: tuple[float, float]) -> tuple[float, float]:
    """Return where the end is, now that the page knows of the drag: it may have made room. Scrolls
    there if start and end are too far apart to be seen at once.
    """
    try:
        return await end.wait_for_hit_point()
    except (Covered, NotVisible, Disabled):
        # By what is carried, as likely as not.
        return before


class Seen:
    """What the documents saw of a drag.

    Attributes:
        started: The page let the browser's own drag and drop begin.
        ended: And heard of its end, where it began.
        dropped: A drop was told to a document.
        taken: And it, or a field in it, wanted that.
    """

    def __init__(self, told: Sequence[Mapping[str, bool]], *, is_left: bool = False) -> None:
        self.started = any(each["started"] for each in told)
        self.ended = any(each["ended"] for each in told)
        self.dropped = any(each["dropped"] for each in told)
        # Nobody can be asked any more when the page went elsewhere, or a dialog opened: it did so
        # on account of the drop.
        self.taken = is_left or any(each["taken"] for each in told)


def _shown_by(page: PageServices, *elements: Element) -> list[Frame]:
    """Return the frames of the elements. What is dropped on an iframe is dropped on what the frame
    shows there.
    """
    owners = {(each.frame, each.ref.element) for each in elements}
    inside = [frame for frame in page.frames if (frame.parent, frame.owner) in owners]
    return [*(each.frame for each in elements), *inside]


class Follower:
    """Sees in documents what becomes of a drag and drop.

    Args:
        frames: Where it begins, and where it may end.
    """

    def __init__(self, page: PageServices, *frames: Frame) -> None:
        self._page = page
        self._frames: list[Frame] = list(dict.fromkeys(frames))

    async def begin(self, number: int | None = None) -> bool:
        """Listen from now on.

        Args:
            number: Of the element in the first frame that is pressed.

        Returns:
            Whether the browser drags that by itself.
        """
        answers = [await self._page.call(frame, "followDrag", number) for frame in self._frames]
        return bool(answers[0])

    async def add(self, frame: Frame) -> None:
        """Listen in another frame, too."""
        if frame not in self._frames:
            self._frames.append(frame)
            await self._page.call(frame, "followDrag", None)

    async def finish(self, start: Point) -> bool:
        """Make sure that it is over where it began, and listen no longer.

        Returns:
            Whether the page had begun to drag something, and took no drop.
        """
        seen = await self.seen()
        if seen.started and not seen.ended:
            await self._page.current_action.do(end_at(self._page.mouse, *start))
        return seen.started and not seen.taken

    async def seen(self) -> Seen:
        """Return what was seen, and listen no longer."""
        told, is_left = [], False
        for frame in self._frames:
            try:
                told.append(await self._page.call(frame, "dragSeen"))
            except (PageError, ModalOpen):
                is_left = True
        return Seen(told, is_left=is_left)
