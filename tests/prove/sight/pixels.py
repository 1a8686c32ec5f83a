"""Judges the mark [hidden] by pixels: hiding a visible element changes the picture of the page."""

from __future__ import annotations

import base64
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, Final

from PIL import Image, ImageChops

from tests.browser.walker.walked import Walked
from tests.prove.fidelity.judge import INTERACTIVE
from viewpoint_mcp.accessibility.printing.snapshot_yaml import render_label
from viewpoint_mcp.accessibility.tree import Node

MARKING, MEASURING, REVEAL = (
    (Path(__file__).parent / name).read_text(encoding="utf-8")
    for name in ("marking.js", "measuring.js", "reveal.js")
)

FAINT: Final = 13
"""A smaller difference of 255 in each colour is not seen, as for the walker (5 %)."""

TRIES: Final = 40

Box = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class Verdict:
    """One printed element.

    Attributes:
        line: Its printed line, and its start tag.
        is_marked: It is marked as hidden, itself or an ancestor.
        is_seen: The screenshot shows it.
    """

    page: str
    line: str
    is_marked: bool
    is_seen: bool

    @property
    def agrees(self) -> bool:
        return self.is_marked != self.is_seen


@dataclass(frozen=True, slots=True)
class Printed:
    """An element of the snapshot.

    Attributes:
        marked_root: The number of its outermost marked ancestor, or its own; 0 for none.
        is_place: It can be clicked or contains nothing to read. People see its area, even if
            nothing is painted there.
    """

    number: int
    line: str
    marked_root: int
    is_place: bool


class Restless(Exception):
    """The page changes by itself, so that two pictures cannot be compared."""


async def judge_marks(walked: Walked, page: str, *, most: int, seed: int) -> list[Verdict]:
    """Compare the marks of at most `most` marked and as many other elements with the pixels.

    Raises:
        Restless: The page keeps changing.
    """
    referee = Referee(walked)
    await referee.take_still()
    printed = {
        each.number: each for each in printed_elements(await walked.walk(allRefs=True, hidden=True))
    }
    elements = [printed[number] for number in await referee.measure("judgeable", list(printed))]
    random = Random(seed)
    marked = [each for each in elements if each.marked_root]
    others = [each for each in elements if not each.marked_root]
    marked, others = (random.sample(each, min(most, len(each))) for each in (marked, others))
    await referee.mark("start", list(printed))
    seen = await referee.seen_among(others) | await referee.seen_marked(marked)
    judged = [*marked, *others]
    tags = await referee.measure("tags", [each.number for each in judged])
    return [
        Verdict(page, f"{each.line}  {tag}", bool(each.marked_root), each.number in seen)
        for each, tag in zip(judged, tags, strict=True)
    ]


def printed_elements(nodes: Sequence[Node]) -> Iterator[Printed]:
    """Yield the elements of a snapshot that was taken with `allRefs`."""
    pending = [(node, 0) for node in nodes]
    while pending:
        node, marked_root = pending.pop()
        number = int(node.properties.get("ref", 0))
        if not marked_root and "hidden" in node.properties:
            marked_root = number
        if number:
            is_place = node.role in INTERACTIVE or "cursor" in node.properties or not _says(node)
            yield Printed(number, render_label(node), marked_root, is_place)
        pending.extend((child, marked_root) for child in node.children if isinstance(child, Node))


def _says(node: Node) -> bool:
    """Return whether the node has a name or a text, itself or in it."""
    return bool(node.name) or any(isinstance(child, str) or _says(child) for child in node.children)


