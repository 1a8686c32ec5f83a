"""Structured results of tools: the content of their text as data.

Some clients show the model only the data, not the text. So the data is complete: `notes` contains
the rest of the reply.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Final, TypeVar

import msgspec

_MAX_NOTE_LENGTH: Final = (
    300  # characters for the note about omitted rows, with the name of the file
)


class Row(msgspec.Struct, rename="camel", omit_defaults=True):
    """One item of a list. Fields with their default value are omitted in JSON."""


class Output(msgspec.Struct, kw_only=True, rename="camel", omit_defaults=True):
    """The complete result of a tool.

    Attributes:
        notes: The parts of the text that no other field contains.
    """

    notes: str = ""

    def to_json(self, more_notes: str) -> dict[str, Any]:
        """Return the result as a JSON object.

        Args:
            more_notes: The rest of the reply, which is appended to the notes.
        """
        self.notes = "\n".join(filter(None, (self.notes, more_notes)))
        rendered: dict[str, Any] = msgspec.to_builtins(self)
        return rendered


RowT = TypeVar("RowT", bound=Row)


def keep_newest_rows(rows: Sequence[RowT], budget: int) -> tuple[list[RowT], str]:
    """Return the last rows that fit the budget, and a note about the others; "" if all fit.

    Args:
        budget: Number of characters of JSON, including the notes.
    """
    budget -= _MAX_NOTE_LENGTH
    first = len(rows)
    while first:
        budget -= len(json.dumps(msgspec.to_builtins(rows[first - 1]), ensure_ascii=False)) + 1
        if budget < 0:
            break
        first -= 1
    note = f"The first {first:,} are omitted. Use filename to save all." if first else ""
    return list(rows[first:]), note
