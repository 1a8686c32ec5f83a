"""Tables, and lines that are cut."""

from __future__ import annotations

from cdp_protocol.cli import output
from cdp_protocol.cli.run_command import Failure


def test_columns_are_aligned_in_every_script() -> None:
    rows = [("a", "漢字", "x"), ("bcd", "e", "y"), ("", "e\u0301", "z")]
    assert output.format_table(rows) == ["a    漢字  x", "bcd  e     y", "     e\u0301     z"]


def test_a_line_is_cut_where_the_terminal_ends() -> None:
    assert output.format_table([("a", "bcdefgh")], width=6) == ["a  bc…"]
    assert output.truncate("漢字漢字", 5) == "漢字…"
    assert output.truncate("abc", 3) == "abc"


def test_an_error_contains_no_control_sequences() -> None:
    assert Failure("No \x1b[31m.\nTry \u202e.").message == "No \\x1b[31m.\nTry \\u202e."
