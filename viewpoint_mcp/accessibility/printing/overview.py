"""An overview of a printed snapshot, of about a given length.

An overview has the headings and the controls of the page's main part. The remaining characters are
shared by runs (at least six similar siblings, such as rows, options or links) and by other content
without controls. Of both, the beginning is printed. Content outside the main part gets a quarter of
the overview, or up to half of it if the main part is small. Each cut leaves a comment with a count.

An overview is longer than requested if the main part has many different controls.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import Final, NamedTuple

from viewpoint_mcp.accessibility.printing.printed_snapshot_lines import SnapshotLines
from viewpoint_mcp.accessibility.printing.snapshot_budget import (
    MIN_RUN_LENGTH,
    CutSnapshot,
    SiblingUnit,
    count_siblings_in_role_pattern,
    cut_units,
    fit_to_budget,
    max_equal_share,
)

_MAX_DISTINCT_CONTROLS: Final = 30  # different controls of similar siblings that are all printed
_MAX_REPEATS: Final = 5  # controls with the same role and name that are all printed
_MAX_SIBLINGS: Final = 20  # printed siblings of a run that is cut
_MIN_SIBLINGS: Final = 10  # the same, even if they exceed their share a little
_MIN_RUN_SIZE: Final = 1000  # characters of a run up to which `_MIN_SIBLINGS` applies
_MAX_UNCUT_SIZE: Final = 160  # characters up to which content without controls is not cut
_MIN_OUTSIDE_SIZE: Final = 400  # characters of content outside the main part that are printed
_COMMENT_SIZE: Final = 100  # characters of a comment with a count, with its indentation
_MAX_LINE: Final = 300  # characters above which the text of a line with a control may be cut
_OUTSIDE_DIVISOR: Final = 4  # Content outside the main part gets at least this fraction (1/4).
_MAIN_DIVISOR: Final = 8  # A landmark "main" below this fraction (1/8) of the page is ignored.
_LARGE_DIVISOR: Final = 4  # A sibling larger than this fraction (1/4) of the overview is in no run.


class _Detail(NamedTuple):
    """How much of a page an overview shows.

    Attributes:
        max_level: The maximum level of headings.
        max_container: The size of a container without essential content above which its content is
            divided further.
        min_content: Characters of content without essential lines that are always printed.
    """

    max_level: int
    max_container: int
    min_content: int


# The first one with which the overview has its length is used, else the last one.
_DETAILS: Final = (
    _Detail(6, 600, 200),
    _Detail(6, 600, 0),
    *(_Detail(level, 10**9, 0) for level in (6, 4, 3, 2, 1)),
)

_MAIN_ROLES: Final = frozenset({"alert", "alertdialog", "dialog", "log", "main", "status"})
_OUTSIDE_ROLES: Final = frozenset({"banner", "complementary", "contentinfo", "navigation"})
_ITEM_ROLES: Final = frozenset(
    {
        *("article", "cell", "columnheader", "gridcell", "img", "link", "listitem", "option"),
        *("paragraph", "row", "rowgroup", "rowheader", "text", "treeitem"),
    }
)
_PROSE_ROLES: Final = frozenset({"paragraph", "text"})
_HEADING: Final = re.compile(r" *- '?(?:<\w+> )?heading .*?\[level=(\d)")
_MESSAGE: Final = re.compile(r" *- '?(?:<\w+> )?(?:alert|alertdialog|dialog|log|status)\b.*:")
_NO_RANK: Final = 10
_CONTROL: Final = re.compile(
    r"""(?:-\ '?(?:<\w+>\ )?|[:|;]\ '?)
    (?P<label>(?P<role>button|checkbox|combobox|listbox|menuitem\w*|radio|searchbox|slider
      |spinbutton|switch|tab|textbox)(?:\ "(?:[^"\\]|\\.)*"|\ \[hint="(?:[^"\\]|\\.)*"\])?)
    (?:\ \[[^\]]*\])*?\ \[ref=""",
    re.VERBOSE,
)


def make_overview(text: str, length: int, budget: int) -> CutSnapshot:
    """Return an overview of a snapshot.

    Args:
        text: The YAML of the snapshot.
        length: The number of characters that the overview should have.
        budget: The maximum number of characters. If it equals `length`, runs are cut only to fit.
    """
    if len(text) <= length:
        return CutSnapshot(text)
    snapshot_lines = SnapshotLines(text)
    max_siblings = _MAX_SIBLINGS if length < budget else len(snapshot_lines.lines)
    main_lines = _find_main_lines(snapshot_lines)
    line_ranks = _rank_lines(snapshot_lines.lines)
    for detail in _DETAILS:
        planner = _OverviewPlanner(
            snapshot_lines, main_lines, length, max_siblings, line_ranks, detail
        )
        parts = list(planner.iterate_parts())
        if sum(part.unit.min_size for part in parts) <= length:
            break
    overview = cut_units(snapshot_lines, _share_length(parts, length))
    return overview if len(overview.text) <= budget else fit_to_budget(text, budget)


class _OverviewPart(NamedTuple):
    """Lines of a snapshot that share their characters.

    Attributes:
        unit: The lines and their sizes. A line that must be printed whole has its size as minimum.
        is_outside: Whether the lines are outside the main part of the page.
    """

    unit: SiblingUnit
    is_outside: bool = False


def _share_length(parts: Sequence[_OverviewPart], length: int) -> Iterator[tuple[SiblingUnit, int]]:
    """Yield the unit of each part, with its number of characters."""
    outside = [unit for unit, is_outside in parts if is_outside]
    main = [unit for unit, is_outside in parts if not is_outside]
    main_size = sum(unit.size for unit in main)
    outside_length = max(length // _OUTSIDE_DIVISOR, min(length - main_size, length // 2))
    outside_share = max_equal_share(outside, outside_length)
    used = sum(min(unit.size, max(unit.min_size, outside_share)) for unit in outside)
    main_share = max_equal_share(main, length - used)
    for unit, is_outside in parts:
        share = outside_share if is_outside else main_share
        yield unit, min(unit.size, max(unit.min_size, share))


def _find_main_lines(snapshot_lines: SnapshotLines) -> list[int]:
    """Return for each line how many of the lines before it belong to the main part of the page.

    The main part is the content of the landmark `main`, dialogs and messages. Without `main`, it is
    all content outside other landmarks. The list has one more number, for the end.
    """
    roles = [snapshot_lines.role_of_line(index) for index in range(len(snapshot_lines.lines))]
    ends = snapshot_lines.subtree_ends
    landmark_size = sum(
        snapshot_lines.count_characters(index, ends[index])
        for index, role in enumerate(roles)
        if role == "main"
    )
    has_main = landmark_size * _MAIN_DIVISOR > snapshot_lines.count_characters(0, len(roles))
    is_main: list[bool] = []
    while (index := len(is_main)) < len(roles):
        if roles[index] in _MAIN_ROLES:
            is_main += [True] * (ends[index] - index)
        elif roles[index] in _OUTSIDE_ROLES and not has_main:
            is_main += [False] * (ends[index] - index)
        else:
            is_main.append(not has_main)
    return [0, *accumulate(is_main)]


class _OverviewPlanner:
    """Divides the lines of a snapshot into parts of an overview.

    Args:
        main_lines: The result of `_find_main_lines`.
        length: The number of characters that the overview should have.
        max_siblings: The number of siblings of a run that are printed if the run is cut.
        line_ranks: The result of `_rank_lines`.
    """

    def __init__(
        self,
        snapshot_lines: SnapshotLines,
        main_lines: Sequence[int],
        length: int,
        max_siblings: int,
        line_ranks: Sequence[int],
        detail: _Detail,
    ) -> None:
        self._snapshot_lines = snapshot_lines
        self._main_lines = main_lines
        self._max_sibling_size = length // _LARGE_DIVISOR
        self._max_siblings = max_siblings
        self._detail = detail
        self._essentials = [0, *accumulate(rank <= detail.max_level for rank in line_ranks)]

    def iterate_parts(self) -> Iterator[_OverviewPart]:
        """Yield the parts in the order of the page."""
        open_containers = [self._iterate_siblings(0, len(self._snapshot_lines.lines))]
        while open_containers:
            part = next(open_containers[-1], None)
            if part is None:
                open_containers.pop()
                continue
            yield part
            start = part.unit.start
            end = self._snapshot_lines.subtree_ends[start]
            if part.unit.end == start + 1 < end:  # only the line of the container
                open_containers.append(self._iterate_siblings(start + 1, end))

    def _iterate_siblings(self, start: int, end: int) -> Iterator[_OverviewPart]:
        """Yield the parts of siblings; of a container with essential content only its line."""
        bounds = [*self._snapshot_lines.sibling_lines(start, end), end]
        roles = [self._snapshot_lines.role_of_line(index) for index in bounds[:-1]]
        first = 0
        while first < len(roles):
            if (last := self._end_of_outside(bounds, first)) > first:
                yield _OverviewPart(self._make_outside_unit(bounds, first, last), is_outside=True)
            elif (count := self._count_run(roles, bounds, first)) > _MAX_SIBLINGS:
                last = first + count
                yield _OverviewPart(self._make_run_unit(bounds, first, last, is_run=True))
            elif (last := self._end_of_content(roles, bounds, first)) > first:
                is_run = len({*roles[first:last]}) == 1 and roles[first] not in _PROSE_ROLES
                yield _OverviewPart(self._make_run_unit(bounds, first, last, is_run=is_run))
            elif (last := first + count) > first:
                yield _OverviewPart(self._make_run_unit(bounds, first, last, is_run=True))
            else:
                last = first + 1
                yield _OverviewPart(self._make_line_unit(bounds[first]))
            first = last

    def _end_of_outside(self, bounds: Sequence[int], first: int) -> int:
        """Return the end of adjacent siblings that have nothing of the main part."""
        while first + 1 < len(bounds) and not self._count_main_lines(bounds, first):
            first += 1
        return first

    def _count_main_lines(self, bounds: Sequence[int], sibling: int) -> int:
        return self._main_lines[bounds[sibling + 1]] - self._main_lines[bounds[sibling]]

    def _is_whole_in_main(self, bounds: Sequence[int], sibling: int) -> bool:
        count = bounds[sibling + 1] - bounds[sibling]
        return self._count_main_lines(bounds, sibling) == count

    def _count_run(self, roles: Sequence[str], bounds: Sequence[int], first: int) -> int:
        """Return the number of siblings in the run that starts at `first`; 0 if there is none."""
        count = count_siblings_in_role_pattern(roles, first)
        for index in range(first, first + count):
            size = self._snapshot_lines.count_characters(bounds[index], bounds[index + 1])
            if size > self._max_sibling_size or not self._is_whole_in_main(bounds, index):
                count = index - first
                break
        pattern = {*roles[first : first + count]}
        if count < MIN_RUN_LENGTH or pattern <= _PROSE_ROLES:
            return 0
        essentials = self._essentials[bounds[first + count]] - self._essentials[bounds[first]]
        is_cut = pattern <= _ITEM_ROLES or not 0 < essentials <= _MAX_DISTINCT_CONTROLS
        return count if is_cut else 0

    def _end_of_content(self, roles: Sequence[str], bounds: Sequence[int], first: int) -> int:
        """Return the end of adjacent siblings that are small and have nothing essential.

        The end is before a long run.
        """
        index = first
        while index + 1 < len(bounds) and self._is_plain_content(bounds, index):
            is_other_role = first < index and roles[index] != roles[index - 1]
            if is_other_role and self._count_run(roles, bounds, index) > _MAX_SIBLINGS:
                break
            index += 1
        return index

    def _is_plain_content(self, bounds: Sequence[int], sibling: int) -> bool:
        start, end = bounds[sibling], bounds[sibling + 1]
        if self._essentials[start] < self._essentials[end]:
            return False
        is_small = self._snapshot_lines.count_characters(start, end) <= self._detail.max_container
        return (is_small or end == start + 1) and self._is_whole_in_main(bounds, sibling)

    def _make_outside_unit(self, bounds: Sequence[int], first: int, last: int) -> SiblingUnit:
        start, end = bounds[first], bounds[last]
        size = self._snapshot_lines.count_characters(start, end)
        min_size = min(size, _MIN_OUTSIDE_SIZE + _COMMENT_SIZE)
        return SiblingUnit(start, end, min_size, size, is_run=False)

    def _make_run_unit(
        self, bounds: Sequence[int], first: int, last: int, *, is_run: bool
    ) -> SiblingUnit:
        """Return a unit of which the beginning is printed.

        Args:
            is_run: Whether the siblings are similar, so that a few of them show the pattern.
        """
        count_characters, start, end = (
            self._snapshot_lines.count_characters,
            bounds[first],
            bounds[last],
        )
        size = count_characters(start, end)
        if size <= _MAX_UNCUT_SIZE:
            return SiblingUnit(start, end, size, size, is_run=True)
        if is_run and last - first > self._max_siblings:
            printed = count_characters(start, bounds[first + self._max_siblings])
            size = min(
                size, printed + _COMMENT_SIZE + count_characters(bounds[last - 1], bounds[last])
            )
        need = self._detail.min_content
        if is_run and last - first >= MIN_RUN_LENGTH:
            printed = count_characters(start, bounds[min(first + _MIN_SIBLINGS, last)])
            need = min(printed, _MIN_RUN_SIZE)
        return SiblingUnit(start, end, min(size, need + _COMMENT_SIZE), size, is_run=True)

    def _make_line_unit(self, line_index: int) -> SiblingUnit:
        size = self._snapshot_lines.count_characters(line_index, line_index + 1)
        is_leaf = self._snapshot_lines.subtree_ends[line_index] == line_index + 1
        min_size = min(size, _MAX_LINE) if is_leaf else size
        return SiblingUnit(line_index, line_index + 1, min_size, size, is_run=False)


def _rank_lines(lines: Sequence[str]) -> list[int]:
    """Return the rank of each line; the lower, the more essential.

    A control that does not repeat, an invalid field and a message have rank 0, a heading its level,
    and other lines `_NO_RANK`.
    """
    labels = [[match["label"] for match in _CONTROL.finditer(line)] for line in lines]
    repeats = Counter(label for found in labels for label in found)
    ranks: list[int] = []
    for line, found in zip(lines, labels, strict=True):
        rank = _NO_RANK
        if heading := _HEADING.match(line):
            rank = int(heading[1])
        has_control = any(repeats[label] <= _MAX_REPEATS or " " not in label for label in found)
        if has_control or "[invalid]" in line or _MESSAGE.match(line):
            rank = 0
        ranks.append(rank)
    return ranks
