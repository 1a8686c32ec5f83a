"""The upper levels of a snapshot, with counts of the deeper elements."""

from __future__ import annotations

import yaml  # type: ignore[import-untyped, unused-ignore]

from viewpoint_mcp.accessibility.printing.depth_limit import limit_depth

TEXT = """- main:
  - list "Menu":
    - listitem:
      - link "Home" [ref=e1] -> /:
        - img
      - text: first
    - listitem: second | button "Third" [ref=e4] ; link "Fourth" [ref=e5] -> /4
  - link "Away" [ref=e2] -> /away:
    - text: one | two
  - button "Save" [ref=e3]
- contentinfo: End"""


def test_deeper_elements_are_counted_where_they_are_cut() -> None:
    assert limit_depth(TEXT, 0).split("\n")[:2] == [
        "- main: # 8 more elements",
        "- contentinfo: End",
    ]


def test_the_address_of_a_link_is_printed_at_any_depth() -> None:
    assert limit_depth(TEXT, 1).split("\n")[:-1] == [
        "- main:",
        '  - list "Menu": # 5 more elements',
        '  - link "Away" [ref=e2] -> /away: # 22 more characters',
        '  - button "Save" [ref=e3]',
        "- contentinfo: End",
    ]


def test_the_last_line_has_the_total_and_says_how_to_read_on() -> None:
    assert limit_depth(TEXT, 1).split("\n")[-1] == (
        "# depth=1: 5 deeper elements omitted. "
        "To read more, use a greater depth, or ref for one part."
    )


def test_the_cut_snapshot_is_valid_yaml() -> None:
    assert yaml.safe_load(limit_depth(TEXT, 0)) == [{"main": None}, {"contentinfo": "End"}]


def test_enough_depth_cuts_nothing() -> None:
    assert limit_depth(TEXT, 4) == TEXT
