"""Pictures of the viewport and of the whole page are correct pixel by pixel."""

from __future__ import annotations

import json
from typing import Any

import pytest

from cdp_protocol import Connection
from tests.browser.conftest import OpenPage
from tests.browser.inside import services_of
from tests.browser.page.agent import Agent
from tests.browser.page.capture.pixels import BLACK, BLUE, GREEN, RED, WHITE, Look
from viewpoint_mcp.errors import PageError

HEARS = """<script>
heard = [];
const hear = event => heard.push(event.type + ' ' + innerWidth + 'x' + innerHeight);
addEventListener('resize', hear);
visualViewport.addEventListener('resize', hear);
</script>"""

FAR = """<!DOCTYPE html><body style="margin: 0; width: 2000px; height: 3000px; position: relative">
<div style="position: absolute; left: 100px; top: 50px; width: 30px; height: 20px;
background: rgb(255,0,0)"></div>
<div style="position: absolute; left: 1500px; top: 2500px; width: 30px; height: 20px;
background: rgb(0,0,255)"></div>"""


def stripes(height: int, each: int = 1000) -> str:
    """Return a page of that height with stripes, each in another colour, so that the colour gives
    the position.
    """
    rows = "".join(
        f'<div style="height: {min(each, height - top)}px; background: '
        f'rgb({top // each}, {255 - top // each}, 0)"></div>'
        for top in range(0, height, each)
    )
    return f'<!DOCTYPE html><body style="margin: 0">{rows}'


async def take_screenshot(agent: Agent, **how: Any) -> Look:
    return Look(await agent.page.capture.screenshot(**how))


async def emulate(agent: Agent, scale: float, *, mobile: bool = False) -> None:
    await services_of(agent.page).session.Emulation.setDeviceMetricsOverride(
        width=400, height=300, deviceScaleFactor=scale, mobile=mobile
    )


async def test_the_viewport_is_shown(agent: Agent) -> None:
    await agent.open(FAR)
    look = await take_screenshot(agent)
    assert look.shot.size == look.shot.viewport_size == (800, 600)
    assert (look.origin, look.shot.pixel_ratio) == ([0, 0], 1)
    assert look.box(RED) == (100, 50, 130, 70)


async def test_the_viewport_of_a_scrolled_page_is_shown(agent: Agent) -> None:
    await agent.open(FAR)
    await agent.run("scrollTo(1200, 2400)")
    look = await take_screenshot(agent)
    assert look.origin == [0, 0]
    assert look.box(BLUE) == (300, 100, 330, 120)
    assert look.box(RED) is None


@pytest.mark.parametrize("scale", [2, 1.5, 0.5, 2.625])
@pytest.mark.parametrize("is_mobile", [False, True], ids=["desktop", "mobile"])
async def test_css_pixels_and_device_pixels_give_different_sizes(
    agent: Agent, scale: float, is_mobile: bool
) -> None:
    await agent.open("<meta name=viewport content='width=400, minimum-scale=1'>" + FAR)
    await emulate(agent, scale, mobile=is_mobile)
    in_css = await take_screenshot(agent)
    assert in_css.shot.size == in_css.shot.viewport_size == (400, 300)
    assert in_css.shot.pixel_ratio == 1
    assert in_css.box(RED) == (100, 50, 130, 70)
    in_device = await take_screenshot(agent, scale="device")
    assert in_device.shot.size == (int(400 * scale), int(300 * scale + 0.5))
    assert in_device.shot.pixel_ratio == scale
    assert in_device.at(115 * scale, 60 * scale) == RED
    assert in_device.at(97 * scale, 60 * scale) == WHITE


