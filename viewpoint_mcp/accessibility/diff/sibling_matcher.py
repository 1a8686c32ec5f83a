"""Matching of an element's old content with its new content."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import NamedTuple

from viewpoint_mcp.accessibility.diff.equality import Content, EqualityChecker, find_first_ref
from viewpoint_mcp.accessibility.diff.sibling_alignment import (
    Pair,
    longest_increasing_pairs,
    pair_by_key,
)
from viewpoint_mcp.accessibility.tree import Node

ContentTest = Callable[[Content], bool]


class _UnmatchedMiddle(NamedTuple):
    """The content between the equal beginning and the equal end of two contents.

    Attributes:
        start: The first position, in the old and the new content.
        old_end: The end in the old content.
        new_end: The end in the new content.
    """

    start: int
    old_end: int
    new_end: int


class SiblingMatcher:
    """Matches between the old and the new content of one element.

    Args:
        old: The old content.
        new: The new content.
        is_in_old_tree: Return whether new content was in the old tree, by its ref.
        is_in_new_tree: Return whether old content is in the new tree, by its ref.
        equality: Compares elements and texts.

    Attributes:
        old_positions: The old position for each new position; -1 for no match.
        matched_old_positions: The old positions that have a match.
        anchors: The new positions whose matches have the same order as before.
    """

    def __init__(
        self,
        old: Sequence[Content],
        new: Sequence[Content],
        *,
        is_in_old_tree: ContentTest,
        is_in_new_tree: ContentTest,
        equality: EqualityChecker,
    ) -> None:
        self.old, self.new = old, new
        self.old_positions = [-1] * len(new)
        self.matched_old_positions: set[int] = set()
        self.anchors: set[int] = set()
        self._is_in_old_tree, self._is_in_new_tree = is_in_old_tree, is_in_new_tree
        self._equality = equality
        if old and new:
            self._match_middle(self._match_equal_ends())

    def _match_equal_ends(self) -> _UnmatchedMiddle:
        """Match equal refs and equal content at both ends; return the middle between them."""
        old, new = self.old, self.new
        start, old_end, new_end = 0, len(old), len(new)
        while start < min(old_end, new_end) and self._is_same(old[start], new[start]):
            self._record_match_in_order(start, start)
            start += 1
        while min(old_end, new_end) > start and self._is_same(old[old_end - 1], new[new_end - 1]):
            old_end -= 1
            new_end -= 1
            self._record_match_in_order(old_end, new_end)
        return _UnmatchedMiddle(start, old_end, new_end)

    def _is_same(self, old: Content, new: Content) -> bool:
        if isinstance(old, Node) and isinstance(new, Node) and (old.ref or new.ref):
            return old.ref == new.ref
        return self._equality.are_equal(old, new)

    def _match_middle(self, middle: _UnmatchedMiddle) -> None:
        start, old_end, new_end = middle
        old, new = range(start, old_end), range(start, new_end)
        if len(old) > 1 or len(new) > 1:
            self._match_by_ref_or_equality(old, new)
        low = (start, start)
        for position in [each for each in new if each in self.anchors]:
            source = self.old_positions[position]
            self._match_gap(range(low[0], source), range(low[1], position))
            low = source + 1, position + 1
        self._match_gap(range(low[0], old_end), range(low[1], new_end))

    def _match_by_ref_or_equality(self, old: range, new: range) -> None:
        """Match elements with the same ref, equal content, and containers with equal first refs."""
        pairs = pair_by_key(
            self._pair_with_keys(self.old, old), self._pair_with_keys(self.new, new)
        )
        for old_position, new_position in pairs:
            self._record_match(old_position, new_position)
        pairs += pair_by_key(
            (
                (each, _role_and_first_ref(self.old[each]))
                for each in old
                if each not in self.matched_old_positions
            ),
            (
                (each, _role_and_first_ref(self.new[each]))
                for each in new
                if self.old_positions[each] < 0
            ),
        )
        pairs.sort(key=lambda pair: pair[1])
        pairs_in_order = longest_increasing_pairs(pairs)
        for old_position, new_position in pairs:
            if (old_position, new_position) in pairs_in_order:
                self._record_match_in_order(old_position, new_position)
            elif not isinstance(self.new[new_position], str):
                self._record_match(old_position, new_position)
            else:  # A text that moved counts as a removed and an added text.
                self.old_positions[new_position] = -1
                self.matched_old_positions.discard(old_position)

    def _pair_with_keys(
        self, content: Sequence[Content], positions: Iterable[int]
    ) -> Iterable[tuple[int, Hashable]]:
        for position in positions:
            item = content[position]
            if isinstance(item, Node) and item.ref:
                yield position, (item.ref,)
            else:
                yield position, self._equality.equality_key(item)

    def _match_gap(self, old: range, new: range) -> None:
        """Match unmatched content between two anchors by role and name, then by role only."""
        if not old or not new:
            return
        olds = [
            each
            for each in old
            if each not in self.matched_old_positions and not self._is_in_new_tree(self.old[each])
        ]
        news = [
            each
            for each in new
            if self.old_positions[each] < 0 and not self._is_in_old_tree(self.new[each])
        ]
        pairs = self._pair_by_role(olds, news, _role_and_name)
        sources, positions = {source for source, _ in pairs}, {position for _, position in pairs}
        pairs += self._pair_by_role(
            [each for each in olds if each not in sources],
            [each for each in news if each not in positions],
            _role_if_without_ref,
        )
        for source, position in longest_increasing_pairs(sorted(pairs, key=lambda pair: pair[1])):
            self._record_match_in_order(source, position)

    def _pair_by_role(
        self, olds: list[int], news: list[int], key: Callable[[Content], Hashable]
    ) -> list[Pair]:
        before = [(each, key(self.old[each])) for each in olds]
        after = [(each, key(self.new[each])) for each in news]
        counts = Counter(key for _, key in before), Counter(key for _, key in after)
        keys = dict(after)

        def may_match(old_position: int, new_position: int) -> bool:
            old, new = self.old[old_position], self.new[new_position]
            if isinstance(old, str) or isinstance(new, str):
                return True
            if old.ref and new.ref:
                return False
            is_alone = all(count[keys[new_position]] == 1 for count in counts)
            # Of several similar rows, two with different refs inside are different rows.
            return is_alone or not (find_first_ref(old) and find_first_ref(new))

        return [pair for pair in pair_by_key(before, after) if may_match(*pair)]

    def _record_match_in_order(self, old_position: int, new_position: int) -> None:
        self._record_match(old_position, new_position)
        self.anchors.add(new_position)

    def _record_match(self, old_position: int, new_position: int) -> None:
        self.old_positions[new_position] = old_position
        self.matched_old_positions.add(old_position)


def _role_and_first_ref(item: Content) -> Hashable:
    """Return a key for a container without a ref, made of its role and the first ref in it.

    Return None for a text, an element with a ref, and a container without refs.
    """
    if isinstance(item, str):
        return None
    ref = "" if item.ref else find_first_ref(item)
    return (item.role, ref) if ref else None


def _role_and_name(item: Content) -> Hashable:
    return "" if isinstance(item, str) else (item.role, item.name)


def _role_if_without_ref(item: Content) -> Hashable:
    return None if isinstance(item, str) or item.ref else item.role
