"""Elements that are found again in a later tree, and those that could be others."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tests.unit.accessibility.trees import element
from viewpoint_mcp.accessibility.known.known_parts import (
    find_known_parts,
    find_parts_rendered_again,
    iterate_equal_nodes,
)
from viewpoint_mcp.accessibility.known.tree_index import TreeIndex
from viewpoint_mcp.accessibility.tree import Node

HOME = "http://shop.example/"
WIDE = "Ada Lovelace of Marylebone, London"


def orders(first: int, *names: str) -> list[Node]:
    """Return a list of orders that end with a button, numbered from `first`."""
    items = [
        element("listitem", "", name, WIDE, element("button", "Delete", ref=number))
        for number, name in enumerate(names, first)
    ]
    return [element("main", "", element("list", "", *items))]


def find_carried(old: Sequence[Node], new: Sequence[Node], *, again: bool) -> dict[str, str]:
    """Return the old refs of the elements of a tree that are known, by their refs in it."""
    tree, former = TreeIndex(new, HOME), TreeIndex(old, HOME)
    known = find_parts_rendered_again(tree, former) if again else find_known_parts(tree, [former])
    return {after.ref: before.ref for before, after in iterate_equal_nodes(new, known) if after.ref}


@pytest.mark.parametrize("again", [True, False])
@pytest.mark.parametrize("role", ["listitem", "row", "article", "dialog"])
def test_a_button_beside_other_words_is_another_button(role: str, again: bool) -> None:
    def item(name: str, number: int) -> list[Node]:
        button = element("button", "Delete", ref=number)
        return [element("main", "", element(role, "", name, WIDE, element("text", WIDE), button))]

    assert find_carried(item("7", 1), item("8", 2), again=again) == {}
    assert find_carried(item("7", 1), item("7", 2), again=again) == {"e2": "e1"}


def test_items_of_a_list_are_found_again_whatever_became_of_the_others() -> None:
    old, new = orders(1, "One", "Two", "Three"), orders(11, "Four", "Three", "Five")
    assert find_carried(old, new, again=True) == {"e12": "e3"}
    assert find_carried(old, new, again=False) == {}


def test_equal_items_of_a_list_do_not_carry_over() -> None:
    old, new = orders(1, "One", "Two", "Two"), orders(11, "Two", "One", "Two")
    assert find_carried(old, new, again=True) == {"e12": "e1"}
