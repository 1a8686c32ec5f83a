"""The printed form of a tree, line by line."""

from __future__ import annotations

import pytest

from tests.snapshot_reader import Printed, read_snapshot
from viewpoint_mcp.accessibility.printing.snapshot_yaml import (
    BLANK_SNAPSHOT,
    render_label,
    render_tree,
)
from viewpoint_mcp.accessibility.tree import Node, decode_tree


def lines(*raw: object, prefix: str = "") -> list[str]:
    return render_tree(decode_tree(raw, prefix)).split("\n")


def test_a_page_without_content_is_a_blank_document() -> None:
    assert render_tree([]) == BLANK_SNAPSHOT


def test_a_sign_in_page_reads_as_documented() -> None:
    printed = lines(
        ["banner", "", None, [["link", "Home", {"ref": 1, "url": "/"}, []]]],
        ["main", "", None, [
            ["heading", "Sign in", {"level": 1}, []],
            ["textbox", "Email", {"ref": 2, "value": "user@example.com"}, []],
            ["textbox", "Password", {"ref": 3, "value": "••••••"}, []],
            ["checkbox", "Remember me", {"checked": True, "ref": 4}, []],
            ["button", "Sign in", {"disabled": True, "ref": 5}, []],
        ]],
    )  # fmt: skip
    assert printed == [
        '- banner: link "Home" [ref=e1] -> /',
        "- main:",
        '  - heading "Sign in" [level=1]',
        '  - textbox "Email" [ref=e2]: user@example.com',
        '  - textbox "Password" [ref=e3]: ••••••',
        '  - checkbox "Remember me" [checked] [ref=e4]',
        '  - button "Sign in" [disabled] [ref=e5]',
    ]


def test_attributes_are_printed_in_a_fixed_order() -> None:
    properties = {
        "box": [1, 2, 3, 4], "cursor": True, "ref": 9, "type": "date", "multiline": True,
        "required": True, "readonly": True, "selected": True, "pressed": "mixed", "level": 2,
        "invalid": "spelling", "active": True, "expanded": False, "disabled": True,
        "checked": "mixed", "hint": "trash",
    }  # fmt: skip
    (line,) = lines(["button", "", properties, []])
    assert line == (
        '- button [hint="trash"] [checked=mixed] [disabled] [expanded=false] [active] '
        "[invalid=spelling] [level=2] [pressed=mixed] [selected] [readonly] [required] [multiline] "
        "[type=date] [ref=e9] [cursor=pointer] [box=1,2,3,4]"
    )


def test_a_ref_carries_the_prefix_of_its_frame() -> None:
    assert lines(["button", "Pay", {"ref": 1}, []], prefix="f1") == ['- button "Pay" [ref=f1e1]']


def test_a_child_frame_keeps_its_own_prefix_inside_the_frame_around_it() -> None:
    (frame,) = decode_tree([["iframe", "Payment", {"ref": 6}, []]])
    frame.children = list(decode_tree([["button", "Pay", {"ref": 1}, []]], "f1"))
    assert render_tree([frame]).split("\n") == [
        '- iframe "Payment" [ref=e6]:',
        '  - button "Pay" [ref=f1e1]',
    ]


def test_a_text_directly_in_the_document_has_its_own_line() -> None:
    assert lines("Just text") == ["- text: Just text"]


def test_a_placeholder_and_a_value_are_on_the_line_of_the_field() -> None:
    field = ["textbox", "Mail", {"ref": 1, "placeholder": "you@example.com", "value": "a@b.c"}, []]
    assert lines(field) == ['- textbox "Mail" [placeholder="you@example.com"] [ref=e1]: a@b.c']


def test_a_long_name_is_cut_and_a_long_text_is_not() -> None:
    name, text = (
        render_tree([Node("link", "n" * 150)]),
        render_tree([Node("paragraph", children=["t" * 150])]),
    )
    assert name == f'- link "{"n" * 99}…": …{"n" * 51}'
    assert text == f"- paragraph: {'t' * 150}"


@pytest.mark.parametrize(
    ("name", "printed"),
    [
        ("Hello: you", "- 'button \"Hello: you\"'"),
        ("Item #4", "- 'button \"Item #4\"'"),
        ("it's: so", "- 'button \"it''s: so\"'"),
        ('say "hi"', '- button "say \\"hi\\""'),
        ("C:\\dir", '- button "C:\\\\dir"'),
    ],
)
def test_a_name_that_yaml_would_misread_is_quoted(name: str, printed: str) -> None:
    assert render_tree([Node("button", name)]) == printed


@pytest.mark.parametrize(
    "text",
    [
        *("", "yes", "Null", "12", "1.5e3", "0x1F", "12:30", "2026-01-13", "-", "- a", "a: b"),
        *("a #b", "a:", "#", "*x", "&x", "[x]", "{x}", "!x", "|", ">", "'x'", '"x"', "%x", "@x"),
        *("`x`", "~", "=", "<<", "? x", "a\nb", "a\tb", ".5", "+1"),
    ],
)
def test_a_text_that_yaml_would_misread_is_quoted(text: str) -> None:
    assert render_tree([text]).startswith(('- text: "', "- text: '"))
    assert read_snapshot(render_tree([text])) == [Printed("text", text)]


@pytest.mark.parametrize(
    "text", ["Hello", "3 items", "a, b", "x y [z]", "a:b", "a#b", "don't", "Ünï", "日本"]
)
def test_an_ordinary_text_is_printed_bare(text: str) -> None:
    assert render_tree([text]) == f"- text: {text}"


def test_ten_thousand_levels_are_printed_without_recursion() -> None:
    node = Node("group", "deep")
    for _ in range(10_000):
        node = Node("group", "G", children=[node])
    assert render_tree([node]).count("\n") == 9_999


def test_a_label_is_the_line_without_children() -> None:
    assert render_label(Node("list", "Menu", {"ref": 3}, ["x"], "e3")) == 'list "Menu" [ref=e3]'
