"""Fitting of lists to the budget of a reply."""

from __future__ import annotations

from collections.abc import Sequence

from viewpoint_mcp.tools.reply.heading_escaping import escape_list_entry

_NOTE_LENGTH = 60  # characters of the note about omitted lines, without the hint


def fit_first_lines(lines: Sequence[str], hint: str, budget: int) -> str:
    """Return the first lines that fit the budget. If some do not fit, add their number.

    Args:
        lines: The lines, which may be texts of pages with line breaks.
        hint: How to see the others; "" for none.
        budget: The maximum number of characters.
    """
    lines = [escape_list_entry(each) for each in lines]
    text = "\n".join(lines)
    if len(text) <= budget:
        return text
    remaining = budget - _NOTE_LENGTH - len(hint)
    shown: list[str] = []
    for line in lines:
        remaining -= len(line) + 1
        if remaining < 0:
            break
        shown.append(line)
    note = f"Note: {len(lines) - len(shown):,} of {len(lines):,} are not shown. {hint}".rstrip()
    return "\n".join([*shown, note])
