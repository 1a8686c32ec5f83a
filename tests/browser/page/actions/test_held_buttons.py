"""Drags from point to point, and mouse buttons that stay down between calls."""

from __future__ import annotations

import asyncio

import pytest

from tests.browser.inside import services_of
from tests.browser.page.actions.points import BARE, NOTED, SEEN, click, down, drag, move, up
from tests.browser.page.agent import Agent
from tests.site import Site
from viewpoint_mcp.errors import CallError, PageError

TITLE = "document.title"

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


async def test_drag_and_drop_works_from_point_to_point(agent: Agent) -> None:
    await agent.open(NATIVE)
    await drag(agent, (50, 30), (350, 230))
    assert await agent.run(TITLE) == "hello"
    assert await agent.run(SEEN) == "dragstarta dropb dragenda"


async def test_drag_and_drop_works_in_separate_calls(agent: Agent) -> None:
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


async def test_a_dragged_element_can_be_moved_to_an_element_by_hovering(agent: Agent) -> None:
    await agent.open(NATIVE.replace("id=b", "id=b tabindex=0 role=region aria-label=Goal"))
    await move(agent, 50, 30)
    await down(agent)
    await agent.hover("region")
    assert not await up(agent)
    assert await agent.run(TITLE) == "hello"


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
async def test_a_drop_into_a_frame_reaches_it(agent: Agent, site: Site, host: str) -> None:
    inner = site.page("<body style='margin: 0; height: 90px'><script>document.ondragover = e => "
                      "e.preventDefault(); document.ondrop = e => { document.body.textContent = "
                      "e.dataTransfer.getData('text/plain') }</script>")  # fmt: skip
    other = inner.replace("127.0.0.1", host)
    frame = f"<iframe src='{other}' style='position: absolute; left: 100px; top: 300px'></iframe>"
    await agent.go(site.page(NATIVE + frame))
    await drag(agent, (50, 30), (150, 350))
    assert "hello" in await agent.snapshot()
    assert (await agent.run(SEEN) or "").startswith("dragstarta dragend")


async def test_a_drop_that_is_not_accepted_is_reported(agent: Agent) -> None:
    await agent.open(NATIVE)
    with pytest.raises(PageError, match=r"at \(600, 500\) did not accept the drop of"):
        await drag(agent, (50, 30), (600, 500))
    await move(agent, 50, 30)
    await down(agent)
    await move(agent, 600, 500)
    assert await up(agent)
    assert await agent.run(SEEN) == "dragstarta dragenda dragstarta dragenda"


async def test_a_drag_to_its_own_start_is_refused(agent: Agent) -> None:
    await agent.open(NATIVE)
    with pytest.raises(CallError, match=r"ends where it starts, at \(50, 30\)"):
        await drag(agent, (50, 30), (50, 30))


# ---- pressed buttons


async def test_a_button_is_down_once(agent: Agent) -> None:
    await agent.open(BARE + NOTED + "<button class=b>Go")
    with pytest.raises(CallError, match="left mouse button is not down"):
        await up(agent)
    await move(agent, 300, 300)
    await down(agent)
    with pytest.raises(CallError, match="left mouse button is already down"):
        await down(agent)
    for act in (click(agent, 5, 5), drag(agent, (5, 5), (50, 50)), agent.click("Go")):
        with pytest.raises(CallError, match=r"mouse button is down\. Release it with"):
            await act
    with pytest.raises(CallError, match="right mouse button is not down"):
        await up(agent, "right")
    await up(agent)
    assert await agent.run(SEEN) == "mousedown0/1 mouseup0/1 click0/1"


async def test_several_buttons_stay_down(agent: Agent) -> None:
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
    assert services_of(agent.page).held_buttons is None


async def test_another_page_starts_without_a_pressed_button(agent: Agent) -> None:
    await agent.open(BARE + NOTED)
    await move(agent, 300, 300)
    await down(agent)
    await agent.open(BARE + NOTED + "<p>Another")
    assert "The left mouse button was released" in services_of(agent.page).events
    await move(agent, 310, 310)
    assert await agent.run("at") == "310,310,0"
    await down(agent)
    await up(agent)


async def test_a_press_that_navigates_leaves_no_button_pressed(agent: Agent, site: Site) -> None:
    there = site.page(f"<h1>There</h1>{NOTED}")
    await agent.go(site.page(f"<script>onmousedown = () => {{ location = '{there}' }}</script>"))
    await move(agent, 300, 300)
    await down(agent)
    assert "There" in await agent.snapshot()
    assert services_of(agent.page).held_buttons is None


async def test_a_button_can_be_released_at_a_point_outside_a_smaller_viewport(agent: Agent) -> None:
    await agent.open(BARE + NOTED)
    await move(agent, 700, 500)
    await down(agent)
    await agent.page.emulation.resize_viewport(400, 300)
    await up(agent)
    assert services_of(agent.page).held_buttons is None


async def test_a_dialog_that_a_press_opens_leaves_the_button_down(agent: Agent) -> None:
    await agent.open(f"{BARE}{NOTED}<script>addEventListener('mousedown', () => alert(1))</script>")
    await move(agent, 300, 300)
    await down(agent)
    dialog = agent.page.blockers.dialog
    assert dialog is not None
    await agent.page.answer_current_or_next_dialog(accept=True)
    await up(agent)
    assert "mouseup0" in (await agent.run(SEEN) or "")


async def test_a_hover_by_ref_works_as_usual_without_a_pressed_button(agent: Agent) -> None:
    await agent.open(f"{BARE}{NOTED}<button class=b>Go")
    async with agent.page.settle_afterwards():
        await (await agent.find("Go")).hover()
    assert await agent.run("at") == "50,30,0"


@pytest.mark.prove
async def test_a_release_that_is_cancelled_leaves_no_button_pressed(agent: Agent) -> None:
    await agent.open(f"{BARE}{NOTED}<script>window.up = new Promise(done => {{ "
                     "addEventListener('mouseup', () => { done(); const end = Date.now() + 500; "
                     "while (Date.now() < end); }) })</script>")  # fmt: skip
    await move(agent, 300, 300)
    await down(agent)
    task = asyncio.ensure_future(up(agent))
    await services_of(agent.page).session.send(
        "Runtime.evaluate", {"expression": "up", "awaitPromise": True}
    )
    task.cancel()
    await asyncio.wait({task})
    await click(agent, 200, 200)
    assert await agent.run("at") == "200,200,0"
    await down(agent)
    await up(agent)
