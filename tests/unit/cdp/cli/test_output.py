"""Tables, and texts made harmless for a terminal."""

from __future__ import annotations

import pytest

from cdp_protocol.cli import output


def test_columns_stand_under_one_another_whatever_they_are_written_in() -> None:
    rows = [("a", "漢字", "x"), ("bcd", "e", "y"), ("", "e\u0301", "z")]
    assert output.table(rows) == ["a    漢字  x", "bcd  e     y", "     e\u0301     z"]


def test_a_line_is_cut_where_the_terminal_ends() -> None:
    assert output.table([("a", "bcdefgh")], width=6) == ["a  bc…"]
    assert output.cut("漢字漢字", 5) == "漢字…"
    assert output.cut("abc", 3) == "abc"


@pytest.mark.parametrize(
    ("text", "harmless"),
    [
        ("plain", "plain"),
        ("\x1b[31mred\x07", "\\x1b[31mred\\x07"),
        ("\x9b31m", "\\x9b31m"),
        ("two\nlines\tand\r", "two⏎lines and"),
        ("a\u202eb", "a\\u202eb"),
        ("möwe\xa0漢字 🦢", "möwe 漢字 🦢"),
    ],
)
def test_a_terminal_obeys_nothing_that_a_page_says(text: str, harmless: str) -> None:
    assert output.harmless(text) == harmless
