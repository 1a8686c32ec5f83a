"""Lists of candidates: equal elements are listed with what distinguishes them."""

from __future__ import annotations

import pytest

from viewpoint_mcp.accessibility.search.candidate_list import list_candidates
from viewpoint_mcp.accessibility.search.found_elements import find_elements_with_ref
from viewpoint_mcp.accessibility.tree import Node


def element(role: str, name: str = "", ref: str = "", *children: Node | str) -> Node:
    return Node(role, name, {"ref": ref} if ref else {}, list(children), ref)


def button(ref: str) -> Node:
    return element("button", "Add", ref)


def candidates(*nodes: Node) -> list[str]:
    found = find_elements_with_ref(nodes)
    listed = [each for each in found if not each.is_hidden and each.node.role != "link"]
    return list_candidates(listed, found)


ONE, TWO = button("e1"), button("e2")
SAVE, TEA = element("button", "Save", "e2"), element("generic", "", "e2", "Tea")
FIELD = Node("textbox", "", {"ref": 1, "value": "Oolong"}, ref="e1")


@pytest.mark.parametrize(
    ("nodes", "expected"),
    [
        ([ONE, SAVE], ['button "Add" [ref=e1]', 'button "Save" [ref=e2]']),
        (
            [element("row", "", "", "12", "Anna", ONE), element("row", "", "", "13", "Ben", TWO)],
            ['button "Add" [ref=e1] in row "Anna"', 'button "Add" [ref=e2] in row "Ben"'],
        ),
        (
            [element("row", "", "", "1", "Tea", ONE), element("row", "", "", "2", "Tea", TWO)],
            ['button "Add" [ref=e1] in row "1"', 'button "Add" [ref=e2] in row "2"'],
        ),
        (
            [element("dialog", "Invite", "", ONE), element("list", "Menu", "", TWO)],
            ['button "Add" [ref=e1] in dialog "Invite"', 'button "Add" [ref=e2] in list "Menu"'],
        ),
        (
            [element("heading", "Home"), ONE, element("heading", "Work"), TWO],
            [
                'button "Add" [ref=e1] after heading "Home"',
                'button "Add" [ref=e2] after heading "Work"',
            ],
        ),
        (
            [element("text", "", "", "Tea"), ONE, element("text", "", "", "Coffee"), TWO],
            ['button "Add" [ref=e1] after "Tea"', 'button "Add" [ref=e2] after "Coffee"'],
        ),
        (
            [ONE, element("link", "Tea", "e3"), TWO, element("link", "Coffee", "e4")],
            ['button "Add" [ref=e1] before link "Tea"', 'button "Add" [ref=e2] after link "Tea"'],
        ),
        (
            [element("heading", "Home"), ONE, TWO],
            [
                'button "Add" [ref=e1] after heading "Home"',
                'button "Add" [ref=e2] (2nd of 2)',
            ],
        ),
        (
            [FIELD, TEA],
            ['textbox [ref=e1]: "Oolong"', 'generic [ref=e2]: "Tea"'],
        ),
    ],
)  # fmt: skip
def test_equal_elements_are_distinguished(nodes: list[Node], expected: list[str]) -> None:
    assert candidates(element("main", "", "", *nodes)) == expected


def test_a_hidden_twin_does_not_count() -> None:
    hidden = Node("button", "Add", {"ref": 2, "hidden": True}, ref="e2")
    assert candidates(ONE, hidden) == ['button "Add" [ref=e1]']


def test_a_text_of_the_page_cannot_pose_as_a_ref() -> None:
    rows = [
        element("row", "", "", f'{name}" [ref=e99]\n- button', button(f"e{number}"))
        for number, name in enumerate(("Anna", "Ben"))
    ]
    assert candidates(*rows)[0] == ('button "Add" [ref=e0] in row "Anna\\" [ref=e99] - button"')


def test_hundreds_of_equal_elements_are_distinguished() -> None:
    rows = [
        element("row", "", "", *(f"cell {row}.{n}" for n in range(8)), button(f"e{row}"))
        for row in range(800)
    ]
    found = find_elements_with_ref([element("table", "", "", *rows)])
    assert list_candidates(found[:10], found)[9] == 'button "Add" [ref=e9] in row "cell 9.0"'
