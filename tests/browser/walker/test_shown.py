"""Elements that a person cannot see are not printed."""

from __future__ import annotations

import pytest

from tests.browser.walker.walked import Walked


@pytest.mark.parametrize(
    "attributes",
    [
        "hidden",
        "style=display:none",
        "style=visibility:hidden",
        "inert",
        "hidden=until-found",
        "style=content-visibility:hidden",
        "popover",
    ],
)
async def test_a_hidden_element_is_not_printed_with_all_its_contents(
    walked: Walked, attributes: str
) -> None:
    assert await walked.snapshot(f"<div {attributes}><button>No</button>text</div><p>Seen</p>") == [
        "- paragraph: Seen"
    ]


@pytest.mark.parametrize("tag", ["script", "style", "template", "noscript", "datalist", "title"])
async def test_an_element_that_is_never_rendered_is_not_printed(walked: Walked, tag: str) -> None:
    assert await walked.snapshot(f"<body><{tag}>no</{tag}><p>Seen</p>") == ["- paragraph: Seen"]


async def test_a_visible_child_of_a_hidden_parent_is_printed(walked: Walked) -> None:
    page = "<div style=visibility:hidden>no<button style=visibility:visible>Yes</button></div>"
    assert await walked.snapshot(page) == ['- button "Yes" [ref=e1]']


async def test_an_element_without_a_box_shows_its_children(walked: Walked) -> None:
    assert await walked.snapshot("<ul style=display:contents><li>x</ul>") == [
        "- list:",
        "  - listitem: x",
    ]


async def test_behind_a_modal_dialog_there_is_nothing(walked: Walked) -> None:
    await walked.load("<button>Behind</button><dialog aria-label=D><button>In</button></dialog>")
    await walked.run("document.querySelector('dialog').showModal()")
    assert await walked.snapshot() == ['- dialog "D":', '  - button "In" [active] [ref=e1]']


async def test_a_focused_element_is_not_hidden_by_aria(walked: Walked) -> None:
    await walked.load("<div><button>In</button></div>")
    await walked.run(
        "const b = document.querySelector('button'); b.focus();"
        "b.parentNode.setAttribute('aria-hidden', 'true')"
    )
    assert await walked.snapshot() == ['- button "In" [active] [ref=e1]']


async def test_a_closed_disclosure_shows_its_summary_only(walked: Walked) -> None:
    page = "<details><summary>More</summary><p>no</p></details>"
    assert await walked.snapshot(page) == ['- button "More" [expanded=false] [ref=e1]']


async def test_a_child_that_no_slot_takes_is_not_shown(walked: Walked) -> None:
    shadow = "<template shadowrootmode=open><slot name=s></slot></template>"
    page = f"<div>{shadow}<i slot=s>seen</i><i>no</i></div>"
    assert await walked.snapshot(page) == ["- text: seen"]


async def test_generated_text_is_printed_where_it_is_painted(walked: Walked) -> None:
    page = "<style>p::before{content:'['}p::after{content:']'}</style><p>x</p>"
    assert await walked.snapshot(page) == ['- paragraph: "[x]"']


async def test_an_svg_has_no_generated_text(walked: Walked) -> None:
    page = "<style>p *::before{content:'['}</style><p><i>a</i><svg><text>x</text></svg></p>"
    assert await walked.snapshot(page) == ["- paragraph:", '  - text: "[a"', "  - text: x"]


async def test_an_image_of_generated_content_has_no_name(walked: Walked) -> None:
    page = "<style>p::before{content:url('data:image/svg+xml,<svg/>')}</style><p>x</p>"
    assert await walked.snapshot(page) == ["- paragraph: x"]


async def test_a_blank_page_is_a_blank_document(walked: Walked) -> None:
    assert await walked.snapshot("") == ["- document"]
