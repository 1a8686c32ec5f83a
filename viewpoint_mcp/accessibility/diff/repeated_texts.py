"""Texts that change in one reply after the other, such as clocks."""

from __future__ import annotations

from typing import Final, TypeAlias

from viewpoint_mcp.accessibility.diff.diff_lines import (
    DiffLine,
    is_one_line,
    iterate_descendants,
)

_MIN_REPETITIONS: Final = 3  # replies in a row in which a text changed, to be printed shortly
_RESULT_ROLES: Final = frozenset({"alert", "log", "status"})
"""Roles of texts that tell the result of an action."""

_Place: TypeAlias = tuple[tuple[str, int], ...]


class RepeatedTexts:
    """Counts in how many replies in a row each text of a page has changed."""

    def __init__(self) -> None:
        self._counts: dict[_Place, int] = {}

    def mark_repeated_lines(self, top: DiffLine) -> None:
        """Mark the lines of texts that changed in the last replies as well as in this one.

        Args:
            top: The lines of a reply.
        """
        counts = {}
        for line in iterate_descendants(top):
            if line.mark == "changed" and _has_only_changed_text(line):
                place = _find_place(line)
                counts[place] = self._counts.get(place, 0) + 1
                line.is_repeated = counts[place] >= _MIN_REPETITIONS
        self._counts = counts


def _has_only_changed_text(line: DiffLine) -> bool:
    old, new = line.old, line.node
    if isinstance(old, str) or isinstance(new, str):
        return isinstance(old, str) and isinstance(new, str)
    if old is None or new.ref or new.role in _RESULT_ROLES or not is_one_line(line):
        return False
    return (old.role, old.ref) == (new.role, new.ref)


def _find_place(line: DiffLine) -> _Place:
    """Return the role and position of the element and of each one around it."""
    place: list[tuple[str, int]] = []
    ancestor: DiffLine | None = line
    while ancestor is not None:
        node = ancestor.node
        place.append(("" if isinstance(node, str) else node.role, ancestor.position))
        ancestor = ancestor.parent
    return tuple(place)
