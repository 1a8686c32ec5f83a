"""Suggestions of similar elements for a stale ref."""

from __future__ import annotations

import pytest

from viewpoint_mcp.accessibility.search.found_elements import find_elements_with_ref
from viewpoint_mcp.accessibility.similar_elements import find_similar_elements
from viewpoint_mcp.accessibility.tree import Node, decode_tree


def similar_to(nodes: list[Node], role: str, name: str, beside: tuple[str, ...] = ()) -> list[Node]:
    elements = find_elements_with_ref(nodes)
    return [found.node for found in find_similar_elements(elements, role, name, beside)]


def suggestions_for(role: str, name: str, *elements: tuple[str, str]) -> list[str]:
    raw = [[each, name, {"ref": n}, []] for n, (each, name) in enumerate(elements)]
    nodes = decode_tree([["main", "", None, raw]])
    return [f"{node.role} {node.name}" for node in similar_to(nodes, role, name)]


def test_the_same_role_and_name_come_first_then_similar_names_then_other_roles() -> None:
    elements = [("link", "Save"), ("button", "Save all"), ("button", "Save"), ("button", "Delete")]
    assert suggestions_for("button", "Save", *elements) == [
        "button Save",
        "button Save all",
        "link Save",
    ]


def test_at_most_three_are_offered_in_the_order_of_the_page() -> None:
    elements = [("button", f"Edit {n}") for n in range(5)]
    assert suggestions_for("button", "Edit", *elements) == [
        "button Edit 0",
        "button Edit 1",
        "button Edit 2",
    ]


@pytest.mark.parametrize(
    ("name", "other"), [("Edit Anna", "Edit Peter"), ("Anna", "Annabel"), ("Save", ""), ("1", "2")]
)
def test_another_name_is_not_offered(name: str, other: str) -> None:
    assert suggestions_for("button", name, ("button", other)) == []


def test_an_element_without_a_name_has_no_similar_elements() -> None:
    assert suggestions_for("button", "", ("button", ""), ("button", "Save")) == []


def test_hidden_elements_and_elements_without_refs_are_not_suggested() -> None:
    nodes = decode_tree(
        [["button", "Save", None, []], ["button", "Save", {"ref": 1, "hidden": True}, []], "Save"]
    )
    assert similar_to(nodes, "button", "Save") == []


def test_words_may_match_the_role_or_the_name() -> None:
    elements = [("link", "Sign in"), ("button", "Sign in"), ("button", "Delete")]
    found = suggestions_for("", "the sign in button", *elements)
    assert found[0] == "button Sign in"
    assert "button Delete" not in found


def test_twins_in_other_rows_are_not_offered() -> None:
    delete = [["button", "Delete", {"ref": number}, []] for number in range(3)]
    rows = [
        ["row", "", None, [["cell", "", None, [person]], ["cell", "", None, [button]]]]
        for person, button in zip(("Alice", "Bob", "Carol"), delete, strict=True)
    ]
    nodes = decode_tree([["table", "", None, rows]])
    found = similar_to(nodes, "button", "Delete", beside=("Bob",))
    assert [node.properties["ref"] for node in found] == [1]
    assert similar_to(nodes, "button", "Delete", beside=("Dora",)) == []
