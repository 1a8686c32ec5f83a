"""browser_drag: by the mouse, and with the browser's drag and drop."""

from __future__ import annotations

import asyncio
import threading

from werkzeug import Request, Response

from tests.e2e.conftest import Show
from tests.e2e.support.client import ServerClient
from tests.site import Site

BOARD = """<style>body { margin: 0 } div { position: absolute; width: 100px; height: 60px }</style>
<div role=button tabindex=0 aria-label=card id=card draggable=true style="top: 0">card</div>
<div role=region tabindex=0 aria-label=done id=done style="left: 300px; top: 100px">done</div>
<div role=region tabindex=0 aria-label=wall id=wall style="left: 500px; top: 100px">wall</div>
<script>done.ondragover = event => event.preventDefault();
done.ondrop = event => { event.preventDefault(); done.append(card) };
for (const type of ['mousedown', 'mouseup', 'dragstart', 'dragend', 'click'])
  addEventListener(type, event => { document.title += ` ${type}${event.buttons}` })</script>"""


async def test_a_card_is_dropped_on_a_target_that_accepts_it(
    shared_server: ServerClient, show: Show
) -> None:
    page = await show(BOARD)
    reply = await shared_server.call(
        "browser_drag",
        startRef=page.ref("button", "card"),
        startElement="the card",
        endRef=page.ref("region", "done"),
        endElement="the list of what is done",
    )
    assert reply.sections["Result"] == (
        'Dragged button "card" to region "done"; the page accepted the drop'
    )
    there = await shared_server.call("browser_evaluate", function="() => done.contains(card)")
    assert there.sections["Result"] == "true"


async def test_a_target_that_accepts_no_drop_is_an_error(
    shared_server: ServerClient, show: Show
) -> None:
    page = await show(BOARD)
    reply = await shared_server.call(
        "browser_drag", startTarget=page.ref("button", "card"), endTarget=page.ref("region", "wall")
    )
    assert reply.is_error
    assert 'region "wall" did not accept the drop of button "card"' in reply.sections["Error"]
    assert "Page" in reply.sections


async def test_an_element_is_not_dragged_to_itself(shared_server: ServerClient, show: Show) -> None:
    card = (await show(BOARD)).ref("button", "card")
    reply = await shared_server.call("browser_drag", startRef=card, endRef=card)
    assert reply.is_error
    assert "cannot be dragged onto itself" in reply.sections["Error"]


async def test_a_list_is_sorted_by_the_mouse(shared_server: ServerClient, show: Show) -> None:
    page = await show(
        "<ul id=list><li tabindex=0 aria-label=one>one</li><li tabindex=0 aria-label=two>two</li>"
        "</ul><script>let held; list.onmousedown = e => { held = e.target; e.preventDefault() };"
        "list.onmousemove = e => { if (held && e.target !== held) e.target.after(held) };"
        "onmouseup = () => { held = null }</script>"
    )
    reply = await shared_server.call(
        "browser_drag", startRef=page.ref("listitem", "one"), endRef=page.ref("listitem", "two")
    )
    assert not reply.is_error
    order = await shared_server.call("browser_evaluate", function="() => list.innerText")
    assert order.sections["Result"].split() == ["two", "one"]


async def test_a_call_cancelled_in_the_middle_leaves_no_button_pressed(
    shared_server: ServerClient, show: Show, site: Site
) -> None:
    pressed = threading.Event()

    def note(request: Request) -> Response:
        pressed.set()
        return Response()

    site.handle("/pressed", note)
    script = "<script>onmousedown = () => fetch('/pressed')</script>"
    page = await show(BOARD.replace("draggable=true", "") + script)
    arguments = {"startRef": page.ref("button", "card"), "endRef": page.ref("region", "done")}
    params = {"name": "browser_drag", "arguments": arguments}
    await shared_server.send(
        {"jsonrpc": "2.0", "id": "drag", "method": "tools/call", "params": params}
    )
    assert await asyncio.to_thread(pressed.wait, 10)
    await shared_server.notify("notifications/cancelled", {"requestId": "drag"})
    await shared_server.call("browser_click", ref=page.ref("region", "wall"))
    title = await shared_server.call("browser_evaluate", function="() => document.title")
    events = title.sections["Result"].split()
    assert events.count("mousedown1") == events.count("mouseup0")
    assert events[-3:] == ["mousedown1", "mouseup0", "click0"]


DIAGRAM = """<style>body { margin: 0 } svg { width: 600px; height: 300px }
path { pointer-events: none }</style><svg id=svg>
<circle id=out role=button aria-label=Out tabindex=0 cx=50 cy=50 r=10 />
<circle id=in role=button aria-label=In tabindex=0 cx=300 cy=200 r=10 /></svg>
<script>let line = null; const shape = name => document.createElementNS(svg.namespaceURI, name);
document.getElementById('out').onmousedown = () => { line = svg.appendChild(shape('path')) };
onmousemove = event => line?.setAttribute('d', `M50 50L${event.clientX} ${event.clientY}`);
onmouseup = event => {
  if (line && event.target.id !== 'in') line.remove();
  line = null };
</script>"""


async def test_a_connection_in_a_diagram_is_reported(
    shared_server: ServerClient, show: Show
) -> None:
    page = await show(DIAGRAM)
    first, last = page.ref("button", "Out"), page.ref("button", "In")
    reply = await shared_server.call("browser_drag", startRef=first, endRef=last)
    assert reply.sections["Result"] == 'Dragged button "Out" to button "In"'
    assert "in a drawing, 1 shape was added" in reply.sections["Snapshot"]
    reply = await shared_server.call("browser_drag", startRef=first, endRef="svg")
    assert "in a drawing, shapes were moved or redrawn" not in reply.sections["Snapshot"]
    assert "added" not in reply.sections["Snapshot"]


async def test_the_distance_of_an_element_that_stays_in_its_place_of_the_tree_is_reported(
    shared_server: ServerClient, show: Show
) -> None:
    page = await show(
        "<style>body { margin: 0 } div { position: absolute; width: 50px; height: 50px }</style>"
        "<div tabindex=0 id=box>Tea</div>"
        "<div role=button tabindex=0 aria-label=Target style='left: 200px; top: 100px'></div>"
        "<script>let held = false; box.onmousedown = () => { held = true };"
        "onmouseup = () => { held = false }; onmousemove = event => { if (held)"
        " box.style.transform = `translate(${event.clientX - 25}px, ${event.clientY - 25}px)` }"
        "</script>"
    )
    reply = await shared_server.call(
        "browser_drag", startRef=page.ref("generic"), endRef=page.ref("button", "Target")
    )
    assert reply.sections["Result"] == (
        'Dragged generic "Tea" to button "Target"; it moved by (200, 100) px'
    )


async def test_an_element_that_a_selector_found_is_named_by_it(
    shared_server: ServerClient, show: Show
) -> None:
    await show("<p id=one>One</p><p id=two>Two</p>")
    reply = await shared_server.call("browser_drag", startRef="#one", endRef="#two")
    assert reply.sections["Result"] == "Dragged paragraph (#one) to paragraph (#two)"
