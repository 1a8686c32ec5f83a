"""Rows that show another record: `recycled_list_rows.find_group_change` on trees from a walk."""

from __future__ import annotations

import re
from typing import Any

import pytest

from viewpoint_mcp import inpage
from viewpoint_mcp.accessibility.recycled_list_rows import (
    GROUP_ROLES,
    GroupChange,
    find_group_change,
)
from viewpoint_mcp.accessibility.tree import Node, decode_tree

Raw = list[Any]


def button(number: int, name: str = "Delete") -> Raw:
    return ["button", name, {"ref": number}, []]


def link(number: int, name: str, url: str) -> Raw:
    return ["link", name, {"ref": number, "url": url}, []]


def row(*cells: Any) -> Raw:
    inside = [["cell", "", None, [each]] for each in cells]
    return ["row", "", None, inside]


def change(printed: Raw, number: int, group: Raw) -> GroupChange | None:
    return find_group_change(decode_tree(printed), number, decode_tree(group))


FORMATS = ("bold", "italic", "code", "list", "quote")
TABLE = [
    ["table", "", None, [row("Alice", "Paid", "2", button(1)), row("Bob", "Paid", "3", button(2))]]
]


def test_a_row_that_has_another_name_is_another() -> None:
    found = change(TABLE, 1, [row("Carol", "Paid", "2", button(1))])
    assert found == GroupChange(["Alice"], ["Carol"])


@pytest.mark.parametrize(
    "cells",
    [
        ("Alice", "Paid", "2"),
        ("Alice", "Refused", "2"),
        ("Alice", "Paid", "17"),
        ("Alice", "Refused", "17", "since today"),
        ("Alice Weber", "Paid", "2"),
    ],
)
def test_a_row_that_changed_in_part_is_the_same(cells: tuple[str, ...]) -> None:
    assert change(TABLE, 1, [row(*cells, button(1))]) is None


def test_a_row_that_a_number_identifies_is_another_with_another_number() -> None:
    table = [row("10254", "Paid", button(1)), row("10255", "Paid", button(2))]
    assert change(table, 1, [row("10256", "Paid", button(1))]) == GroupChange(["10254"], ["10256"])


def test_an_order_number_with_letters_is_no_counter() -> None:
    table = [row("TT-10254", button(1)), row("TT-10255", button(2))]
    assert change(table, 1, [row("TT-10265", button(1))]) == GroupChange(["TT-10254"], ["TT-10265"])


def test_an_address_distinguishes_a_row() -> None:
    table = [
        row(link(1, "Open", "/orders/1/"), button(3)),
        row(link(2, "Open", "/orders/2/"), button(4)),
    ]
    now = [row(link(1, "Open", "/orders/9/"), button(3))]
    assert change(table, 3, now) == GroupChange(["/orders/1/"], ["/orders/9/"])


def test_a_field_that_was_typed_into_is_in_the_same_row() -> None:
    table = [
        row("Alice", ["textbox", "Note", {"ref": 1, "value": "a"}, []]),
        row("Bob", ["textbox", "Note", {"ref": 2, "value": "b"}, []]),
    ]
    now = [row("Alice", ["textbox", "Note", {"ref": 1, "value": "typed"}, []])]
    assert change(table, 1, now) is None


def test_rows_without_distinguishing_text_are_not_compared() -> None:
    table = [row("Paid", button(1)), row("Paid", button(2))]
    assert change(table, 1, [row("New", button(1))]) is None


def test_cards_without_a_role_are_compared_up_to_the_twins_of_the_element() -> None:
    cards = ["Alice", "Berlin", button(1), "Bob", "Bern", button(2), "Carol", "Basel", button(3)]
    assert change(cards, 2, ["Bob", "Bern", button(2)]) is None
    assert change(cards, 2, ["Dora", "Rome", button(2)]) == GroupChange(
        ["Bob", "Bern"], ["Dora", "Rome"]
    )


def test_a_card_that_grew_is_the_same() -> None:
    cards = ["Alice", button(1), "Bob", button(2)]
    assert change(cards, 1, ["Alice", button(1), "Details", "of", "Alice's", "order"]) is None


def test_a_field_whose_list_of_suggestions_opened_is_the_same() -> None:
    field, add = ["textbox", "Tag", {"ref": 1}, []], button(2, "add")
    toolbar = [button(number, f"Format {word}") for number, word in enumerate(FORMATS, 10)]
    page = [field, add, *toolbar, ["textbox", "Tag", {"ref": 3}, []]]
    links = [link(number, word, f"#{word}") for number, word in enumerate(("dark", "tea"), 30)]
    assert change(page, 1, [field, *links, "No system tags found", add]) is None


def test_a_card_of_another_person_with_one_new_button_is_another() -> None:
    names = ("Edit", "Delete", "More")
    of_alice = [button(number, name) for number, name in enumerate(names, 1)]
    of_bob = [button(number, name) for number, name in enumerate(names, 4)]
    cards = ["Alice", *of_alice, "Bob", *of_bob]
    now = ["Carol", button(1, "Edit"), button(2), button(9, "More")]
    assert change(cards, 2, now) == GroupChange(["Alice"], ["Carol"])


def test_a_box_that_is_recognised_by_its_text_is_another_with_another_text() -> None:
    boxes = [["generic", "", {"ref": 1}, ["Alice"]], ["generic", "", {"ref": 2}, ["Bob"]]]
    now = [["generic", "", {"ref": 1}, ["Carol"]]]
    assert change(boxes, 1, now) == GroupChange(["Alice"], ["Carol"])


def test_elements_of_a_frame_have_their_own_numbers() -> None:
    nodes = decode_tree([["iframe", "", {"ref": 9}, []], *TABLE])
    nodes[0].children = [Node("button", "Inner", {"ref": 1})]
    group = decode_tree([row("Alice", "Paid", "2", button(1))])
    assert find_group_change(nodes, 1, group) is None


def test_an_element_that_was_not_printed_there_is_not_compared() -> None:
    assert change(TABLE, 77, [row("Carol", button(77))]) is None


def test_the_page_scripts_know_the_same_groups() -> None:
    roles = re.search(r"GROUP_ROLES = new Set\(\[(.*?)\]\)", inpage.build_bundle())
    assert roles is not None
    assert set(re.findall(r'"(\w+)"', roles[1])) == GROUP_ROLES


def test_hidden_texts_that_no_snapshot_printed_do_not_count() -> None:
    # A library replaced a native list by a field, and hides the list beside it.
    fields = [["combobox", name, {"ref": n}, []] for n, name in ((1, "City"), (2, "Cities"))]
    options: Raw = [["option", name, None, []] for name in ("Bern", "Paris")]
    hidden = ["listbox", "", {"ref": 3, "hidden": True}, options]
    assert change([["paragraph", "", None, ["Trip"]], *fields], 2, [hidden, fields[1]]) is None
