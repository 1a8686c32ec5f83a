"""The picture of an element shows all of it that a person could see, wherever it is."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.browser.inside import services_of
from tests.browser.page.agent import Agent
from tests.browser.page.capture.pixels import BLACK, BLUE, GREEN, RED, WHITE, Look
from tests.site import Site
from viewpoint_mcp.errors import ElementError, ElementNotVisibleError

START = "<!DOCTYPE html><body style='margin: 0; background: gray'>"
BAR = "<div style='position: fixed; top: 0; width: 100%; height: 50px; background: black'></div>"


def figure(style: str, *, corner: str = "10px") -> str:
    """A red picture with blue at its upper left and green at its lower right corner."""
    inner = f"position: absolute; width: {corner}; height: {corner}"
    return (
        f"<div role=img aria-label=It tabindex=0 style='background: red; {style}'>"
        f"<i style='{inner}; left: 0; top: 0; background: blue'></i>"
        f"<i style='{inner}; right: 0; bottom: 0; background: lime'></i></div>"
    )


def framed(inner: str, style: str) -> str:
    source = inner.replace("&", "&amp;").replace('"', "&quot;")
    return f'<iframe title=In style="border: 0; {style}" srcdoc="{source}"></iframe>'


async def take_screenshot(agent: Agent, what: str = "img", **how: Any) -> Look:
    return Look(await agent.page.capture.screenshot(element=await agent.find(what), **how))


def check_whole(look: Look, width: int, height: int) -> None:
    """See to it that the picture is all of a figure and nothing else."""
    assert look.shot.size == (width, height)
    assert look.shot.note == ""
    assert look.box(BLUE) == (0, 0, 10, 10)
    assert look.box(GREEN) == (width - 10, height - 10, width, height)
    colours = look.image.getcolors()
    assert colours is not None
    assert {colour for _, colour in colours} == {RED, BLUE, GREEN}


async def scrolled(agent: Agent) -> list[Any]:
    result = await agent.run(
        "JSON.stringify([scrollX, scrollY, ...[...document.querySelectorAll('section')]"
        ".map(each => [each.scrollLeft, each.scrollTop])])"
    )
    positions: list[Any] = json.loads(result or "")
    return positions


@pytest.mark.parametrize(
    "style",
    [
        "position: absolute; left: 40px; top: 30px; width: 100px; height: 80px",
        "position: absolute; left: 40px; top: 3000px; width: 100px; height: 80px",
        "position: absolute; left: 2000px; top: 3000px; width: 100px; height: 80px",
        "position: fixed; right: 5px; bottom: 5px; width: 100px; height: 80px",
    ],
    ids=["in view", "below", "below and to the right", "fixed"],
)
@pytest.mark.parametrize("at", [0, 1234])
async def test_an_element_of_the_page_is_cut_out(agent: Agent, style: str, at: int) -> None:
    await agent.open(START + "<div style='width: 3000px; height: 5000px'></div>" + figure(style))
    await agent.run(f"scrollTo(0, {at})")
    look = await take_screenshot(agent)
    check_whole(look, 100, 80)
    box = json.loads(
        await agent.run("JSON.stringify(document.querySelector('[role]').getBoundingClientRect())")
        or ""
    )
    assert look.origin == [box["x"], box["y"]]
    assert await scrolled(agent) == [0, at]


@pytest.mark.parametrize(("width", "height"), [(300, 2500), (2500, 300), (900, 18_000)])
async def test_an_element_larger_than_the_window_is_whole(
    agent: Agent, width: int, height: int
) -> None:
    style = f"position: absolute; left: 70px; top: 100px; width: {width}px; height: {height}px"
    await agent.open(START + BAR + figure(style) + "<div style='height: 3000px'></div>")
    await agent.run("scrollTo(0, 400)")
    look = await take_screenshot(agent)
    check_whole(look, width, height)
    assert look.origin == [70, -300]
    assert await scrolled(agent) == [0, 400]


@pytest.mark.parametrize(("width", "height"), [(100, 80), (100, 1700), (1300, 90), (900, 1000)])
@pytest.mark.parametrize("scale", ["css", "device"])
async def test_an_element_larger_than_its_scroller_is_whole(
    agent: Agent, width: int, height: int, scale: Any
) -> None:
    inside = figure(f"position: relative; width: {width}px; height: {height}px; margin: 700px 33px")
    await agent.open(
        START + "<div style='height: 2000px'></div><section style='width: 400px; height: 300px; "
        f"overflow: auto; border: 7px solid; padding: 9px'>{inside}</section>"
    )
    await agent.run("document.querySelector('section').scrollTo(0, 55)")
    check_whole(await take_screenshot(agent, scale=scale), width, height)
    assert await scrolled(agent) == [0, 0, [0, 55]]


async def test_an_element_in_scrollers_in_scrollers_is_whole(agent: Agent) -> None:
    inside = figure("position: relative; width: 700px; height: 800px; margin: 500px")
    inner = f"<section style='width: 350px; height: 600px; overflow: auto'>{inside}</section>"
    await agent.open(
        START
        + "<div style='height: 2000px'></div>"
        + f"<section style='width: 300px; height: 200px; overflow: scroll'>{inner}</section>"
    )
    check_whole(await take_screenshot(agent), 700, 800)
    assert await scrolled(agent) == [0, 0, [0, 0], [0, 0]]


@pytest.mark.parametrize("off", [0.44, 0.5, 0.7])
async def test_pieces_between_pixels_meet_without_a_seam(agent: Agent, off: float) -> None:
    inside = figure("position: relative; width: 500px; height: 1000px; margin: 5.3px")
    await agent.open(
        f"{START}<section style='width: 300px; height: 200px; overflow: auto; margin: {off}px; "
        f"border: 3px solid black'>{inside}</section>"
    )
    look = await take_screenshot(agent)
    for x in range(20, 480):
        assert look.at(x, 500) == RED
    for y in range(20, 980):
        assert look.at(250, y) == RED


async def test_device_pixels_of_pieces_are_joined(agent: Agent) -> None:
    inside = figure("position: relative; width: 200px; height: 900px")
    await agent.open(
        f"{START}<section style='width: 300px; height: 200px; overflow: auto'>{inside}</section>"
    )
    await services_of(agent.page).session.Emulation.setDeviceMetricsOverride(
        width=800, height=600, deviceScaleFactor=2, mobile=False
    )
    look = await take_screenshot(agent, scale="device")
    assert look.shot.size == (400, 1800)
    assert look.shot.pixel_ratio == 2
    assert look.box(BLUE) == (0, 0, 20, 20)
    assert look.box(GREEN) == (380, 1780, 400, 1800)
    assert look.at(200, 900) == RED


@pytest.mark.parametrize("image_type", ["jpeg", "webp"])
async def test_joined_pieces_have_the_requested_type(agent: Agent, image_type: Any) -> None:
    inside = figure("position: relative; width: 200px; height: 900px")
    await agent.open(
        f"{START}<section style='width: 300px; height: 200px; overflow: auto'>{inside}</section>"
    )
    look = await take_screenshot(agent, image_type=image_type)
    assert (look.format, look.shot.size) == (image_type.upper(), (200, 900))


@pytest.mark.parametrize(("width", "height"), [(100, 80), (150, 1500)])
@pytest.mark.parametrize("is_elsewhere", [False, True], ids=["srcdoc", "other site"])
async def test_an_element_in_a_frame_is_whole(
    agent: Agent, site: Site, width: int, height: int, is_elsewhere: bool
) -> None:
    style = f"position: absolute; left: 20px; top: 900px; width: {width}px; height: {height}px"
    inner = START + figure(style) + "<div style='height: 4000px'></div>"
    frame = framed(inner, "margin: 1500px 30px; width: 300px; height: 200px; padding: 13px")
    if is_elsewhere:
        url = site.page(inner).replace("localhost", "127.0.0.1")
        frame = (
            f"<iframe title=In src={url} style='margin: 1500px 30px; width: 300px; height: 200px; "
            "border: 3px solid'></iframe>"
        )
    await agent.go(site.page(START + frame))
    look = await take_screenshot(agent)
    check_whole(look, width, height)
    assert await scrolled(agent) == [0, 0]
    edge = 3 if is_elsewhere else 13
    assert look.origin == [50 + edge, 2400 + edge]


async def test_an_element_in_frames_in_frames_is_whole(agent: Agent) -> None:
    inmost = START + figure("position: absolute; top: 500px; width: 90px; height: 700px")
    inner = START + "<p style='height: 400px'></p>" + framed(inmost, "width: 200px; height: 150px")
    await agent.open(START + framed(inner, "margin-top: 900px; width: 250px; height: 120px"))
    check_whole(await take_screenshot(agent), 90, 700)


@pytest.mark.parametrize("mode", ["open", "closed"])
async def test_an_element_in_a_shadow_root_is_whole(agent: Agent, mode: str) -> None:
    inside = figure("position: relative; width: 100px; height: 900px")
    await agent.open(
        f"{START}<div style='margin-top: 2000px'><template shadowrootmode={mode}>"
        f"<div style='height: 200px; overflow: auto'>{inside}</div></template></div>"
    )
    check_whole(await take_screenshot(agent), 100, 900)


async def test_a_turned_element_is_in_the_box_around_it(agent: Agent) -> None:
    await agent.open(
        START
        + figure(
            "position: absolute; left: 100px; top: 100px; width: 100px; height: 50px; rotate: 90deg"
        )
    )
    look = await take_screenshot(agent)
    assert look.shot.size == (50, 100)
    assert look.origin == [125, 75]
    assert look.at(45, 5) == BLUE
    assert look.at(5, 95) == GREEN


async def test_a_scaled_scroller_is_captured_in_pieces(agent: Agent) -> None:
    inside = figure("position: relative; width: 200px; height: 900px")
    await agent.open(
        f"{START}<section style='width: 300px; height: 200px; overflow: auto; scale: 0.5; "
        f"transform-origin: 0 0'>{inside}</section>"
    )
    look = await take_screenshot(agent)
    assert look.shot.size == (100, 450)
    assert look.at(2, 2) == BLUE
    assert look.at(97, 447) == GREEN
    assert look.column(50, *range(10, 440, 10)) == [RED] * 43


async def test_fractions_of_pixels_are_enclosed(agent: Agent) -> None:
    style = "position: absolute; left: 20.4px; top: 30.6px; width: 50.3px; height: 40.7px"
    await agent.open(START + figure(style))
    look = await take_screenshot(agent)
    assert look.shot.size == (51, 42)
    assert look.origin == [20, 30]
    assert look.at(5, 5) == BLUE


async def test_a_part_that_cannot_be_scrolled_to_is_missing_and_the_reply_says_so(
    agent: Agent,
) -> None:
    inside = figure("position: relative; left: -20px; width: 300px; height: 500px")
    await agent.open(
        f"{START}<div style='margin: 50px; width: 200px; height: 100px; overflow: hidden'>"
        f"{inside}</div>"
    )
    look = await take_screenshot(agent)
    assert look.shot.size == (200, 100)
    assert look.origin == [50, 50]
    assert look.image.getcolors() == [(20_000, RED)]
    assert look.shot.note == (
        "200x100 of its 300x500 CSS pixels are visible; its containers clip the rest"
    )


async def test_a_list_in_a_clipped_frame_is_captured_in_pieces(agent: Agent) -> None:
    inside = figure("position: relative; width: 100px; height: 900px")
    await agent.open(
        f"{START}<div style='height: 120px; overflow: hidden'>"
        f"<section style='width: 300px; height: 200px; overflow: auto'>{inside}</section></div>"
    )
    look = await take_screenshot(agent)
    assert look.shot.size[0] == 100
    assert look.box(BLUE) == (0, 0, 10, 10)
    assert look.shot.size[1] >= 820
    assert look.column(50, *range(20, 800, 10)) == [RED] * 78


@pytest.mark.parametrize(
    ("style", "expected"),
    [
        ("width: 0; height: 0", "its box has no size"),
        ("display: none", "not visible"),
        ("visibility: hidden", "not visible"),
    ],
)
async def test_an_element_that_is_not_drawn_is_refused(
    agent: Agent, style: str, expected: str
) -> None:
    await agent.open(START + "<button id=it style='padding: 0; border: 0'>x</button>")
    element = await agent.find("button")
    await agent.run(
        f"it.style = 'padding: 0; border: 0; overflow: hidden; {style}'; it.textContent = ''"
    )
    with pytest.raises(ElementError) as error:
        await agent.page.capture.screenshot(element=element)
    assert expected in str(error.value)


async def test_an_element_that_is_clipped_completely_is_refused(agent: Agent) -> None:
    await agent.open(START + "<div id=around><button>Go</button></div>")
    element = await agent.find("button")
    await agent.run("around.style = 'height: 0; overflow: hidden'")
    with pytest.raises(ElementNotVisibleError, match="containers clip it"):
        await agent.page.capture.screenshot(element=element)


async def test_an_element_outside_the_page_is_refused(agent: Agent) -> None:
    await agent.open(START + "<button id=it>Go</button>")
    element = await agent.find("button")
    await agent.run("it.style = 'position: absolute; left: -500px'")
    with pytest.raises(ElementNotVisibleError, match="outside the page"):
        await agent.page.capture.screenshot(element=element)


async def test_an_element_without_a_box_is_captured_at_its_content(agent: Agent) -> None:
    await agent.open(
        START + "<a href=/x style='display: contents'><b style='display: block; width: 60px; "
        "height: 40px; background: red'>.</b></a>"
    )
    assert (await take_screenshot(agent, "link")).shot.size == (60, 40)


async def test_a_fixed_bar_does_not_cover_the_element(agent: Agent) -> None:
    await agent.open(
        START + BAR + figure("position: absolute; top: 3000px; width: 300px; height: 500px")
    )
    look = await take_screenshot(agent)
    check_whole(look, 300, 500)
    assert look.box(BLACK) is None
    assert look.box(WHITE) is None
