"""Marked pictures: the boxes lie where the elements are seen, and nothing else has one."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest
from PIL import Image

from tests.browser.conftest import OpenPage
from tests.browser.inside import services_of
from tests.browser.page.agent import Agent
from tests.browser.page.snapshot.test_frame_kinds import elsewhere
from tests.e2e.support.processes import wait_until
from tests.site import Site
from viewpoint_mcp.accessibility.known.tree_index import TreeIndex
from viewpoint_mcp.accessibility.tree import Node
from viewpoint_mcp.config.settings import Timeouts
from viewpoint_mcp.errors import ModalOpenError
from viewpoint_mcp.imaging.marking import choose_colour
from viewpoint_mcp.page.capture.marked_screenshot import MarkedScreenshot
from viewpoint_mcp.page.page import Page

LINE = 29  # CSS pixels of a colour in a line: no label is that large
Rect = tuple[float, float, float, float]

BUTTON = "position:absolute;box-sizing:border-box;margin:0;border:1px solid #555;background:#eee"


def button_at(name: str, left: int, top: int, width: int = 120, height: int = 60) -> str:
    """A button at that place."""
    at = f"left:{left}px;top:{top}px;width:{width}px;height:{height}px"
    return f"<button style='{BUTTON};{at}'>{name}</button>"


def names(taken: MarkedScreenshot) -> list[str]:
    return [node.name for node in taken.marked_nodes]


def node_called(taken: MarkedScreenshot, name: str) -> Node:
    return next(node for node in taken.marked_nodes if node.name == name)


def picture(taken: MarkedScreenshot) -> Image.Image:
    image = Image.open(io.BytesIO(taken.screenshot.data)).convert("RGB")
    assert image.size == taken.screenshot.size
    return image


def box_of(taken: MarkedScreenshot, name: str) -> Rect:
    """Return the box drawn for the element, in CSS pixels of the page's viewport. Lines of its
    colour enclose the box.
    """
    image, colour = picture(taken), choose_colour(node_called(taken, name).ref)
    own = Image.frombytes("L", image.size, bytes(255 * (each == colour) for each in pixels(image)))
    (left, top), scale = taken.screenshot.origin, taken.screenshot.pixel_ratio
    columns = [x for x in range(image.width) if longest(own, x=x) >= LINE * scale]
    rows = [y for y in range(image.height) if longest(own, y=y) >= LINE * scale]
    assert columns, f"{name} has no box"
    return (
        (columns[0] + 1) / scale + left,
        (rows[0] + 1) / scale + top,
        columns[-1] / scale + left,
        rows[-1] / scale + top,
    )


def pixels(image: Image.Image) -> list[tuple[int, ...]]:
    data = image.tobytes()
    return list(zip(data[::3], data[1::3], data[2::3], strict=True))


def longest(own: Image.Image, *, x: int | None = None, y: int = 0) -> int:
    """Return the length of the longest line in a column or a row."""
    box = (0, y, own.width, y + 1) if x is None else (x, 0, x + 1, own.height)
    return max(map(len, own.crop(box).tobytes().split(b"\0")))


async def rect(page: Page, expression: str) -> Rect:
    """Return where an element is, in CSS pixels of its frame's viewport."""
    source = f"(() => {{ const r = ({expression}).getBoundingClientRect();"
    value = await page.evaluate(source + "return [r.left, r.top, r.right, r.bottom] })()")
    assert value is not None
    left, top, right, bottom = json.loads(value)
    return left, top, right, bottom


def close(rect: Rect, by: float = 1.0) -> Any:
    return pytest.approx(rect, abs=by)


async def test_a_box_follows_the_edges_of_its_element(agent: Agent) -> None:
    await agent.open(
        f"<body style='margin:0'>{button_at('One', 100, 80)}{button_at('Two', 300, 200)}"
    )
    screenshot = await agent.page.capture.marked_screenshot()
    assert names(screenshot) == ["One", "Two"]
    assert box_of(screenshot, "One") == close((100, 80, 220, 140))
    assert box_of(screenshot, "Two") == close((300, 200, 420, 260))
    assert (screenshot.ref_count, screenshot.is_moving) == (2, False)


@pytest.mark.parametrize("image_type", ["jpeg", "webp"])
async def test_lossy_pictures_are_marked_in_their_own_type(agent: Agent, image_type: Any) -> None:
    await agent.open(f"<body style='margin:0'>{button_at('One', 100, 80)}")
    screenshot = await agent.page.capture.marked_screenshot(image_type=image_type)
    image = Image.open(io.BytesIO(screenshot.screenshot.data))
    assert (image.format, image.size) == (image_type.upper(), (800, 600))
    pixel = image.convert("RGB").getpixel((100, 110))
    assert pixel == pytest.approx(choose_colour(screenshot.marked_nodes[0].ref), abs=60)


