"""Text of editors: several lines as one text, and lines with elements in their text."""

from __future__ import annotations

import random

import pytest
import yaml

from tests.snapshot_reader import Printed, read_running_text
from viewpoint_mcp.accessibility.printing.snapshot_yaml import render_tree
from viewpoint_mcp.accessibility.tree import Node

PIECES = [
    *('"', "\\", "'", " ", "  ", ": ", " #", "-", "[", "]", "|", " | ", " -> ", "\n", "\t", "é"),
    *('strong "x"', "link", 'link "Pay" [ref=e1]', "word", "(", ".", " text ", "->", "{", "- "),
]


def strong(text: str) -> Node:
    return Node("strong", children=[text])


def link(name: str, url: str, number: int = 2) -> Node:
    return Node("link", name, {"url": url, "ref": number}, ref=f"e{number}")


@pytest.mark.parametrize(
    ("content", "line"),
    [
        (["Ready on ", strong("Friday"), "."], 'Ready on strong "Friday".'),
        (["See ", link("terms", "/t/")], 'See link "terms" [ref=e2] -> /t/'),
        ([link("terms", "/t/"), " now"], 'link "terms" [ref=e2] -> /t/ now'),
        ([link("terms", "/t/"), ", now"], 'link "terms" [ref=e2] -> "/t/", now'),
        (["a", strong("b"), "c"], '"a"strong "b"c'),
        ([strong("a"), strong("b")], 'strong "a" strong "b"'),
        (['say "x" ', strong("b")], '"say \\"x\\" "strong "b"'),
    ],
)
def test_elements_stand_in_the_text(content: list[Node | str], line: str) -> None:
    [printed] = yaml.safe_load(render_tree([Node("paragraph", "", {"flow": True}, content)]))
    assert printed == {"paragraph": line}


def test_too_long_a_line_has_its_elements_on_lines_of_their_own() -> None:
    node = Node("paragraph", "", {"flow": True}, ["word " * 200, strong("end")])
    assert render_tree([node]).split("\n")[-1] == "  - strong: end"


def test_lines_of_a_field_are_one_text() -> None:
    field = Node("textbox", "Text", {"multiline": True, "value": 'a\n  "b"\n'})
    assert render_tree([field]) == '- textbox "Text" [multiline]: "a\\n  \\"b\\"\\n"'


def test_a_field_with_several_lines_has_a_line_of_its_own() -> None:
    field = Node("textbox", "Text", {"multiline": True, "value": "a = 'b'\nc"})
    assert render_tree([Node("group", children=["In:", field])]).split("\n") == [
        "- group:",
        '  - text: "In:"',
        '  - textbox "Text" [multiline]: "a = \'b\'\\nc"',
    ]


@pytest.mark.parametrize("seed", range(300))
def test_any_line_is_read_back(seed: int) -> None:
    source = random.Random(seed)

    def any_text() -> str:
        return "".join(source.choices(PIECES, k=source.randrange(1, 5)))

    content: list[Node | str] = []
    expected: list[Printed] = []
    for _ in range(source.randrange(1, 6)):
        is_after_text = bool(content) and isinstance(content[-1], str)
        kind = source.choice(["strong", "link"] if is_after_text else ["text", "strong", "link"])
        text = any_text()
        if kind == "text":
            content.append(text)
            expected.append(Printed("text", text))
        elif kind == "strong":
            content.append(strong(text))
            expected.append(Printed("strong", text))
        else:
            url = "/a b" if source.random() < 0.3 else "/a"
            content.append(link(text, url))
            expected.append(Printed("link", text, url, " [ref=e2]"))
    if isinstance(content[-1], str) and len(content) == 1:
        content.append(strong("end"))
        expected.append(Printed("strong", "end"))
    [printed] = yaml.safe_load(render_tree([Node("paragraph", "", {"flow": True}, content)]))
    found = [each for each in read_running_text(printed["paragraph"]) if each.name != " "]
    assert found == [each for each in expected if each.name != " "]