async def test_a_page_zoomed_by_fingers_is_shown_as_it_is(agent: Agent) -> None:
    await agent.open("<meta name=viewport content='width=400, minimum-scale=1'>" + FAR)
    await emulate(agent, 2, mobile=True)
    await services_of(agent.page).session.Emulation.setPageScaleFactor(pageScaleFactor=2)
    look = await take_screenshot(agent)
    left, top = look.origin
    assert look.shot.size == (200, 150)
    assert look.box(RED) == (100 - left, 50 - top, 130 - left, 70 - top)
    look = await take_screenshot(agent, scale="device")
    assert look.shot.size == (800, 600)
    assert look.shot.pixel_ratio == 4
    assert look.at((115 - left) * 4, (60 - top) * 4) == RED


@pytest.mark.parametrize("image_type", ["png", "jpeg", "webp"])
@pytest.mark.parametrize("full_page", [False, True], ids=["viewport", "full page"])
async def test_each_type_has_the_right_file_format(
    agent: Agent, image_type: Any, full_page: bool
) -> None:
    await agent.open(stripes(9000))
    look = await take_screenshot(agent, image_type=image_type, full_page=full_page)
    assert look.format == image_type.upper()
    assert look.shot.size == ((800, 9000) if full_page else (800, 600))
    red, green, blue = look.at(400, look.shot.size[1] - 5)
    stripe = 8 if full_page else 0
    assert abs(red - stripe) < 4
    assert abs(green - (255 - stripe)) < 4
    assert blue < 4


async def test_the_whole_page_is_shown_wherever_it_is_scrolled(agent: Agent) -> None:
    await agent.open(FAR)
    await agent.run("scrollTo({left: 900, top: 1700, behavior: 'instant'})")
    look = await take_screenshot(agent, full_page=True)
    assert look.shot.size == (2000, 3000)
    assert look.origin == [-900, -1700]
    assert look.box(RED) == (100, 50, 130, 70)
    assert look.box(BLUE) == (1500, 2500, 1530, 2520)
    assert json.loads(await agent.run("JSON.stringify([scrollX, scrollY])") or "") == [900, 1700]


@pytest.mark.prove
@pytest.mark.parametrize("scale", ["css", "device"])
async def test_a_page_of_50000_pixels_is_right_to_its_last_row(agent: Agent, scale: Any) -> None:
    await agent.open(stripes(50_000))
    look = await take_screenshot(agent, full_page=True, scale=scale)
    assert look.shot.size == (800, 50_000)
    for top in range(50):
        expected = (top, 255 - top, 0)
        assert look.column(400, top * 1000, top * 1000 + 999) == [expected, expected]


