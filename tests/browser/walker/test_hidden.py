"""What a person cannot see is left out and counted; what may still appear is marked."""

from __future__ import annotations

import pytest

from tests.browser.walker.walked import Walked

SR_ONLY = "position:absolute;width:1px;height:1px;overflow:hidden;clip:rect(0,0,0,0);margin:-1px"

FOR_GOOD = {
    "off to the left": "position:absolute;left:-9999px",
    "off to the top": "position:fixed;top:-500px",
    "fixed below the window": "position:fixed;top:200vh",
    "moved by a transform": "transform:translateX(-9999px)",
    "moved by translate": "translate:-9999px 0",
    "moved by a margin": "margin-left:-9999px;width:200px",
    "moved where it stands": "position:relative;left:-9999px",
    "clipped to a pixel": SR_ONLY,
    "clipped by a path": "clip-path:inset(50%)",
    "clipped by a rectangle": "position:absolute;clip:rect(0,0,0,0)",
    "no room": "width:0;height:0;overflow:hidden",
    "no height": "max-height:0;overflow:hidden",
    "only padding": "max-height:0;padding:4px 0;overflow:hidden",
    "no height, clipped": "height:0;overflow:clip",
    "scaled to nothing": "transform:scale(0)",
    "scaled to no width": "scale:0 1",
}
FOR_NOW = {
    "transparent": "opacity:0",
    "nearly transparent": "opacity:.01",
    "filtered": "filter:opacity(0)",
    "masked": "mask-image:linear-gradient(transparent,transparent)",
    "not unrolled yet": "clip-path:inset(0 100% 0 0)",
    "a circle without a radius": "clip-path:circle(0)",
    "a polygon without an inside": "clip-path:polygon(0 0,0 0,0 0)",
}
OF_TEXT = {
    "no size": "font-size:0",
    "one pixel": "font-size:1px",
    "indented away": "text-indent:-9999px",
    "indented out": "text-indent:100%;white-space:nowrap;overflow:hidden",
    "transparent": "color:transparent",
    "filled with nothing": "-webkit-text-fill-color:rgba(0,0,0,0)",
    "white on white": "color:white",
    "all but white on white": "color:#fefefe",
    "black on black": "background:black",
    "of its background's colour": "color:#123456;background:#123456",
}

MANY_RULES = "".join(f".r{n}{{width:{n}px}}" for n in range(400))


def inline(style: str, inside: str) -> str:
    return f"<div style='{style}'>{inside}</div>"


def by_rule(style: str, inside: str) -> str:
    name = f"x{abs(hash(style))}"
    return f"<style>.{name}{{{style}}}</style><div class={name}>{inside}</div>"


def in_media(style: str, inside: str) -> str:
    name = f"x{abs(hash(style))}"
    return f"<style>@media all{{.{name}{{{style}}}}}</style><div class={name}>{inside}</div>"


def nested(style: str, inside: str) -> str:
    name = f"x{abs(hash(style))}"
    return f"<style>body{{& .{name}{{{style}}}}}</style><div class={name}>{inside}</div>"


def in_shadow(style: str, inside: str) -> str:
    shadow = f"<style>div{{{style}}}</style><div>{inside}</div>"
    return f"<b-x><template shadowrootmode=open>{shadow}</template></b-x>"


def above(style: str, inside: str) -> str:
    return by_rule(style, f"<section><i>{inside}</i></section>")


WAYS = {
    "inline": ("", inline),
    "by rule": ("", by_rule),
    "in a page of many rules": (f"<style>{MANY_RULES}</style>", by_rule),
    "in a media query": ("", in_media),
    "nested": ("", nested),
    "in a shadow tree": ("", in_shadow),
    "further up": ("", above),
}


def page_with_tricks(way: str, tricks: dict[str, str], inside: str) -> str:
    """Return a page with `inside` hidden by every trick; {} in it is replaced by the trick's
    name.
    """
    head, write = WAYS[way]
    parts = [write(style, inside.format(trick)) for trick, style in tricks.items()]
    return f"{head}{''.join(parts)}<p>Seen</p>"


@pytest.mark.parametrize("way", WAYS)
async def test_a_text_in_a_hidden_box_is_left_out(walked: Walked, way: str) -> None:
    lines = await walked.snapshot(page_with_tricks(way, FOR_GOOD, "whispered: {}"))
    assert lines == ["- paragraph: Seen"]


@pytest.mark.parametrize("way", WAYS)
async def test_a_control_in_a_hidden_box_is_left_out_and_counted(walked: Walked, way: str) -> None:
    page = page_with_tricks(way, FOR_GOOD, "<button>{}</button>")
    assert await walked.snapshot(page) == ["- paragraph: Seen"]
    assert walked.left_out == len(FOR_GOOD)


