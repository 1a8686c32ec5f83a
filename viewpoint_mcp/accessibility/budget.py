"""Cuts a printed snapshot to a number of characters, where it hurts least.

Every place where lines stand side by side divides what it has among them: what is small stays
whole, what is large shares the rest. Of a run of alike ones (rows, options, or the same few roles
over and over) the first are shown and the others counted, so that what follows the run stays in
sight. A long text keeps its beginning. Each cut is a comment of YAML with a count.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from viewpoint_mcp.accessibility.outline import Outline, plural, shorten

_RUN: Final = 6  # alike siblings from which on the first ones stand for all
_PERIODS: Final = range(1, 9)  # of how many siblings the pattern that a run repeats may be
_NOTE: Final = 90  # characters of a comment that counts, at most
_LONG_LINE: Final = 300  # characters of a line from which on its text may be cut
_LARGE: Final = 4  # a sibling that takes more than this part of the place is in no run
_SMALL: Final = 8


@dataclass(frozen=True, slots=True)
class Fitted:
    """What is shown of a snapshot.

    Attributes:
        elements: How many are left out.
        characters: How many of the whole are left out.
    """

    text: str
    elements: int = 0
    characters: int = 0


@dataclass(frozen=True, slots=True)
class _Unit:
    """What gets a share: one line with all that stands under it, or a run of alike ones.

    Attributes:
        need: The fewest characters in which something of it can be shown.
        size: Characters of the whole.
    """

    start: int
    end: int
    need: int
    size: int
    is_run: bool


# The lines from a start to before an end, to be shown in so many characters.
_Part = tuple[int, int, int]


def fit(text: str, budget: int) -> Fitted:
    """Return the text in at most `budget` characters, which must be some hundreds."""
    if len(text) <= budget:
        return Fitted(text)
    outline = Outline(text)
    divider = _Divider(outline)
    shown: list[str] = []
    pending: list[str | _Part] = [(0, len(outline.lines), budget)]
    while pending:
        part = pending.pop()
        if isinstance(part, str):
            shown.append(part)
        elif outline.size(part[0], part[1]) <= part[2]:
            shown.extend(outline.lines[part[0] : part[1]])
        else:
            pending.extend(reversed(divider.divide(*part)))
    result = "\n".join(shown)
    return Fitted(result, divider.elements, len(text) - len(result))


class _Divider:
    """Divides room among siblings. Counts the elements that it leaves out."""

    def __init__(self, outline: Outline) -> None:
        self._outline = outline
        self.elements = 0

    def divide(self, start: int, end: int, room: int) -> list[str | _Part]:
        """Return what is shown of the lines: some whole, some in part, and counts of the rest."""
        starts = list(self._outline.siblings(start, end))
        bounds = [*starts, end]
        head, tail = self._units(bounds, room), []
        if head[-1].end < end or sum(unit.need for unit in head) > room:
            # There is no room for a little of each: the middle is left out.
            room -= self._note_size(start)
            head = _affordable(head, room * 3 // 4, room)
            seen = bisect_left(bounds, head[-1].end if head else start)
            ending = (self._single(*pair) for pair in _backwards(bounds, seen))
            tail = _affordable(ending, room // 4, room)[::-1]
        level = _water_level([*head, *tail], room)
        shown, hidden = head[-1].end if head else start, tail[0].start if tail else end
        parts = [part for unit in head for part in self._unit(unit, level)]
        if shown < hidden:
            parts.append(self._note(shown, hidden))
        return parts + [part for unit in tail for part in self._unit(unit, level)]

    def _unit(self, unit: _Unit, level: int) -> list[str | _Part]:
        share = min(unit.size, max(unit.need, level))
        return self._run(unit, share) if unit.is_run else self._one(unit.start, share)

    def _run(self, run: _Unit, room: int) -> list[str | _Part]:
        if run.size <= room:
            return [(run.start, run.end, room)]
        left = room - self._note_size(run.start)
        shown = run.start
        for index in self._outline.siblings(run.start, run.end):
            size = self._outline.size(index, self._outline.ends[index])
            if size > left:
                break
            left -= size
            shown = self._outline.ends[index]
        parts: list[str | _Part] = [(run.start, shown, room)]
        if shown == run.start:
            parts, shown = self._one(shown, left), self._outline.ends[shown]
        return [*parts, self._note(shown, run.end)] if shown < run.end else parts

    def _one(self, index: int, room: int) -> list[str | _Part]:
        outline = self._outline
        line, end = outline.lines[index], outline.ends[index]
        if outline.size(index, end) <= room:
            return [(index, end, room)]
        if end == index + 1:
            return [shorten(line, room - 1)]
        return [line, (index + 1, end, room - len(line) - 1)]

    def _note(self, start: int, end: int) -> str:
        """Count what is left out, in the words of its role where it has but one."""
        outline = self._outline
        elements, size = outline.elements(start, end), outline.size(start, end)
        self.elements += elements
        inside = f"{size:,} characters"
        role = outline.role(start)
        siblings = list(outline.siblings(start, end))
        if all(outline.role(index) == role for index in siblings):
            what = plural(len(siblings), f"more {role or 'line'}")
            if elements > len(siblings):
                inside = f"{elements:,} elements, {inside}"
        else:
            what = plural(elements, "more element")
        return f"{'  ' * outline.levels[start]}# … {what} ({inside})"

    def _note_size(self, index: int) -> int:
        return 2 * self._outline.levels[index] + _NOTE

    def _units(self, bounds: Sequence[int], room: int) -> list[_Unit]:
        """Return the units of siblings, as many as there may be room for.

        Args:
            bounds: Where each sibling starts, and where the last one ends.
        """
        kinds = [self._outline.role(start) for start in bounds[:-1]]
        units: list[_Unit] = []
        first = need = 0
        while first < len(kinds) and need <= room:
            count = self._run_length(kinds, bounds, first, room)
            if count < _RUN:
                unit = self._single(bounds[first], bounds[first + 1])
                first += 1
            else:
                unit = self._alike(bounds[first], bounds[first + count])
                first += count
            units.append(unit)
            need += unit.need
        return units

    def _run_length(
        self, kinds: Sequence[str], bounds: Sequence[int], first: int, room: int
    ) -> int:
        """How many siblings from `first` on are alike. One that is large by itself is alike to
        none.
        """
        count = _repeated(kinds, first)
        if count >= _RUN:
            for index in range(first, first + count):
                if self._outline.size(bounds[index], bounds[index + 1]) * _LARGE > room:
                    return index - first
        return count

    def _single(self, start: int, end: int) -> _Unit:
        size = self._outline.size(start, end)
        return _Unit(start, end, min(size, self._need(start)), size, is_run=False)

    def _alike(self, start: int, end: int) -> _Unit:
        size = self._outline.size(start, end)
        need = self._need(start) + self._note_size(start)
        return _Unit(start, end, min(size, need), size, is_run=True)

    def _need(self, index: int) -> int:
        """The fewest characters for an element: its own line, and a count of what is inside."""
        outline = self._outline
        length = len(outline.lines[index]) + 1
        if outline.ends[index] > index + 1:
            return min(
                outline.size(index, outline.ends[index]),
                length + self._note_size(index) + 2,
            )
        return min(length, _LONG_LINE + 2 * outline.levels[index])


def _backwards(bounds: Sequence[int], first: int) -> Iterator[tuple[int, int]]:
    for index in range(len(bounds) - 1, first, -1):
        yield bounds[index - 1], bounds[index]


def _affordable(units: Iterable[_Unit], left: int, room: int) -> list[_Unit]:
    """Return the first of the units that can be shown in `left` characters, large ones in part."""
    chosen: list[_Unit] = []
    for unit in units:
        left -= max(unit.need, min(unit.size, room // _SMALL))
        if left < 0:
            break
        chosen.append(unit)
    return chosen


def _water_level(units: Sequence[_Unit], room: int) -> int:
    """Return the most characters that each may have so that all together have room: what is
    smaller leaves the rest to the others.
    """
    low, high = 0, room
    while low < high:
        level = (low + high + 1) // 2
        if sum(min(unit.size, max(unit.need, level)) for unit in units) <= room:
            low = level
        else:
            high = level - 1
    return low


def _repeated(kinds: Sequence[str], first: int) -> int:
    """How many siblings from `first` on repeat a pattern of a few kinds at least three times; 1
    where none is repeated.
    """
    best = 1
    for period in _PERIODS:
        last = first
        while last + period < len(kinds) and kinds[last] == kinds[last + period]:
            last += 1
        count = last + period - first
        if last > first and count >= 3 * period and count > best + period:
            best = count
    return best
