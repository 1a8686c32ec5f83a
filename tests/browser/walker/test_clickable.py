"""Elements that get refs, their printed lines, and the limit on refs."""

from __future__ import annotations

import orjson
import pytest

from tests.browser.walker.walked import Walked

GRID_ROW = "<tr><td>{n}<td><button>Edit {n}</button></tr>"


def grid(rows: int) -> str:
    return f"<table role=grid>{''.join(GRID_ROW.format(n=n) for n in range(rows))}</table>"


async def test_rows_and_cells_have_refs_in_a_small_grid(walked: Walked) -> None:
    answer = orjson.loads(await _walk(walked, grid(3)))
    lines = await walked.snapshot()
    assert answer["withoutRef"] == 0
    assert sum("[ref=" in line for line in lines if "row" in line or "gridcell" in line) == 9


async def test_numbers_of_the_second_group_follow_those_of_the_first(walked: Walked) -> None:
    assert await walked.snapshot("<div role=menu><li>a<li role=menuitem>b</div>") == [
        "- menu:",
        "  - listitem [ref=e2]: a",
        '  - menuitem "b" [ref=e1]',
    ]


async def test_above_a_hundred_only_the_first_group_has_refs(walked: Walked) -> None:
    answer = orjson.loads(await _walk(walked, grid(101)))
    lines = await walked.snapshot()
    assert answer["withoutRef"] == 3 * 101
    assert sum("[ref=" in line for line in lines) == 101
    assert not any("[ref=" in line for line in lines if "row" in line or "gridcell" in line)


async def test_with_a_hundred_controls_all_elements_have_refs(walked: Walked) -> None:
    assert orjson.loads(await _walk(walked, grid(100)))["withoutRef"] == 0


async def test_every_element_has_a_ref_on_request(walked: Walked) -> None:
    lines = await walked.snapshot(grid(101), allRefs=True)
    assert all("[ref=" in line for line in lines)


async def test_a_part_of_a_large_page_has_refs(walked: Walked) -> None:
    await walked.walk(grid(101), allRefs=True)
    lines = await walked.snapshot(root=5)
    assert all("[ref=" in line for line in lines)


async def test_boxes_of_the_second_group_are_printed(walked: Walked) -> None:
    lines = await walked.snapshot(grid(1), boxes=True)
    assert sum("[box=" in line for line in lines) == 4


async def _walk(walked: Walked, page: str) -> str:
    await walked.load(page)
    return str(await walked.call("walk", {}))


async def test_the_areas_of_an_image_are_links_in_it(walked: Walked) -> None:
    page = (
        "<img src=x alt=Plan usemap=#m width=100 height=100><p>Text</p><map name=m>"
        "<area shape=rect coords=0,0,50,50 href=/a alt=Kitchen>"
        "<area shape=circle coords=75,75,20 href=/b alt=Bath><area shape=default></map>"
    )
    assert await walked.snapshot(page) == [
        '- img "Plan":',
        '  - link "Kitchen" [ref=e1] -> /a',
        '  - link "Bath" [ref=e2] -> /b',
        "- paragraph: Text",
    ]


async def test_a_label_that_can_be_pressed_leaves_that_to_its_control(walked: Walked) -> None:
    page = "<label style=cursor:pointer><input type=checkbox> Keep</label>"
    assert await walked.snapshot(page) == ['- checkbox "Keep" [ref=e1]']


@pytest.mark.parametrize(
    ("control", "line"),
    [
        ("type=checkbox checked hidden", "- generic [checked] [ref=e1]: Keep"),
        ("type=radio hidden", "- generic [ref=e1]: Keep"),
        ("type=checkbox disabled style=display:none", "- generic [disabled] [ref=e1]: Keep"),
        ("type=file style=visibility:hidden", "- generic [ref=e1]: Keep"),
    ],
)
async def test_the_label_of_a_hidden_control_has_its_ref_and_state(
    walked: Walked, control: str, line: str
) -> None:
    assert await walked.snapshot(f"<label for=a>Keep</label><input id=a {control}>") == [line]


async def test_interactive_parts_of_a_drawing_have_refs(walked: Walked) -> None:
    page = "<svg width=99 height=99><g id=north onclick=1><rect width=9 height=9 /></g></svg>"
    assert await walked.snapshot(page) == ['- generic [hint="north"] [ref=e1]']


async def test_handlers_inside_a_clickable_area_have_refs(walked: Walked) -> None:
    page = "<div style=cursor:pointer><h3>Card</h3><span onclick=1>Like</span><b>Price</b></div>"
    lines = await walked.snapshot(page)
    assert [line.strip() for line in lines if "ref" in line] == [
        "- generic [ref=e1] [cursor=pointer]:",
        "- generic [ref=e2]: Like",
    ]


