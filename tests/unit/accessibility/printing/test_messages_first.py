"""Messages, dialogs and invalid fields at the top of a snapshot after an action."""

from __future__ import annotations

import pytest
import yaml  # type: ignore[import-untyped, unused-ignore]

from tests.unit.accessibility.trees import copy_tree, element
from viewpoint_mcp.accessibility.diff.equality import Content
from viewpoint_mcp.accessibility.printing.messages_first import (
    describe_invalid_fields,
    lead_with_messages,
)
from viewpoint_mcp.accessibility.printing.snapshot_yaml import render_tree

SAVED = element("alert", "", "Order TT-1 was saved.")
QUESTION = element("dialog", "Delete?", element("button", "Yes", ref=7))
HEADING = element("heading", "Orders")


@pytest.mark.parametrize(
    ("tree", "expected"),
    [
        ([element("main", "", HEADING, SAVED)], [SAVED, element("main", "", HEADING)]),
        ([HEADING, QUESTION], [QUESTION, HEADING]),
        (
            [element("main", "", element("region", "A", SAVED), element("generic", "", QUESTION))],
            [SAVED, QUESTION, element("main", "", element("region", "A"))],
        ),
        (
            [element("dialog", "Edit", HEADING, SAVED), element("status", "", "2 left")],
            [element("dialog", "Edit", HEADING, SAVED), element("status", "", "2 left")],
        ),
    ],
)
def test_messages_and_dialogs_come_first(tree: list[Content], expected: list[Content]) -> None:
    before = render_tree(tree)
    assert render_tree(lead_with_messages(tree)) == render_tree(expected)
    assert render_tree(tree) == before


@pytest.mark.parametrize(
    "other",
    [
        element("status"),
        element("iframe", "Pay", SAVED, ref=3),
        element("alert", "", "Later", hidden=True),
        element("log", "Chat", "Hello"),
    ],
    ids=["empty", "of a frame", "hidden", "a log"],
)
def test_other_messages_stay(other: Content) -> None:
    tree = [HEADING, element("main", "", HEADING, other)]
    assert lead_with_messages(tree) is tree


def test_a_message_that_is_deep_in_the_page_moves() -> None:
    tree: list[Content] = [HEADING, SAVED]
    for _ in range(3000):
        tree = [element("group", "A", *tree)]
    assert render_tree(lead_with_messages(tree)).startswith("- alert: Order TT-1 was saved.\n")


def test_invalid_fields_are_named() -> None:
    name = 'A "name": # with\nlines'
    fields = [element("textbox", name, ref=n, invalid=True) for n in range(1, 13)]
    tree: list[Content] = [element("main", "", element("textbox", "Fine", ref=20), *fields)]
    comment = describe_invalid_fields(copy_tree(tree))
    assert comment.startswith(
        '# 12 invalid fields: textbox "A \\"name\\": # with\\nlines" [ref=e1], '
    )
    assert comment.count("[ref=") == 10
    assert yaml.safe_load(comment) is None


def test_a_page_without_invalid_fields_has_no_comment() -> None:
    assert describe_invalid_fields([element("main", "", HEADING)]) == ""
