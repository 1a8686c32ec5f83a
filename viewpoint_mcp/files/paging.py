"""Parts of a list of saved files, which stay right while files come and go."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from viewpoint_mcp.errors import CallError
from viewpoint_mcp.files.shelf import Entry


def page_of(
    entries: Sequence[Entry], cursor: str | None, size: int
) -> tuple[Sequence[Entry], str | None]:
    """Return the entries of one page, and the cursor of the next; None when there is none.

    Args:
        entries: All of them, as the shelf sorts them: newest first.
        cursor: That of the page; None for the first.
        size: How many are on a page.

    Raises:
        CallError: It is no cursor of ours.
    """
    if cursor is not None:
        end = _read(cursor)
        entries = [each for each in entries if (each.saved, each.uri) < end]
    page = entries[:size]
    return page, _written(page[-1]) if len(entries) > size else None


def _written(last: Entry) -> str:
    """Where a page ended, in words that a model can repeat: what comes after it is on the next."""
    return f"{last.saved.isoformat()} {last.uri}"


def _read(cursor: str) -> tuple[datetime, str]:
    saved, _, uri = cursor.partition(" ")
    try:
        # In the zone of all others, or it could not be compared.
        return datetime.fromisoformat(saved).astimezone(UTC), uri
    except (ValueError, OverflowError) as error:
        raise CallError("This is no cursor that was given.", "Begin without one.") from error
