"""Grids and virtualised lists: reading order, sorted columns, and the part that is in the document."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tests.browser.walker.walked import Walked
from viewpoint_mcp.accessibility.tree import Node

PLACES = {
    "top": "position:absolute;height:20px;width:90px;top:{}px",
    "transform": "position:absolute;height:20px;width:90px;transform:translateY({}px)",
    "translate": "position:absolute;height:20px;width:90px;translate:0 {}px",
    "inset": "position:absolute;height:20px;width:90px;inset:{}px auto auto 0",
    "order": "order:{}",
}
BOX = "<div {} style='position:relative;display:flex;flex-direction:column'>{}</div>"


def place(way: str, role: str, position: int, content: str) -> str:
    return f"<div {role} style='{PLACES[way].format(position)}'>{content}</div>"


def names_of(lines: list[str], role: str) -> list[str]:
    """Return the names of the elements with the role, in their order."""
    return [line.split('"')[1] for line in lines if line.strip().startswith(f"- {role} ")]


@pytest.mark.parametrize("way", PLACES)
async def test_rows_are_in_the_order_of_the_screen(walked: Walked, way: str) -> None:
    rows = "".join(
        place(way, "role=row", n * 20, f"<span role=gridcell>{n}</span>") for n in (3, 1, 2, 0)
    )
    lines = await walked.snapshot(BOX.format("role=grid", rows))
    assert names_of(lines, "gridcell") == ["0", "1", "2", "3"]


@pytest.mark.parametrize("way", PLACES)
async def test_recycled_items_without_a_role_are_in_the_order_of_the_screen(
    walked: Walked, way: str
) -> None:
    items = "\n".join(place(way, "", n * 20, f"<button>Item {n}</button>") for n in (2, 0, 3, 1))
    lines = await walked.snapshot(BOX.format("", f"\n{items}\n"))
    assert names_of(lines, "button") == ["Item 0", "Item 1", "Item 2", "Item 3"]


@pytest.mark.parametrize(("direction", "expected"), [("ltr", "abc"), ("rtl", "cba")])
async def test_cells_are_in_reading_direction(
    walked: Walked, direction: str, expected: str
) -> None:
    style = "position:absolute;width:50px;height:20px;top:0;left:{}px"
    cells = "".join(
        f"<div role=gridcell style='{style.format(n * 50)}'>{'abc'[n]}</div>" for n in (2, 0, 1)
    )
    row = f"<div role=row dir={direction} style='position:relative;height:20px'>{cells}</div>"
    lines = await walked.snapshot(f"<div role=grid>{row}</div>")
    assert names_of(lines, "gridcell") == list(expected)


async def test_layers_that_overlap_keep_the_order_of_the_document(walked: Walked) -> None:
    style = "position:absolute;width:90px;height:90px;top:{}px"
    layers = "".join(f"<p style='{style.format(n * 40)}'>{n}</p>" for n in (1, 0, 2))
    assert await walked.snapshot(f"<div style='position:relative'>{layers}</div>") == [
        '- paragraph: "1"',
        '- paragraph: "0"',
        '- paragraph: "2"',
    ]


async def test_items_without_a_place_keep_their_positions(walked: Walked) -> None:
    items = "".join(place("top", "role=option", n * 20, f"{n}") for n in (1, 0))
    header = "<div role=option>Header</div>"
    lines = await walked.snapshot(BOX.format("role=listbox", f"{items}{header}"))
    assert names_of(lines, "option") == ["0", "1", "Header"]


@pytest.mark.parametrize("sort", ["ascending", "descending", "other", "none", "sideways"])
async def test_a_sorted_column_shows_its_direction(walked: Walked, sort: str) -> None:
    head = f"<tr><th scope=col aria-sort={sort} tabindex=0>Price<th scope=col>Name</tr>"
    lines = await walked.snapshot(f"<table>{head}<tr><td>1<td>a</tr></table>")
    state = f" [sort={sort}]" if sort in ("ascending", "descending", "other") else ""
    assert f'    - columnheader "Price"{state} [ref=e1]' in lines


def grid(indexes: list[int], count: int) -> str:
    header = (
        "<div role=rowgroup><div role=row aria-rowindex=1><i role=columnheader>N</i></div></div>"
    )
    rows = "".join(
        f"<div role=row aria-rowindex={n}><i role=gridcell>{n}</i></div>" for n in indexes
    )
    return f"<div role=grid aria-rowcount={count}>{header}<div role=rowgroup>{rows}</div></div>"


@pytest.mark.parametrize(
    ("indexes", "count", "expected"),
    [
        ([2, 3, 4], 501, " [rows=1-3 of 500]"),
        ([301, 302], 501, " [rows=300-301 of 500]"),
        ([2, 301, 302], 501, " [rows=3 of 500]"),
        ([2, 3, 4], 4, ""),
        ([2, 3, 4], -1, ""),
        ([2, 3, 400], 100, ""),
    ],
)
async def test_a_grid_reports_which_of_its_rows_are_in_the_document(
    walked: Walked, indexes: list[int], count: int, expected: str
) -> None:
    assert (await walked.snapshot(grid(indexes, count)))[0] == f"- grid{expected}:"


async def test_a_header_row_beside_the_rows_does_not_count(walked: Walked) -> None:
    rows = "".join(f"<tr aria-rowindex={n}><td>{n}<td>{n}</tr>" for n in (2, 3))
    head = "<tr aria-rowindex=1><th>A<th>B</tr>"
    lines = await walked.snapshot(f"<table aria-rowcount=10>{head}{rows}</table>")
    assert lines[0] == "- table [rows=1-2 of 9]:"


@pytest.mark.parametrize(("total", "expected"), [(90, " [items=4-6 of 90]"), (-1, "")])
async def test_a_list_reports_which_of_its_items_are_in_the_document(
    walked: Walked, total: int, expected: str
) -> None:
    items = "".join(f"<li aria-posinset={n} aria-setsize={total}>Item {n}</li>" for n in (4, 5, 6))
    assert (await walked.snapshot(f"<ul>{items}</ul>"))[0] == f"- list{expected}:"


async def test_a_whole_list_has_no_count(walked: Walked) -> None:
    items = "".join(f"<li role=option aria-posinset={n} aria-setsize=2>{n}</li>" for n in (1, 2))
    assert (await walked.snapshot(f"<ul role=listbox>{items}</ul>"))[0] == "- listbox [ref=e1]:"


PINNED = """<div role=grid style='display:flex'>
<div role=rowgroup style='order:2'>{}</div><div role=rowgroup style='order:1'>{}</div></div>"""


def part(index: int, cells: Sequence[str]) -> str:
    inside = "".join(f"<div role=gridcell>{each}</div>" for each in cells)
    return f"<div role=row aria-rowindex={index} style='height:20px'>{inside}</div>"


async def test_the_parts_of_a_row_in_pinned_columns_are_one_row(walked: Walked) -> None:
    right, left = part(1, "b") + part(2, "d"), part(1, ["a", "<button>A</button>"]) + part(2, "c")
    lines = await walked.snapshot(PINNED.format(right, left))
    assert [line.strip().split(" [ref")[0] for line in lines if "grid:" not in line] == [
        "- row",
        '- gridcell "a"',
        "- gridcell",
        '- button "A"',
        '- gridcell "b"',
        "- row",
        '- gridcell "c"',
        '- gridcell "d"',
    ]


async def test_the_group_of_a_pinned_cell_is_the_whole_row(walked: Walked) -> None:
    right = part(1, ["<button>Edit</button>"]) + part(2, ["<button>Edit</button>"])
    (grid,) = await walked.walk(PINNED.format(right, part(1, ["Ada"]) + part(2, ["Bea"])))
    second = grid.children[1]
    assert isinstance(second, Node)
    cell = second.children[-1]
    assert isinstance(cell, Node)
    button = cell.children[0]
    assert isinstance(button, Node)
    group = await walked.call("groupAround", button.properties["ref"])
    assert "Bea" in str(group)
    assert "Ada" not in str(group)


async def test_an_owned_element_is_as_visible_as_where_it_is(walked: Walked) -> None:
    rows = "".join(f"<p role=row><button>{n}</button></p>" for n in range(9))
    body = f"<div style='height:50px;overflow:auto'><div id=b role=rowgroup>{rows}</div></div>"
    page = f"<div role=grid aria-owns=b style='height:50px;overflow:hidden'>{body}</div>"
    lines = await walked.snapshot(page)
    assert "hidden" not in "".join(lines)
    assert len(names_of(lines, "button")) == 9


@pytest.mark.parametrize("tag", ["th", "td", "li"])
async def test_a_text_beside_a_field_without_a_value_is_printed(walked: Walked, tag: str) -> None:
    item = f"<{tag}>Price<input></{tag}>"
    page = f"<ul>{item}</ul>" if tag == "li" else f"<table><tr>{item}<th>B</tr></table>"
    lines = await walked.snapshot(page)
    assert any("Price" in line for line in lines)