@pytest.mark.parametrize(
    ("control", "hint"),
    [
        ("<button><svg><use xlink:href='/i.svg#icon-cart'/></svg></button>", "cart"),
        ("<button><svg><title>Close dialog</title></svg></button>", None),
        ("<button><i class='bi bi-trash'></i></button>", "trash"),
        ("<button><i class='material-icons'></i></button>", None),
        ("<button style='background:url(/img/zoom-in.png)'></button>", "zoom in"),
        ("<button data-testid=send-mail></button>", "send mail"),
        ("<button class='btn btn-lg js-refresh'></button>", "refresh"),
        ("<button id=nextPage></button>", "next page"),
        ("<button aria-roledescription=thumb></button>", "thumb"),
        ("<div tabindex=0 title=Help style=height:9px></div>", "Help"),
        ("<img src='/a/big-cat.jpg?x=1' onclick=1>", "big cat"),
        ("<a href=# class=social-twitter></a>", "social twitter"),
        ("<div style=cursor:pointer><img src=/play.svg alt='' width=9 height=9></div>", "play"),
        # Name spaces of libraries, words of the classes around, generated and utility classes,
        # kinds of elements and layout are no hints.
        ("<div class=ag-header><button class='ag-header-cell-resize'></button></div>", "resize"),
        ("<div class=card><button class='card__close'></button></div>", "close"),
        ("<button class='jp-OutputArea-prompt'></button>", "output prompt"),
        ("<button class='css-1yxmbwk MuiIconButton-root'></button>", None),
        ("<button class='inline-flex h-10 items-center hover:bg-gray-100'></button>", None),
        ("<button class='Button_root__3kT9x'></button>", None),
        ("<button id=rc_select_0></button>", None),
        ("<input class='ant-input css-mncuj7'>", None),
        ("<main tabindex=0 id=stMain style=height:9px></main>", None),
        ("<input name=tax_rate>", "tax rate"),
        ("<input name=q value=5>", "q"),
        ("<button><svg data-testid=MenuIcon class=MuiSvgIcon-root></svg></button>", "menu"),
        (
            "<button><i aria-hidden=true style='font-family:Material Icons'>more_vert</i></button>",
            "more vert",
        ),
    ],
)
async def test_a_control_without_a_name_has_a_hint(
    walked: Walked, control: str, hint: str | None
) -> None:
    [line] = [each for each in await walked.snapshot(control) if "[ref=e1]" in each]
    if hint is None:
        assert "hint" not in line
    else:
        assert f'[hint="{hint}"]' in line


@pytest.mark.parametrize("role", ["table", "grid"])
async def test_a_field_in_a_table_has_the_headers_of_its_column_and_row_as_hint(
    walked: Walked, role: str
) -> None:
    row = "<tr><td><input type=checkbox><td>{name}<td><input type=number value=2><td><button></button>"
    page = (
        f"<table role={role}><tr><th><input type=checkbox aria-label=All><th>Product<th colspan=2>Quantity"
        f"{row.format(name='Copper kettle')}{row.format(name='Teapot')}"
        "<tr><td colspan=2>Sum<td><input value=4></table>"
    )
    assert [
        line.split(" [ref")[0].strip() for line in await walked.snapshot(page) if "hint" in line
    ] == [
        '- checkbox [hint="Copper kettle"]',
        '- spinbutton [hint="Quantity, Copper kettle"]',
        '- button [hint="Copper kettle"]',
        '- checkbox [hint="Teapot"]',
        '- spinbutton [hint="Quantity, Teapot"]',
        '- button [hint="Teapot"]',
        '- textbox [hint="Quantity, Sum"]',
    ]


async def test_columns_of_a_grid_are_found_by_their_number(walked: Walked) -> None:
    page = (
        "<div role=grid><div role=row><div role=columnheader aria-colindex=2>Name</div>"
        "<div role=columnheader aria-colindex=5>Price</div></div><div role=row>"
        "<div role=rowheader aria-colindex=1>Tea</div>"
        "<div role=gridcell aria-colindex=5><input></div><div role=gridcell></div></div></div>"
    )
    lines = [line for line in await walked.snapshot(page) if "hint" in line]
    assert [line.split(" [ref")[0].strip() for line in lines] == ['- textbox [hint="Price, Tea"]']


@pytest.mark.parametrize(
    ("page", "lines"),
    [
        ("Name: <input aria-label=Name>", ['- textbox "Name" [ref=e1]']),
        (
            "<div onclick=1>Page size:</div><select aria-label='Page size'></select>",
            ['- combobox "Page size" [ref=e2]'],
        ),
        ("<input type=radio aria-label=low><p>low</p>", ['- radio "low" [ref=e1]']),
        ("Name <button>Name</button>", ["- text: Name", '- button "Name" [ref=e1]']),
        (
            "Amount <input aria-label='Amount in EUR'>",
            ["- text: Amount", '- textbox "Amount in EUR" [ref=e1]'],
        ),
    ],
)
async def test_a_text_that_repeats_the_name_of_its_field_is_not_printed(
    walked: Walked, page: str, lines: list[str]
) -> None:
    assert await walked.snapshot(page) == lines


async def test_a_focus_guard_is_not_printed(walked: Walked) -> None:
    guard = "<div tabindex=0 class=guard style=position:absolute></div>"
    assert await walked.snapshot(f"{guard}<p>Text</p>{guard}") == ["- paragraph: Text"]


async def test_a_label_with_an_icon_is_one_part(walked: Walked) -> None:
    page = "<div onclick=1><div>inject</div><div class=icon></div><div class=port></div></div>"
    assert await walked.snapshot(page) == ["- generic [ref=e1]: inject"]
