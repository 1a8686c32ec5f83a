"""The results of tools that give data: the same as their text, for programs.

Some clients show a model this data alone, and none of the text. So it is whole: what the reply says
besides it stands in `notes`.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Final, TypeVar

import msgspec

_NOTES: Final = 300  # characters of what is said of a cut, with the file's name


class Row(msgspec.Struct, rename="camel", omit_defaults=True):
    """One thing in a list; what is not known of it is left out."""


class Output(msgspec.Struct, kw_only=True, rename="camel", omit_defaults=True):
    """All that a tool found.

    Attributes:
        notes: What else there is to say, as in the text.
    """

    notes: str = ""

    def told(self, notes: str) -> dict[str, Any]:
        """Return it as a JSON object, with what the reply says besides."""
        self.notes = "\n".join(filter(None, (self.notes, notes)))
        told: dict[str, Any] = msgspec.to_builtins(self)
        return told


R = TypeVar("R", bound=Row)


def newest(rows: Sequence[R], budget: int) -> tuple[list[R], str]:
    """Return the last of the rows for which there is room, and a note of how many are left out.

    Args:
        budget: Characters of JSON, for the notes as well.
    """
    budget -= _NOTES
    first = len(rows)
    while first:
        budget -= len(json.dumps(msgspec.to_builtins(rows[first - 1]), ensure_ascii=False)) + 1
        if budget < 0:
            break
        first -= 1
    left_out = f"The first {first:,} are left out here; filename saves all." if first else ""
    return list(rows[first:]), left_out
