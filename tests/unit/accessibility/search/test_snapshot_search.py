"""Searching a snapshot: matching lines, the lines around them, and the elements above them."""

from __future__ import annotations

import pytest
import yaml  # type: ignore[import-untyped, unused-ignore]

from viewpoint_mcp.accessibility.printing.printed_snapshot_lines import SnapshotLines
from viewpoint_mcp.accessibility.printing.snapshot_yaml import render_tree
from viewpoint_mcp.accessibility.search.snapshot_search import (
    find_lines_with_text,
    make_searchable_texts,
    render_matches,
)
from viewpoint_mcp.accessibility.tree import Node, decode_tree

ROWS = [
    ["row", "", None, [["cell", f"Name {n}", None, []], ["button", f"Edit {n}", {"ref": n}, []]]]
    for n in range(1, 31)
]
PAGE = decode_tree(
    [
        ["banner", "", None, [["link", "Home", {"ref": 40, "url": "/home"}, []]]],
        ["main", "", None, [["table", "People", None, ROWS], ["textbox", "City", {"ref": 41}, []]]],
    ]
)


def found(nodes: list[Node], wanted: str, budget: float = 40_000) -> list[str]:
    snapshot_lines = SnapshotLines(render_tree(nodes))
    return render_matches(
        snapshot_lines,
        find_lines_with_text(make_searchable_texts(snapshot_lines, nodes), wanted),
        budget,
    ).text.split("\n")


def test_a_match_is_shown_under_its_path_with_three_lines_around() -> None:
    assert found(PAGE, "edit 20") == [
        "- main:",
        '  - table "People":',
        "    # … 17 lines",
        '    - row: Name 17 | button "Edit 17" [ref=e17]',
        '    - row: Name 18 | button "Edit 18" [ref=e18]',
        '    - row: Name 19 | button "Edit 19" [ref=e19]',
        '    - row: Name 20 | button "Edit 20" [ref=e20] # match',
        '    - row: Name 21 | button "Edit 21" [ref=e21]',
        '    - row: Name 22 | button "Edit 22" [ref=e22]',
        '    - row: Name 23 | button "Edit 23" [ref=e23]',
    ]


@pytest.mark.parametrize(
    ("properties", "expected"),
    [
        ({"url": "/some/place"}, "SOME/PLACE"),
        ({"placeholder": "Search here"}, "search here"),
        ({"value": "typed in"}, "typed"),
        ({"hint": "trash"}, "trash"),
    ],
)
def test_names_values_and_texts_are_searched(properties: dict[str, str], expected: str) -> None:
    nodes = decode_tree([["button", "", {"ref": 1, **properties}, []]])
    assert any(line.endswith("# match") for line in found(nodes, expected))


def test_text_is_searched_without_its_escapes() -> None:
    nodes = decode_tree(
        [["button", 'Say "it\'s: on"', {"ref": 1}, []], ["paragraph", "", None, ['"a"\n']]]
    )
    assert (
        len(
            find_lines_with_text(
                make_searchable_texts(SnapshotLines(render_tree(nodes)), nodes), 'say "it\'s: on"'
            )
        )
        == 1
    )
    assert (
        len(
            find_lines_with_text(
                make_searchable_texts(SnapshotLines(render_tree(nodes)), nodes), '"a"\n'
            )
        )
        == 1
    )


def test_matches_close_together_share_their_context_lines() -> None:
    lines = found(PAGE, "name 1")
    assert len([line for line in lines if line.endswith("# match")]) == 11
    assert len(lines) == len(set(lines))
    assert lines.count('  - table "People":') == 1


def test_between_matches_the_gap_is_counted() -> None:
    lines = found(PAGE, "e2")
    shown = [line for line in lines if "# …" not in line]
    gaps = [int(line.split()[2]) for line in lines if "# …" in line]
    last = render_tree(PAGE).split("\n").index(shown[-1].removesuffix(" # match"))
    assert len(gaps) == 2
    assert len(shown) + sum(gaps) == last + 1


def test_the_tail_of_a_name_that_is_printed_cut_is_found() -> None:
    name = "word " * 60 + "needle " + "more " * 60
    nodes = decode_tree(
        [
            ["link", name, {"ref": 1}, []],
            ["link", name.replace("needle", "other"), {"ref": 2}, []],
            ["button", 'it\'s: "quoted" ' + name, {"ref": 3}, []],
        ]
    )
    lines = found(nodes, "needle")
    assert [
        ("[ref=e1]" in lines[0], "needle" in lines[0]),
        ("e3" in lines[2], "needle" in lines[2]),
    ] == [
        (True, True),
        (True, True),
    ]
    assert "match" not in lines[1]
    assert len(lines[0]) < 450


def test_the_matching_middle_of_a_long_text_is_shown() -> None:
    nodes = decode_tree([["paragraph", "", None, ["a b " * 5000 + "needle" + " c d" * 5000]]])
    (line,) = found(nodes, "needle")
    assert "a b needle c d" in line
    assert len(line) < 600
    assert yaml.safe_load(line)


def test_the_found_lines_are_valid_yaml() -> None:
    assert isinstance(yaml.safe_load("\n".join(found(PAGE, "name"))), list)
    assert isinstance(yaml.safe_load("\n".join(found(PAGE, "e2"))), list)


def test_matches_beyond_the_budget_are_counted() -> None:
    snapshot_lines = SnapshotLines(render_tree(PAGE))
    hits = find_lines_with_text(make_searchable_texts(snapshot_lines, PAGE), "name")
    part = render_matches(snapshot_lines, hits, 1000)
    assert len(part.text) <= 1000
    assert 3 < part.match_count < 30
    last = part.text.split("\n")[-1]
    assert last == f"# … {30 - part.match_count} more matches not shown. Narrow the search."


def test_a_match_deep_down_fits_a_small_budget() -> None:
    text = "\n".join(f'{"  " * level}- group "{"n" * 90}":' for level in range(100))
    part = render_matches(SnapshotLines(text), {99: "group"}, 1000)
    assert part.match_count == 1
    assert "# match" in part.text
