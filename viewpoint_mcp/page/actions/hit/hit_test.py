"""Hit test: finds the element that receives mouse events at a point of the viewport."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import msgspec

from viewpoint_mcp.errors import CallError, ModalOpenError, PageError
from viewpoint_mcp.page.actions.hit import facts
from viewpoint_mcp.page.actions.hit.printed_element import printed
from viewpoint_mcp.page.frames import Frame

if TYPE_CHECKING:
    from viewpoint_mcp.page.actions.element import Element
    from viewpoint_mcp.page.services import PageServices

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Spot:
    """The element that receives mouse events at a point.

    Attributes:
        point: CSS pixels of the viewport.
        frame: The innermost frame at the point.
        number: Number of the element in that frame's registry; None if no element is there.
        label: Role and name as in a snapshot, with a ref; "" for the background of the page.
        path: The frames that contain the point, each with the number of its element there. The
            innermost frame is the first.
    """

    point: Point
    frame: Frame
    number: int | None = None
    label: str = ""
    path: tuple[tuple[Frame, int], ...] = ()

    def __str__(self) -> str:
        return f"{written(self.point)}{f': {self.label}' if self.label else ''}"


def written(point: Point) -> str:
    """Return a point as replies print it: `(100, 200)`."""
    return f"({point[0]:.10g}, {point[1]:.10g})"


class _Size(msgspec.Struct, frozen=True):
    width: float
    height: float


class _Found(msgspec.Struct, frozen=True):
    """Answer of `spot` and `spotInSight` of `inpage` about a point.

    Attributes:
        hit: Number of the element at the point; None if no element is there.
        by: The element that describes the point in a reply; None for the background of the page.
        inner: The point in the frame that the element shows; None if it shows no frame.
        outside: Size of the viewport if the point lies outside it; else None.
    """

    hit: int | None = None
    by: facts.Cause | None = None
    inner: facts.Point | None = None
    outside: _Size | None = None


async def spot_at(page: PageServices, point: Point) -> Spot:
    """Return the element at a point of the visible part of the page.

    Args:
        point: CSS pixels from the upper left corner of the visual viewport. After a pinch zoom,
            this is the visible part of the viewport.

    Raises:
        CallError: The point lies outside the viewport.
    """
    frame: Frame | None = page.frames.main
    found = await _ask(page, page.frames.main, "spotInSight", point)
    if found.outside is not None:
        raise _outside(point, found.outside)
    spot = Spot(point, page.frames.main)
    while frame is not None and found.hit is not None:
        path = ((frame, found.hit), *spot.path)
        label = printed(page, frame, found.by) if found.by else ""
        spot = Spot(point, frame, found.hit, label, path)
        frame, found = await _inside(page, frame, found.hit, found.inner)
    return spot


async def _inside(
    page: PageServices, frame: Frame, owner: int, inner: facts.Point | None
) -> tuple[Frame | None, _Found]:
    """Return the frame that an element shows at a point, and the element in it; None if none."""
    if inner is None:
        return None, _Found()
    try:
        child = await frame_in(page, frame, owner)
        if child is None:
            return None, _Found()
        return child, await _ask(page, child, "spot", (inner.x, inner.y))
    except PageError as error:
        if isinstance(error, ModalOpenError) or page.blockers.blocking_error() is not None:
            raise
        return None, _Found()  # The frame is navigating, or its process has died.


async def frame_in(page: PageServices, frame: Frame, owner: int) -> Frame | None:
    """Return the frame that an element of `frame` shows; None if it shows none.

    Args:
        owner: The element's number.

    Source: CDP `DOM.describeNode`.
    """
    for child in page.frames:
        if child.parent is frame and child.owner_number == owner:
            return child
    world = await page.run_unless_blocked(frame.world())
    object_id = await page.run_unless_blocked(world.get_element_object_id(owner))
    if object_id is None:
        return None
    described = await page.run_unless_blocked(frame.session.DOM.describeNode(objectId=object_id))
    return page.frames.get(described["node"].get("frameId", ""))


async def _ask(page: PageServices, frame: Frame, function: str, point: Point) -> _Found:
    return msgspec.convert(await page.call_inpage(frame, function, *point), _Found)


async def body_in(owner: Element) -> Element | None:
    """Return the body of the document that an element shows; None if it shows no document."""
    page = owner.page
    child = await frame_in(page, owner.frame, owner.ref.element)
    if child is None:
        return None
    found = await page.call_inpage(child, "find", "body")
    return page.elements.get_by_number(child, found["number"]) if "number" in found else None


def _outside(point: Point, seen: _Size) -> CallError:
    size = f"{seen.width:.10g} x {seen.height:.10g}"
    return CallError(
        f"{written(point)} lies outside of the viewport, which is {size} CSS pixels.",
        "Scroll there with browser_mouse_wheel or browser_scroll_into_view; coordinates count from "
        "the upper left corner of what is in view.",
    )
