"""Elements that are painted but aria-hidden are printed and marked, unless they decorate or
repeat.
"""

from __future__ import annotations

import pytest

from tests.browser.walker.walked import Walked

SR_ONLY = "<style>.sr{position:absolute;left:-9999px}</style>"


async def test_a_painted_price_with_an_off_screen_twin_is_printed(walked: Walked) -> None:
    painted = "<span aria-hidden=true>$<b>19</b>.99</span>"
    page = f"{SR_ONLY}<ul><li>Shoe <span class=sr>$19.99</span>{painted}</ul>"
    assert await walked.snapshot(page) == [
        "- list:",
        "  - listitem:",
        "    - text: Shoe",
        "    - generic [aria-hidden]: $19.99",
    ]


@pytest.mark.parametrize("role", ["", "role=status"])
async def test_a_painted_counter_is_printed_beside_its_off_screen_twin(
    walked: Walked, role: str
) -> None:
    twin = f"<div class=sr {role}>10 characters remaining</div>"
    page = (
        f"{SR_ONLY}<textarea></textarea>{twin}<div aria-hidden=true>10 characters remaining</div>"
    )
    lines = await walked.snapshot(page)
    assert lines[-1] == "- generic [aria-hidden]: 10 characters remaining"


async def test_the_text_is_no_part_of_a_name(walked: Walked) -> None:
    page = "<button>Inbox<span aria-hidden=true> 12</span></button><h1><i aria-hidden=true>New</i></h1>"
    assert await walked.snapshot(page) == [
        '- button "Inbox" [ref=e1]:',
        '  - generic [aria-hidden]: "12"',
        "- heading [level=1]:",
        "  - generic [aria-hidden]: New",
    ]


async def test_a_name_is_not_printed_twice_around_the_text(walked: Walked) -> None:
    page = "<h2>Total <span aria-hidden=true>(5)</span> items</h2>"
    assert await walked.snapshot(page) == [
        '- heading "Total items" [level=2]:',
        "  - generic [aria-hidden]: (5)",
    ]


@pytest.mark.parametrize(
    "painted",
    [
        "×",
        "•",
        "|",
        "/",
        "*",
        "",
        "…",
        "<svg><text y=9>up</text></svg>",
        "<img alt=star>",
        "&#xf00d;",
    ],
)
async def test_a_decoration_is_not_printed(walked: Walked, painted: str) -> None:
    page = f"<p>Home <span aria-hidden=true>{painted}</span> Shop</p>"
    assert await walked.snapshot(page) == ["- paragraph: Home Shop"]


async def test_a_letter_of_an_icon_font_is_not_printed(walked: Walked) -> None:
    icon = "<i aria-hidden=true style='font-family:\"Material Icons\",sans-serif'>shopping_cart</i>"
    assert await walked.snapshot(f"<button>{icon} Cart</button>") == ['- button "Cart" [ref=e1]']


async def test_a_row_of_symbols_is_printed(walked: Walked) -> None:
    page = "<p>Rated <span aria-hidden=true>★★★★☆</span></p>"
    assert (await walked.snapshot(page))[-1] == "  - generic [aria-hidden]: ★★★★☆"


@pytest.mark.parametrize(
    "page",
    [
        "<a href=x>Page 12 <span aria-hidden=true>12</span></a>",
        "<p>12 items <span aria-hidden=true>12</span></p>",
        "<span aria-hidden=true>12 items</span><p>12 items</p>",
        "<label><span aria-hidden=true>Mail</span><input aria-label=Mail></label>",
    ],
)
async def test_text_that_is_printed_beside_it_is_not_repeated(walked: Walked, page: str) -> None:
    assert "aria-hidden" not in "\n".join(await walked.snapshot(page))


@pytest.mark.parametrize("painted", ["×", "12", "<svg width=9 height=9></svg>", "&#xf00d;"])
async def test_a_control_that_shows_only_aria_hidden_content_is_not_hidden(
    walked: Walked, painted: str
) -> None:
    inside = f"<span class=sr>Page 12</span><i aria-hidden=true>{painted}</i>"
    button = "<button style='border:0;background:none'>"
    page = f"{SR_ONLY}{button}{inside}</button>"
    assert await walked.snapshot(page) == ['- button "Page 12" [ref=e1]']


