"""Shortening of a printed snapshot to a budget of characters.

Siblings share the budget of their parent: small siblings are printed whole, and large ones share
the rest. A run is a sequence of similar siblings: rows, options, or a repeated pattern of a few
roles. Of a run, the first siblings are printed and the others are counted, so that the budget lasts
for the siblings after the run. A long text keeps its beginning. Each cut leaves a YAML comment with
a count.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from viewpoint_mcp.accessibility.printing.printed_snapshot_lines import (
    SnapshotLines,
    format_count,
    may_have_elements_in_text,
    shorten_line,
)

MIN_RUN_LENGTH: Final = 6
"""Minimum number of similar siblings that form a run."""

_PATTERN_LENGTHS: Final = range(1, 9)  # lengths, in siblings, of the pattern that a run repeats
_MAX_COMMENT_LENGTH: Final = 90  # maximum length of a comment with a count
_LONG_LINE_LENGTH: Final = 300  # length of a line above which its text may be cut
_LARGE_DIVISOR: Final = 4  # A sibling larger than this fraction (1/4) of the budget is in no run.
_MIN_BEGINNING: Final = 80  # characters of an element that are worth printing
_SMALL_DIVISOR: Final = 8  # A selected unit gets its whole size, or at least 1/8 of the budget.


@dataclass(frozen=True, slots=True)
class CutSnapshot:
    """A snapshot cut to a budget.

    Attributes:
        text: The text.
        omitted_elements: The number of elements that the text omits.
        omitted_characters: The number of characters that the whole snapshot has more.
    """

    text: str
    omitted_elements: int = 0
    omitted_characters: int = 0


@dataclass(frozen=True, slots=True)
class SiblingUnit:
    """A part of the snapshot with a share of the budget: siblings, each with its content.

    Attributes:
        start: The index of the first line.
        end: The index after the last line.
        min_size: The minimum number of characters that prints a part of the unit.
        size: The maximum number of characters that the unit may use.
        is_run: Whether to print the first siblings and to count the others.
    """

    start: int
    end: int
    min_size: int
    size: int
    is_run: bool


# A range of sibling lines (start, end), and the number of characters in which to print it.
_LinesToPrint = tuple[int, int, int]


def fit_to_budget(text: str, budget: int) -> CutSnapshot:
    """Return a snapshot cut to at most `budget` characters.

    Args:
        text: The YAML of the snapshot.
        budget: The maximum number of characters; at least a few hundred.
    """
    if len(text) <= budget:
        return CutSnapshot(text)
    snapshot_lines = SnapshotLines(text)
    end = len(snapshot_lines.lines)
    return cut_units(
        snapshot_lines, [(SiblingUnit(0, end, budget, len(text) + 1, is_run=False), budget)]
    )


def cut_units(
    snapshot_lines: SnapshotLines, units: Iterable[tuple[SiblingUnit, int]]
) -> CutSnapshot:
    """Return a snapshot of units that together have all its lines, each cut to its share.

    Args:
        units: The units in the order of their lines, with the maximum number of characters for
            each.
    """
    divider = _BudgetDivider(snapshot_lines)
    printed: list[str] = []
    for unit, share in units:
        pending: list[str | _LinesToPrint] = [(unit.start, unit.end, share)]
        if unit.is_run:
            pending = divider.divide_similar_siblings(unit, share)[::-1]
        while pending:
            part = pending.pop()
            if isinstance(part, str):
                printed.append(part)
            elif snapshot_lines.count_characters(part[0], part[1]) <= part[2]:
                printed.extend(snapshot_lines.lines[part[0] : part[1]])
            else:
                pending.extend(reversed(divider.divide_lines(*part)))
    result = "\n".join(printed)
    whole_size = snapshot_lines.count_characters(0, len(snapshot_lines.lines)) - 1
    return CutSnapshot(result, divider.omitted_elements, whole_size - len(result))


class _BudgetDivider:
    """Divides the budget among siblings, and counts the elements that it omits."""

    def __init__(self, snapshot_lines: SnapshotLines) -> None:
        self._snapshot_lines = snapshot_lines
        self.omitted_elements = 0

    def divide_lines(self, start: int, end: int, budget: int) -> list[str | _LinesToPrint]:
        """Return the parts of a range of lines to print, and comments that count the rest."""
        starts = list(self._snapshot_lines.sibling_lines(start, end))
        bounds = [*starts, end]
        head, tail = self._make_sibling_units(bounds, budget), []
        if head[-1].end < end or sum(unit.min_size for unit in head) > budget:
            # The budget cannot hold a part of each unit, so omit the units in the middle.
            budget -= self._max_comment_size(start)
            head = _select_fitting_units(head, budget * 3 // 4, budget)
            first_sibling = bisect_left(bounds, head[-1].end if head else start)
            last_units = (
                self._make_element_unit(*pair)
                for pair in _iterate_ranges_backwards(bounds, first_sibling)
            )
            tail = _select_fitting_units(last_units, budget // 4, budget)[::-1]
        max_share = max_equal_share([*head, *tail], budget)
        head_end, tail_start = head[-1].end if head else start, tail[0].start if tail else end
        parts = [part for unit in head for part in self._divide_unit(unit, max_share)]
        if head_end < tail_start:
            parts.append(self._make_omission_comment(head_end, tail_start))
        return parts + [part for unit in tail for part in self._divide_unit(unit, max_share)]

    def _divide_unit(self, unit: SiblingUnit, max_share: int) -> list[str | _LinesToPrint]:
        share = min(unit.size, max(unit.min_size, max_share))
        if unit.is_run:
            return self.divide_similar_siblings(unit, share)
        return self._divide_element(unit.start, share)

    def divide_similar_siblings(
        self, run_of_siblings: SiblingUnit, budget: int
    ) -> list[str | _LinesToPrint]:
        """Return the first siblings, a comment that counts others, and the last one if small."""
        snapshot_lines, end = self._snapshot_lines, run_of_siblings.end
        if snapshot_lines.count_characters(run_of_siblings.start, end) <= budget:
            return [(run_of_siblings.start, end, budget)]
        *siblings, tail = snapshot_lines.sibling_lines(run_of_siblings.start, end)
        remaining = budget - self._max_comment_size(run_of_siblings.start)
        tail_size = snapshot_lines.count_characters(tail, end)
        roles = [snapshot_lines.role_of_line(index) for index in (tail, *siblings[-1:])]
        if tail_size * _SMALL_DIVISOR > budget or roles != [roles[0]] * 2:
            siblings, tail, tail_size = [*siblings, tail], end, 0
        remaining -= tail_size
        printed_end = run_of_siblings.start
        for index in siblings:
            size = snapshot_lines.count_characters(index, snapshot_lines.subtree_ends[index])
            if size > remaining:
                break
            remaining -= size
            printed_end = snapshot_lines.subtree_ends[index]
        parts: list[str | _LinesToPrint] = [(run_of_siblings.start, printed_end, budget)]
        if printed_end == run_of_siblings.start and remaining >= _MIN_BEGINNING:
            parts = self._divide_element(run_of_siblings.start, remaining)
            printed_end = snapshot_lines.subtree_ends[run_of_siblings.start]
        if printed_end < tail:
            parts.append(self._make_omission_comment(printed_end, tail))
        if tail < end:
            parts.append((tail, end, budget))
        return parts

    def _divide_element(self, line_index: int, budget: int) -> list[str | _LinesToPrint]:
        snapshot_lines = self._snapshot_lines
        line, end = snapshot_lines.lines[line_index], snapshot_lines.subtree_ends[line_index]
        if snapshot_lines.count_characters(line_index, end) <= budget:
            return [(line_index, end, budget)]
        if end == line_index + 1:
            return [shorten_line(line, budget - 1)]
        return [line, (line_index + 1, end, budget - len(line) - 1)]

    def _make_omission_comment(self, start: int, end: int) -> str:
        """Return a comment that counts omitted lines, by their role if all have the same role."""
        snapshot_lines = self._snapshot_lines
        elements, size = (
            snapshot_lines.count_elements(start, end),
            snapshot_lines.count_characters(start, end),
        )
        self.omitted_elements += elements
        inside = f"{size:,} characters"
        role = snapshot_lines.role_of_line(start)
        siblings = list(snapshot_lines.sibling_lines(start, end))
        if all(snapshot_lines.role_of_line(index) == role for index in siblings):
            what = format_count(len(siblings), f"more {role or 'line'}")
            if elements > len(siblings):
                inside = f"{elements:,} elements, {inside}"
        else:
            what = format_count(elements, "more element")
        return f"{'  ' * snapshot_lines.levels[start]}# … {what} ({inside})"

    def _max_comment_size(self, line_index: int) -> int:
        return 2 * self._snapshot_lines.levels[line_index] + _MAX_COMMENT_LENGTH

    def _make_sibling_units(self, sibling_bounds: Sequence[int], budget: int) -> list[SiblingUnit]:
        """Return the units of siblings, until their minimum sizes exceed the budget.

        Args:
            sibling_bounds: The start of each sibling, and the end of the last one.
            budget: The number of characters for all units.
        """
        roles = [self._snapshot_lines.role_of_line(start) for start in sibling_bounds[:-1]]
        units: list[SiblingUnit] = []
        first = need = 0
        while first < len(roles) and need <= budget:
            count = self._count_similar_siblings(roles, sibling_bounds, first, budget)
            if count < MIN_RUN_LENGTH:
                unit = self._make_element_unit(sibling_bounds[first], sibling_bounds[first + 1])
                first += 1
            else:
                unit = self._make_run_unit(sibling_bounds[first], sibling_bounds[first + count])
                first += count
            units.append(unit)
            need += unit.min_size
        return units

    def _count_similar_siblings(
        self, roles: Sequence[str], sibling_bounds: Sequence[int], first: int, budget: int
    ) -> int:
        """Return the length of the run that starts at `first`. A large sibling ends a run."""
        count = count_siblings_in_role_pattern(roles, first)
        if count >= MIN_RUN_LENGTH:
            for index in range(first, first + count):
                size = self._snapshot_lines.count_characters(
                    sibling_bounds[index], sibling_bounds[index + 1]
                )
                if size * _LARGE_DIVISOR > budget:
                    return index - first
        return count

    def _make_element_unit(self, start: int, end: int) -> SiblingUnit:
        size = self._snapshot_lines.count_characters(start, end)
        return SiblingUnit(start, end, min(size, self._min_size(start)), size, is_run=False)

    def _make_run_unit(self, start: int, end: int) -> SiblingUnit:
        size = self._snapshot_lines.count_characters(start, end)
        need = self._min_size(start) + self._max_comment_size(start)
        return SiblingUnit(start, end, min(size, need), size, is_run=True)

    def _min_size(self, line_index: int) -> int:
        """Return the minimum size of an element: its line, and a comment that counts its content.

        An element without content may need less, because its text can be cut.
        """
        snapshot_lines = self._snapshot_lines
        length = len(snapshot_lines.lines[line_index]) + 1
        if snapshot_lines.subtree_ends[line_index] > line_index + 1:
            return min(
                snapshot_lines.count_characters(
                    line_index, snapshot_lines.subtree_ends[line_index]
                ),
                length + self._max_comment_size(line_index) + 2,
            )
        if may_have_elements_in_text(snapshot_lines.lines[line_index]):
            return length
        return min(length, _LONG_LINE_LENGTH + 2 * snapshot_lines.levels[line_index])


def _iterate_ranges_backwards(bounds: Sequence[int], first: int) -> Iterator[tuple[int, int]]:
    for index in range(len(bounds) - 1, first, -1):
        yield bounds[index - 1], bounds[index]


def _select_fitting_units(
    units: Iterable[SiblingUnit], budget_for_units: int, budget_for_all_siblings: int
) -> list[SiblingUnit]:
    """Return the first units that fit into their budget. Large units may be printed in part.

    Args:
        units: The units in the order of their priority.
        budget_for_units: The budget for the selected units.
        budget_for_all_siblings: The budget for all siblings.
    """
    chosen: list[SiblingUnit] = []
    for unit in units:
        budget_for_units -= max(
            unit.min_size, min(unit.size, budget_for_all_siblings // _SMALL_DIVISOR)
        )
        if budget_for_units < 0:
            break
        chosen.append(unit)
    return chosen


def max_equal_share(units: Sequence[SiblingUnit], budget: int) -> int:
    """Return the maximum share of each unit with which all units fit into the budget.

    Smaller units use less than the share.
    """
    low, high = 0, budget
    while low < high:
        level = (low + high + 1) // 2
        if sum(min(unit.size, max(unit.min_size, level)) for unit in units) <= budget:
            low = level
        else:
            high = level - 1
    return low


def count_siblings_in_role_pattern(roles: Sequence[str], first: int) -> int:
    """Return how many siblings from `first` on repeat a pattern of a few roles.

    The pattern must occur at least three times. Return 1 if no pattern is repeated.
    """
    best = 1
    for period in _PATTERN_LENGTHS:
        last = first
        while last + period < len(roles) and roles[last] == roles[last + period]:
            last += 1
        count = last + period - first
        if last > first and count >= 3 * period and count > best + period:
            best = count
    return best
