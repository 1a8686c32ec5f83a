"""A blank separates the texts of inline blocks that have no space between them."""

from __future__ import annotations

import pytest

from tests.browser.walker.walked import Walked

STYLE = "<style>span{display:inline-block}</style>"


@pytest.mark.parametrize(
    ("inside", "text"),
    [
        ("<span>W</span><span>e</span><span>l</span>", "Wel"),
        ("a<b>b</b><span>c</span>", "abc"),
        ("<span>$</span><span style=font-size:3em>19</span>", "$19"),
        ("<span>$</span><span style=margin-left:1px>19</span>", "$19"),
        ("<span>one</span> <span>two</span>", "one two"),
        ("<span>one </span><span>two</span>", "one two"),
        ("<span dir=rtl>א</span><span dir=rtl>ב</span>", "אב"),
    ],
)
async def test_boxes_side_by_side_are_one_word(walked: Walked, inside: str, text: str) -> None:
    assert await walked.snapshot(f"{STYLE}<p>{inside}</p>") == [f"- paragraph: {text}"]


@pytest.mark.parametrize(
    "inside",
    [
        "<span>Name</span><span style=margin-left:8px>Mara</span>",
        "<span style=padding-right:8px>Name</span><span>Mara</span>",
        "<span style=width:120px>Name</span><span>Mara</span>",
        "<span style='border-right:1px solid'>Name</span><span>Mara</span>",
        "<span>Name</span><span style=width:20px></span><span>Mara</span>",
        "<span>Name</span><svg width=20 height=9></svg><span>Mara</span>",
        "<i style=display:block;width:10px><span>Name</span><span>Mara</span></i>",
    ],
)
async def test_boxes_with_something_between_them_are_two_words(walked: Walked, inside: str) -> None:
    [line] = await walked.snapshot(f"{STYLE}<p>{inside}</p>")
    assert "Name Mara" in line


async def test_a_name_keeps_its_blanks_and_its_text_is_not_printed_again(walked: Walked) -> None:
    page = (
        f"{STYLE}<h1><span>W</span><span>e</span></h1><button><span>4</span><span>5</span></button>"
        "<label for=x><span>First</span><span>*</span></label><input id=x>"
    )
    assert await walked.snapshot(page) == [
        '- heading "W e" [level=1]',
        '- button "4 5" [ref=e1]',
        '- textbox "First *" [ref=e2]',
    ]


@pytest.mark.parametrize("gap", ["<wbr>", "&#8203;", "&#65279;", "<i>&#8203;</i>"])
async def test_a_permitted_line_break_is_no_space(walked: Walked, gap: str) -> None:
    page = f"<p>See Hash{gap}Map</p><a href=/a>Hash{gap}Map</a>"
    assert await walked.snapshot(page) == [
        "- paragraph: See HashMap",
        '- link "HashMap" [ref=e1] -> /a',
    ]
