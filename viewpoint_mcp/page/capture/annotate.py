"""Screenshots on which the elements that have a ref are marked with it."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from cdp_protocol import CallTimeout
from viewpoint_mcp.accessibility.refs import Ref
from viewpoint_mcp.accessibility.tree import Node
from viewpoint_mcp.errors import ViewpointError
from viewpoint_mcp.imaging.marking import Box, Mark, mark
from viewpoint_mcp.page.actions.element import Element
from viewpoint_mcp.page.capture.screenshot import Screenshot
from viewpoint_mcp.page.frames import Frame
from viewpoint_mcp.page.isolated_world import WorldGone
from viewpoint_mcp.page.snapshot.page_snapshot import take_snapshot

if TYPE_CHECKING:
    from viewpoint_mcp.page.services import PageServices

_ATTEMPTS: Final = 3
_ONE_FRAME: Final = 2.0  # seconds for the answer of a child frame
_LEAST: Final = 2  # pixels a side of a marked box, within the screenshot

Seen = Mapping[str, Sequence[Sequence[float]]]
"""The visible parts of elements, by ref: left, top, right, bottom; CSS pixels of the viewport."""


_Parts = tuple[str, Sequence[Sequence[float]]]
"""One entry of `Seen`, as `whereSeen` returns it."""


@dataclass(frozen=True, slots=True)
class Marked:
    """A screenshot with marked elements.

    Attributes:
        shot: The screenshot, with the marks.
        marked: The marked elements, in the order of a snapshot.
        with_ref: The number of elements of the page that have a ref.
        is_restless: Whether the page changed during every attempt, so that marks may be misplaced.
    """

    shot: Screenshot
    marked: Sequence[Node]
    with_ref: int
    is_restless: bool


@dataclass(frozen=True, slots=True)
class _Survey:
    """The elements that have a ref, by ref, and their visible parts."""

    nodes: Mapping[str, Node]
    seen: Seen


async def take_marked(
    page: PageServices,
    taking: Callable[[], Awaitable[Screenshot]],
    *,
    full_page: bool,
    element: Element | None,
) -> Marked:
    """Take a screenshot, and mark on it the elements that have a ref and are visible there.

    The positions of elements are queried before and after the screenshot. Until both agree, the
    screenshot is taken again, up to three attempts in all. For a screenshot of one element, the
    page is scrolled to the element first.

    Args:
        taking: Takes the screenshot.
        full_page: Whether it is a screenshot of the whole page.
        element: The element of the screenshot; None for the viewport or the whole page.

    Raises:
        ElementError: The element is gone or not rendered.
    """
    if full_page:
        async with _at_start(page) as (x, y):
            taken = await _take(page, taking, is_beyond=True)
        left, top = taken.shot.origin
        return replace(taken, shot=replace(taken.shot, origin=(left - x, top - y)))
    if element is not None:
        await page.call_inpage(element.frame, "showNearest", element.ref.element)
    return await _take(page, taking, is_beyond=element is not None)


async def _take(
    page: PageServices, taking: Callable[[], Awaitable[Screenshot]], *, is_beyond: bool
) -> Marked:
    before = await _survey(page, is_beyond=is_beyond)
    for _ in range(_ATTEMPTS):
        shot = await taking()
        after = await _survey(page, is_beyond=is_beyond)
        is_restless = after.seen != before.seen
        if not is_restless:
            break
        before = after
    marks = _marks(after.seen, shot)
    data = await asyncio.to_thread(mark, shot.data, marks, shot.scale) if marks else shot.data
    marked = [after.nodes[each.label] for each in marks]
    return Marked(replace(shot, data=data), marked, len(after.nodes), is_restless)


@asynccontextmanager
async def _at_start(page: PageServices) -> AsyncIterator[tuple[float, float]]:
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


def _marks(seen: Seen, shot: Screenshot) -> list[Mark]:
    """Return the marks in pixels of the screenshot, without the parts that lie outside of it."""
    marks = []
    for ref, parts in seen.items():
        boxes = [_in_picture(part, shot) for part in parts]
        if kept := tuple(each for each in boxes if each is not None):
            marks.append(Mark(ref, kept))
    return marks


def _in_picture(part: Sequence[float], shot: Screenshot) -> Box | None:
    (x, y), (width, height) = shot.origin, shot.size
    left, right = (min(max((each - x) * shot.scale, 0), width) for each in part[::2])
    top, bottom = (min(max((each - y) * shot.scale, 0), height) for each in part[1::2])
    if right - left < _LEAST or bottom - top < _LEAST:
        return None
    return round(left), round(top), round(right), round(bottom)


async def _survey(page: PageServices, *, is_beyond: bool) -> _Survey:
    taken = await take_snapshot(page, None, all_refs=False, boxes=False)
    nodes = {node.ref: node for node in _with_ref(taken.nodes)}
    by_frame: defaultdict[int, list[tuple[str, int]]] = defaultdict(list)
    for text in nodes:
        ref = Ref.parse(text)
        assert ref is not None
        by_frame[ref.frame].append((text, ref.element))
    found = await page.run_unless_blocked(
        _seen(page.frames.main, list(page.frames), by_frame, is_beyond)
    )
    parts = dict(found)
    return _Survey(nodes, {ref: parts[ref] for ref in nodes if ref in parts})


def _with_ref(nodes: Sequence[Node | str]) -> list[Node]:
    """Return the elements that have a ref, in order. Skip hidden elements and their content."""
    found = []
    pending = list(reversed(nodes))
    while pending:
        node = pending.pop()
        if isinstance(node, str) or "hidden" in node.properties:
            continue
        if node.ref:
            found.append(node)
        pending.extend(reversed(node.children))
    return found


async def _seen(
    frame: Frame,
    frames: Sequence[Frame],
    by_frame: Mapping[int, list[tuple[str, int]]],
    is_beyond: bool,
) -> list[_Parts]:
    """Return the visible parts of the elements in a frame and in the frames below it.

    Child frames answer first. Each frame then clips the parts of its child frames to the area that
    is visible in it. This takes one call per frame.

    Args:
        frames: All frames of the page.
        by_frame: The ref and the element number of each element, by frame number.
        is_beyond: Whether the screenshot extends beyond the viewport.
    """
    below = [each for each in frames if each.parent is frame and each.owner_number is not None]
    told = await asyncio.gather(*(_seen(each, frames, by_frame, is_beyond) for each in below))
    inner = [
        {"owner": each.owner_number, "seen": seen}
        for each, seen in zip(below, told, strict=True)
        if seen
    ]
    own = by_frame.get(frame.number, [])
    if not own and not inner:
        return []
    request = {"own": own, "inner": inner, "isBeyond": is_beyond}
    is_main = frame.parent is None
    try:
        world = await frame.world()
        found: list[_Parts] = await world.call(
            "whereSeen", request, timeout=None if is_main else _ONE_FRAME
        )
    except WorldGone:
        # The next survey finds the document that replaced this one.
        return []
    except CallTimeout:
        if is_main:
            raise
        return []
    return found
