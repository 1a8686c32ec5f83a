"""A newer view of one part updates the tree that the agent knows."""

from __future__ import annotations

import pytest

from tests.unit.accessibility.trees import element
from viewpoint_mcp.accessibility.diff.equality import iterate_nodes_at_any_depth
from viewpoint_mcp.accessibility.diff.partial_view import replace_part
from viewpoint_mcp.accessibility.printing.snapshot_yaml import render_tree
from viewpoint_mcp.accessibility.tree import Node


def page(amount: str, note: str, title: str = "Cart") -> list[Node]:
    row = element("row", "", element("textbox", "Amount", ref=2, value=amount), "Tea", ref=1)
    return [element("banner", title), element("main", "", element("table", "Cart", row), note)]


def find(tree: list[Node], role: str) -> Node:
    return next(node for node in iterate_nodes_at_any_depth(tree) if node.role == role)


@pytest.mark.parametrize(
    ("role", "expected"),
    [
        ("textbox", page("2", "old")),
        ("row", page("2", "old")),
        ("main", page("2", "new")),
        ("banner", page("1", "old", "Cart")),
    ],
)
def test_only_the_part_is_updated(role: str, expected: list[Node]) -> None:
    old = page("1", "old")
    before = render_tree(old)
    seen = replace_part(old, [find(page("2", "new"), role)])
    assert seen is not None
    assert render_tree(seen) == render_tree(expected)
    assert render_tree(old) == before


@pytest.mark.parametrize(
    "part",
    [
        pytest.param([], id="nothing"),
        pytest.param([element("button", "New", ref=9)], id="ref that is not in the tree"),
        pytest.param([element("listitem", "")], id="role that is not in the tree"),
        pytest.param([element("paragraph", "")], id="role of two elements"),
    ],
)
def test_an_unknown_part_leaves_the_tree_as_it_is(part: list[Node]) -> None:
    tree = [element("main", "", element("paragraph", "", "a"), element("paragraph", "", "b"))]
    assert replace_part(tree, part) is None
