"""Pagination of lists of saved files. Cursors stay valid when files are added or removed."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from viewpoint_mcp.errors import CallError
from viewpoint_mcp.files.shelf import Entry


def page_of(
    entries: Sequence[Entry], cursor: str | None, size: int
) -> tuple[Sequence[Entry], str | None]:
    """Return the entries of one page, and the cursor of the next page.

    Args:
        entries: All entries in the order of `Shelf.entries`: newest first.
        cursor: The cursor of the page; None for the first page.
        size: The maximum number of entries on a page.

    Returns:
        The entries, and the cursor of the next page; None instead of a cursor on the last page.

    Raises:
        CallError: The cursor was not made by this function.
    """
    if cursor is not None:
        end = _read(cursor)
        entries = [each for each in entries if (each.saved, each.uri) < end]
    page = entries[:size]
    return page, _written(page[-1]) if len(entries) > size else None


def _written(last: Entry) -> str:
    """Return the cursor of the next page: time and URI of the last entry, easy to repeat."""
    return f"{last.saved.isoformat()} {last.uri}"


def _read(cursor: str) -> tuple[datetime, str]:
    saved, _, uri = cursor.partition(" ")
    try:
        # All times of entries are in UTC. A time without a zone could not be compared with them.
        return datetime.fromisoformat(saved).astimezone(UTC), uri
    except (ValueError, OverflowError) as error:
        raise CallError("This is no cursor that was given.", "Begin without one.") from error
