"""Pagination of lists of saved files. Cursors stay valid when files are added or removed."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from viewpoint_mcp.errors import CallError
from viewpoint_mcp.files.saved_file_lookup import SavedFile


def select_page(
    files: Sequence[SavedFile], cursor: str | None, page_size: int
) -> tuple[Sequence[SavedFile], str | None]:
    """Return the entries of one page, and the cursor of the next page.

    Args:
        files: All entries in the order of `SavedFiles.list_files_except_downloads`: newest first.
        cursor: The cursor of the page; None for the first page.
        page_size: The maximum number of entries on a page.

    Returns:
        The entries, and the cursor of the next page; None instead of a cursor on the last page.

    Raises:
        CallError: The cursor was not made by this function.
    """
    if cursor is not None:
        end = _parse_cursor(cursor)
        files = [each for each in files if (each.saved_at, each.uri) < end]
    page = files[:page_size]
    return page, _make_cursor(page[-1]) if len(files) > page_size else None


def _make_cursor(last_file: SavedFile) -> str:
    """Return the cursor of the next page: time and URI of the last entry, easy to repeat."""
    return f"{last_file.saved_at.isoformat()} {last_file.uri}"


def _parse_cursor(cursor: str) -> tuple[datetime, str]:
    saved, _, uri = cursor.partition(" ")
    try:
        # All times of entries are in UTC. A time without a zone could not be compared with them.
        return datetime.fromisoformat(saved).astimezone(UTC), uri
    except (ValueError, OverflowError) as error:
        raise CallError("The cursor is not valid.", "Start without a cursor.") from error
