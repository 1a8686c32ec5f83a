"""The names that the walker gives: accname, HTML-AAM, and Chrome where they leave a choice."""

from __future__ import annotations

import pytest

from tests.browser.walker.walked import Walked

PIXEL = "data:image/gif;base64,R0lGODlhAQABAIAAAP///wAAACH5BAEAAAAALAAAAAABAAEAAAICRAEAOw=="


@pytest.mark.parametrize(
    "child",
    [
        "<a href=# title=Permalink></a>",
        "<a href=# aria-label=Permalink></a>",
        "<div role=group title=Permalink></div>",
    ],
)
async def test_a_child_that_is_not_visible_adds_no_title_to_a_name(
    walked: Walked, child: str
) -> None:
    page = f"<style>h3 > * {{ visibility: hidden }}</style><h3>Intro {child}</h3>"
    assert await walked.snapshot(page) == ['- heading "Intro" [level=3]']


async def test_a_visible_part_of_an_invisible_child_belongs_to_the_name(walked: Walked) -> None:
    page = (
        "<h3>Intro <a href=# title=Permalink style=visibility:hidden>"
        "<span style=visibility:visible>here</span></a></h3>"
    )
    assert await walked.snapshot(page) == ['- heading "Intro here" [level=3]']


@pytest.mark.parametrize("role", ["menu", "tablist", "listbox", "radiogroup", "tree", "toolbar"])
async def test_an_item_of_a_list_with_another_role_is_no_listitem(
    walked: Walked, role: str
) -> None:
    lines = await walked.snapshot(f"<ul role={role}><li><button>Go</button></li><li>Two</li></ul>")
    assert [line.split(" [")[0] for line in lines[1:]] == ['  - button "Go"', "  - text: Two"]


@pytest.mark.parametrize("parent", ["ul", "ul role=list", "ol role=nonsense", "div role=menu"])
async def test_any_other_li_stays_a_listitem(walked: Walked, parent: str) -> None:
    lines = await walked.snapshot(f"<{parent}><li>One</li>")
    assert "- listitem" in lines[-1]


async def test_a_named_drawing_is_an_image_whose_parts_are_printed(walked: Walked) -> None:
    page = (
        "<svg aria-label=Chart width=9 height=9><rect aria-label=May width=4 height=4></rect></svg>"
        "<svg width=9 height=9><title>Map</title><a href=#x><text y=9>Here</text></a></svg>"
        "<svg width=9 height=9><text y=9>Plain</text></svg>"
    )
    assert await walked.snapshot(page) == [
        '- img "Chart":',
        '  - graphics-symbol "May"',
        '- img "Map":',
        '  - link "Here" [ref=e1] -> "#x"',
        "- text: Plain",
    ]


async def test_the_label_of_a_slot_names_nothing(walked: Walked) -> None:
    await walked.load("<h1><span id=host>slotted</span></h1><p id=other></p>")
    await walked.run(
        "host.attachShadow({mode: 'open'}).innerHTML = 'a <slot aria-label=no></slot> b';"
        "other.attachShadow({mode: 'open'}).innerHTML = '<slot aria-label=no>default</slot>'"
    )
    assert await walked.snapshot() == ['- heading "a slotted b" [level=1]', "- paragraph: default"]


async def test_text_that_was_read_by_reference_is_not_read_again_in_place(walked: Walked) -> None:
    page = (
        f"<h3><a href=#1 aria-labelledby=pic>one</a> <a href=#2>two <img id=pic alt=image src={PIXEL}>"
        "three</a></h3>"
    )
    assert [line.strip() for line in await walked.snapshot(page)] == [
        '- heading "image two three" [level=3]:',
        '- link "image" [ref=e1] -> "#1": one',
        '- link "two image three" [ref=e2] -> "#2"',
    ]


async def test_an_element_read_by_reference_still_shows_its_own_label(walked: Walked) -> None:
    page = (
        "<h3><a href=# aria-labelledby=pic><span id=word>link</span></a>"
        f"<img id=pic alt=image aria-labelledby='pic word' src={PIXEL}></h3>"
    )
    assert (await walked.snapshot(page))[0] == '- heading "image link" [level=3]:'


async def test_an_image_with_an_empty_alt_is_called_by_its_title(walked: Walked) -> None:
    page = f'<img alt="" title=Harbour src={PIXEL}><img alt="" src={PIXEL}>'
    assert await walked.snapshot(page) == ['- img "Harbour"']


async def test_the_title_of_a_file_input_comes_before_the_words_of_the_browser(
    walked: Walked,
) -> None:
    page = (
        '<input type=file title="Your photo"><label>CV <input type=file title=x></label>'
        "<input type=file>"
    )
    assert await walked.snapshot(page) == [
        '- button "Your photo" [type=file] [ref=e1]',
        '- button "CV" [type=file] [ref=e2]',
        '- button "Choose File" [type=file] [ref=e3]',
    ]


async def test_an_abbreviation_that_can_be_clicked_is_called_by_its_title(walked: Walked) -> None:
    page = "<abbr title=Kilobyte tabindex=0>kB</abbr>"
    assert await walked.snapshot(page) == ['- generic "Kilobyte" [ref=e1]: kB']


async def test_text_longer_than_the_longest_name_is_printed_whole(walked: Walked) -> None:
    text = " ".join(f"word{n}" for n in range(2000))
    for tag in ("h1", "button"):
        [line] = await walked.snapshot(f"<{tag}>{text}</{tag}>")
        assert line.endswith(f": {text}")


async def test_the_text_of_a_long_name_is_in_the_name_or_below_it(walked: Walked) -> None:
    text = " ".join(f"word{n}" for n in range(100))
    page = (
        f"<h2>{text}</h2><button>{text}</button><label><input type=checkbox>{text}</label>"
        f"<img alt='{text}' src={PIXEL}><table><tr><th>a<tr><td>{text}</table>"
    )
    for line in await walked.snapshot(page):
        if "word0" in line:
            name, rest = line.rstrip('"').split("…", 1)
            words = (name + rest.split("…", 1)[-1]).split()
            assert [word for word in words if word.startswith("word")] == text.split()[1:]


@pytest.mark.parametrize(
    ("page", "lines"),
    [
        ("<button><span><p>More</p></span></button>", ['- button "More" [ref=e1]']),
        ("<a href=/a><p>Bag</p><p>9 EUR</p></a>", ['- link "Bag 9 EUR" [ref=e1] -> /a']),
        (
            "<a href=/a><h3>Bag</h3><p>9 EUR</p></a>",
            [
                '- link "Bag 9 EUR" [ref=e1] -> /a:',
                '  - heading "Bag" [level=3]',
                "  - paragraph: 9 EUR",
            ],
        ),
        (
            "<button aria-label=Add><p>More</p></button>",
            ['- button "Add" [ref=e1]:', "  - paragraph: More"],
        ),
    ],
)
async def test_paragraphs_that_are_the_name_are_not_repeated(
    walked: Walked, page: str, lines: list[str]
) -> None:
    assert await walked.snapshot(page) == lines


async def test_the_letters_of_an_icon_that_has_a_name_are_not_printed(walked: Walked) -> None:
    font = "style=\"font-family:'Material Icons'\""
    page = (
        f"<i role=button aria-label=Remove {font}>cancel</i><i role=button {font}>edit</i>"
        "<button aria-label=Add>More</button>"
    )
    assert await walked.snapshot(page) == [
        '- button "Remove" [ref=e1]',
        '- button "edit" [ref=e2]',
        '- button "Add" [ref=e3]: More',
    ]
