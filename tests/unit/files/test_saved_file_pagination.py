"""Pages of a list that changes between the calls."""

from __future__ import annotations

import base64
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from viewpoint_mcp.errors import CallError
from viewpoint_mcp.files.saved_file_lookup import SavedFile
from viewpoint_mcp.files.saved_file_pagination import select_page

START = datetime(2026, 1, 13, 15, 30, 45, 123456, tzinfo=UTC)


def entries(*minutes: int) -> list[SavedFile]:
    """Return files as `SavedFiles` lists them: newest first."""
    return [
        SavedFile(str(each), Path(), f"x:{each}", "", 0, START + timedelta(minutes=each), None)
        for each in sorted(minutes, reverse=True)
    ]


def names(page: object) -> list[str]:
    assert isinstance(page, list)
    return [entry.name for entry in page]


def test_all_items_are_listed_once() -> None:
    result, cursor = [], None
    while True:
        page, cursor = select_page(entries(*range(10)), cursor, 3)
        result.append(names(page))
        if cursor is None:
            break
    assert result == [["9", "8", "7"], ["6", "5", "4"], ["3", "2", "1"], ["0"]]


def test_the_page_with_the_rest_is_the_last() -> None:
    page, cursor = select_page(entries(1, 2, 3), None, 3)
    assert (names(page), cursor) == (["3", "2", "1"], None)
    assert select_page([], None, 3) == ([], None)


def test_no_item_is_listed_twice_or_missing_when_files_change() -> None:
    page, cursor = select_page(entries(*range(10)), None, 3)
    assert names(page) == ["9", "8", "7"]
    page, cursor = select_page(entries(11, 10, 9, 8, 5, 3, 2), cursor, 3)
    assert (names(page), cursor) == (["5", "3", "2"], None)


def test_items_of_the_same_time_have_different_cursors() -> None:
    both = [SavedFile(each, Path(), f"x:{each}", "", 0, START, None) for each in "ba"]
    page, cursor = select_page(both, None, 1)
    assert names(page) == ["b"]
    page, cursor = select_page(both, cursor, 1)
    assert (names(page), cursor) == (["a"], None)


def cursor_of(text: str) -> str:
    return base64.urlsafe_b64encode(text.encode()).decode()


@pytest.mark.parametrize(
    "cursor",
    [
        "",
        "2",
        "ü",
        "!!!!",
        cursor_of("[]"),
        cursor_of('["2026-01-13T15:30:45","x"]'),
        cursor_of('["2026-01-13T15:30:45Z"]'),
        cursor_of('["2026-01-13T15:30:45Z",1]'),
        cursor_of('["2026-01-13T15:30:45Z","x",1]'),
    ],
)
def test_an_invalid_cursor_is_refused(cursor: str) -> None:
    with pytest.raises(CallError, match="cursor is not valid"):
        select_page(entries(1, 2), cursor, 1)
