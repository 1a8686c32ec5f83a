"""A click lands where the element is drawn."""

from __future__ import annotations

import pytest

from tests.browser.page.agent import Agent

HIT = "onclick=\"document.title += 'hit'\""
LINK = f"<a id=go href=#x {HIT}"

SHAPES = {
    "clipped by a box around it": (
        "<div style='width: 40px; height: 20px; overflow: hidden'>"
        f"<button id=go {HIT} style='width: 700px; height: 500px'>Go</button></div>"
    ),
    "clipped by a box two above, at its far end": (
        "<div style='width: 500px; height: 40px; overflow: clip; position: relative'><div>"
        f"<button id=go {HIT} style='position: absolute; left: -560px; top: -160px; "
        "width: 600px; height: 180px'>Go</button></div></div>"
    ),
    "all but a corner clipped by its path": (
        f"<button id=go {HIT} style='width: 400px; height: 400px; "
        "clip-path: polygon(92% 0, 100% 0, 100% 8%)'>Go</button>"
    ),
    "a ring": (
        f"<div id=go role=button {HIT} style='width: 300px; height: 300px; "
        'clip-path: path(evenodd, "M0 0H300V300H0Z M20 20H280V280H20Z")\'>Go</div>'
    ),
    "round": (
        f"<button id=go {HIT} style='width: 60px; height: 60px; border-radius: 50%'>Go</button>"
    ),
    "broken over lines, its middle being empty": (
        f"<div style='width: 230px'>Words in front of this {LINK}>link, which goes on</a></div>"
    ),
    "without a box, with content": (
        f"<div id=go role=button {HIT} style='display: contents'><b>Go</b></div>"
    ),
    "without a box, with text alone": (
        f"<p><span id=go role=button {HIT} style='display: contents'>Go</span></p>"
    ),
    "0 by 0 with a child that floats": (
        f"{LINK}><span style='float: right; padding: 9px'>Go</span></a>"
    ),
    "0 by 0 with a child placed elsewhere": (
        f"{LINK} style='position: absolute; left: 9px'>"
        "<i style='position: absolute; left: 300px; top: 200px; padding: 9px'>Go</i></a>"
    ),
    "hidden with a visible child": (
        f"<div id=go role=button {HIT} style='visibility: hidden'>"
        "<b style='visibility: visible'>Go</b></div>"
    ),
    "rotated": f"<button id=go {HIT} style='margin: 200px; rotate: 40deg; width: 90%'>Go</button>",
    "skewed": f"<button id=go {HIT} style='margin: 99px; transform: skew(60deg)'>Go</button>",
    "seen from the side": (
        "<div style='perspective: 300px; margin: 60px'>"
        f"<button id=go {HIT} style='transform: rotateY(75deg); width: 300px'>Go</button></div>"
    ),
    "very small": f"<button id=go {HIT} style='scale: 0.08; margin: 90px'>Go</button>",
    "zoomed": f"<main style='zoom: 3'><button id=go {HIT} style='zoom: 0.7'>Go</button></main>",
    "transparent": f"<button id=go {HIT} style='opacity: 0'>Go</button>",
    "letting clicks through, but not its child": (
        f"<div id=go role=button {HIT} style='pointer-events: none; padding: 90px'>"
        "<b style='pointer-events: auto; float: right'>Go</b></div>"
    ),
    "half under something": (
        f"<div style='position: relative'><button id=go {HIT} style='width: 300px'>Go</button>"
        "<p style='position: absolute; inset: 0 auto 0 0; margin: 0; width: 280px; "
        "background: tan'>over</p></div>"
    ),
}

DRAWN = {
    "a thin diagonal line": f"<line id=go {HIT} x1=10 y1=20 x2=310 y2=170 stroke=red />",
    "a straight line": f"<line id=go {HIT} x1=10 y1=20 x2=310 y2=20 stroke=red stroke-width=3 />",
    "a ring without a fill": (
        f"<circle id=go {HIT} cx=150 cy=120 r=99 fill=none stroke=red stroke-width=2 />"
    ),
    "a group of thin shapes": (
        f"<g id=go role=button {HIT}><path d='M10 10 L300 200' stroke=red /></g>"
    ),
    "a path in the shape of an L": (
        f"<path id=go {HIT} d='M10 10 V190 H300 V180 H20 V10 Z' transform='rotate(10)' />"
    ),
}


@pytest.mark.parametrize("html", SHAPES.values(), ids=SHAPES)
async def test_the_element_is_hit(agent: Agent, html: str) -> None:
    await agent.open(f"<!DOCTYPE html>{html}")
    await agent.click(await agent.page.find_element("#go"))
    assert await agent.run("document.title") == "hit"


@pytest.mark.parametrize("shape", DRAWN.values(), ids=DRAWN)
async def test_a_shape_of_svg_is_hit_where_it_is_drawn(agent: Agent, shape: str) -> None:
    await agent.open(f"<svg width=350 height=250>{shape}</svg>")
    await agent.click(await agent.page.find_element("#go"))
    assert await agent.run("document.title") == "hit"


@pytest.mark.parametrize("mode", ["open", "closed"])
async def test_a_button_below_two_shadow_roots_and_a_slot_is_hit(agent: Agent, mode: str) -> None:
    await agent.open("<x-outer></x-outer>")
    await agent.run(
        "() => { const root = document.querySelector('x-outer')"
        f".attachShadow({{ mode: '{mode}' }});"
        "root.innerHTML = '<x-inner><button>Go</button></x-inner>';"
        f"root.firstChild.attachShadow({{ mode: '{mode}' }}).innerHTML = '<p><slot></slot></p>';"
        "root.querySelector('button').onclick = () => { document.title += 'hit' } }"
    )
    await agent.click('button "Go"')
    assert await agent.run("document.title") == "hit"


async def test_an_area_of_an_image_below_the_fold_is_hit(agent: Agent) -> None:
    picture = "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'/>"
    await agent.open(
        f'<div style="height: 2000px"></div><img usemap=#m width=300 height=200 src="{picture}">'
        f"<map name=m><area shape=circle coords=250,50,20 href=#x alt=Sun {HIT}></map>"
    )
    await agent.click('link "Sun"')
    assert await agent.run("document.title") == "hit"
