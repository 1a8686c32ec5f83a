"""Alignment of two lists of siblings by keys and positions, independent of elements."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Hashable, Iterable, Sequence

Pair = tuple[int, int]


def longest_increasing_pairs(pairs: Sequence[Pair]) -> set[Pair]:
    """Return the longest subsequence of pairs whose first components increase.

    Args:
        pairs: Pairs sorted by their second component, with unique first components.
    """
    tails: list[int] = []  # the smallest first component that ends a subsequence of each length
    ends: list[int] = []  # the position of that pair
    before: list[int] = []  # the position of the previous pair in the subsequence, -1 for none
    for position, (first, _) in enumerate(pairs):
        length = bisect_left(tails, first)
        before.append(ends[length - 1] if length else -1)
        if length == len(tails):
            tails.append(first)
            ends.append(position)
        else:
            tails[length], ends[length] = first, position
    chosen = set()
    position = ends[-1] if ends else -1
    while position >= 0:
        chosen.add(pairs[position])
        position = before[position]
    return chosen


def pair_by_key(
    old: Iterable[tuple[int, Hashable]], new: Iterable[tuple[int, Hashable]]
) -> list[Pair]:
    """Pair positions with equal keys, the first of each list with the first of the other.

    Args:
        old: Positions in increasing order, each with its key. The key None is never paired.
        new: The same for the other list.

    Returns:
        Pairs of an old and a new position, sorted by the new position.
    """
    waiting: dict[Hashable, list[int]] = {}
    for position, key in old:
        waiting.setdefault(key, []).append(position)
    for positions in waiting.values():
        positions.reverse()
    return [
        (waiting[key].pop(), position)
        for position, key in new
        if key is not None and waiting.get(key)
    ]