async def test_tiles_meet_without_a_seam(agent: Agent) -> None:
    """Every row of the page has another colour, and noise makes the rows unlike each other in every
    filter.
    """
    await agent.open(
        "<!DOCTYPE html><body style='margin: 0'><div id=all style='height: 17000px'></div><script>"
        "for (let top = 0; top < 17000; top += 1000) {"
        "  const canvas = document.createElement('canvas');"
        "  canvas.width = 40; canvas.height = 1000; canvas.style.display = 'block';"
        "  const image = new ImageData(40, 1000);"
        "  for (let i = 0; i < image.data.length; i += 4) {"
        "    const [x, y] = [i / 4 % 40, top + Math.floor(i / 160)];"
        "    image.data.set([y % 256, Math.floor(y / 256), x * 37 * y % 256, 255], i); }"
        "  canvas.getContext('2d').putImageData(image, 0, 0); all.append(canvas); }</script>"
    )
    look = await take_screenshot(agent, full_page=True)
    for y in [*range(0, 17000, 97), *range(4080, 4110), *range(8180, 8200), 16999]:
        assert [look.at(x, y) for x in (0, 39)] == [
            (y % 256, y // 256, 0),
            (y % 256, y // 256, 39 * 37 * y % 256),
        ]


async def test_a_page_wider_than_any_texture_is_shown(agent: Agent) -> None:
    await agent.open(
        "<!DOCTYPE html><body style='margin: 0'><div style='height: 100px; width: 20000px; "
        "background: linear-gradient(to right, red 9000px, blue 9000px, "
        "blue 19990px, lime 19990px)'>"
    )
    look = await take_screenshot(agent, full_page=True)
    assert look.shot.size == (20_000, 600)
    assert [look.at(x, 99) for x in (0, 8999, 9001, 19_989, 19_991)] == [
        *(RED, RED, BLUE, BLUE),
        GREEN,
    ]


async def test_tiles_of_device_pixels_meet_as_well(agent: Agent) -> None:
    await agent.open(stripes(7000))
    await emulate(agent, 1.5)
    look = await take_screenshot(agent, full_page=True, scale="device")
    assert look.shot.size == (600, 10_500)
    for top in range(7):
        expected = (top, 255 - top, 0)
        assert look.column(300, top * 1500, top * 1500 + 1499) == [expected, expected]


BARS = """<!DOCTYPE html><body style="margin: 0">
<div style="position: fixed; left: 0; top: 0; width: 100px; height: 40px; background: red"></div>
<div style="height: 100vh; background: lime"></div>
<div style="position: sticky; left: 0; top: 0; width: 100px; height: 40px; margin-left: 200px;
background: blue"></div><div style="height: 20000px"></div>"""


@pytest.mark.parametrize("scrolled", [0, 5000])
async def test_fixed_bars_are_shown_once_and_at_their_position(agent: Agent, scrolled: int) -> None:
    await agent.open(BARS)
    await agent.run(f"scrollTo(0, {scrolled})")
    look = await take_screenshot(agent, full_page=True)
    assert look.box(RED) == (0, 0, 100, 40)
    assert look.box(BLUE) == (200, 600, 300, 640)
    assert look.box(GREEN) == (0, 0, 800, 600)
    assert await agent.run("scrollY") == str(scrolled)


async def test_a_page_that_scrolls_to_the_left_is_shown_from_its_left_end(agent: Agent) -> None:
    await agent.open(
        "<!DOCTYPE html><html dir=rtl><body style='margin: 0'><div style='width: 3000px; "
        "height: 900px; background: linear-gradient(to right, red 50px, white 50px, white 2950px, "
        "blue 2950px)'>"
    )
    look = await take_screenshot(agent, full_page=True)
    assert look.shot.size == (3000, 900)
    assert look.origin == [-2200, 0]
    assert (look.at(5, 5), look.at(1500, 5), look.at(2990, 895)) == (RED, WHITE, BLUE)
    await agent.run("scrollTo(-2200, 100)")
    look = await take_screenshot(agent, full_page=True)
    assert look.origin == [0, -100]
    assert (look.at(5, 5), look.at(2990, 895)) == (RED, BLUE)
    assert (await take_screenshot(agent)).at(5, 5) == RED
    assert await agent.run("scrollX") == "-2200"


async def test_the_page_does_not_notice_a_larger_window(agent: Agent) -> None:
    await agent.load(HEARS + BARS + "<input autofocus>")
    await agent.run("scrollTo(0, 3000)")
    await agent.run("void (heard.length = 0)")
    for _ in range(3):
        await agent.page.capture.screenshot(full_page=True)
    # Its frames up to now have been drawn, and their events are in.
    drawn = "() => new Promise(done => setTimeout(() => requestAnimationFrame(done), 300))"
    await agent.page.evaluate(drawn)
    assert await agent.run("JSON.stringify(heard)") == "[]"
    assert await agent.run("document.activeElement.localName") == "input"


async def test_a_resize_right_after_a_screenshot_reaches_the_page(agent: Agent) -> None:
    await agent.open(HEARS + BARS)
    await agent.page.capture.screenshot(full_page=True)
    await agent.page.emulation.resize_viewport(640, 480)
    await agent.page.evaluate("() => new Promise(done => requestAnimationFrame(done))")
    assert "resize 640x480" in (await agent.run("JSON.stringify(heard)") or "")


async def test_the_element_under_the_mouse_stays_hovered(agent: Agent) -> None:
    await agent.open(
        f"{FAR}<style>button:hover {{ background: lime }}</style><button>Menu</button><script>"
        "left = 0; document.querySelector('button').onmouseleave = () => left += 1</script>"
    )
    await agent.hover('button "Menu"')
    for how in ({"full_page": True}, {}):
        assert (await take_screenshot(agent, **how)).box(GREEN) is not None
    assert await agent.run("left") == "0"
    assert await agent.run("document.querySelector('button').matches(':hover')") == "true"


async def test_a_page_whose_inner_element_scrolls_is_its_viewport(agent: Agent) -> None:
    await agent.open(
        "<!DOCTYPE html><body style='margin: 0'><main style='height: 100vh; overflow: auto'>"
        "<div style='height: 5000px; background: red'></div></main>"
    )
    assert (await take_screenshot(agent, full_page=True)).shot.size == (800, 600)


@pytest.mark.parametrize(
    ("image_type", "height", "expected"),
    [
        ("webp", 20_000, "webp allows 16,383 per side. Use type png"),
        ("jpeg", 70_000, "jpeg allows 65,535 per side. Use type png"),
        ("png", 300_000, "800 x 300,000 pixels; the maximum is 200,000,000."),
    ],
)
async def test_a_picture_too_large_is_refused(
    agent: Agent, image_type: Any, height: int, expected: str
) -> None:
    await agent.open(f"<!DOCTYPE html><body style='margin: 0; height: {height}px'>")
    with pytest.raises(PageError) as error:
        await agent.page.capture.screenshot(full_page=True, image_type=image_type)
    assert expected in str(error.value)


async def test_a_blank_page_is_white(agent: Agent) -> None:
    look = await take_screenshot(agent)
    assert look.box(WHITE) == (0, 0, 800, 600)
    assert (await take_screenshot(agent, full_page=True)).shot.size == (800, 600)


async def test_a_page_with_an_endless_animation_is_captured(agent: Agent) -> None:
    await agent.open(
        "<style>@keyframes turn { to { rotate: 360deg } } p { animation: turn 1s infinite }"
        "</style><p>x</p><script>const tick = () => requestAnimationFrame(tick); tick()</script>"
        + FAR
    )
    assert (await take_screenshot(agent)).box(RED) is not None
    assert (await take_screenshot(agent, full_page=True)).box(BLUE) == (1500, 2500, 1530, 2520)


async def test_a_picture_document_is_shown(agent: Agent) -> None:
    svg = "%3Csvg xmlns='http://www.w3.org/2000/svg' width='90' height='2000'%3E%3Crect width='90' height='2000' fill='red'/%3E%3C/svg%3E"  # noqa: E501
    await agent.page.navigate("data:image/svg+xml," + svg)
    assert (await take_screenshot(agent)).at(5, 5) == RED
    assert (await take_screenshot(agent, full_page=True)).at(5, 1995) == RED


async def test_frames_of_other_sites_are_in_the_picture(agent: Agent, site: Any) -> None:
    inner = site.page("<body style='background: red'>").replace("localhost", "127.0.0.1")
    await agent.go(
        site.page(
            "<!DOCTYPE html><body style='margin: 0'><div style='height: 3000px'></div><iframe "
            f"src={inner} style='border: 0; width: 200px; height: 100px; display: block'></iframe>"
        )
    )
    assert (await take_screenshot(agent, full_page=True)).box(RED) == (0, 3000, 200, 3100)


@pytest.mark.timing
@pytest.mark.prove
async def test_a_tab_behind_another_is_shown(open_page: OpenPage) -> None:
    behind, front = Agent(await open_page()), Agent(await open_page())
    await behind.open(FAR)
    await services_of(front.page).session.Page.bringToFront()
    assert (await take_screenshot(behind)).box(RED) == (100, 50, 130, 70)
    assert (await take_screenshot(behind, full_page=True)).box(BLUE) == (1500, 2500, 1530, 2520)
    assert await front.run("document.visibilityState") == "visible"


async def test_black_stays_black(agent: Agent, connection: Connection) -> None:
    await agent.open("<body style='background: black'>")
    assert (await take_screenshot(agent)).box(BLACK) == (0, 0, 800, 600)
