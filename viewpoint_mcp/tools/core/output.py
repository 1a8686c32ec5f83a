"""Results of tools as data: the content of their text, for programs.

Some clients show the model this data and none of the text. So the data is complete: `notes` has the
rest of the reply.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Final, TypeVar

import msgspec

_NOTES: Final = 300  # characters for the note about rows left out, with the name of the file


class Row(msgspec.Struct, rename="camel", omit_defaults=True):
    """One item of a list; fields with their default are omitted."""


class Output(msgspec.Struct, kw_only=True, rename="camel", omit_defaults=True):
    """The whole result of a tool.

    Attributes:
        notes: Further sentences, as in the text.
    """

    notes: str = ""

    def render(self, notes: str) -> dict[str, Any]:
        """Return the JSON object, with the rest of the reply in its notes."""
        self.notes = "\n".join(filter(None, (self.notes, notes)))
        rendered: dict[str, Any] = msgspec.to_builtins(self)
        return rendered


R = TypeVar("R", bound=Row)


def keep_newest(rows: Sequence[R], budget: int) -> tuple[list[R], str]:
    """Return the last rows that fit the budget, and a note about the others.

    Args:
        budget: Characters of JSON, including the notes.
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
