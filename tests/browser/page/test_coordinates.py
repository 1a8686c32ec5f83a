"""The mouse at points of the viewport: what is hit, what is held, what scrolls."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

import pytest

from tests.browser.page.agent import Agent
from tests.site import Site
from viewpoint_mcp.errors import CallError, PageError
from viewpoint_mcp.input.mouse import Button
from viewpoint_mcp.page import coordinates, pointing
from viewpoint_mcp.page.dialogs import Answer
from viewpoint_mcp.page.spots import Point

TITLE = "document.title"
BARE = "<style>body { margin: 0 } .b { position: absolute; width: 100px; height: 60px }</style>"
NOTED = """<script>window.seen = [];
for (const type of ['mousedown', 'mouseup', 'click', 'dblclick', 'auxclick', 'contextmenu'])
  addEventListener(type, e => { seen.push(type + e.button + '/' + e.detail);
    if (type === 'contextmenu') e.preventDefault() });
addEventListener('mousemove', e => { window.at = [e.clientX, e.clientY, e.buttons].join() })
</script>"""
SEEN = "seen.join(' ')"

DRAW = """<style>body { margin: 0 } canvas { display: block }</style>
<canvas id=c width=400 height=300></canvas><script>
const pen = c.getContext('2d'); pen.lineWidth = 6; pen.strokeStyle = '#ff0000';
c.onmousedown = e => { pen.beginPath(); pen.moveTo(e.offsetX, e.offsetY) };
c.onmousemove = e => { if (e.buttons === 1) { pen.lineTo(e.offsetX, e.offsetY); pen.stroke() } };
window.at = (x, y) => pen.getImageData(x, y, 1, 1).data.join() === '255,0,0,255';
</script>"""

NATIVE = (
    BARE
    + """<div id=a class=b draggable=true style="left: 0; top: 0">a</div>
<div id=b class=b style="left: 300px; top: 200px">b</div><script>window.seen = [];
for (const type of ['dragstart', 'drop', 'dragend', 'mouseup', 'click'])
  addEventListener(type, e => seen.push(type + e.target.id));