@pytest.mark.parametrize("way", WAYS)
async def test_a_control_in_a_hidden_box_is_marked_on_request(walked: Walked, way: str) -> None:
    tricks = {**FOR_GOOD, **FOR_NOW}
    page = page_with_tricks(way, tricks, "<button>{}</button>")
    lines = await walked.snapshot(page, hidden=True)
    above: list[str] = []
    unmarked = []
    for line in lines:
        depth = (len(line) - len(line.lstrip())) // 2
        above = [*above[:depth], line]
        if "button" in line and not any("[hidden]" in each for each in above):
            unmarked.append(line)
    assert unmarked == []
    assert sum("button" in line for line in lines) == len(tricks)


@pytest.mark.parametrize("way", WAYS)
async def test_a_text_that_may_yet_be_seen_is_marked(walked: Walked, way: str) -> None:
    lines = await walked.snapshot(page_with_tricks(way, FOR_NOW, "{}"))
    *hidden, last = lines
    assert last == "- paragraph: Seen"
    assert all(line.startswith("- generic [hidden]: ") for line in hidden)
    assert all(trick in "\n".join(hidden) for trick in FOR_NOW)


@pytest.mark.parametrize("way", WAYS)
async def test_a_text_that_cannot_be_read_is_left_out(walked: Walked, way: str) -> None:
    lines = await walked.snapshot(page_with_tricks(way, OF_TEXT, "whispered: {}"))
    assert lines == ["- paragraph: Seen"]


@pytest.mark.parametrize(
    "trick", ["off to the left", "clipped to a pixel", "clipped by a path", "no height"]
)
async def test_a_heading_in_a_hidden_box_is_counted(walked: Walked, trick: str) -> None:
    assert await walked.snapshot(f"<h2 style='{FOR_GOOD[trick]}'>Menu</h2>") == ["- document"]
    assert walked.left_out == 1
    assert await walked.snapshot(hidden=True) == ['- heading "Menu" [level=2] [hidden]']


@pytest.mark.parametrize("trick", OF_TEXT)
async def test_a_heading_that_cannot_be_read_is_counted(walked: Walked, trick: str) -> None:
    page = f"<h2><span style='{OF_TEXT[trick]}'>Psst</span></h2>"
    is_bar = "background" in OF_TEXT[trick]
    await walked.snapshot(page)
    assert walked.left_out == (0 if is_bar else 1)
    lines = await walked.snapshot(hidden=True)
    if is_bar:  # a bar is seen, if nothing on it
        assert lines == ['- heading "Psst" [level=2]']
    else:
        assert lines == ['- heading "Psst" [level=2] [hidden]']


@pytest.mark.parametrize("trick", OF_TEXT)
async def test_a_link_whose_text_cannot_be_read_can_be_clicked(walked: Walked, trick: str) -> None:
    link = f"<a href=x style='display:block;width:9em;height:2em;{OF_TEXT[trick]}'>More</a>"
    lines = await walked.snapshot(f"<div>{link}</div>")
    is_bar = "background" in OF_TEXT[trick]
    assert lines == [f'- link "More"{"" if is_bar else " [hidden]"} [ref=e1] -> x']
    assert walked.left_out == 0


async def test_only_the_outermost_hidden_element_has_the_mark(walked: Walked) -> None:
    inside = "<ul><li><a href=a>A</a><li><a href=b>B</a></ul>"
    assert await walked.snapshot(f"<nav style='opacity:0'>{inside}</nav>") == [
        "- navigation [hidden]:",
        "  - list:",
        "    - listitem:",
        '      - link "A" [ref=e1] -> a',
        "    - listitem:",
        '      - link "B" [ref=e2] -> b',
    ]


@pytest.mark.parametrize("style", [SR_ONLY, "opacity:0", "font-size:0", "color:transparent"])
async def test_an_unseen_label_is_the_name_of_a_seen_control(walked: Walked, style: str) -> None:
    page = f"<button><svg width=9 height=9></svg><span style='{style}'>Open menu</span></button>"
    assert await walked.snapshot(page) == ['- button "Open menu" [ref=e1]']


async def test_an_invisible_part_of_a_name_is_not_marked(walked: Walked) -> None:
    hint = f"<span style='{SR_ONLY}'>(new tab)</span>"
    assert await walked.snapshot(f"<a href=x>Docs {hint}</a><h1>Price {hint}</h1>") == [
        '- link "Docs (new tab)" [ref=e1] -> x',
        '- heading "Price (new tab)" [level=1]',
    ]


