"""Matching of an element's old content with its new content."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from operator import itemgetter
from typing import NamedTuple

from viewpoint_mcp.accessibility.diff.equality import (
    Content,
    EqualityChecker,
    find_first_refs,
)
from viewpoint_mcp.accessibility.diff.sibling_alignment import (
    Pair,
    longest_increasing_pairs,
    pair_by_key,
)
from viewpoint_mcp.accessibility.diff.similarity import (
    Candidates,
    is_container,
    pair_by_refs_inside,
    pair_by_role_and_name,
    pair_lone_containers,
    pair_replaced_in_place,
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
        equality_except_refs: Compares them without their refs.

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
        equality_except_refs: EqualityChecker,
    ) -> None:
        self.old, self.new = old, new
        self.old_positions = [-1] * len(new)
        self.matched_old_positions: set[int] = set()
        self.anchors: set[int] = set()
        self._is_in_old_tree, self._is_in_new_tree = is_in_old_tree, is_in_new_tree
        self._equality, self._equality_except_refs = equality, equality_except_refs
        if old and new:
            self._match_middle(self._match_equal_ends())

    def _match_equal_ends(self) -> _UnmatchedMiddle:
        """Match equal refs and equal content at both ends; return the middle between them."""
        old, new = self.old, self.new
        start, old_end, new_end = 0, len(old), len(new)
        while start < min(old_end, new_end) and self._is_same(old[start], new[start]):
            self._record_matches([(start, start)])
            start += 1
        while min(old_end, new_end) > start and self._is_same(old[old_end - 1], new[new_end - 1]):
            old_end -= 1
            new_end -= 1
            self._record_matches([(old_end, new_end)])
        self.anchors.update(range(start), range(new_end, len(new)))
        return _UnmatchedMiddle(start, old_end, new_end)

    def _is_same(self, old: Content, new: Content) -> bool:
        if isinstance(old, Node) and isinstance(new, Node) and old.ref and new.ref:
            return old.ref == new.ref
        return self._equality.are_equal(old, new)

    def _match_middle(self, middle: _UnmatchedMiddle) -> None:
        """Match the middle: first what is certainly the same, then what may be the same."""
        old, new = range(middle.start, middle.old_end), range(middle.start, middle.new_end)
        # An empty list and a list with one item are equal to each other after the item moved
        # from one to the other. So lists are matched by their place first.
        self._match_equal(self._list_unmatched(old, new), is_container_wanted=False)
        self._match_rendered_again(self._list_unmatched(old, new))
        self._find_anchors(middle)
        for gap in self._list_gaps(middle):
            self._record_matches(pair_lone_containers(self._list_unmatched(*gap)))
        self._record_matches(pair_by_refs_inside(self._list_unmatched(old, new)))
        self._match_equal(self._list_unmatched(old, new), is_container_wanted=True)
        self._find_anchors(middle)
        for pair in (pair_by_role_and_name, pair_replaced_in_place):
            for gap in self._list_gaps(middle):
                pairs = sorted(pair(self._list_unmatched(*gap)), key=itemgetter(1))
                pairs_in_order = longest_increasing_pairs(pairs)
                self._record_matches(pairs_in_order)
                self.anchors.update(position for _, position in pairs_in_order)

    def _match_equal(self, candidates: Candidates, *, is_container_wanted: bool) -> None:
        def with_keys(content: Iterable[tuple[int, Content]]) -> Iterable[tuple[int, Hashable]]:
            return (
                (position, self._equality_key(item))
                for position, item in content
                if is_container(item) is is_container_wanted
            )

        self._record_matches(pair_by_key(with_keys(candidates.old), with_keys(candidates.new)))

    def _match_rendered_again(self, candidates: Candidates) -> None:
        """Match elements that are equal except for their refs, because they are new in the page."""
        candidates = candidates.without_kept_refs()
        before, after = (
            [
                (position, self._equality_except_refs.equality_key(item))
                for position, item in side
                if isinstance(item, Node) and not is_container(item) and find_first_refs(item, 1)
            ]
            for side in (candidates.old, candidates.new)
        )
        self._record_matches(pair_by_key(before, after))

    def _equality_key(self, item: Content) -> Hashable:
        if isinstance(item, Node) and item.ref:
            return (item.ref,)
        return self._equality.equality_key(item)

    def _list_unmatched(self, old: range, new: range) -> Candidates:
        """Return the content at these positions that is nowhere in the other tree."""
        return Candidates(
            [(each, self.old[each]) for each in old if each not in self.matched_old_positions],
            [(each, self.new[each]) for each in new if self.old_positions[each] < 0],
            self._is_in_old_tree,
            self._is_in_new_tree,
        )

    def _list_gaps(self, middle: _UnmatchedMiddle) -> Sequence[tuple[range, range]]:
        """Return the old and the new positions between adjacent anchors."""
        gaps = []
        old_start = new_start = middle.start
        for position in range(middle.start, middle.new_end):
            if position in self.anchors:
                source = self.old_positions[position]
                gaps.append((range(old_start, source), range(new_start, position)))
                old_start, new_start = source + 1, position + 1
        gaps.append((range(old_start, middle.old_end), range(new_start, middle.new_end)))
        return gaps

    def _find_anchors(self, middle: _UnmatchedMiddle) -> None:
        """Find the matches in the same order as before; drop the matches of other texts.

        A text that moved counts as a removed and an added text.
        """
        positions = range(middle.start, middle.new_end)
        pairs = [
            (self.old_positions[each], each) for each in positions if self.old_positions[each] >= 0
        ]
        self.anchors.difference_update(positions)
        self.anchors.update(position for _, position in longest_increasing_pairs(pairs))
        for source, position in pairs:
            if position not in self.anchors and isinstance(self.new[position], str):
                self.old_positions[position] = -1
                self.matched_old_positions.discard(source)

    def _record_matches(self, pairs: Iterable[Pair]) -> None:
        for source, position in pairs:
            self.old_positions[position] = source
            self.matched_old_positions.add(source)