class Referee:
    """Takes screenshots of one page and compares them."""

    def __init__(self, walked: Walked) -> None:
        self._walked = walked
        self._still = Image.new("RGB", (1, 1))

    async def mark(self, name: str, *args: Any) -> Any:
        """Call a function of marking.js."""
        return await self._walked.apply(MARKING, name, *args)

    async def measure(self, name: str, *args: Any) -> Any:
        """Call a function of measuring.js."""
        return await self._walked.apply(MEASURING, name, *args)

    async def _reveal(self, number: int) -> tuple[float, ...]:
        return tuple(await self._walked.apply(REVEAL, number))

    async def take_still(self) -> None:
        """Take a picture of the page as it is, once two in a row are equal and nothing moves."""
        for _ in range(TRIES):
            before, self._still = self._still, await self._picture()
            if _change(before, self._still) is None and not await self.measure("isMoving"):
                return
        raise Restless

    async def _picture(self) -> Image.Image:
        shot = await self._walked.session.Page.captureScreenshot(
            format="png", optimizeForSpeed=True
        )
        return Image.open(io.BytesIO(base64.b64decode(shot["data"]))).convert("RGB")

    async def _changed(
        self, numbers: Sequence[int], boxes: Sequence[Box | None], how: str = "hide"
    ) -> list[bool]:
        """Hide or paint the elements at once; return for each box whether the picture changes in
        it. It must be the same again afterwards, or the page has changed by itself.
        """
        for _ in range(TRIES):
            await self.mark("set", numbers, how)
            changed = await self._picture()
            await self.mark("set", numbers, "")
            found = [_change(self._still, changed, box) is not None for box in boxes]
            if not any(found) or _change(self._still, await self._picture()) is None:
                return found
            await self.take_still()
        raise Restless

    async def seen_among(self, elements: Sequence[Printed]) -> set[int]:
        """Return the numbers of the visible elements: many at once first, the rest one by one."""
        seen: set[int] = set()
        pending = {each.number: each for each in elements}
        while pending:
            await self._reveal(next(iter(pending)))
            await self.take_still()
            boxes = await self.measure("boxes", list(pending))
            for batch in _apart(dict(zip(pending, map(tuple, boxes), strict=True))):
                changed = await self._changed(list(batch), list(batch.values()))
                seen.update(
                    each for each, is_changed in zip(batch, changed, strict=True) if is_changed
                )
            first = next(iter(pending))
            if first not in seen and await self._is_seen(pending[first]):
                seen.add(first)
            del pending[first]
            for number in seen & pending.keys():
                del pending[number]
        return seen

    async def _is_seen(self, element: Printed) -> bool:
        """Whether the element is seen where it is now: it, its label, or the place where it is."""
        await self.take_still()
        if (await self._changed([element.number], [None]))[0]:
            return True
        if not element.is_place:
            return False
        if await self.mark("setLabels", element.number, "hide"):
            without = await self._picture()
            await self.mark("setLabels", element.number, "")
            if _change(self._still, without) is not None:
                return True
        painted = await self._changed([element.number], [None], "paint")
        return painted[0] or await self.measure("isHit", element.number)

    async def seen_marked(self, elements: Sequence[Printed]) -> set[int]:
        """Return the numbers of those that are seen. Most are not: they are hidden all at once."""
        roots = list({each.marked_root for each in elements})
        seen: set[int] = set()
        quiet: set[tuple[float, ...]] = set()
        for element in elements:
            place = await self._reveal(element.number)
            if place in quiet:
                continue
            await self.take_still()
            if not (await self._changed(roots, [None]))[0]:
                quiet.add(place)
            elif (await self._changed([element.number], [None]))[0]:
                seen.add(element.number)
        return seen


def _apart(boxes: dict[int, Box]) -> Iterator[dict[int, Box]]:
    """Yield groups of elements whose boxes do not touch, without those outside the view."""
    pending = {key: box for key, box in boxes.items() if box[0] < box[2] and box[1] < box[3]}
    while pending:
        group: dict[int, Box] = {}
        for key, box in pending.items():
            if not any(_touch(box, other) for other in group.values()):
                group[key] = box
        yield group
        for key in group:
            del pending[key]


def _touch(one: Box, other: Box) -> bool:
    return (
        one[0] <= other[2] + 1
        and other[0] <= one[2] + 1
        and one[1] <= other[3] + 1
        and other[1] <= one[3] + 1
    )


def _change(one: Image.Image, other: Image.Image, box: Box | None = None) -> Box | None:
    """Return the box around the differences between two pictures, within a box; None if they are
    equal.
    """
    if one.size != other.size:
        return (0, 0, 0, 0)
    if box is not None:
        edges = (int(box[0]), int(box[1]), -int(-box[2] // 1), -int(-box[3] // 1))
        one, other = one.crop(edges), other.crop(edges)
    faint = ImageChops.difference(one, other).point(lambda value: 255 if value > FAINT else 0)
    return faint.getbbox()
