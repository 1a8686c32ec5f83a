"""Tools that go by coordinates, through a server with --caps vision."""

from __future__ import annotations

import io
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from tests.e2e.conftest import OpenHere
from tests.e2e.support.client import Reply, ServerClient, StdioClient
from tests.site import Site

PLAIN = "<style>body { margin: 0 } .b { position: absolute; width: 100px; height: 60px }</style>"
DRAW = """<style>body { margin: 0 } canvas { display: block }</style>
<canvas id=c width=400 height=300></canvas><script>
const pen = c.getContext('2d'); pen.lineWidth = 8; pen.strokeStyle = '#ff0000';
c.onmousedown = e => { pen.beginPath(); pen.moveTo(e.offsetX, e.offsetY) };
c.onmousemove = e => { if (e.buttons === 1) { pen.lineTo(e.offsetX, e.offsetY); pen.stroke() } };
</script>"""
RED = (255, 0, 0)
WHITE = (255, 255, 255)


@pytest.fixture(scope="module")
async def seeing(
    open_here: OpenHere, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[ServerClient]:
    """Return a server with vision that all tests of the module share."""
    flags = ("--caps=vision", "--viewport-size=800x600")
    async with open_here(*flags, cwd=tmp_path_factory.mktemp("seeing")) as client:
        await client.initialize()
        yield client


async def point(server: ServerClient, tool: str, x: float, y: float, **more: Any) -> Reply:
    return await server.call(f"browser_mouse_{tool}_xy", x=x, y=y, **more)


async def test_a_click_reports_the_hit_element_and_the_changes(
    seeing: StdioClient, site: Site
) -> None:
    page = "<button class=b onclick=\"document.body.append('Welcome')\">Sign in</button>"
    shown = await seeing.call("browser_navigate", url=site.page(PLAIN + page))
    ref = shown.ref("button", "Sign in")
    reply = await point(seeing, "click", 50, 30, element="the button")
    assert reply.sections["Result"] == f'Clicked at (50, 30): button "Sign in" [ref={ref}]'
    assert "Welcome" in reply.sections["Snapshot"]
    reply = await point(seeing, "click", 500.5, 400, clickCount=2, delay=5)
    clicked, selected = reply.sections["Result"].split("\n")
    assert clicked == "Double-clicked at (500.5, 400)"
    assert selected.startswith('Selected: "')


async def test_the_consequences_of_a_click_are_reported(seeing: StdioClient, site: Site) -> None:
    there = site.page("<title>There</title><h1>There</h1>")
    page = await seeing.call(
        "browser_navigate",
        url=site.page(
            f"{PLAIN}<a class=b href='{there}'>Go</a><a class=b style='left: 200px' target=_blank "
            f"href='{there}'>Open</a><button class=b style='left: 400px' onclick='alert(1)'>Ask"
            "</button><input class=b style='left: 600px' type=file>"
        ),
    )
    assert not page.is_error
    popup = await point(seeing, "click", 210, 10)
    assert f"Popup opened as tab 1: {there}" in popup.sections["Events"]
    dialog = await point(seeing, "click", 450, 30)
    assert "browser_handle_dialog" in dialog.sections["Modal state"]
    refused = await point(seeing, "move", 5, 5)
    assert refused.is_error
    await seeing.call("browser_handle_dialog", accept=True)
    chooser = await point(seeing, "click", 620, 30)
    assert "browser_file_upload" in chooser.sections["Modal state"]
    await seeing.call("browser_file_upload")
    went = await point(seeing, "click", 10, 10)
    assert "There" in went.sections["Snapshot"]
    assert there in went.sections["Page"]
    await seeing.call("browser_tabs", action="close", index=1)


async def test_a_point_outside_reports_the_size_of_the_viewport(seeing: StdioClient) -> None:
    reply = await point(seeing, "click", 900, 10)
    assert reply.is_error
    assert reply.sections["Error"] == (
        "(900, 10) is outside the viewport of 800 x 600 CSS pixels. Coordinates count from the "
        "upper left corner of the viewport. Scroll with browser_mouse_wheel or "
        "browser_scroll_into_view."
    )


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({"x": 1}, "browser_mouse_click_xy needs the argument 'y'"),
        ({"x": "left", "y": 1}, "Argument 'x' of browser_mouse_click_xy must be a number"),
        ({"x": 1, "y": 1, "clickCount": 4}, "'clickCount'"),
        ({"x": 1, "y": 1, "delay": 20_000}, "'delay'"),
        ({"x": 1, "y": 1, "button": "back"}, "'button'"),
    ],
)
async def test_wrong_arguments_are_named(
    seeing: StdioClient, arguments: dict[str, Any], expected: str
) -> None:
    reply = await seeing.call("browser_mouse_click_xy", **arguments)
    assert reply.is_error
    assert expected in reply.sections["Error"]