async def test_a_control_whose_aria_hidden_content_is_not_painted_is_hidden(walked: Walked) -> None:
    unseen = "<i aria-hidden=true style='opacity:0'>×</i>"
    page = f"{SR_ONLY}<a href=#m><span class=sr>Skip</span>{unseen}</a>"
    assert (await walked.snapshot(page))[0] == '- link "Skip" [hidden] [ref=e1] -> "#m"'


@pytest.mark.parametrize(
    "style", ["display:none", "visibility:hidden", "opacity:0", "position:absolute;left:-999px"]
)
async def test_an_element_that_is_aria_hidden_and_not_painted_is_not_printed(
    walked: Walked, style: str
) -> None:
    page = f"<div aria-hidden=true style='{style}'>no<button>No</button></div><p>Seen</p>"
    assert await walked.snapshot(page) == ["- paragraph: Seen"]


async def test_controls_in_an_aria_hidden_area_have_refs(walked: Walked) -> None:
    page = "<div aria-hidden=true><h2>Basket</h2><button>Buy</button>two left</div><p>Seen</p>"
    assert await walked.snapshot(page) == [
        "- generic [aria-hidden]:",
        '  - heading "Basket" [level=2]',
        '  - button "Buy" [ref=e1]',
        "  - text: two left",
        "- paragraph: Seen",
    ]


async def test_a_control_that_is_aria_hidden_itself_has_a_ref(walked: Walked) -> None:
    page = "<button aria-hidden=true tabindex=-1 title=Clear><svg width=9 height=9></svg></button>"
    assert await walked.snapshot(page) == ['- button "Clear" [aria-hidden] [ref=e1]']


async def test_an_aria_hidden_link_that_repeats_another_one_is_left_out(walked: Walked) -> None:
    picture = "<a href=/shoe aria-hidden=true tabindex=-1><img alt=Shoe width=9 height=9></a>"
    assert await walked.snapshot(f"<div>{picture}<h3><a href=/shoe>Shoe</a></h3></div>") == [
        '- heading "Shoe" [level=3]:',
        '  - link "Shoe" [ref=e2] -> /shoe',
    ]


@pytest.mark.parametrize("role", ["dialog", "alertdialog", "menu", "listbox"])
async def test_a_page_that_is_aria_hidden_while_a_layer_is_open_is_left_out(
    walked: Walked, role: str
) -> None:
    app = "<div aria-hidden=true><h1>App</h1><button>Behind</button></div>"
    layer = f"<div role={role} aria-label=L><button>In</button></div>"
    lines = await walked.snapshot(app + layer)
    assert lines[0].startswith(f'- {role} "L"')
    assert len(lines) == 2


async def test_a_focus_guard_is_left_out(walked: Walked) -> None:
    guard = "<span tabindex=0 aria-hidden=true style='position:fixed'></span>"
    assert await walked.snapshot(f"{guard}<p>Seen</p>") == ["- paragraph: Seen"]


async def test_parts_of_a_text_are_one_line_and_lines_are_several(walked: Walked) -> None:
    flex = "<div aria-hidden=true style='display:flex'><i>$</i><i>19</i><i>99</i></div>"
    code = "<div aria-hidden=true><div>def f():</div><div>return 1</div></div>"
    assert await walked.snapshot(flex + code) == [
        "- generic [aria-hidden]: $ 19 99",
        "- generic [aria-hidden]:",
        '  - text: "def f():"',
        "  - text: return 1",
    ]


@pytest.mark.parametrize("gutter", ["around each line", "beside all lines"])
async def test_the_numbers_of_lines_are_not_printed(walked: Walked, gutter: str) -> None:
    lines = ["def f():", "    x = 1", "    return x"]
    numbers = [f"<div aria-hidden=true>{n}</div>" for n in (8, 9, 10)]
    each = zip(numbers, (f"<div>{line}</div>" for line in lines), strict=True)
    beside = f"<div aria-hidden=true>{''.join(numbers)}</div><div>{'<br>'.join(lines)}</div>"
    page = beside if gutter == "beside all lines" else "".join(map("".join, each))
    assert "aria-hidden" not in "\n".join(await walked.snapshot(page))


async def test_the_mark_is_printed_before_hidden_and_ref(walked: Walked) -> None:
    page = "<input aria-hidden=true required type=date aria-label=On>"
    (line,) = await walked.snapshot(page)
    assert line == '- textbox "On" [required] [type=date] [aria-hidden] [ref=e1]'
