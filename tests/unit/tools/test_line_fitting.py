"""Lists that are cut to the budget of a reply."""

from __future__ import annotations

import pytest

from viewpoint_mcp.tools.reply.line_fitting import fit_first_lines

LINES = [f"{number:03}={'x' * 20}" for number in range(200)]


def test_a_list_within_the_budget_is_complete() -> None:
    text = "\n".join(LINES)
    assert fit_first_lines(LINES, "Use a filter.", len(text)) == text


@pytest.mark.parametrize("budget", [300, 1000, 4000])
def test_a_longer_list_is_cut_and_the_others_are_counted(budget: int) -> None:
    text = fit_first_lines(LINES, "Use a filter.", budget)
    *shown, note = text.split("\n")
    assert len(text) <= budget
    assert shown == LINES[: len(shown)]
    assert note == f"Note: {200 - len(shown)} of 200 are not shown. Use a filter."


def test_an_entry_begins_no_code_block() -> None:
    assert fit_first_lines(["```=a\n```\nb", "c"], "", 100) == "\\```=a\n    \\```\n    b\nc"


def test_a_line_that_looks_like_a_heading_is_escaped() -> None:
    assert (
        fit_first_lines(["a=1\n### Result", "### b"], "", 100) == "a=1\n    \\### Result\n\\### b"
    )
