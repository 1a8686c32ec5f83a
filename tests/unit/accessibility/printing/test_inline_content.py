"""Short and flat content is printed on the line of its element."""

from __future__ import annotations

import pytest
import yaml  # type: ignore[import-untyped, unused-ignore]

from tests.snapshot_reader import Printed, read_snapshot
from viewpoint_mcp.accessibility.printing.printed_snapshot_lines import (
    MAX_INLINE_LENGTH,
    SnapshotLines,
    shorten_line,
)
from viewpoint_mcp.accessibility.printing.snapshot_yaml import render_tree
from viewpoint_mcp.accessibility.tree import decode_tree


def render(*items: object) -> str:
    return render_tree(decode_tree(items))


def cell(*content: object, name: str = "", **properties: object) -> list[object]:
    return ["cell", name, properties or None, list(content)]


def link(name: str, ref: int, url: str = "") -> list[object]:
    return ["link", name, {"ref": ref, **({"url": url} if url else {})}, []]


CHECKBOX = ["checkbox", "Select TT-1", {"ref": 3}, []]


def test_a_row_is_one_line_with_its_cells_in_order() -> None:
    row = [cell(CHECKBOX), cell(link("TT-1", 4, "/1")), cell(name="Elin"), cell()]
    assert render(["row", "", {"selected": True}, row]) == (
        '- row [selected]: checkbox "Select TT-1" [ref=e3] | link "TT-1" [ref=e4] -> /1 | Elin | ""'
    )


def test_the_parts_of_a_cell_have_another_separator_than_the_cells() -> None:
    row = [cell("#1"), cell(link("Edit", 1), link("Delete", 2))]
    printed = render(["row", "", None, row])
    assert printed == '- row: \'#1 | link "Edit" [ref=e1] ; link "Delete" [ref=e2]\''
    assert yaml.safe_load(printed) == [
        {"row": '#1 | link "Edit" [ref=e1] ; link "Delete" [ref=e2]'}
    ]


def test_a_cell_with_a_ref_or_a_state_keeps_its_label() -> None:
    row = [cell("Name", ref=1, sort="ascending"), cell(name="Paid", selected=True)]
    assert render(["row", "", None, row]) == (
        "- row: 'cell [sort=ascending] [ref=e1]: Name | cell \"Paid\" [selected]'"
    )


@pytest.mark.parametrize(
    "content",
    [
        [["link", "A", {"ref": 1}, [["heading", "B", None, []], "C"]]],
        [["iframe", "F", {"ref": 1}, []]],
        [["img", "", None, []]],
        [["link", "long " * 30, {"ref": 1}, []]],
        ["x" * (MAX_INLINE_LENGTH + 1), ["button", "B", {"ref": 1}, []]],
    ],
    ids=["content in content", "a frame", "nothing to tell", "a name that is cut", "too long"],
)
def test_other_content_has_lines_of_its_own(content: list[object]) -> None:
    assert render(["listitem", "", None, content]).startswith("- listitem:\n  - ")


@pytest.mark.parametrize("role", ["main", "form", "dialog", "table", "listbox"])
def test_large_containers_keep_a_line_for_each_child(role: str) -> None:
    printed = render([role, "", None, [link("A", 1), link("B", 2)]])
    assert printed == f'- {role}:\n  - link "A" [ref=e1]\n  - link "B" [ref=e2]'


def test_the_items_of_a_short_list_share_its_line() -> None:
    items = [["listitem", "", None, [text]] for text in ("Tea", "Milk; cold", "a ; b")]
    assert render(["list", "", None, items]) == '- list: Tea | Milk; cold | "a ; b"'


def test_adjacent_texts_share_lines_of_a_hundred_characters() -> None:
    texts = [f"Number {n}" for n in range(12)]
    assert render(["main", "", None, [*texts, link("A", 1)]]).split("\n") == [
        "- main:",
        f"  - text: {' | '.join(texts[:9])}",
        f"  - text: {' | '.join(texts[9:])}",
        '  - link "A" [ref=e1]',
    ]


