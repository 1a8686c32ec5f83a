"""A tree as plain text: what a person reads, line by line."""

from __future__ import annotations

import pytest

from viewpoint_mcp.accessibility.printing.plain_text import render_plain_text
from viewpoint_mcp.accessibility.tree import Node


def node(role: str, *content: Node | str, name: str = "", **properties: object) -> Node:
    return Node(role, name, properties, list(content), str(properties.get("ref", "")))


ROWS = [
    node("row", node("columnheader", name="Number"), node("columnheader", name="State")),
    node("row", node("cell", node("link", name="7", ref=1)), node("cell", "Paid", "today")),
]
PARAGRAPHS = [node("paragraph", "One"), node("paragraph", "Two")]
HIDDEN_LINK = node("link", "a", hidden=True)
OPTIONS = [node("option", name="S"), node("option", name="M", selected=True)]


@pytest.mark.parametrize(
    ("tree", "lines"),
    [
        ([node("heading", name="Orders", level=2), "New"], ["## Orders", "New"]),
        (
            [node("paragraph", "See (", node("link", name="terms"), "), please")],
            ["See (terms), please"],
        ),
        ([node("table", *ROWS, name="Orders")], ["Orders:", "Number | State", "7 | Paid today"]),
        (
            [node("listitem", "Tea", node("list", node("listitem", "green")), "good")],
            ["- Tea", "  - green", "  good"],
        ),
        ([node("listitem", node("heading", name="Tea", level=3), "14 €")], ["- ### Tea", "  14 €"]),
        ([node("blockquote", *PARAGRAPHS)], ["> One", "> Two"]),
        (
            [node("generic", *PARAGRAPHS, hidden=True), "Three"],
            ["[hidden] One", "[hidden] Two", "Three"],
        ),
        (
            ["One", node("link", name="more", hidden=True), node("listitem", "Tea", hidden=True)],
            ["One", "[hidden] more", "[hidden] - Tea"],
        ),
        (
            [node("row", node("cell", "7", hidden=True), node("cell", HIDDEN_LINK))],
            ["[hidden] 7 | [hidden] a"],
        ),
        ([node("generic", "def f():\n    return 1", "End")], ["def f():", "    return 1", "End"]),
        (
            [node("listitem", "a\n b", node("paragraph", "c\nd"))],
            ["- a", "   b", "  c", "  d"],
        ),
        (
            [node("button", name="Save"), node("button", name="Cancel"), "Saved"],
            ["[Save] | [Cancel]", "Saved"],
        ),
        (
            [node("checkbox", name="Tea", checked=True), node("radio", name="Milk")],
            ["[x] Tea | [ ] Milk"],
        ),
        ([node("textbox", name="Name:", value="Ada")], ["Name: Ada"]),
        ([node("textbox", "Hi", node("strong", "you"), name="Text")], ["Text: Hi you"]),
        ([node("textbox", "a", " b", name="Code", multiline=True)], ["Code:", "a", " b"]),
        (
            [node("textbox", *PARAGRAPHS, name="Text")],
            ["Text:", "One", "Two"],
        ),
        (
            [node("combobox", *OPTIONS, name="Size")],
            ["Size: M"],
        ),
        ([node("listbox", node("option", "A", "B"), node("option", name="C"))], ["- A B", "- C"]),
        (
            [node("group", node("textbox", name="Street"), name="Address")],
            ["Address:", "Street:"],
        ),
        ([node("img", name="Chart"), node("separator")], ["Chart"]),
        ([], []),
    ],
)  # fmt: skip
def test_content_is_text(tree: list[Node | str], lines: list[str]) -> None:
    assert render_plain_text(tree).split("\n") == (lines or [""])
    assert render_plain_text([node("main", *tree)]).split("\n") == (lines or [""])


def test_a_deep_tree_is_rendered() -> None:
    deep: Node = node("paragraph", "end")
    for _ in range(5000):
        deep = node("group", deep)
    assert render_plain_text([deep]) == "end"
