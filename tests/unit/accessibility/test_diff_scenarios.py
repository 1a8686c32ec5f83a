"""The diff of what applications do: sort, drag, switch tabs, render again, open menus."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from tests.unit.accessibility.trees import element
from viewpoint_mcp.accessibility.diff.diff_labels import quote_difference
from viewpoint_mcp.accessibility.diff.diff_yaml import render_changes
from viewpoint_mcp.accessibility.diff.equality import Content
from viewpoint_mcp.accessibility.diff.hidden_wrappers import unwrap_hidden
from viewpoint_mcp.accessibility.diff.repeated_texts import RepeatedTexts
from viewpoint_mcp.accessibility.diff.tree_comparison import compare_trees
from viewpoint_mcp.accessibility.tree import Node

REST = element("article", "", *(f"Paragraph {number} of a long page" for number in range(60)))


def diff(old: Sequence[Content], new: Sequence[Content]) -> list[str]:
    """Return the lines of the diff of two pages that are much longer than it."""
    whole = [REST, *new]
    return render_changes(compare_trees([REST, *old], whole), whole).split("\n")


def card(number: int) -> Node:
    return element("listitem", "", f"Task {number}", ref=number)


def column(title: str, *numbers: int) -> list[Content]:
    return [element("heading", title, level=2), element("list", "", *map(card, numbers))]


def order_row(number: int, status: str = "New") -> Node:
    box = element("checkbox", "Select", ref=100 + number)
    cells = (element("cell", "", f"TT-{number}"), element("cell", "", status))
    return element("row", "", element("cell", "", box), *cells)


@pytest.mark.parametrize(
    ("before", "after", "target"),
    [
        pytest.param(((1, 2, 3), (4, 5)), ((2, 3), (1, 4, 5)), "now first", id="first of several"),
        pytest.param(((1, 2), (4,)), ((2,), (1, 4)), "now first", id="first of two"),
        pytest.param(((1,), (4,)), ((), (1, 4)), "now first", id="the only one"),
        pytest.param(((1,), ()), ((), (1,)), "now first", id="into an empty list"),
        pytest.param(((1, 2), (4,)), ((2,), (4, 1)), "now after", id="to the end"),
    ],
)
def test_a_card_that_is_dragged_to_another_list_is_the_only_change(
    before: tuple[tuple[int, ...], ...], after: tuple[tuple[int, ...], ...], target: str
) -> None:
    old = [*column("To do", *before[0]), *column("Done", *before[1])]
    new = [*column("To do", *after[0]), *column("Done", *after[1])]
    lines = diff(old, new)
    assert len(lines) == 1, lines
    assert lines[0].startswith("- <moved> listitem [ref=e1]: Task 1  # now")
    assert target in lines[0]


def test_a_counter_in_the_name_of_a_column_does_not_confuse_the_columns() -> None:
    def board(*columns: tuple[str, tuple[int, ...]]) -> list[Content]:
        return [
            element("region", f"{name} ({len(numbers)})", *map(card, numbers))
            for name, numbers in columns
        ]

    lines = diff(board(("Todo", (1,)), ("Done", ())), board(("Todo", ()), ("Done", (1,))))
    assert lines == [
        '- <changed> region "Todo (0)"  # was: "Todo (1)"',
        '- <changed> region "Done (1)":  # was: "Done (0)"',
        "  - <moved> listitem [ref=e1]: Task 1  # now first",
    ]


def test_a_sorted_table_is_one_line_with_the_new_order() -> None:
    header = element("row", "", element("columnheader", "Number"))
    old = [element("table", "Orders", header, *map(order_row, (3, 1, 4, 2, 5)))]
    new = [element("table", "Orders", header, *map(order_row, (1, 2, 3, 4, 5)))]
    assert diff(old, new) == [
        '- table "Orders":',
        '  - <moved> 5 × row  # now in the order "TT-1", "TT-2", "TT-3", "TT-4", "TT-5"',
    ]


def test_a_row_that_takes_the_place_of_another_is_not_the_same_row() -> None:
    def table(name: str) -> list[Content]:
        header = element("row", "", element("columnheader", "Number"))
        cells = [element("cell", text) for text in (name, "2", "Direct")]
        return [element("table", "Orders", header, element("row", "", *cells))]

    assert diff(table("TT-101"), table("TT-109")) == [
        '- table "Orders":',
        '  - <added> row: TT-109 | 2 | Direct  # instead of "TT-101"',
    ]


def test_a_row_that_changed_in_a_sorted_table_is_printed_too() -> None:
    old = [element("table", "Orders", *map(order_row, (3, 1, 4, 2, 5)))]
    new = [
        element("table", "Orders", *map(order_row, (1, 2, 3)), order_row(4, "Paid"), order_row(5))
    ]
    lines = diff(old, new)
    assert lines[1].startswith("  - <moved> 5 × row  # now in the order ")
    assert lines[2:] == [
        '  - row:  # "TT-4"',
        '    - <changed> cell: Paid  # was: "New"',
    ]


def test_the_order_of_a_long_list_is_cut() -> None:
    numbers = range(100, 130)
    lines = diff(
        [element("list", "", *map(card, numbers))],
        [element("list", "", *map(card, reversed(numbers)))],
    )
    assert lines[0].startswith('- <moved> 30 × listitem  # now in the order "Task 129", ')
    assert lines[0].endswith('"Task 110", 10 more')


def test_another_tab_panel_is_printed_whole() -> None:
    def panel(*content: Content) -> list[Content]:
        return [element("tabpanel", "", *content)]

    old = panel(
        "Text file",
        element("button", "Clear", ref=1),
        element("combobox", "Country", ref=2),
        element("table", "Words", *map(order_row, range(6))),
    )
    new = panel("Theme", element("radio", "Light", ref=11), element("textbox", "Search", ref=12))
    assert diff(old, new) == [
        "- <replaced> tabpanel:",
        "  - text: Theme",
        '  - radio "Light" [ref=e11]',
        '  - textbox "Search" [ref=e12]',
    ]


def test_unrelated_texts_are_not_shown_as_one_that_changed() -> None:
    old: list[Content] = ["Text file", *(element("button", f"B{n}", ref=n) for n in range(1, 9))]
    new: list[Content] = [
        "Theme",
        element("radio", "Light", ref=11),
        element("radio", "Dark", ref=12),
    ]
    lines = diff(old, new)
    assert not any("changed" in line for line in lines)
    assert lines[0].startswith('- <removed> 9 × element  # "Text file", button "B1" [ref=e1], ')
    assert lines[0].endswith(", 4 more")


def test_an_element_that_a_framework_uses_for_another_field_is_shown_as_new() -> None:
    old = [element("combobox", "Country", ref=5)]
    new = [element("textbox", "Search", ref=5)]
    assert diff(old, new) == [
        '- <added> textbox "Search" [ref=e5]  # instead of combobox "Country"'
    ]


def test_a_cell_with_an_editor_takes_the_place_of_the_cell() -> None:
    def row(*cells: Node) -> list[Content]:
        wide = (
            element("gridcell", f"Long value number {number}", ref=number)
            for number in range(20, 28)
        )
        return [element("row", "", *cells, *wide, ref=9)]

    old = row(element("gridcell", "25", ref=1))
    new = row(
        element("gridcell", "", element("spinbutton", "Amount", ref=2, active=True, value="25"))
    )
    editor = 'spinbutton "Amount" [active] [ref=e2]: 25'
    assert diff(old, new) == [
        "- row [ref=e9]:",
        f"  - <added> gridcell: '{editor}'  # instead of gridcell \"25\" [ref=e1]",
    ]


def test_an_element_that_is_rendered_again_has_only_a_new_ref() -> None:
    old = element("textbox", "Search", ref=1), element("button", "Advanced", ref=2), "a"
    new = element("textbox", "Search", ref=1), element("button", "Advanced", ref=3), "b"
    assert diff(old, new)[0] == '- <changed> button "Advanced" [ref=e3]  # was: [ref=e2]'


def test_a_part_that_is_rendered_again_is_one_line_with_its_new_refs() -> None:
    def toolbar(first: int, text: str) -> list[Content]:
        names = ("Bold", "Italic", "Link", "List")
        buttons = (element("button", name, ref=first + n) for n, name in enumerate(names))
        return [element("main", "", element("toolbar", "Format", *buttons), text)]

    assert diff(toolbar(1, "Page 1"), toolbar(11, "Page 2")) == [
        "- main:",
        '  - <changed> toolbar "Format"  # same as before, refs are now e11-e14',
        '  - <changed> text: Page 2  # was: "Page 1"',
    ]


def test_a_board_that_is_rendered_again_after_a_drag_shows_which_card_moved() -> None:
    def board(first: int, *columns: tuple[int, ...]) -> list[Content]:
        content: list[Content] = []
        for number, cards in enumerate(columns):
            content += [f"Column {number}", str(len(cards))]
            for card in cards:
                ref = first + len(content)
                content.append(element("article", "", f"Card {card}", "Mara", ref=ref))
            content.append(element("button", "+ Add card", ref=first + len(content)))
        return [element("main", "", REST, *content)]

    lines = diff(board(1, (1, 2, 3), (4, 5)), board(100, (2, 3), (1, 4, 5)))
    moved = [line for line in lines if "<moved>" in line]
    assert len(moved) == 1
    assert moved == [
        '  - <moved> article [ref=e107]  # "Card 1", was: [ref=e3], now after "3"',
    ]
    assert '  - <changed> article [ref=e102]  # "Card 2", was: [ref=e4]' in lines
    assert not any("<added>" in line or "<removed>" in line for line in lines)


def test_a_container_that_gets_a_name_and_a_ref_is_the_same() -> None:
    def cell(number: int, name: str, *output: str, **properties: Any) -> Node:
        code = element("textbox", "Code", ref=number, value=f"print({number})")
        return element("generic", name, "[ ]:", code, *output, **properties)

    old = [element("feed", "Cells", *(cell(number, "Code cell") for number in (1, 2)))]
    new = [
        element("feed", "Cells", cell(1, "Code cell"), cell(2, "Code cell with text", "2", ref=9))
    ]
    content = '[ ]: | textbox "Code" [ref=e2]: print(2) | 2'
    assert diff(old, new) == [
        '- feed "Cells":',
        f'  - <changed> generic "Code cell with text" [ref=e9]: \'{content}\'  # was: "Code cell"',
    ]


def test_the_rest_of_a_page_that_a_menu_hides_is_no_change() -> None:
    rest: list[Content] = [
        element("banner", "", element("button", "Deploy", ref=1)),
        element("main", "", element("button", "Save", ref=2), "text"),
    ]
    menu = element("listbox", "City", element("option", "Lyon", ref=3), ref=4)
    hidden = element("generic", "", *rest, **{"aria-hidden": True})
    opened = render_changes(
        compare_trees(unwrap_hidden(rest), new := unwrap_hidden([hidden, menu])), new
    )
    assert opened.split("\n")[0] == '- <added> listbox "City" [ref=e4]:'
    assert "moved" not in opened
    assert "Deploy" not in opened
    closed = render_changes(compare_trees(new, rest), rest)
    assert closed == '- <removed> listbox "City" [ref=e4]'


def test_a_part_that_has_faded_in_is_at_its_old_place() -> None:
    close, draft = element("button", "close", ref=1), element("link", "Draft", ref=2)
    fading: list[Content] = [element("generic", "", close, draft, hidden=True)]
    assert diff(unwrap_hidden(fading), [close, draft]) == [
        '- <changed> button "close" [ref=e1]  # was: [hidden]',
        '- <changed> link "Draft" [ref=e2]  # was: [hidden]',
    ]


def test_a_landmark_that_gets_the_focus_needs_no_place() -> None:
    links = element("navigation", "", element("link", "Home", ref=1))
    old, new = element("main", "", "text"), element("main", "", "text", active=True)
    assert diff([links, old], [links, new]) == ["- <changed> main [active]: text"]


def test_a_hidden_text_keeps_its_wrapper_and_its_mark() -> None:
    hidden = element("generic", "", "$19.99", **{"aria-hidden": True})
    assert unwrap_hidden([hidden]) == [hidden]


def test_a_text_that_changes_with_each_reply_is_short_from_the_third_time_on() -> None:
    repeated = RepeatedTexts()

    def page(clock: str, status: str) -> list[Content]:
        return [REST, element("region", "Top", "Time", clock, element("status", "", status))]

    replies = []
    for number in range(5):
        old, new = (
            page(f"12:0{number}", f"Row {number}"),
            page(f"12:0{number + 1}", f"Row {number + 1}"),
        )
        replies.append(render_changes(compare_trees(old, new), new, repeated).split("\n"))
    assert replies[1] == [
        '- <changed> status: Row 2  # was: "Row 1"',
        '- region "Top":',
        '  - <changed> text: "12:02"  # was: "12:01", after "Time"',
    ]
    assert replies[4] == [
        '- <changed> status: Row 5  # was: "Row 4"',
        '- <changed> text: "12:05"  # changed again, after "Time"',
    ]
    old, new = page("12:05", "Row 5"), page("12:06", "Row 5")
    assert render_changes(compare_trees(old, new), new, repeated) == (
        '- <changed> text: "12:06"  # changed again, after "Time"'
    )
    render_changes(compare_trees(new, new), new, repeated)
    old, new = page("12:06", "Row 5"), page("12:07", "Row 5")
    assert "was:" in render_changes(compare_trees(old, new), new, repeated)


@pytest.mark.parametrize(
    ("old", "new", "quote"),
    [
        ("Waiting", "Done", '"Waiting"'),
        ("beans 14 € each, in stock", "beans 15 € each, in stock", '"beans 14…"'),
        ("month: 1; visits: 1452", "month: 1; visits: 1435", '"…1452"'),
        (
            "100 g of green tea, beans 14 € each",
            "100 g of green tea, beans 9 € each",
            '"…14 € each"',
        ),
        ("Code cell", "Code cell with text", '"Code cell"'),
        ("one " * 30 + "two", "one " * 30 + "two three", '"…two"'),
        ("a " * 40, "b " * 40, '"a a a a a a a a a a a a a a a a a a a a…"'),
        ("a]\nb] and much more text", "a]\nc] and much more text", '"a]\\nb]…"'),
    ],
)
def test_the_quote_of_an_old_text_is_its_difference(old: str, new: str, quote: str) -> None:
    assert quote_difference(old, new) == quote