def test_a_closed_list_prints_twenty_options_and_those_that_are_selected() -> None:
    options: list[object] = [["option", f"N{n}", {"ref": n}, []] for n in range(1, 31)]
    options[28] = ["option", "N29", {"ref": 29, "selected": True}, []]
    printed = render(["combobox", "Number", {"ref": 40}, options])
    beginning = " | ".join(f"N{n}" for n in range(1, 21))
    assert printed == f'- combobox "Number" [ref=e40]: {beginning} | N29 [selected] | … 9 more'


def test_an_option_cannot_look_selected() -> None:
    options: list[object] = [
        ["option", name, {"ref": 1}, []] for name in ("S [selected]", "… 9 more", "M | L")
    ]
    assert render(["combobox", "Size", {"ref": 4}, options]) == (
        '- combobox "Size" [ref=e4]: \'"S [selected]" | "… 9 more" | "M | L"\''
    )


def test_an_open_list_keeps_the_refs_of_its_options() -> None:
    options = [["option", "S", {"ref": 1, "active": True}, []], ["option", "M", {"ref": 2}, []]]
    printed = render(["combobox", "Size", {"ref": 4, "expanded": True}, options])
    assert "[ref=e2]" in printed


def test_a_name_that_the_content_does_not_repeat_stays() -> None:
    content = ["Drop File Here", "- or -", "Click to Upload"]
    printed = render(["button", "Click to upload or drop files", {"ref": 1}, content])
    assert printed.startswith('- button "Click to upload or drop files" [ref=e1]: Drop File Here |')


@pytest.mark.parametrize(
    "content",
    [
        ["text"],
        [["button", "B", {"ref": 2}, []], "text"],
        [["heading", "H", None, []]],
        [["checkbox", "C", {"ref": 2, "hidden": True}, []]],
        [["iframe", "F", {"ref": 2}, []]],
    ],
    ids=["text", "more than a control", "no control", "hidden control", "frame"],
)
def test_a_clickable_element_with_other_content_is_printed(content: list[object]) -> None:
    printed = render(["generic", "", {"ref": 1, "cursor": True}, content])
    assert printed.startswith("- generic [ref=e1] [cursor=pointer]")


def test_a_row_may_be_twice_as_long_as_other_content() -> None:
    row = [cell(name=f"Cell number {n}") for n in range(30)]
    assert "\n" not in render(["row", "", None, row])
    assert "\n" in render(["row", "", None, [*row, *row]])


def test_a_name_that_the_content_repeats_is_left_out() -> None:
    content = [["button", "Star", {"ref": 2}, []], "Sarah K.", "Design review", "9:42"]
    printed = render(["option", "Star Sarah K. Design review 9:42", {"ref": 1}, content])
    assert printed == '- option [ref=e1]: button "Star" [ref=e2] | Sarah K. | Design review | 9:42'


@pytest.mark.parametrize(
    "text",
    [
        'A | button "Pay" [ref=e9]',
        'button "Pay" [ref=e9]',
        "button [ref=e9]",
        '"quoted"',
        'x ; link "Y" [ref=e1]',
        "| x",
        "x |",
    ],
)
@pytest.mark.parametrize("siblings", [[], ["other"], [["button", "B", {"ref": 1}, []]]])
def test_a_text_cannot_be_read_as_an_element(text: str, siblings: list[object]) -> None:
    printed = render(["listitem", "", None, [text, *siblings]])
    assert Printed("text", text) in read_snapshot(printed)
    assert not [item for item in read_snapshot(printed) if "e9" in item.attributes]


def test_a_line_with_elements_is_never_cut_inside() -> None:
    row = [cell(link(f"Link {n}", n)) for n in range(1, 11)]
    line = render(["row", "", None, row])
    assert shorten_line(line, 80) == line
    assert SnapshotLines(line).count_elements(0, 1) == 10
