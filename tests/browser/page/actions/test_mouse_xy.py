"""Clicks and the wheel at points of the viewport: the element that is hit, and the one that
scrolls.
"""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

import pytest

from tests.browser.conftest import OpenPage
from tests.browser.inside import services_of
from tests.browser.page.actions.points import BARE, NOTED, SEEN, click, move, wheel
from tests.browser.page.agent import Agent
from tests.browser.page.snapshot.test_frame_kinds import crash, elsewhere
from tests.site import Site
from viewpoint_mcp.config.settings import Timeouts
from viewpoint_mcp.errors import CallError, PageError
from viewpoint_mcp.page.actions.hit.hit_test import Point

TITLE = "document.title"


# ---- clicks


@pytest.mark.parametrize(
    ("how", "seen"),
    [
        ({}, "mousedown0/1 mouseup0/1 click0/1"),
        (
            {"count": 2},
            "mousedown0/1 mouseup0/1 click0/1 mousedown0/2 mouseup0/2 click0/2 dblclick0/2",
        ),
        (
            {"count": 2, "delay": 0.01},
            "mousedown0/1 mouseup0/1 click0/1 mousedown0/2 mouseup0/2 click0/2 dblclick0/2",
        ),
        ({"button": "middle"}, "mousedown1/1 mouseup1/1 auxclick1/1"),
    ],
)
async def test_a_click_is_that_of_a_hand(agent: Agent, how: dict[str, Any], seen: str) -> None:
    await agent.open(BARE + NOTED)
    await click(agent, 300, 200, **how)
    assert await agent.run(SEEN) == seen
    assert await agent.run("at") == "300,200,0"


async def test_a_right_click_opens_the_menu_of_the_page(agent: Agent) -> None:
    await agent.open(BARE + NOTED)
    await click(agent, 300, 200, button="right")
    assert "contextmenu2" in (await agent.run(SEEN) or "")


async def test_a_button_stays_down_for_the_delay(agent: Agent) -> None:
    await agent.open(
        "<script>onmousedown = e => { window.since = e.timeStamp };"
        "onmouseup = e => { document.title = e.timeStamp - since }</script>"
    )
    await click(agent, 300, 200, delay=0.2)
    assert float(await agent.run(TITLE) or 0) >= 195


async def test_a_dialog_ends_the_delay_and_the_button_is_released(agent: Agent) -> None:
    await agent.open(f"{BARE}{NOTED}<script>addEventListener('mousedown', () => alert(1))</script>")
    await click(agent, 300, 200, delay=10)
    dialog = agent.page.blockers.dialog
    assert dialog is not None
    await agent.page.answer_current_or_next_dialog(accept=True)
    await move(agent, 10, 10)
    assert await agent.run("at") == "10,10,0"


@pytest.mark.parametrize(
    ("body", "label"),
    [
        ("<button>Sign <b>in</b></button>", 'button "Sign in" [ref=e1]'),
        ("<p>Some <i>short</i> text</p>", 'paragraph "Some short text" [ref=e1]'),
        (
            "<main><div>Some <i><b>short</b></i> text</div></main>",
            'generic "Some short text" [ref=e',
        ),
        ("<b>Loose text</b>", 'generic "Loose text" [ref=e1]'),
        ("Loose text", ""),
        ("<h1>Title</h1>", 'heading "Title" [ref=e1]'),
        ("<canvas style='width: 90px'></canvas>", "canvas [ref=e1]"),
        ("<div onclick=1><p>Card</p></div>", 'generic "Card" [ref=e1]'),
        ("<label><input> Name</label>", "textbox"),
        ("<main style='height: 90px'></main>", ""),
        ("", ""),
    ],
)
async def test_the_element_at_the_point_is_reported(agent: Agent, body: str, label: str) -> None:
    await agent.open(f"<style>* {{ margin: 0; font-size: 30px }}</style>{body}")
    found = await click(agent, 40, 20)
    assert found.startswith(label)
    assert bool(found) == bool(label)


async def test_the_ref_of_the_element_at_the_point_can_be_used(agent: Agent) -> None:
    await agent.open(f"{BARE}<button class=b onclick='document.title += 1'>Go</button>")
    label = await click(agent, 50, 30)
    ref = label.partition("[ref=")[2].rstrip("]")
    await agent.click(await agent.page.find_element(ref))
    assert await agent.run(TITLE) == "11"


