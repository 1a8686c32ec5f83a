"""Which invisible elements are left out, and which are used although no person sees them."""

from __future__ import annotations

import pytest

from tests.browser.walker.test_hidden import SR_ONLY
from tests.browser.walker.walked import Walked


async def test_the_content_of_a_hidden_element_counts_once(walked: Walked) -> None:
    links = "<a href=a>A</a><ul><li><a href=b>B</a></ul>"
    menu = f"<nav style='{SR_ONLY}'>{links}</nav>"
    empty = f"<nav style='{SR_ONLY}'></nav>"
    assert await walked.snapshot(f"{menu}{empty}<p>Seen</p>") == ["- paragraph: Seen"]
    assert walked.left_out == 1


async def test_a_visible_part_of_a_hidden_element_is_printed(walked: Walked) -> None:
    menu = "<button style='position:fixed;top:9px;left:9px'>Menu</button><a href=x>Unseen</a>"
    page = f"<nav style='position:absolute;left:-9999px'>{menu}</nav>"
    assert await walked.snapshot(page) == ['- button "Menu" [ref=e1]']
    assert walked.left_out == 1


@pytest.mark.parametrize("style", [SR_ONLY, "position:absolute;left:-9999px"])
async def test_a_field_that_is_used_unseen_is_marked(walked: Walked, style: str) -> None:
    fields = "<input type=file aria-label=Photo><textarea aria-label=Code></textarea>"
    await walked.load(f"<button>Choose a photo</button><div style='{style}'>{fields}</div>")
    photo = '- button "Photo" [type=file] [hidden] [ref=e2]'
    assert await walked.snapshot() == ['- button "Choose a photo" [ref=e1]', photo]
    assert walked.left_out == 1
    await walked.run("document.querySelector('textarea').focus()")
    code = '- textbox "Code" [active] [multiline] [hidden] [ref=e3]'
    assert (await walked.snapshot())[2:] == [code]
    assert walked.left_out == 0


@pytest.mark.parametrize("place", ["top:-1300px", "left:-9999px"])
async def test_an_element_placed_far_away_is_left_out_in_a_box_that_clips(
    walked: Walked, place: str
) -> None:
    skip = f"<div style='position:absolute;{place}'><a href='#main'>Skip</a></div>"
    box = "position:absolute;inset:0;overflow:hidden"
    assert await walked.snapshot(f"<div style='{box}'>{skip}<p>Seen</p></div>") == [
        "- paragraph: Seen"
    ]
    assert walked.left_out == 1


async def test_a_hidden_heading_still_names_its_region(walked: Walked) -> None:
    heading = f"<h2 id=h style='{SR_ONLY}'>Filters</h2>"
    page = f"<section aria-labelledby=h>{heading}<button>Reset</button></section>"
    assert await walked.snapshot(page) == ['- region "Filters":', '  - button "Reset" [ref=e1]']


async def test_an_action_that_appears_on_hover_is_marked(walked: Walked) -> None:
    style = "<style>button{opacity:0}li:hover button{opacity:1}</style>"
    lines = await walked.snapshot(f"{style}<ul><li>One<button>Delete</button></ul>")
    assert lines[-1].strip() == '- button "Delete" [hidden] [ref=e1]'
    assert walked.left_out == 0
