"""Shortening of a printed snapshot to a budget of characters.

Siblings share the room of their parent: small siblings are printed whole, and large ones share the
rest. A run is a sequence of similar siblings: rows, options, or a repeated pattern of a few roles.
Of a run, the first siblings are printed and the others are counted, so that there is room for the
siblings after the run. A long text keeps its beginning. Each cut leaves a YAML comment with a
count.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from viewpoint_mcp.accessibility.outline import Outline, plural, shorten

_RUN: Final = 6  # minimum number of similar siblings that form a run
_PERIODS: Final = range(1, 9)  # possible lengths, in siblings, of the pattern that a run repeats
_NOTE: Final = 90  # maximum length of a comment with a count
_LONG_LINE: Final = 300  # length of a line above which its text may be cut
_LARGE: Final = 4  # A sibling larger than this fraction (1/4) of the room is in no run.
_SMALL: Final = 8  # A selected unit gets its whole size, or at least 1/8 of the room.


@dataclass(frozen=True, slots=True)
class Fitted:
    """A snapshot cut to a budget.

    Attributes:
        text: The text.
        elements: The number of elements that the text omits.
        characters: The difference between the lengths of the whole snapshot and of the text.
    """

    text: str
    elements: int = 0
    characters: int = 0


@dataclass(frozen=True, slots=True)
class _Unit:
    """A part of the snapshot that gets a share of the room: an element with its content, or a run.

    Attributes:
        start: The index of the first line.
        end: The index after the last line.
        need: The minimum number of characters that prints a part of the unit.
        size: The number of characters of the whole unit.
        is_run: Whether the unit is a run of similar siblings.
    """

    start: int
    end: int
    need: int
    size: int
    is_run: bool


# A range of lines (start, end), and the number of characters in which to print it.
_Part = tuple[int, int, int]


def fit(text: str, budget: int) -> Fitted:
    """Return a snapshot cut to at most `budget` characters.

    Args:
        text: The YAML of the snapshot.
        budget: The maximum number of characters; at least a few hundred.
    """
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
    """Divides room among siblings, and counts the elements that it omits."""

    def __init__(self, outline: Outline) -> None:
        self._outline = outline
        self.elements = 0

    def divide(self, start: int, end: int, room: int) -> list[str | _Part]:
        """Return the parts of a range of lines to print, and comments that count the rest."""
        starts = list(self._outline.siblings(start, end))
        bounds = [*starts, end]
        head, tail = self._units(bounds, room), []
        if head[-1].end < end or sum(unit.need for unit in head) > room:
            # The room is too small for a part of each unit, so the units in the middle are omitted.
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
        """Return a comment that counts omitted lines, by their role if all have the same role."""
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
        """Return the units of siblings, until their needs exceed the room.

        Args:
            bounds: The start of each sibling, and the end of the last one.
            room: The number of characters for all units.
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
        """Return the length of the run that starts at `first`. A large sibling ends a run."""
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
        """Return the minimum room of an element: its line, and a comment that counts its content.

        An element without content may need less, because its text can be cut.
        """
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
    """Return the first units that fit into `left` characters. Large units may be printed in part.

    Args:
        units: The units in the order of their priority.
        left: The room for the selected units.
        room: The room for all siblings.
    """
    chosen: list[_Unit] = []
    for unit in units:
        left -= max(unit.need, min(unit.size, room // _SMALL))
        if left < 0:
            break
        chosen.append(unit)
    return chosen


def _water_level(units: Sequence[_Unit], room: int) -> int:
    """Return the maximum share of each unit with which all units fit into the room.

    Smaller units use less than the share.
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
    """Return how many siblings from `first` on repeat a pattern of a few kinds.

    The pattern must occur at least three times. Return 1 if no pattern is repeated.
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
