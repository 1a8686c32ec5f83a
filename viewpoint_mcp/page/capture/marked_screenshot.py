"""Screenshots on which the elements that have a ref are marked with it."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, TypeAlias

from cdp_protocol import CallTimeout
from viewpoint_mcp.accessibility.refs import Ref
from viewpoint_mcp.accessibility.tree import Node
from viewpoint_mcp.errors import ViewpointError
from viewpoint_mcp.imaging.marking import Box, Mark, draw_marks
from viewpoint_mcp.page.actions.element import Element
from viewpoint_mcp.page.capture.screenshot import Screenshot
from viewpoint_mcp.page.frames import Frame
from viewpoint_mcp.page.isolated_world import WorldGoneError
from viewpoint_mcp.page.snapshot.page_snapshot import take_snapshot

if TYPE_CHECKING:
    from viewpoint_mcp.page.services import PageServices

_ATTEMPTS: Final = 3
_CHILD_FRAME_TIMEOUT: Final = 2.0  # seconds for the answer of a child frame
_MIN_SIDE: Final = 2  # pixels a side of a marked box, within the screenshot

VisibleParts = Mapping[str, Sequence[Sequence[float]]]
"""The visible parts of elements, by ref: left, top, right, bottom; CSS pixels of the viewport."""


_ElementParts = tuple[str, Sequence[Sequence[float]]]
"""One entry of `VisibleParts`, as `whereSeen` returns it."""


@dataclass(frozen=True, slots=True)
class MarkedScreenshot:
    """A screenshot with marked elements.

    Attributes:
        screenshot: The screenshot, with the marks.
        marked_nodes: The marked elements, in the order of a snapshot.
        ref_count: The number of elements of the page that have a ref.
        is_moving: Whether the page changed during every attempt, so that marks may be misplaced.
    """

    screenshot: Screenshot
    marked_nodes: Sequence[Node]
    ref_count: int
    is_moving: bool


@dataclass(frozen=True, slots=True)
class _Survey:
    """The elements that have a ref, by ref, and their visible parts."""

    nodes: Mapping[str, Node]
    visible_parts: VisibleParts


async def take_marked_screenshot(
    page: PageServices,
    take_screenshot: Callable[[], Awaitable[Screenshot]],
    *,
    full_page: bool,
    element: Element | None,
) -> MarkedScreenshot:
    """Take a screenshot, and mark on it the elements that have a ref and are visible there.

    The positions of elements are queried before and after the screenshot. Until both agree, the
    screenshot is taken again, up to three attempts in all. For a screenshot of one element, the
    page is scrolled to the element first.

    Args:
        take_screenshot: Takes the screenshot.
        full_page: Whether it is a screenshot of the whole page.
        element: The element of the screenshot; None for the viewport or the whole page.

    Raises:
        ElementError: The element is gone or not rendered.
    """
    if full_page:
        async with _scroll_to_start_and_back(page) as (x, y):
            marked = await _take_until_stable(page, take_screenshot, is_beyond_viewport=True)
        left, top = marked.screenshot.origin
        return replace(marked, screenshot=replace(marked.screenshot, origin=(left - x, top - y)))
    if element is not None:
        await page.call_inpage(element.frame, "showNearest", element.ref.element)
    return await _take_until_stable(page, take_screenshot, is_beyond_viewport=element is not None)


async def _take_until_stable(
    page: PageServices,
    take_screenshot: Callable[[], Awaitable[Screenshot]],
    *,
    is_beyond_viewport: bool,
) -> MarkedScreenshot:
    before = await _survey_elements(page, is_beyond_viewport=is_beyond_viewport)
    for _ in range(_ATTEMPTS):
        screenshot = await take_screenshot()
        after = await _survey_elements(page, is_beyond_viewport=is_beyond_viewport)
        is_moving = after.visible_parts != before.visible_parts
        if not is_moving:
            break
        before = after
    marks = _list_marks(after.visible_parts, screenshot)
    data = (
        await asyncio.to_thread(draw_marks, screenshot.data, marks, screenshot.pixel_ratio)
        if marks
        else screenshot.data
    )
    marked_nodes = [after.nodes[each.label] for each in marks]
    return MarkedScreenshot(
        replace(screenshot, data=data), marked_nodes, len(after.nodes), is_moving
    )


_PreviousScrollPosition: TypeAlias = tuple[float, float]


@asynccontextmanager
async def _scroll_to_start_and_back(page: PageServices) -> AsyncIterator[_PreviousScrollPosition]:
    """Scroll the page to its start while the block runs. Yield the previous scroll position.

    At the start, fixed and sticky elements have the same positions as in a full-page screenshot.
    The position is in CSS pixels.
    """
    was: dict[str, float] = await page.call_inpage(page.frames.main, "scrollPageTo", 0, 0)
    try:
        yield was["x"], was["y"]
    finally:
        with suppress(ViewpointError):
            await page.call_inpage(page.frames.main, "scrollPageTo", was["x"], was["y"])


def _list_marks(visible_parts: VisibleParts, screenshot: Screenshot) -> list[Mark]:
    """Return the marks in pixels of the screenshot, without the parts that lie outside of it."""
    marks = []
    for ref, parts in visible_parts.items():
        boxes = [_to_screenshot_pixels(part, screenshot) for part in parts]
        if visible_boxes := tuple(each for each in boxes if each is not None):
            marks.append(Mark(ref, visible_boxes))
    return marks


def _to_screenshot_pixels(part: Sequence[float], screenshot: Screenshot) -> Box | None:
    (x, y), (width, height) = screenshot.origin, screenshot.size
    left, right = (min(max((each - x) * screenshot.pixel_ratio, 0), width) for each in part[::2])
    top, bottom = (min(max((each - y) * screenshot.pixel_ratio, 0), height) for each in part[1::2])
    if right - left < _MIN_SIDE or bottom - top < _MIN_SIDE:
        return None
    return round(left), round(top), round(right), round(bottom)


async def _survey_elements(page: PageServices, *, is_beyond_viewport: bool) -> _Survey:
    capture = await take_snapshot(page)
    nodes = {node.ref: node for node in _list_nodes_with_ref(capture.nodes)}
    by_frame: defaultdict[int, list[tuple[str, int]]] = defaultdict(list)
    for text in nodes:
        ref = Ref.parse(text)
        assert ref is not None
        by_frame[ref.frame].append((text, ref.element))
    visible_parts = await page.run_unless_blocked(
        _find_visible_parts(page.frames.main, list(page.frames), by_frame, is_beyond_viewport)
    )
    parts = dict(visible_parts)
    return _Survey(nodes, {ref: parts[ref] for ref in nodes if ref in parts})


def _list_nodes_with_ref(nodes: Sequence[Node | str]) -> list[Node]:
    """Return the elements that have a ref, in order. Skip hidden elements and their content."""
    nodes_with_ref = []
    pending = list(reversed(nodes))
    while pending:
        node = pending.pop()
        if isinstance(node, str) or "hidden" in node.properties:
            continue
        if node.ref:
            nodes_with_ref.append(node)
        pending.extend(reversed(node.children))
    return nodes_with_ref


async def _find_visible_parts(
    frame: Frame,
    frames: Sequence[Frame],
    by_frame: Mapping[int, list[tuple[str, int]]],
    is_beyond_viewport: bool,
) -> list[_ElementParts]:
    """Return the visible parts of the elements in a frame and in the frames below it.

    Child frames answer first. Each frame then clips the parts of its child frames to the area that
    is visible in it. This takes one call per frame.

    Args:
        frames: All frames of the page.
        by_frame: The ref and the element number of each element, by frame number.
        is_beyond_viewport: Whether the screenshot extends beyond the viewport.
    """
    child_frames = [
        each for each in frames if each.parent is frame and each.owner_number is not None
    ]
    answers = await asyncio.gather(
        *(_find_visible_parts(each, frames, by_frame, is_beyond_viewport) for each in child_frames)
    )
    inner = [
        {"owner": each.owner_number, "seen": parts}
        for each, parts in zip(child_frames, answers, strict=True)
        if parts
    ]
    own = by_frame.get(frame.number, [])
    if not own and not inner:
        return []
    request = {"own": own, "inner": inner, "isBeyond": is_beyond_viewport}
    is_main = frame.parent is None
    try:
        world = await frame.world()
        visible_parts: list[_ElementParts] = await world.call(
            "whereSeen", request, timeout=None if is_main else _CHILD_FRAME_TIMEOUT
        )
    except WorldGoneError:
        # The next survey finds the document that replaced this one.
        return []
    except CallTimeout:
        if is_main:
            raise
        return []
    return visible_parts