async def test_an_element_in_a_closed_root_in_a_turned_frame_is_found(agent: Agent) -> None:
    inner = "<body style='margin: 0'><button style='width: 200px; height: 100px'>In"
    await agent.open(
        f'{BARE}<div id=h class=b></div><iframe srcdoc="{inner}" style=\'position: absolute; '
        "left: 300px; top: 200px; width: 200px; height: 100px; border: 9px solid; padding: 7px; "
        "transform: rotate(90deg) scale(0.5)'></iframe><script>h.attachShadow({mode: 'open'})"
        ".innerHTML = '<button>Deep</button>'</script>"
    )
    assert (await click(agent, 20, 10)).startswith('button "Deep"')
    # The middle of the frame stays where it is.
    assert (await click(agent, 416, 266)).startswith('button "In" [ref=f')


@pytest.mark.timing
@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
async def test_frames_of_any_site_are_seen_through(agent: Agent, site: Site, host: str) -> None:
    inner = site.page("<body style='margin: 0'><button style='width: 90px; height: 60px' "
                      "onclick='this.textContent = event.clientX'>In</button>")  # fmt: skip
    other = inner.replace("127.0.0.1", host)
    await agent.go(site.page(f"{BARE}<iframe src='{other}' style='margin: 50px; border: 0'>"))
    assert (await click(agent, 70, 80)).startswith('button "In" [ref=f1e')
    assert '"20"' in await agent.snapshot()


async def test_a_scrolled_element_is_hit_where_it_is_drawn(agent: Agent) -> None:
    await agent.open(
        f"{BARE}{NOTED}<body style='height: 3000px'><button class=b style='top: 1000px'>Far"
        "<script>scrollTo(0, 900)</script>"
    )
    assert (await click(agent, 50, 130)).startswith('button "Far"')


async def test_points_of_a_pinch_zoomed_page_count_from_the_visible_part(agent: Agent) -> None:
    await agent.open(f"{BARE}{NOTED}<button class=b style='left: 0; top: 0'>Corner</button>"
                     "<button class=b style='left: 20px; top: 70px'>Near")  # fmt: skip
    session = services_of(agent.page).session
    await session.Emulation.setPageScaleFactor(pageScaleFactor=2)
    assert (await click(agent, 60, 100)).startswith('button "Near"')
    assert await agent.run("at") == "60,100,0"
    with pytest.raises(CallError, match=r"\(500, 100\) .* viewport of 400 x 300 CSS"):
        await click(agent, 500, 100)


@pytest.mark.parametrize("point", [(-1, 5), (5, -0.5), (800, 5), (5, 600), (1e9, 5)])
async def test_a_point_outside_is_refused(agent: Agent, point: Point) -> None:
    await agent.open(NOTED)
    with pytest.raises(CallError, match="viewport of 800 x 600 CSS pixels"):
        await click(agent, *point)
    assert await agent.run(SEEN) == ""
    await click(agent, 799.5, 599.5)


# ---- the wheel

TALL = "<div style='height: 3000px'>x</div>"


@pytest.mark.prove
async def test_the_wheel_scrolls_the_element_under_the_mouse(agent: Agent) -> None:
    inner = quote(f"<body style='margin: 0'>{TALL}")
    await agent.open(
        f"{BARE}<body style='height: 3000px'><div role=list aria-label=Files class=b "
        f"style='overflow: auto; left: 0'>{TALL}</div><div class=b style='overflow: auto; "
        f"left: 200px'>{TALL}</div><iframe class=b style='left: 400px' "
        f"src='data:text/html,{inner}'></iframe>"
    )
    await move(agent, 50, 30)
    assert await wheel(agent, 0, 100) == 'list "Files" scrolled by (0, 100)'
    await move(agent, 250, 30)
    assert await wheel(agent, 0, 70) == "a part of the page scrolled by (0, 70)"
    await move(agent, 450, 30)
    assert await wheel(agent, 0, 120) == "the frame scrolled by (0, 120)"
    await move(agent, 450, 300)
    assert await wheel(agent, 0, 200) == "the page scrolled by (0, 200)"
    assert await wheel(agent, 0, -500) == "the page scrolled by (0, -200)"
    assert await wheel(agent, 0, -500) == "nothing has scrolled so far"
    assert await wheel(agent, 50, 0) == "nothing has scrolled so far"


async def test_a_container_that_a_handler_scrolls_is_reported(agent: Agent) -> None:
    await agent.open(
        f"{BARE}<div class=b style='left: 0' id=names>Names</div><div role=grid aria-label=Orders "
        f"class=b style='left: 200px; overflow: auto' id=rows>{TALL}</div><script>"
        "names.onwheel = e => { e.preventDefault(); rows.scrollTop += e.deltaY }</script>"
    )
    await move(agent, 50, 30)
    assert await wheel(agent, 0, 90) == 'grid "Orders" scrolled by (0, 90)'