async def test_a_picture_of_a_scrolled_page_marks_only_the_elements_in_view(
    agent: Agent,
) -> None:
    html = "".join(button_at(f"At {top}", 50, top) for top in (20, 700, 1000, 1900))
    await agent.open(f"<body style='margin:0;height:3000px'>{html}")
    await agent.run("scrollTo(0, 600)")
    screenshot = await agent.page.capture.marked_screenshot()
    assert names(screenshot) == ["At 700", "At 1000"]
    assert box_of(screenshot, "At 700") == close((50, 100, 170, 160))


async def test_a_picture_of_the_whole_page_also_marks_elements_outside_the_view(
    agent: Agent,
) -> None:
    html = "".join(button_at(f"At {top}", 50, top) for top in (20, 700, 1900))
    await agent.open(
        f"<body style='margin:0;height:3000px'>{html}<div style='position:fixed;left:250px;top:0;"
        f"width:400px;height:100px'>{button_at('Stays', 50, 10)}</div>"
    )
    await agent.run("scrollTo(0, 600)")
    screenshot = await agent.page.capture.marked_screenshot(full_page=True)
    assert names(screenshot) == ["At 20", "Stays", "At 700", "At 1900"]
    assert box_of(screenshot, "At 20") == close((50, -580, 170, -520))
    assert box_of(screenshot, "At 1900") == close((50, 1300, 170, 1360))
    assert box_of(screenshot, "Stays") == close((300, -590, 420, -530))
    assert await agent.run("scrollY") == "600"


async def test_a_picture_of_an_element_has_marks_within_it(agent: Agent) -> None:
    await agent.open(
        f"<body style='margin:0;height:3000px'>{button_at('Beside', 500, 1500)}"
        f"<div id=part style='position:absolute;left:40px;top:1480px;width:300px;height:1200px'>"
        f"{button_at('First', 30, 20)}{button_at('Last', 30, 1100)}</div>"
    )
    element = await agent.page.find_element("#part")
    screenshot = await agent.page.capture.marked_screenshot(element=element)
    assert screenshot.screenshot.size == (300, 1200)
    assert names(screenshot) == ["First", "Last"]
    for name in ("First", "Last"):
        at = await rect(agent.page, f"[...document.all].find(e => e.textContent === '{name}')")
        assert box_of(screenshot, name) == close(at)


@pytest.mark.parametrize("is_away", [False, True])
async def test_in_frames_boxes_lie_where_the_page_shows_them(
    agent: Agent, site: Site, is_away: bool
) -> None:
    inner = site.page(
        f"<body style='margin:0;height:2000px'>{button_at('Above', 10, 10)}"
        f"{button_at('In', 20, 330)}{button_at('Cut', 200, 480)}{button_at('Below', 10, 900)}"
        "<script>scrollTo(0, 300)</script>"
    )
    url = elsewhere(inner) if is_away else inner
    await agent.go(
        site.page(
            "<body style='margin:0;height:2000px'><iframe style='position:absolute;left:100px;"
            "top:250px;width:400px;height:210px;border:10px solid #999;padding:5px 0 0 20px' "
            f"src='{url}'></iframe>"
        )
    )
    await agent.run("scrollTo(0, 100)")
    screenshot = await agent.page.capture.marked_screenshot()
    assert [name for name in names(screenshot) if name] == ["In", "Cut"]
    # 100 + 10 + 20 + 20 to the right; 250 - 100 + 10 + 5 + 30 down
    assert box_of(screenshot, "In") == close((150, 195, 270, 255))
    assert box_of(screenshot, "Cut") == close((330, 345, 450, 375))


async def test_frames_in_frames_and_scaled_ones_are_mapped(agent: Agent, site: Site) -> None:
    innermost = site.page(f"<body style='margin:0'>{button_at('In', 20, 10)}")
    middle = site.page(
        "<body style='margin:0'><iframe style='position:absolute;left:30px;top:40px;width:300px;"
        f"height:200px;border:0' src='{elsewhere(innermost)}'></iframe>"
    )
    await agent.go(
        site.page(
            "<body style='margin:0'><iframe style='position:absolute;left:100px;top:50px;"
            "width:500px;height:400px;border:0;transform:scale(.5);transform-origin:0 0' "
            f"src='{middle}'></iframe>"
        )
    )
    screenshot = await agent.page.capture.marked_screenshot()
    assert box_of(screenshot, "In") == close((125, 75, 185, 105))


