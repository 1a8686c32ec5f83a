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
        "- generic [ref=e2] [cursor=pointer]: Like",
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
        ("<button class='btn btn-lg js-refresh'></button>", "js refresh"),
        ("<button id=nextPage></button>", "next page"),
        ("<button aria-roledescription=thumb></button>", "thumb"),
        ("<div tabindex=0 title=Help></div>", "Help"),
        ("<img src='/a/big-cat.jpg?x=1' onclick=1>", "big cat"),
        ("<a href=# class=social-twitter></a>", "social twitter"),
        ("<div style=cursor:pointer><img src=/play.svg alt=''></div>", "play"),
    ],
)
async def test_a_control_without_a_name_has_a_hint(
    walked: Walked, control: str, hint: str | None
) -> None:
    line = (await walked.snapshot(control))[0]
    assert "[ref=e1]" in line
    if hint is None:
        assert "hint" not in line
    else:
        assert f'[hint="{hint}"]' in line
