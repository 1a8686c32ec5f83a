"""The table and the JSON."""

from __future__ import annotations

import json

import pytest

from viewpoint_mcp.cli.doctor.finding import (
    failed_finding,
    note_finding,
    ok_finding,
    skipped_finding,
)
from viewpoint_mcp.cli.doctor.report import has_failure, render_json, render_table

FINDINGS = [
    ("python", ok_finding("Python 3.13", "click 8.1")),
    ("a-longer-name", failed_finding("broken", fix="sudo apt-get install all-of-it")),
    ("fonts", note_finding("few", fix="more")),
    ("proxy", skipped_finding("none")),
]


def test_columns_are_aligned_and_the_advice_is_below() -> None:
    lines = render_table(FINDINGS).splitlines()
    assert lines[2:] == [
        "ok       python         Python 3.13",
        "                        click 8.1",
        "failed   a-longer-name  broken",
        "                        -> sudo apt-get install all-of-it",
        "note     fonts          few",
        "                        -> more",
        "skipped  proxy          none",
        "",
        "1 failed, 1 note.",
    ]


def test_long_summaries_are_wrapped_and_commands_to_copy_are_not() -> None:
    long = "word " * 60
    lines = render_table([("x", failed_finding(long, fix=long))]).splitlines()
    assert all(len(line) <= 100 for line in lines if "->" not in line)
    assert sum("->" in line for line in lines) == 1


def test_control_sequences_of_a_terminal_are_not_printed() -> None:
    table = render_table([("start", failed_finding("\x1b[2Jgone", "\x07bell", fix="\x1b]0;x"))])
    assert "\x1b" not in table
    assert "\x07" not in table


def test_only_the_status_is_colored() -> None:
    table = render_table(FINDINGS, is_colored=True)
    assert "\x1b[31m\x1b[1mfailed \x1b[0m  a-longer-name" in table


def test_the_document_has_each_check_with_its_fix_or_null() -> None:
    document = json.loads(render_json(FINDINGS))
    assert {*document} == {"version", "ok", "checks"}
    assert document["ok"] is False
    assert document["checks"][:2] == [
        {
            "name": "python",
            "status": "ok",
            "summary": "Python 3.13",
            "details": ["click 8.1"],
            "fix": None,
        },
        {
            "name": "a-longer-name",
            "status": "failed",
            "summary": "broken",
            "details": [],
            "fix": "sudo apt-get install all-of-it",
        },
    ]


@pytest.mark.parametrize(("count", "expected"), [(1, False), (2, True)])
def test_notes_and_skipped_checks_are_no_failures(count: int, expected: bool) -> None:
    chosen = FINDINGS[:count] if expected else [FINDINGS[0], *FINDINGS[2:]]
    assert has_failure(chosen) is expected


def test_a_report_without_failures_says_so() -> None:
    assert render_table(FINDINGS[:1]).endswith("Nothing failed, 0 notes.")