async def test_an_element_that_is_not_visible_has_no_mark(agent: Agent) -> None:
    await agent.open(
        f"<body style='margin:0'>{button_at('Seen', 10, 10)}"
        f"<div style='position:absolute;left:200px;top:10px;width:150px;height:70px;overflow:auto'>"
        f"{button_at('Scrolled away', 0, 400)}</div>"
        f"<div style='visibility:hidden'>{button_at('Hidden', 400, 10)}</div>"
        f"<div style='opacity:0'>{button_at('Transparent', 400, 100)}</div>"
        f"{button_at('Covered', 10, 200)}{button_at('Beyond', 5000, 10)}"
        "<div style='position:absolute;left:0;top:190px;width:300px;height:90px;background:#fff'>"
    )
    screenshot = await agent.page.capture.marked_screenshot()
    assert names(screenshot) == ["Seen"]
    assert screenshot.ref_count >= 4


async def test_behind_a_backdrop_nothing_is_marked(agent: Agent) -> None:
    await agent.open(
        f"<body style='margin:0'>{button_at('Behind', 10, 10)}"
        "<div style='position:fixed;inset:0;background:#0008'></div>"
        f"<div style='position:fixed;left:200px;top:200px'>{button_at('Over', 0, 0)}</div>"
    )
    screenshot = await agent.page.capture.marked_screenshot()
    assert names(screenshot) == ["Over"]


async def test_a_covering_element_in_the_page_hides_an_element_in_a_frame(
    agent: Agent, site: Site
) -> None:
    inner = site.page(
        f"<body style='margin:0'>{button_at('Covered', 10, 10)}{button_at('Free', 10, 150)}"
    )
    cover = "position:absolute;left:0;top:0;width:500px;height:100px;background:#fff"
    frame = f"<iframe src='{elsewhere(inner)}' width=400 height=300></iframe>"
    await agent.go(site.page(f"<body style='margin:0'>{frame}<div style='{cover}'>"))
    screenshot = await agent.page.capture.marked_screenshot()
    assert [name for name in names(screenshot) if name] == ["Free"]


async def test_a_box_ends_where_a_scroller_or_a_header_cuts_the_element_off(agent: Agent) -> None:
    await agent.open(
        f"<body style='margin:0;height:2000px'>{button_at('Half', 100, 90, 120, 100)}"
        "<div style='position:fixed;left:0;top:0;width:100%;height:120px;background:#ddd'></div>"
        "<div id=s style='position:absolute;left:300px;top:300px;width:150px;height:100px;"
        f"overflow:auto'>{button_at('Cut', 10, 60, 120, 100)}</div>"
    )
    screenshot = await agent.page.capture.marked_screenshot()
    assert box_of(screenshot, "Half") == close((100, 120, 220, 190), 2)
    assert box_of(screenshot, "Cut") == close((310, 360, 430, 400))


async def test_a_link_over_two_lines_and_one_around_a_picture_are_outlined_as_they_are_seen(
    agent: Agent,
) -> None:
    await agent.open(
        "<body style='margin:0;font:16px/30px monospace'><p style='width:300px;margin:60px'>"
        "Some words here and <a href=/a>a link that is broken</a> and more.</p>"
        "<p style='margin:60px'><a href=/b aria-label=Picture><svg width=90 height=70>"
        "<rect width=90 height=70 fill=#ccc /></svg></a>"
    )
    screenshot = await agent.page.capture.marked_screenshot()
    around = await rect(agent.page, "document.querySelector('svg')")
    left, top, right, bottom = box_of(screenshot, "Picture")
    assert (left, top, right) == close(around[:3], 2)  # type: ignore[arg-type]
    assert bottom >= around[3] - 2
    text = await agent.run("[...document.querySelector('a').getClientRects()].map(r => r.top)")
    assert text is not None
    tops = json.loads(text)
    assert len(tops) == 2
    image, colour = (
        picture(screenshot),
        choose_colour(node_called(screenshot, "a link that is broken").ref),
    )
    rows = [image.crop((0, round(top), 800, round(top) + 1)) for top in tops]
    assert all(pixels(row).count(colour) >= 30 for row in rows)


async def test_a_page_that_moves_once_is_captured_again_until_the_boxes_match(agent: Agent) -> None:
    await agent.open(
        f"<body style='margin:0;height:2000px'>{button_at('Mover', 100, 100)}<script>"
        "onresize = () => { document.querySelector('button').style.top = '700px' }</script>"
    )
    # A picture of the whole page makes Chromium resize it.
    screenshot = await agent.page.capture.marked_screenshot(full_page=True)
    assert not screenshot.is_moving
    at = await rect(agent.page, "document.querySelector('button')")
    assert box_of(screenshot, "Mover") == close(at)


