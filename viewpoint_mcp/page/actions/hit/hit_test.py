"""Hit test: finds the element that receives mouse events at a point of the viewport."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import msgspec

from viewpoint_mcp.errors import CallError, ModalOpenError, PageError
from viewpoint_mcp.page.actions.hit import inpage_answers
from viewpoint_mcp.page.actions.hit.element_description import describe_with_ref
from viewpoint_mcp.page.frames import Frame

if TYPE_CHECKING:
    from viewpoint_mcp.page.actions.element import Element
    from viewpoint_mcp.page.services import PageServices

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class HitTarget:
    """The element that receives mouse events at a point.

    Attributes:
        point: CSS pixels of the viewport.
        frame: The innermost frame at the point.
        element_number: Number of the element in that frame's registry; None if no element is there.
        label: Role and name as in a snapshot, with a ref; "" for the background of the page.
        frame_path: The frames that contain the point, each with the number of its element there.
            The innermost frame is the first.
    """

    point: Point
    frame: Frame
    element_number: int | None = None
    label: str = ""
    frame_path: tuple[tuple[Frame, int], ...] = ()

    def __str__(self) -> str:
        return f"{format_point(self.point)}{f': {self.label}' if self.label else ''}"


def format_point(point: Point) -> str:
    """Return a point as replies print it: `(100, 200)`."""
    return f"({point[0]:.10g}, {point[1]:.10g})"


class _ViewportSize(msgspec.Struct, frozen=True):
    width: float
    height: float


_POINT_FACTS_KEYS = {
    "element_number": "hit",
    "described_element": "by",
    "point_in_child": "inner",
    "viewport_if_outside": "outside",
}


class _PointFacts(msgspec.Struct, frozen=True, rename=_POINT_FACTS_KEYS):
    """Answer of `spot` and `spotInSight` of `inpage` about a point.

    Attributes:
        element_number: Number of the element at the point; None if no element is there.
        described_element: The element that describes the point in a reply; None for the background
            of the page.
        point_in_child: The point in the frame that the element shows; None if it shows no frame.
        viewport_if_outside: Size of the viewport if the point lies outside it; else None.
    """

    element_number: int | None = None
    described_element: inpage_answers.ElementFacts | None = None
    point_in_child: inpage_answers.Point | None = None
    viewport_if_outside: _ViewportSize | None = None


async def find_hit_target(page: PageServices, point: Point) -> HitTarget:
    """Return the element at a point of the visible part of the page.

    Args:
        point: CSS pixels from the upper left corner of the visual viewport. After a pinch zoom,
            this is the visible part of the viewport.

    Raises:
        CallError: The point lies outside the viewport.
    """
    frame: Frame | None = page.frames.main
    facts_at_point = await _call_hit_test(page, page.frames.main, "spotInSight", point)
    if facts_at_point.viewport_if_outside is not None:
        raise _outside_viewport_error(point, facts_at_point.viewport_if_outside)
    target = HitTarget(point, page.frames.main)
    while frame is not None and facts_at_point.element_number is not None:
        path = ((frame, facts_at_point.element_number), *target.frame_path)
        label = (
            describe_with_ref(page, frame, facts_at_point.described_element)
            if facts_at_point.described_element
            else ""
        )
        target = HitTarget(point, frame, facts_at_point.element_number, label, path)
        frame, facts_at_point = await _hit_test_child_frame_if_any(
            page, frame, facts_at_point.element_number, facts_at_point.point_in_child
        )
    return target


async def _hit_test_child_frame_if_any(
    page: PageServices, frame: Frame, owner_number: int, point_in_child: inpage_answers.Point | None
) -> tuple[Frame | None, _PointFacts]:
    """Return the frame that an element shows at a point, and the element in it; None if none."""
    if point_in_child is None:
        return None, _PointFacts()
    try:
        child = await find_child_frame(page, frame, owner_number)
        if child is None:
            return None, _PointFacts()
        return child, await _call_hit_test(
            page, child, "spot", (point_in_child.x, point_in_child.y)
        )
    except PageError as error:
        if isinstance(error, ModalOpenError) or page.blockers.blocking_error() is not None:
            raise
        return None, _PointFacts()  # The frame is navigating, or its process has died.


async def find_child_frame(page: PageServices, frame: Frame, owner_number: int) -> Frame | None:
    """Return the frame that an element of `frame` shows; None if it shows none.

    Args:
        owner_number: The element's number.

    Source: CDP `DOM.describeNode`.
    """
    for child in page.frames:
        if child.parent is frame and child.owner_number == owner_number:
            return child
    world = await page.run_unless_blocked(frame.world())
    object_id = await page.run_unless_blocked(world.get_element_object_id(owner_number))
    if object_id is None:
        return None
    described = await page.run_unless_blocked(frame.session.DOM.describeNode(objectId=object_id))
    return page.frames.get(described["node"].get("frameId", ""))


async def _call_hit_test(
    page: PageServices, frame: Frame, function: str, point: Point
) -> _PointFacts:
    return msgspec.convert(await page.call_inpage(frame, function, *point), _PointFacts)


async def find_frame_body(frame_element: Element) -> Element | None:
    """Return the body of the document that an element shows; None if it shows no document."""
    page = frame_element.page
    child = await find_child_frame(page, frame_element.frame, frame_element.ref.element)
    if child is None:
        return None
    found = await page.call_inpage(child, "find", "body")
    return page.elements.get_by_number(child, found["number"]) if "number" in found else None


def _outside_viewport_error(point: Point, viewport: _ViewportSize) -> CallError:
    size = f"{viewport.width:.10g} x {viewport.height:.10g}"
    return CallError(
        f"{format_point(point)} is outside the viewport of {size} CSS pixels.",
        "Coordinates count from the upper left corner of the viewport. Scroll with "
        "browser_mouse_wheel or browser_scroll_into_view.",
    )