async def test_an_editor_that_moves_its_lines_instead_of_scrolling_is_reported(
    agent: Agent,
) -> None:
    await agent.open(
        f"{BARE}<div role=code aria-label=Program class=b style='left: 0; overflow: hidden'>"
        "<div id=lines style='position: absolute; width: 90px; height: 3000px'>line</div></div>"
        "<script>let top_ = 0; onwheel = e => { top_ -= e.deltaY; lines.style.top = `${top_}px` }"
        "</script>"
    )
    await move(agent, 50, 30)
    assert await wheel(agent, 0, 80) == 'code "Program" scrolled by (0, 80)'


async def test_a_scrolling_part_is_reported_with_the_component_around_it(agent: Agent) -> None:
    await agent.open(
        f"{BARE}<div role=region aria-label=Files><div class=b style='left: 0; overflow: auto'>"
        f"{TALL}</div></div>"
    )
    await move(agent, 50, 30)
    assert await wheel(agent, 0, 80) == 'a part of region "Files" scrolled by (0, 80)'


@pytest.mark.parametrize("delta", [1_000_001, -1e308])
async def test_an_infinite_wheel_turn_is_refused_and_the_next_one_works(
    agent: Agent, delta: float
) -> None:
    await agent.open("<body style='margin: 0; height: 3000px'>")
    with pytest.raises(CallError, match="at most 1,000,000 px"):
        await wheel(agent, 0, delta)
    assert await wheel(agent, 0, 1_000_000) == "the page scrolled by (0, 2400)"
    assert await wheel(agent, 0, -400) == "the page scrolled by (0, -400)"


async def test_a_map_zooms_by_the_wheel(agent: Agent) -> None:
    await agent.open(
        "<body style='height: 3000px'><script>addEventListener('wheel', e => { e.preventDefault();"
        "document.title = [e.clientX, e.clientY, e.deltaX, e.deltaY].join() }, {passive: false})"
        "</script>"
    )
    await move(agent, 123, 234)
    assert await wheel(agent, 0, -120) == "nothing has scrolled so far"
    assert await agent.run(TITLE) == "123,234,0,-120"


@pytest.mark.timing  # Chromium scrolls by the clock, and the wait has a limit
async def test_a_page_that_scrolls_gently_is_waited_for(agent: Agent) -> None:
    await agent.open(
        "<body style='height: 9000px'><script>addEventListener('wheel', e => { e.preventDefault();"
        "scrollBy({top: 1000, behavior: 'smooth'}) }, {passive: false})</script>"
    )
    assert await wheel(agent, 0, 10) == "the page scrolled by (0, 1000)"


async def test_a_wheel_turn_that_navigates_is_not_reported_as_without_effect(
    agent: Agent, site: Site
) -> None:
    there = site.page("<h1>There</h1>")
    # Chromium does not wait for a passive listener, so the reply could come before it.
    leave = f"addEventListener('wheel', () => {{ location = '{there}' }}, {{passive: false}})"
    await agent.go(site.page(f"<body style='height: 9000px'><script>{leave}</script>"))
    assert "nothing" not in await wheel(agent, 0, 10)
    assert "There" in await agent.snapshot()


async def test_a_wheel_that_opens_a_dialog_ends_there(agent: Agent) -> None:
    await agent.open("<body style='height: 9000px'><script>onwheel = () => alert(1)</script>")
    await wheel(agent, 0, 10)
    dialog = agent.page.blockers.dialog
    assert dialog is not None
    await agent.page.answer_current_or_next_dialog(accept=True)


async def test_a_wheel_that_is_not_turned_is_refused(agent: Agent) -> None:
    with pytest.raises(CallError, match="deltas are 0"):
        await wheel(agent, 0, 0)


# ---- pages that answer late or not at all


@pytest.mark.prove
async def test_a_click_on_a_hanging_page_is_not_reported_as_done(open_page: OpenPage) -> None:
    agent = Agent(await open_page(Timeouts(action=1, navigation=5)))
    await agent.open("<p>Busy")
    await agent.run("() => { setTimeout(() => { for (;;); }, 0) }")
    with pytest.raises(PageError, match="did not answer within 1 s"):
        await click(agent, 50, 50)


async def test_a_click_on_a_crashed_frame_hits_the_frame_element(agent: Agent, site: Site) -> None:
    other = elsewhere(site.page("<button>In"))
    await agent.go(site.page(f"{BARE}<iframe title=Ad class=b src='{other}'></iframe>"))
    await crash((await agent.find('button "In"')).frame)
    await move(agent, 500, 500)
    assert (await move(agent, 50, 30)).startswith('iframe "Ad"')
