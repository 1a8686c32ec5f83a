"""A mouse action that is cancelled halfway leaves no button pressed and no drag in progress."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from pathlib import Path

import pytest

from tests.browser.inside import services_of
from tests.browser.page.agent import Agent
from tests.site import Site
from viewpoint_mcp.errors import ViewpointError

BOX = "width: 100px; height: 60px; position: absolute;"
PAGE = f"""<style>body {{ margin: 0 }}</style>
<div id=a role=button tabindex=0 aria-label=a style="{BOX} left: 0; top: 0">a</div>
<div id=b role=region tabindex=0 aria-label=b style="{BOX} left: 300px; top: 200px">b</div>
<button style="{BOX} left: 500px; top: 0" onclick="document.title = 'clicked' + event.buttons">c
</button><script>window.seen = []; let waiting = [];
const note = what => {{ seen.push(what);
  waiting.forEach(([name, done]) => name === what && done(true)) }};
window.heard = name => seen.includes(name) || new Promise(done => waiting.push([name, done]));
for (const type of ['mousedown', 'mousemove', 'mouseup', 'dragstart', 'dragenter', 'dragover',
  'dragleave', 'drop', 'dragend']) addEventListener(type, event => note(type + event.target.id));
b.ondragover = event => event.preventDefault();
b.ondrop = event => event.preventDefault();
MORE</script>"""


async def cancel_at_event(agent: Agent, act: Awaitable[object], at: str) -> None:
    """Start an action and cancel it as soon as the page has received the event."""
    task = asyncio.ensure_future(act)
    expression = f"heard('{at}')"
    params = {"expression": expression, "awaitPromise": True, "returnByValue": True}
    await services_of(agent.page).session.send("Runtime.evaluate", params)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


async def is_free(agent: Agent) -> bool:
    """Return whether no mouse button is pressed and a click works."""
    await agent.click('button "c"')
    return await agent.run("document.title") == "clicked0"


async def has_received(agent: Agent, what: str) -> bool:
    """Wait until the page has seen that event."""
    return await agent.run(f"heard('{what}')") == "true"


@pytest.mark.parametrize("at", ["mousedowna", "mousemovea"])
async def test_a_cancelled_mouse_drag_releases_the_button(agent: Agent, at: str) -> None:
    await agent.open(PAGE.replace("MORE", ""))
    start, end = await agent.find('button "a"'), await agent.find("region")
    await cancel_at_event(agent, start.drag_to(end), at)
    assert await is_free(agent)


@pytest.mark.parametrize("at", ["dragstarta", "dragenterb"])
async def test_a_drag_and_drop_ends_without_a_drop(agent: Agent, at: str) -> None:
    await agent.open(PAGE.replace("MORE", "a.draggable = true"))
    start, end = await agent.find('button "a"'), await agent.find("region")
    await cancel_at_event(agent, start.drag_to(end), at)
    assert await has_received(agent, "dragenda")
    assert await is_free(agent)
    assert "dropb" not in (await agent.run("seen.join()") or "")


@pytest.mark.parametrize("event", ["mousedown", "dragstart"])
async def test_a_dialog_in_the_middle_ends_the_drag(agent: Agent, event: str) -> None:
    await agent.open(PAGE.replace("MORE", f"a.draggable = true; a.on{event} = () => alert('Stop')"))
    start, end = await agent.find('button "a"'), await agent.find("region")
    async with agent.page.settle_afterwards():
        await start.drag_to(end)
    dialog = agent.page.blockers.dialog
    assert dialog is not None
    await agent.page.answer_current_or_next_dialog(accept=True)
    assert await is_free(agent)
    assert "dropb" not in (await agent.run("seen.join()") or "")


async def test_a_dialog_at_the_drop_is_a_consequence_of_the_drop(agent: Agent) -> None:
    await agent.open(PAGE.replace("MORE", "a.draggable = true; b.ondrop = () => alert('Got it')"))
    start, end = await agent.find('button "a"'), await agent.find("region")
    async with agent.page.settle_afterwards():
        await start.drag_to(end)
    dialog = agent.page.blockers.dialog
    assert dialog is not None
    await agent.page.answer_current_or_next_dialog(accept=True)
    assert await has_received(agent, "dropb")
    assert await is_free(agent)


async def test_a_dialog_at_the_press_of_a_click_leaves_no_button_pressed(agent: Agent) -> None:
    await agent.open(PAGE.replace("MORE", "a.onmousedown = () => alert('Stop')"))
    element = await agent.find('button "a"')
    async with agent.page.settle_afterwards():
        await element.click()
    dialog = agent.page.blockers.dialog
    assert dialog is not None
    await agent.page.answer_current_or_next_dialog(accept=True)
    assert await is_free(agent)


async def test_a_drop_from_outside_leaves_the_page(agent: Agent, tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    file.write_text("alpha")
    await agent.open(PAGE.replace("MORE", ""))
    element = await agent.find("region")
    await cancel_at_event(agent, element.drop([file], {}), "dragenterb")
    assert await has_received(agent, "dragleaveb")
    assert await is_free(agent)
    assert "dropb" not in (await agent.run("seen.join()") or "")


async def test_a_page_that_navigates_at_the_press_is_reported(agent: Agent, site: Site) -> None:
    there = site.page(PAGE.replace("MORE", ""))
    await agent.go(
        site.page(PAGE.replace("MORE", f"a.onmousedown = () => {{ location = '{there}' }}"))
    )
    start, end = await agent.find('button "a"'), await agent.find("region")
    with pytest.raises(ViewpointError):
        await agent.drag(start, end)
    await agent.go(there)
    assert await is_free(agent)


async def test_a_second_drag_waits_for_the_end_of_the_first(agent: Agent) -> None:
    await agent.open(PAGE.replace("MORE", "a.draggable = true"))
    start, end = await agent.find('button "a"'), await agent.find("region")
    await cancel_at_event(agent, start.drag_to(end), "dragstarta")
    await agent.drag(start, end)
    assert await has_received(agent, "dropb")
    assert await is_free(agent)
