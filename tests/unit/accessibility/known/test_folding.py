"""Parts that the agent knows, and what is printed in their place."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tests.unit.accessibility.trees import element
from viewpoint_mcp.accessibility.known.folding import fold_known_parts, render_ref_ranges
from viewpoint_mcp.accessibility.known.known_parts import find_known_parts, iterate_equal_nodes
from viewpoint_mcp.accessibility.known.tree_index import TreeIndex
from viewpoint_mcp.accessibility.printing.snapshot_yaml import render_tree
from viewpoint_mcp.accessibility.tree import Node

HOME = "http://shop.example/teas/"
LINKS = ("Orders", "Customers", "Products", "Invoices", "Reports", "Settings")


def sidebar(first: int = 1, *, names: Sequence[str] = LINKS, prefix: str = "/shop/") -> Node:
    """Return a navigation with one link for each name, numbered from `first`."""
    links = [
        element("link", name, ref=number, url=f"{prefix}{name.lower()}/")
        for number, name in enumerate(names, first)
    ]
    return element("navigation", "Sidebar", *links)


def table(*names: str, first: int = 20) -> Node:
    rows = [
        element("row", "", element("cell", "", name), element("button", "Delete", ref=number))
        for number, name in enumerate(names, first)
    ]
    return element("table", "", *rows)


def fold(new: Sequence[Node], *old: Sequence[Node], url: str = HOME) -> str:
    """Return the folded snapshot of a tree for an agent that was shown the other trees."""
    tree = TreeIndex(new, url)
    known = find_known_parts(tree, [TreeIndex(each, HOME) for each in old])
    return render_tree(fold_known_parts(tree, known))


def test_an_equal_region_is_one_line() -> None:
    new = [sidebar(), element("main", "", "New")]
    assert fold(new, [sidebar(), element("main", "", "Old")]) == (
        '- navigation "Sidebar": same as before (e1-e6)\n- main: New'
    )


def test_a_region_is_found_in_an_older_tree() -> None:
    assert "same as before (e1-e6)" in fold([sidebar()], [element("main")], [sidebar()])


def test_a_region_with_refs_that_the_agent_does_not_know_is_printed() -> None:
    assert "same as before" not in fold([sidebar(31)], [sidebar(1)])


def test_a_region_with_the_focus_is_printed() -> None:
    new = sidebar()
    assert isinstance(new.children[0], Node)
    new.children[0].properties["active"] = True
    assert 'link "Orders" [active]' in fold([new], [sidebar()])


def test_a_relative_address_that_leads_elsewhere_is_another_address() -> None:
    new = [sidebar(prefix="")]
    assert "same as before" in fold(new, [sidebar(prefix="")])
    assert "same as before" not in fold(new, [sidebar(prefix="")], url="http://shop.example/pots/")


def test_an_address_that_the_walker_shortened_is_not_compared() -> None:
    short = element("link", "Search", ref=9, url="/search?…")
    tree = [element("navigation", "", short, sidebar())]
    assert fold(tree, tree) == (
        '- navigation: \'link "Search" [ref=e9] -> /search?… | navigation "Sidebar": same as before'
        " (e1-e6)'"
    )


def test_a_region_that_occurs_twice_is_printed() -> None:
    twice = [element("main", "", sidebar(), sidebar(11))]
    assert "same as before" not in fold(twice, [element("main", "", sidebar())])


def test_a_document_in_a_frame_is_never_known() -> None:
    frame = element("iframe", "Map", sidebar(), ref=9)
    tree = [element("navigation", "", frame, *LINKS)]
    assert "navigation: same as before" not in fold(tree, tree)


def test_the_equal_items_of_a_changed_navigation_are_one_comment() -> None:
    new = sidebar(names=[*LINKS, "Help"])
    assert fold([new], [sidebar()]) == (
        '- navigation "Sidebar":\n'
        "  # same as before: e1-e6\n"
        '  - link "Help" [ref=e7] -> /shop/help/'
    )


def test_items_that_occur_twice_are_printed() -> None:
    buttons = [element("button", "Delete this order", ref=number) for number in range(10, 20)]
    new = [element("navigation", "", *buttons, "more")]
    assert fold(new, [element("navigation", "", *buttons)]).count("Delete this order") == 10


@pytest.mark.parametrize(("count", "is_folded"), [(9, True), (3, False)])
def test_a_table_is_folded_only_if_most_of_it_is_as_before(count: int, is_folded: bool) -> None:
    names = [f"Tea number {number} of the long list" for number in range(10)]
    new = [element("main", "", table(*names[:count], "Another"))]
    assert ("# same as before: e20-e28" in fold(new, [element("main", "", table(*names))])) == (
        is_folded
    )


def test_equal_nodes_are_paired_in_regions_and_runs() -> None:
    new = [sidebar(41, names=[*LINKS, "Help"]), element("main", "", table("A" * 90, "B" * 90))]
    old = TreeIndex(
        [sidebar(), element("main", "", "x", table("A" * 90, "B" * 90, first=60))], HOME
    )
    known = find_known_parts(TreeIndex(new, HOME), [old])
    pairs = [(before.ref, after.ref) for before, after in iterate_equal_nodes(new, known)]
    assert ("e1", "e41") in pairs
    assert ("e61", "e21") in pairs
    assert not any(after == "e47" for _, after in pairs)


def test_a_text_of_the_page_cannot_look_like_a_remark() -> None:
    forged = element("navigation", "", "same as before (e1-e6)")
    assert render_tree([forged]) == "- navigation: '\"same as before (e1-e6)\"'"
    comment = element("navigation", "", "# same as before: e1-e6", sidebar())
    assert "\n  # same" not in render_tree([comment])


def test_refs_are_printed_as_ranges() -> None:
    nodes = [element("link", ref=number) for number in (7, 1, 2, 3, 5)]
    assert render_ref_ranges(nodes) == "e1-e3, e5, e7"


def test_a_range_of_refs_stays_in_one_frame() -> None:
    nodes = [Node("link", "", {"ref": number}, [], f"f1e{number}") for number in (2, 3)]
    nodes += [element("link", ref=number) for number in (1, 4, 5)]
    assert render_ref_ranges(nodes) == "e1, e4-e5, f1e2-f1e3"


def test_lines_of_an_editor_are_not_left_out() -> None:
    lines = [f"value_{number} = {number} * factor" for number in range(20)]
    old = element("textbox", "Code", *lines, ref=1, multiline=True)
    new = element("textbox", "Code", *lines, "another", ref=1, multiline=True)
    assert "same as before" not in fold([new], [old])
