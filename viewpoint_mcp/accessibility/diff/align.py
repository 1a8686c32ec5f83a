"""Finds pairs between two lists of siblings. Knows keys and positions, no elements."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Hashable, Iterable, Sequence

Pair = tuple[int, int]


def in_order(pairs: Sequence[Pair]) -> set[Pair]:
    """Return the longest selection of pairs whose first components rise.

    Args:
        pairs: By rising second component; no first component twice.
    """
    tails: list[int] = []  # the least first component that ends a selection of each length
    ends: list[int] = []  # which pair that is
    before: list[int] = []
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


def by_key(old: Iterable[tuple[int, Hashable]], new: Iterable[tuple[int, Hashable]]) -> list[Pair]:
    """Pair equal keys, the first with the first; returns the pairs by rising second component.

    Args:
        old: Positions in rising order, each with its key; None as a key pairs with nothing.
        new: The same of the other list.
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