async def test_an_invisible_part_of_a_label_is_in_the_name_of_its_control(walked: Walked) -> None:
    page = f"<label>Mail <span style='{SR_ONLY}'>(required)</span><input></label>"
    assert await walked.snapshot(page) == ['- textbox "Mail (required)" [ref=e1]']


async def test_a_whisper_in_a_cell_is_not_its_name(walked: Walked) -> None:
    row = "<tr><td>Seen <span style='font-size:0'>whisper</span><td>Two</tr>"
    lines = await walked.snapshot(f"<table><tr><th>A<th>B</tr>{row}</table>")
    assert lines[-2:] == ['    - cell "Seen"', '    - cell "Two"']


async def test_invisible_text_in_a_paragraph_is_not_printed(walked: Walked) -> None:
    page = "<p>One <span style='font-size:0'>whisper </span>two</p>"
    assert await walked.snapshot(page) == ["- paragraph: One two"]


@pytest.mark.parametrize("kind", ["checkbox", "radio", "file"])
@pytest.mark.parametrize("style", [SR_ONLY, "opacity:0", "position:absolute;left:-9999px"])
async def test_a_control_with_a_visible_label_is_not_hidden(
    walked: Walked, kind: str, style: str
) -> None:
    lines = await walked.snapshot(
        f"<input type={kind} id=a style='{style}'><label for=a>Keep me</label>"
    )
    assert len(lines) == 1
    assert '"Keep me' in lines[0]
    assert lines[0].endswith("[ref=e1]")
    assert "hidden" not in lines[0]


async def test_a_control_in_a_hidden_wrapper_beside_its_visible_label_is_not_hidden(
    walked: Walked,
) -> None:
    wrapped = f"<div style='{SR_ONLY}'><input type=radio id=a></div>"
    assert await walked.snapshot(f"{wrapped}<label for=a>Blue</label>") == [
        '- radio "Blue" [ref=e1]'
    ]


async def test_a_label_that_is_hidden_as_well_does_not_help(walked: Walked) -> None:
    both = "<input type=checkbox id=a><label for=a>Psst</label>"
    page = f"<div style='{SR_ONLY}'>{both}</div>"
    assert await walked.snapshot(page) == ["- document"]
    (line,) = await walked.snapshot(hidden=True)
    assert line == '- checkbox "Psst" [hidden] [ref=e1]'


async def test_a_transparent_field_over_its_drawing_is_not_hidden(walked: Walked) -> None:
    page = "<div>Choose</div><input type=file aria-label=Up style='opacity:0;position:absolute'>"
    assert '- button "Up" [type=file] [ref=e1]' in await walked.snapshot(page)


async def test_a_skip_link_is_left_out_until_it_has_the_focus(walked: Walked) -> None:
    style = "<style>a{position:absolute;top:-40px}a:focus{top:0}</style>"
    await walked.load(f"{style}<a href=#m>Skip</a>")
    assert await walked.snapshot() == ["- document"]
    assert '- link "Skip" [hidden] [ref=e1] -> "#m"' in await walked.snapshot(hidden=True)
    await walked.run("document.querySelector('a').focus()")
    assert '- link "Skip" [active] [ref=e1] -> "#m"' in await walked.snapshot()


SCROLLED = "<div style='height:5000px'></div><p>Seen</p>"


