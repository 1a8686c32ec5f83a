"""Parsing of locators, and their matches in a tree."""

from __future__ import annotations

import pytest

from viewpoint_mcp.accessibility.tree import Node
from viewpoint_mcp.page.locator import describe_matches, parse_locator


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


def refs(text: str) -> list[str]:
    locator = parse_locator(text)
    assert locator is not None, text
    return [match.node.ref for match in locator.find_matches(TREE)]


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
    assert [match.node.ref for match in locator.find_matches(rows)] == ["e2"]


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
    assert [node.ref for node in locator.find_similar(TREE)] == expected


def test_escapes_in_a_name_are_read() -> None:
    locator = parse_locator(r'button "Say \"hi\""')
    assert locator is not None
    assert locator.element.name == 'Say "hi"'


def test_several_matches_are_listed_with_their_containers() -> None:
    locator = parse_locator('button "Delete"')
    assert locator is not None
    lines, hint = describe_matches(locator, locator.find_matches(TREE), 10)
    assert lines.splitlines() == [
        '- button "Delete" [ref=e1] in row "Anna"',
        '- button "Delete" [ref=e2] in row "Ben"',
    ]
    assert hint == (
        'Use the ref of one of them, or name what contains it: button "Delete" in row "Anna".'
    )


def test_many_matches_are_counted() -> None:
    nodes = [element("button", "Go", f"e{number}") for number in range(12)]
    locator = parse_locator('button "Go"')
    assert locator is not None
    lines, hint = describe_matches(locator, locator.find_matches(nodes), 2)
    assert lines.splitlines() == [
        '- button "Go" [ref=e0]', '- button "Go" [ref=e1]', "- and 10 more",
    ]  # fmt: skip
    assert hint == "Use the ref of one of them."
