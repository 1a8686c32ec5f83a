"""Parsing of locators, and their matches in a tree."""

from __future__ import annotations

import pytest

from viewpoint_mcp.accessibility.search.found_elements import find_elements_with_ref
from viewpoint_mcp.accessibility.tree import Node
from viewpoint_mcp.page.locator import parse_locator


def element(role: str, name: str = "", ref: str = "", *children: Node | str) -> Node:
    return Node(role, name, {}, list(children), ref)


TREE = [
    element(
        "table",
        "People",
        "",
        element("row", "", "", "Anna", element("button", "Delete", "e1")),
        element("row", "", "", "Ben", element("button", "Delete", "e2")),
    ),
    element("dialog", "Invite", "", element("button", "Send", "e3"), element("checkbox", "", "e4")),
    element("button", "send", "e5"),
    element("button", "Save “now”", "e6"),
    element("heading", "Orders", ""),
    Node("button", "", {"hint": "filter"}, [], "e7"),
    Node("button", "Unseen", {"hidden": True}, [], "e8"),
    element("button", f"Read {'more ' * 30}", "e9"),
]


ELEMENTS = find_elements_with_ref(TREE)


def refs(text: str) -> list[str]:
    locator = parse_locator(text)
    assert locator is not None, text
    return [match.node.ref for match in locator.find_matches(ELEMENTS)]


@pytest.mark.parametrize(
    "text",
    [
        *("e12", "#save", "button", "button.primary", "main button", 'a[href="x"]', "", "]]["),
        *('button [title="Save"]', "row in table", "button in", 'button "Save', "Button 'Save'"),
        *('input[name="a"] in form', "text=Save", "li:nth-child(2)", 'p "Save" > b'),
    ],
)
def test_a_text_without_a_role_and_a_quoted_name_is_no_locator(text: str) -> None:
    assert parse_locator(text) is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('button "Send"', ["e3"]),
        ("button 'Send'", ["e3"]),
        ('- button "Send" [disabled]', ["e3"]),
        ('button "SEND"', ["e3", "e5"]),
        ('button  "Delete" in row "Anna"', ["e1"]),
        ('button "Delete" in table "People"', ["e1", "e2"]),
        ('button "Delete" in row "Ben" in table "People"', ["e2"]),
        ('button "Delete" in table "People" in row "Ben"', []),
        ('checkbox in dialog "Invite"', ["e4"]),
        ('button "Send" in dialog', ["e3"]),
        ('button "filter"', ["e7"]),
        ('button "Unseen"', []),
        ('button "Read more…"', ["e9"]),
        ('link "Send"', []),
        ('button "Sen"', []),
    ],
)
def test_a_locator_matches_by_role_name_and_container(text: str, expected: list[str]) -> None:
    assert refs(text) == expected


def test_a_row_without_a_name_is_named_by_its_text() -> None:
    rows = [element("row", "", "e1", "Anna", "12"), element("row", "", "e2", "Ben", "13")]
    locator = parse_locator('row "ben"')
    assert locator is not None
    assert [match.node.ref for match in locator.find_matches(find_elements_with_ref(rows))] == [
        "e2"
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('button "Sand"', ["e3", "e5"]),
        ('link "Deleted"', ["e1", "e2"]),  # of another role, but of a very similar name
        ('checkbox "Terms"', ["e4"]),  # the only one of its role
        ('link "Terms"', []),
    ],
)
def test_similar_elements_are_suggested(text: str, expected: list[str]) -> None:
    locator = parse_locator(text)
    assert locator is not None
    assert [each.node.ref for each in locator.find_similar(ELEMENTS)] == expected


def test_escapes_in_a_name_are_read() -> None:
    locator = parse_locator(r'button "Say \"hi\""')
    assert locator is not None
    assert locator.element.name == 'Say "hi"'


@pytest.mark.parametrize(
    ("text", "narrower"),
    [
        ('button "Delete"', 'button "Delete" in row "Anna"'),
        ('button "Delete" in table "People"', 'button "Delete" in row "Anna" in table "People"'),
    ],
)
def test_a_container_that_selects_one_of_several_matches_is_suggested(
    text: str, narrower: str
) -> None:
    locator = parse_locator(text)
    assert locator is not None
    narrowed = locator.narrow(locator.find_matches(ELEMENTS))
    assert str(narrowed) == narrower
    assert refs(narrower) == ["e1"]


def test_no_container_is_suggested_if_its_text_is_in_other_containers_too() -> None:
    rows = [element("row", "", "", name, element("button", "Go", name)) for name in ("Ann", "Anna")]
    elements = find_elements_with_ref(rows)
    locator = parse_locator('button "Go"')
    assert locator is not None
    assert str(locator.narrow(locator.find_matches(elements))) == 'button "Go" in row "Anna"'
    single = find_elements_with_ref([element("button", "Go", "e1")] * 2)
    assert locator.narrow(locator.find_matches(single)) is None
