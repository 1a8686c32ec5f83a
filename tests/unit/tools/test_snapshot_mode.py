"""The choice between diff and whole snapshot, and the baseline of the diff."""

from __future__ import annotations

import pytest

from tests.unit.accessibility.trees import element
from viewpoint_mcp.accessibility.diff.equality import Content
from viewpoint_mcp.accessibility.tree_capture import Capture
from viewpoint_mcp.page.snapshot.baseline import Baseline
from viewpoint_mcp.tools.core.result import PageView
from viewpoint_mcp.tools.reply.snapshot_mode import RenderedChanges, find_changes, is_complete_view

DOCUMENT = "D1"


def page(note: str, count: int = 20) -> Capture:
    rows: list[Content] = [element("button", f"Row {n}", ref=n) for n in range(1, count)]
    return Capture([element("main", "", *rows, element("paragraph", "", note))])


@pytest.fixture
def baseline() -> Baseline:
    """Return the baseline of an agent that has received one snapshot."""
    baseline = Baseline()
    baseline.set_tree(page("one").tree, DOCUMENT)
    return baseline


def test_an_unknown_page_has_no_diff() -> None:
    assert find_changes(page("one"), Baseline(), DOCUMENT) is None


def test_another_document_has_no_diff(baseline: Baseline) -> None:
    assert find_changes(page("two"), baseline, "D2") is None


def test_a_replaced_document_has_no_diff(baseline: Baseline) -> None:
    baseline.forget()
    assert find_changes(page("two"), baseline, DOCUMENT) is None


def test_the_diff_starts_from_the_last_snapshot(baseline: Baseline) -> None:
    diff = find_changes(page("two"), baseline, DOCUMENT)
    assert diff is not None
    assert diff.introduction == "Changes on the page:"
    assert '<changed> paragraph: two  # was: "one"' in diff.yaml


def test_a_reply_without_changes_says_so(baseline: Baseline) -> None:
    assert find_changes(page("one"), baseline, DOCUMENT) == RenderedChanges(
        "No change on the page.", ""
    )


def test_after_a_newer_view_of_an_unknown_part_the_diff_names_its_start(
    baseline: Baseline,
) -> None:
    baseline.note_partial_view(page("two").nodes)
    diff = find_changes(page("one"), baseline, DOCUMENT)
    assert diff == RenderedChanges("No change on the page since it was last shown whole.", "")
    baseline.set_tree(page("one").tree, DOCUMENT)
    diff = find_changes(page("one"), baseline, DOCUMENT)
    assert diff == RenderedChanges("No change on the page.", "")


def test_a_view_of_an_unchanged_page_does_not_make_the_baseline_older(baseline: Baseline) -> None:
    baseline.note_partial_view(baseline.nodes_for(DOCUMENT) or ())
    assert not baseline.is_older_than_view


def test_a_page_that_is_shorter_than_its_diff_is_shown_whole(baseline: Baseline) -> None:
    assert find_changes(page("two", count=2), baseline, DOCUMENT) is None


@pytest.mark.parametrize(
    ("view", "expected"),
    [
        (PageView(), True),
        (PageView(only_changes=True), True),
        (PageView(depth=3), False),
        (PageView(all_refs=True), False),
        (PageView(boxes=True), False),
        (PageView(has_snapshot=False), False),
        (PageView(to_file=True), False),
    ],
)
def test_only_a_whole_snapshot_becomes_the_baseline(view: PageView, expected: bool) -> None:
    assert is_complete_view(view) is expected