@pytest.mark.parametrize(
    "page",
    [
        SCROLLED,
        f"<div style='height:50px;overflow:auto'>{SCROLLED}</div>",
        (
            f"<div style='height:50px;overflow:hidden'><div style='height:50px;overflow-y:scroll'>"
            f"{SCROLLED}</div></div>"
        ),
        "<div style='position:absolute;left:3000px'><p>Seen</p></div>",
        "<div style='overflow:hidden;height:0;padding:20px'><p>Seen</p></div>",
        "<div style='width:0;height:0'><p>Seen</p></div>",
        "<div style='overflow:hidden;height:0'><p style='position:absolute;margin:0'>Seen</p></div>",
        "<div style='position:absolute;left:-9999px'><p style='position:fixed;left:0'>Seen</p></div>",
        "<div style='display:contents;opacity:0'><p>Seen</p></div>",
        "<div style='font-size:0'><p style='font-size:16px'>Seen</p></div>",
        "<div style='text-indent:-2em'><p>Seen</p></div>",
        "<div style='transform:scale(.1)'><p>Seen</p></div>",
        "<div style='clip-path:inset(10%)'><p>Seen</p></div>",
        "<div style='clip-path:circle(40%)'><p>Seen</p></div>",
        "<div style='filter:blur(0px) opacity(.9)'><p>Seen</p></div>",
        "<p style='color:white;background:#222'>Seen</p>",
        "<div style='background:black'><p style='color:white'>Seen</p></div>",
        "<p style='color:white;background-image:linear-gradient(red,blue)'>Seen</p>",
        "<p style='color:white;text-shadow:0 0 2px black'>Seen</p>",
        "<p style='color:transparent;-webkit-text-stroke:1px black'>Seen</p>",
        (
            "<p style='color:transparent;background:linear-gradient(red,blue);background-clip:text'>"
            "Seen</p>"
        ),
        (
            "<div style='position:relative'><img style='width:300px;height:100px;position:absolute'>"
            "<p style='color:white;position:relative'>Seen</p></div>"
        ),
        (
            "<style>div::before{content:'';position:absolute;inset:0;background:black}</style>"
            "<div style='position:relative'><p style='position:relative;color:white'>Seen</p></div>"
        ),
        (
            "<div style='display:grid'><div style='grid-area:1/1;background:black;height:50px'></div>"
            "<p style='grid-area:1/1;color:white'>Seen</p></div>"
        ),
    ],
)
async def test_a_visible_element_is_not_hidden(walked: Walked, page: str) -> None:
    assert await walked.snapshot(f"<body style='margin:0'>{page}") == ["- paragraph: Seen"]


async def test_an_element_that_was_scrolled_past_is_not_hidden(walked: Walked) -> None:
    rows = "<p>Seen</p><div style='height:9000px'></div>"
    await walked.load(f"<div id=a style='height:100px;overflow:auto'>{rows}</div>")
    await walked.run("a.scrollTop = 5000")
    assert await walked.snapshot() == ["- paragraph: Seen"]


async def test_slides_that_are_out_of_the_frame_are_marked(walked: Walked) -> None:
    slides = "".join(f"<p style='flex:0 0 100px;margin:0'>{n}</p>" for n in "abc")
    track = f"<div style='display:flex;transform:translateX(-100px)'>{slides}</div>"
    assert await walked.snapshot(f"<div style='width:100px;overflow:hidden'>{track}</div>") == [
        "- paragraph [hidden]: a",
        "- paragraph: b",
        "- paragraph [hidden]: c",
    ]


async def test_words_that_appear_one_by_one_are_one_text(walked: Walked) -> None:
    letters = "".join(f"<span style='opacity:0'>{letter}</span>" for letter in "Hello")
    words = "<span style='opacity:0'>big</span> <span style='opacity:0'>world</span>"
    assert await walked.snapshot(f"<div>{letters} {words}</div>") == [
        "- generic [hidden]: Hello big world"
    ]


async def test_an_element_that_is_moving_in_is_not_hidden(walked: Walked) -> None:
    await walked.load("<p id=p>Coming</p>")
    await walked.run("p.animate([{translate: '-9999px'}, {translate: '-9998px'}], {duration: 1e6})")
    assert await walked.snapshot() == ["- paragraph [hidden]: Coming"]


async def test_a_fade_that_has_just_begun_is_marked(walked: Walked) -> None:
    await walked.load("<p id=p>Coming</p>")
    await walked.run("p.animate([{opacity: 0}, {opacity: .01}], {duration: 1e6})")
    assert await walked.snapshot() == ["- paragraph [hidden]: Coming"]


@pytest.mark.parametrize("size", ["width=0 height=0", "width=1 height=1", "style='height:0'"])
async def test_a_frame_without_a_size_is_left_out(walked: Walked, size: str) -> None:
    page = f"<iframe title=T frameborder=0 {size}></iframe>"
    assert await walked.snapshot(page) == ["- document"]
    assert await walked.snapshot(hidden=True) == ['- iframe "T" [hidden] [ref=e1]']


async def test_a_part_of_a_hidden_element_is_marked_too(walked: Walked) -> None:
    await walked.walk("<div style='opacity:0'><ul tabindex=0><li>in</ul></div>")
    assert await walked.snapshot(root=1) == ["- list [hidden] [ref=e1]:", "  - listitem: in"]


async def test_a_status_for_screen_readers_is_marked(walked: Walked) -> None:
    page = f"<div role=status style='{SR_ONLY}'>3 results</div>"
    assert await walked.snapshot(page) == ["- status [hidden]: 3 results"]


async def test_the_colour_of_an_svg_text_is_its_fill(walked: Walked) -> None:
    svg = "<svg width=99 height=20><text y=9 {}>Psst</text></svg>"
    assert await walked.snapshot(svg.format("fill=none")) == ["- document"]
    assert await walked.snapshot(svg.format("")) == ["- text: Psst"]