a.ondragstart = e => e.dataTransfer.setData('text/plain', 'hello');
b.ondragover = e => e.preventDefault();
b.ondrop = e => { e.preventDefault(); document.title = e.dataTransfer.getData('text/plain') };
</script>"""
)


async def click(agent: Agent, x: float, y: float, **how: Any) -> str:
    """Click and settle; returns what lay there."""
    options = {"button": "left", "count": 1, "delay": 0.0, **how}
    async with agent.page.settled():
        spot = await coordinates.click(agent.page, (x, y), **options)
    return spot.label


async def move(agent: Agent, x: float, y: float) -> str:
    async with agent.page.settled():
        return (await coordinates.move(agent.page, (x, y))).label


async def drag(agent: Agent, start: Point, end: Point) -> None:
    async with agent.page.settled():
        await coordinates.drag(agent.page, start, end)


async def down(agent: Agent, button: Button = "left") -> None:
    async with agent.page.settled():
        await coordinates.down(agent.page, button)


async def up(agent: Agent, button: Button = "left") -> bool:
    """Let go; returns whether a drop was refused."""
    async with agent.page.settled():
        return (await coordinates.up(agent.page, button))[1]


async def wheel(agent: Agent, x: float, y: float) -> str:
    """Turn the wheel; returns what scrolled."""
    async with agent.page.settled():
        return (await coordinates.wheel(agent.page, x, y))[1]


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


async def test_a_dialog_ends_the_delay_and_the_button_comes_up(agent: Agent) -> None:
    await agent.open(f"{BARE}{NOTED}<script>addEventListener('mousedown', () => alert(1))</script>")
    await click(agent, 300, 200, delay=10)
    dialog = agent.page.interruptions.dialog
    assert dialog is not None
    await agent.page.answer(dialog, Answer(accept=True))
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
async def test_what_lies_there_is_told(agent: Agent, body: str, label: str) -> None:
    await agent.open(f"<style>* {{ margin: 0; font-size: 30px }}</style>{body}")
    found = await click(agent, 40, 20)
    assert found.startswith(label)
    assert bool(found) == bool(label)


async def test_the_ref_of_what_lies_there_can_be_used(agent: Agent) -> None:
    await agent.open(f"{BARE}<button class=b onclick='document.title += 1'>Go</button>")
    label = await click(agent, 50, 30)
    ref = label.partition("[ref=")[2].rstrip("]")
    await agent.click(await agent.page.element(ref))
    assert await agent.run(TITLE) == "11"


async def test_it_is_in_a_closed_root_and_in_a_turned_frame(agent: Agent) -> None:
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


async def test_frames_of_other_sites_are_seen_through(agent: Agent, site: Site) -> None:
    inner = site.page("<body style='margin: 0'><button style='width: 90px; height: 60px' "
                      "onclick='this.textContent = event.clientX'>In</button>")  # fmt: skip
    other = inner.replace("localhost", "127.0.0.1")
    await agent.go(site.page(f"{BARE}<iframe src='{other}' style='margin: 50px; border: 0'>"))
    assert (await click(agent, 70, 80)).startswith('button "In" [ref=f1e')
    assert '"20"' in await agent.look()


async def test_what_is_scrolled_is_met_where_it_is_seen(agent: Agent) -> None:
    await agent.open(
        f"{BARE}{NOTED}<body style='height: 3000px'><button class=b style='top: 1000px'>Far"
        "<script>scrollTo(0, 900)</script>"
    )
    assert (await click(agent, 50, 130)).startswith('button "Far"')


async def test_a_pinched_page_counts_from_what_is_seen(agent: Agent) -> None:
    await agent.open(f"{BARE}{NOTED}<button class=b style='left: 0; top: 0'>Corner</button>"
                     "<button class=b style='left: 20px; top: 70px'>Near")  # fmt: skip
    session = agent.page.session
    await session.Emulation.setPageScaleFactor(pageScaleFactor=2)
    assert (await click(agent, 60, 100)).startswith('button "Near"')
    assert await agent.run("at") == "60,100,0"
    with pytest.raises(CallError, match=r"\(500, 100\) .* viewport, which is 400 x 300 CSS"):
        await click(agent, 500, 100)


@pytest.mark.parametrize("point", [(-1, 5), (5, -0.5), (800, 5), (5, 600), (1e9, 5)])
async def test_a_point_outside_is_refused(agent: Agent, point: Point) -> None:
    await agent.open(NOTED)
    with pytest.raises(CallError, match="viewport, which is 800 x 600 CSS pixels"):
        await click(agent, *point)
    assert await agent.run(SEEN) == ""
    await click(agent, 799.5, 599.5)


# ---- drags


async def test_a_line_is_drawn_from_point_to_point_and_not_beyond(agent: Agent) -> None:
    await agent.open(DRAW)
    await drag(agent, (50, 50), (250, 50))
    assert await agent.run("[at(50, 50), at(150, 50), at(249, 50), at(254, 50)].join()") == (
        "true,true,true,false"
    )


async def test_a_line_with_a_corner_is_drawn_call_by_call(agent: Agent) -> None:
    await agent.open(DRAW)
    await move(agent, 50, 50)
    await down(agent)
    for point in ((200, 50), (200, 200)):
        await move(agent, *point)
    assert not await up(agent)
    await move(agent, 300, 250)
    drawn = await agent.run("[at(120, 50), at(200, 120), at(120, 120), at(260, 230)].join()")
    assert drawn == "true,true,false,false"


async def test_text_is_selected_by_holding_the_button(agent: Agent) -> None:
    await agent.open("<style>body { margin: 0; font: 30px monospace }</style>Some words of text")
    await move(agent, 1, 15)
    await down(agent)
    await move(agent, 180, 15)
    await up(agent)
    assert "Some words" in (await agent.run("getSelection().toString()") or "")


async def test_drag_and_drop_goes_from_point_to_point(agent: Agent) -> None:
    await agent.open(NATIVE)
    await drag(agent, (50, 30), (350, 230))
    assert await agent.run(TITLE) == "hello"
    assert await agent.run(SEEN) == "dragstarta dropb dragenda"


async def test_drag_and_drop_goes_call_by_call(agent: Agent) -> None:
    await agent.open(NATIVE)
    await move(agent, 50, 30)
    await down(agent)
    await move(agent, 200, 100)
    await move(agent, 350, 230)
    assert not await up(agent)
    assert await agent.run(TITLE) == "hello"
    assert await agent.run(SEEN) == "dragstarta dropb dragenda"
    await click(agent, 350, 230)
    assert (await agent.run(SEEN) or "").endswith("clickb")


async def test_what_is_held_may_be_brought_to_an_element(agent: Agent) -> None:
    await agent.open(NATIVE.replace("id=b", "id=b tabindex=0 role=region aria-label=Goal"))
    await move(agent, 50, 30)
    await down(agent)
    await agent.hover("region")
    assert not await up(agent)
    assert await agent.run(TITLE) == "hello"


async def test_a_drop_into_a_frame_reaches_it(agent: Agent, site: Site) -> None:
    inner = site.page("<body style='margin: 0; height: 90px'><script>document.ondragover = e => "
                      "e.preventDefault(); document.ondrop = e => { document.body.textContent = "
                      "e.dataTransfer.getData('text/plain') }</script>")  # fmt: skip
    other = inner.replace("localhost", "127.0.0.1")
    frame = f"<iframe src='{other}' style='position: absolute; left: 100px; top: 300px'></iframe>"
    await agent.go(site.page(NATIVE + frame))
    await drag(agent, (50, 30), (150, 350))
    assert "hello" in await agent.look()
    assert (await agent.run(SEEN) or "").startswith("dragstarta dragend")


async def test_a_drop_that_is_not_taken_is_told(agent: Agent) -> None:
    await agent.open(NATIVE)
    with pytest.raises(PageError, match=r"at \(600, 500\) did not take .*accepts no such drop"):
        await drag(agent, (50, 30), (600, 500))
    await move(agent, 50, 30)
    await down(agent)
    await move(agent, 600, 500)
    assert await up(agent)
    assert await agent.run(SEEN) == "dragstarta dragenda dragstarta dragenda"


async def test_a_drag_that_goes_nowhere_is_refused(agent: Agent) -> None:
    await agent.open(NATIVE)
    with pytest.raises(CallError, match=r"ends where it starts, at \(50, 30\)"):
        await drag(agent, (50, 30), (50, 30))


# ---- buttons that are held


async def test_a_button_is_down_once(agent: Agent) -> None:
    await agent.open(BARE + NOTED + "<button class=b>Go")
    with pytest.raises(CallError, match="left button of the mouse is not down"):
        await up(agent)
    await move(agent, 300, 300)
    await down(agent)
    with pytest.raises(CallError, match="left button of the mouse is down already"):
        await down(agent)
    for act in (click(agent, 5, 5), drag(agent, (5, 5), (50, 50)), agent.click("Go")):
        with pytest.raises(CallError, match=r"button of the mouse is down\. Let go of it with"):
            await act
    with pytest.raises(CallError, match="right button of the mouse is not down"):
        await up(agent, "right")
    await up(agent)
    assert await agent.run(SEEN) == "mousedown0/1 mouseup0/1 click0/1"


async def test_several_buttons_are_held(agent: Agent) -> None:
    await agent.open(BARE + NOTED)
    await move(agent, 300, 300)
    await down(agent)
    await down(agent, "middle")
    await move(agent, 310, 300)
    assert await agent.run("at") == "310,300,5"
    await up(agent)
    await move(agent, 320, 300)
    assert await agent.run("at") == "320,300,4"
    await up(agent, "middle")
    assert agent.page.holding is None


async def test_another_page_gets_a_free_mouse(agent: Agent) -> None:
    await agent.open(BARE + NOTED)
    await move(agent, 300, 300)
    await down(agent)
    await agent.open(BARE + NOTED + "<p>Another")
    assert "The left button of the mouse was let go of" in agent.page.events
    await move(agent, 310, 310)
    assert await agent.run("at") == "310,310,0"
    await down(agent)
    await up(agent)


async def test_a_page_that_leaves_when_it_is_pressed_holds_nothing(
    agent: Agent, site: Site
) -> None:
    there = site.page(f"<h1>There</h1>{NOTED}")
    await agent.go(site.page(f"<script>onmousedown = () => {{ location = '{there}' }}</script>"))
    await move(agent, 300, 300)
    await down(agent)
    assert "There" in await agent.look()
    assert agent.page.holding is None


async def test_a_button_may_be_let_go_of_where_the_viewport_is_no_more(agent: Agent) -> None:
    await agent.open(BARE + NOTED)
    await move(agent, 700, 500)
    await down(agent)
    await agent.page.resize(400, 300)
    await up(agent)
    assert agent.page.holding is None


async def test_a_dialog_that_a_press_opens_leaves_the_button_down(agent: Agent) -> None:
    await agent.open(f"{BARE}{NOTED}<script>addEventListener('mousedown', () => alert(1))</script>")
    await move(agent, 300, 300)
    await down(agent)
    dialog = agent.page.interruptions.dialog
    assert dialog is not None
    await agent.page.answer(dialog, Answer(accept=True))
    await up(agent)
    assert "mouseup0" in (await agent.run(SEEN) or "")


async def test_a_hover_by_ref_is_as_ever_with_nothing_held(agent: Agent) -> None:
    await agent.open(f"{BARE}{NOTED}<button class=b>Go")
    async with agent.page.settled():
        await pointing.hover(await agent.find("Go"))
    assert await agent.run("at") == "50,30,0"


# ---- the wheel

TALL = "<div style='height: 3000px'>x</div>"


async def test_the_wheel_scrolls_what_is_under_the_mouse(agent: Agent) -> None:
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
    assert await wheel(agent, 0, -500) == "nothing scrolled"
    assert await wheel(agent, 50, 0) == "nothing scrolled"


async def test_a_map_zooms_by_the_wheel(agent: Agent) -> None:
    await agent.open(
        "<body style='height: 3000px'><script>addEventListener('wheel', e => { e.preventDefault();"
        "document.title = [e.clientX, e.clientY, e.deltaX, e.deltaY].join() }, {passive: false})"
        "</script>"
    )
    await move(agent, 123, 234)
    assert await wheel(agent, 0, -120) == "nothing scrolled"
    assert await agent.run(TITLE) == "123,234,0,-120"


async def test_a_page_that_scrolls_gently_is_waited_for(agent: Agent) -> None:
    await agent.open(
        "<body style='height: 9000px'><script>addEventListener('wheel', e => { e.preventDefault();"
        "scrollBy({top: 1000, behavior: 'smooth'}) }, {passive: false})</script>"
    )
    assert await wheel(agent, 0, 10) == "the page scrolled by (0, 1000)"


async def test_a_wheel_that_leaves_the_page_says_nothing_false(agent: Agent, site: Site) -> None:
    there = site.page("<h1>There</h1>")
    leave = f"addEventListener('wheel', () => {{ location = '{there}' }})"
    await agent.go(site.page(f"<body style='height: 9000px'><script>{leave}</script>"))
    assert "nothing" not in await wheel(agent, 0, 10)
    assert "There" in await agent.look()


async def test_a_wheel_that_opens_a_dialog_ends_there(agent: Agent) -> None:
    await agent.open("<body style='height: 9000px'><script>onwheel = () => alert(1)</script>")
    await wheel(agent, 0, 10)
    dialog = agent.page.interruptions.dialog
    assert dialog is not None
    await agent.page.answer(dialog, Answer(accept=True))


async def test_a_wheel_that_is_not_turned_is_refused(agent: Agent) -> None:
    with pytest.raises(CallError, match="not turned"):
        await wheel(agent, 0, 0)