async def test_lines_are_drawn_at_the_coordinates_of_the_picture(
    seeing: StdioClient, site: Site
) -> None:
    await seeing.call("browser_navigate", url=site.page(DRAW))
    line = {"startX": 50, "startY": 50, "endX": 250, "endY": 50}
    dragged = await seeing.call("browser_mouse_drag_xy", **line)
    assert dragged.sections["Result"].startswith("Dragged from (50, 50): canvas")
    await point(seeing, "move", 50, 100)
    pressed = await seeing.call("browser_mouse_down")
    assert pressed.sections["Result"].startswith("Pressed the left button at (50, 100): canvas")
    again = await seeing.call("browser_mouse_down")
    assert "left mouse button is already down" in again.sections["Error"]
    await point(seeing, "move", 250, 200)
    released = await seeing.call("browser_mouse_up")
    assert released.sections["Result"].startswith("Released the left button at (250, 200)")
    assert "is not down" in (await seeing.call("browser_mouse_up")).sections["Error"]
    await seeing.call("browser_take_screenshot", filename="drawn.png")
    with Image.open(io.BytesIO((seeing.cwd / "drawn.png").read_bytes())) as picture:
        seen = [picture.convert("RGB").getpixel(at) for at in ((150, 50), (150, 150), (150, 250))]
    assert seen == [RED, RED, WHITE]


async def test_a_pressed_button_is_not_pressed_on_another_page(
    seeing: StdioClient, site: Site
) -> None:
    await seeing.call("browser_navigate", url=site.page(DRAW))
    await point(seeing, "move", 50, 50)
    await seeing.call("browser_mouse_down", button="right")
    reply = await seeing.call("browser_navigate", url=site.page("<h1>Other</h1>"))
    assert "The right mouse button was released" in reply.sections["Events"]
    assert not (await point(seeing, "click", 5, 5)).is_error


async def test_the_wheel_reports_the_element_that_scrolled(seeing: StdioClient, site: Site) -> None:
    await seeing.call("browser_navigate", url=site.page("<div style='height: 3000px'>Long</div>"))
    await point(seeing, "move", 300, 300)
    down = await seeing.call("browser_mouse_wheel", deltaX=0, deltaY=400)
    assert down.sections["Result"] == (
        "Turned the wheel by (0, 400) at (300, 300): the page scrolled by (0, 400)"
    )
    up = await seeing.call("browser_mouse_wheel", deltaY=-1000)
    assert up.sections["Result"].endswith("the page scrolled by (0, -400)")
    assert (
        (await seeing.call("browser_mouse_wheel", deltaY=-10))
        .sections["Result"]
        .endswith("nothing has scrolled so far")
    )


async def test_on_an_emulated_device_a_click_hits_the_coordinates_of_the_picture(
    open_here: OpenHere, tmp_path: Path, site: Site
) -> None:
    note = "<script>onclick = e => { document.title = [e.clientX, e.clientY].join() }</script>"
    viewport = "<meta name=viewport content='width=device-width'>"
    flags = ("--caps=vision", "--device=Pixel 7")
    async with open_here(*flags, cwd=tmp_path) as server:
        await server.initialize()
        await server.call("browser_navigate", url=site.page(f"{viewport}{PLAIN}{note}<p>x"))
        reply = await point(server, "click", 200, 300)
        assert "- Page Title: 200,300" in reply.text
        outside = await point(server, "click", 500, 300)
        assert "viewport of 412 x " in outside.sections["Error"]
        # Made for a large screen, it is shown as a whole, and pictures and points are its own.
        wide = f"{PLAIN}{note}<button class=b style='left: 800px'>Far</button>"
        await server.call("browser_navigate", url=site.page(wide))
        reply = await point(server, "click", 850, 30)
        assert 'button "Far"' in reply.sections["Result"]
        assert "- Page Title: 850,30" in reply.text