async def test_a_page_that_always_moves_is_still_captured_and_the_reply_says_so(
    agent: Agent,
) -> None:
    await agent.open(
        f"<body style='margin:0'>{button_at('Runner', 100, 100)}<script>let n = 0;"
        "(function run() { document.querySelector('button').style.left = `${n++ % 400}px`;"
        "requestAnimationFrame(run) })()</script>"
    )
    screenshot = await agent.page.capture.marked_screenshot()
    assert screenshot.is_moving
    assert names(screenshot) == ["Runner"]


async def test_a_blank_page_has_no_marks_and_its_picture_is_as_it_is(agent: Agent) -> None:
    await agent.open("<body>")
    screenshot = await agent.page.capture.marked_screenshot()
    assert (list(screenshot.marked_nodes), screenshot.ref_count) == ([], 0)
    assert picture(screenshot).getcolors() == [(800 * 600, (255, 255, 255))]


async def test_the_page_is_not_touched(agent: Agent) -> None:
    await agent.open(f"<body style='margin:0'>{button_at('One', 10, 10)}")
    await agent.run(
        "window.seen = 0; new MutationObserver(r => seen += r.length).observe(document,"
        "{subtree: true, childList: true, attributes: true, characterData: true})"
    )
    before = await agent.run("document.documentElement.outerHTML")
    await agent.page.capture.marked_screenshot()
    assert await agent.run("document.documentElement.outerHTML") == before
    assert await agent.run("seen") == "0"


async def test_the_baseline_does_not_change(agent: Agent) -> None:
    await agent.open(f"<body style='margin:0'>{button_at('One', 10, 10)}")
    baseline = agent.page.baselines.current
    baseline.set_tree(TreeIndex([Node("known")], ""), agent.page.document_id)
    await agent.page.capture.marked_screenshot()
    await agent.snapshot()
    assert not baseline.is_older_than_view
    known = baseline.nodes_for(agent.page.document_id) or ()
    assert [node.role for node in known] == ["known"]


@pytest.mark.prove
async def test_a_frame_that_hangs_does_not_keep_the_others_from_their_marks(
    open_page: OpenPage, site: Site
) -> None:
    agent = Agent(await open_page(Timeouts(action=5.0, navigation=10.0)))
    inner = site.page(
        f"<body style='margin:0'>{button_at('Stuck', 10, 10)}{site.script_that_hangs()}"
    )
    await agent.go(
        site.page(
            f"<body style='margin:0'>{button_at('Free', 10, 300)}"
            f"<iframe src='{elsewhere(inner)}' width=300 height=200></iframe>"
        )
    )
    await agent.run("frames[0].postMessage(1, '*')")
    await wait_until(lambda: bool(site.requests("/hangs")))
    screenshot = await agent.page.capture.marked_screenshot()
    assert "Free" in names(screenshot)
    assert "Stuck" not in names(screenshot)


async def test_an_open_dialog_ends_the_call_as_it_does_without_marks(agent: Agent) -> None:
    await agent.open(f"<body style='margin:0'>{button_at('One', 10, 10)}")
    await agent.run("setTimeout(() => alert('wait'), 0), 1")
    async with services_of(agent.page).session.expect(
        "Page.javascriptDialogOpening", timeout=5
    ) as opened:
        if agent.page.blockers.dialog is None:
            await opened
    with pytest.raises(ModalOpenError, match="wait"):
        await agent.page.capture.marked_screenshot()
    await services_of(agent.page).session.Page.handleJavaScriptDialog(accept=True)


@pytest.mark.prove
async def test_with_two_device_pixels_for_a_css_pixel_lines_and_places_are_twice_as_large(
    agent: Agent, site: Site
) -> None:
    metrics = {"width": 800, "height": 600, "deviceScaleFactor": 2, "mobile": False}
    await services_of(agent.page).session.send("Emulation.setDeviceMetricsOverride", metrics)
    inner = elsewhere(site.page(f"<body style='margin:0'>{button_at('In', 20, 40)}"))
    style = "position:absolute;left:300px;top:200px;border:0"
    frame = f"<iframe src='{inner}' style='{style}'></iframe>"
    await agent.go(site.page(f"<body style='margin:0'>{button_at('One', 100, 80)}{frame}"))
    screenshot = await agent.page.capture.marked_screenshot(scale="device")
    assert (screenshot.screenshot.size, screenshot.screenshot.pixel_ratio) == ((1600, 1200), 2)
    assert box_of(screenshot, "One") == close((100, 80, 220, 140))
    assert box_of(screenshot, "In") == close((320, 240, 440, 300))
    row = [picture(screenshot).getpixel((x, 220)) for x in range(190, 210)]
    assert row.count(choose_colour(node_called(screenshot, "One").ref)) == 4
    small = await agent.page.capture.marked_screenshot()
    assert (small.screenshot.size, small.screenshot.pixel_ratio) == ((800, 600), 1)
    assert box_of(small, "One") == close((100, 80, 220, 140))
