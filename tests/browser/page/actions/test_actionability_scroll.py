"""An element outside the view is scrolled into view, below fixed bars and in every kind of
scroller.
"""

from __future__ import annotations

import pytest

from tests.browser.page.agent import Agent

HIT = 'onclick="document.title = event.type + event.detail"'
GO = f"<button id=go {HIT}>Go</button>"
GAP = "<div style='height: 3000px'>gap</div>"
BAR = "position: fixed; left: 0; right: 0; background: tan"

SCROLLED = {
    "a window": f"{GAP}{GO}{GAP}",
    "a box in a box": (
        "<div style='height: 150px; overflow: auto'><div style='height: 700px'></div>"
        "<div style='height: 300px; overflow: scroll'><div style='height: 900px'></div>"
        f"{GO}</div></div>"
    ),
    "a box that no person can scroll": (
        f"<div style='height: 150px; overflow: hidden'>{GAP}{GO}{GAP}</div>"
    ),
    "a box that scrolls smoothly": (
        f"<div style='height: 150px; overflow: auto; scroll-behavior: smooth'>{GAP}{GO}{GAP}</div>"
    ),
    "a box that snaps": (
        "<div style='height: 200px; overflow: auto; scroll-snap-type: y mandatory'>"
        + "".join(
            f"<section style='height: 200px; scroll-snap-align: start'>{n}</section>"
            for n in range(9)
        )
        + f"<section style='height: 200px; scroll-snap-align: start'>{GO}</section></div>"
    ),
    "a page that snaps": (
        "<style>html { scroll-snap-type: y mandatory } section { height: 100vh; "
        "scroll-snap-align: start }</style><section>1</section><section>2</section>"
        f"<section>{GO}</section><section>4</section>"
    ),
    "a page that is laid out when seen": (
        "<style>section { content-visibility: auto; contain-intrinsic-size: 100px 900px }</style>"
        f"<section>{GAP}</section><section>{GAP}</section><section>{GO}{GAP}</section>"
    ),
    "far to the right": (f"<div style='width: 5000px; text-align: right'><p>wide</p>{GO}</div>"),
    "far to the left of a page that reads so": (
        f"<html dir=rtl><div style='width: 5000px; text-align: left'><p>wide</p>{GO}</div>"
    ),
    "a row that scrolls sideways": (
        "<div style='width: 300px; overflow-x: auto; white-space: nowrap'>"
        f"<span style='display: inline-block; width: 2000px'>wide</span>{GO}</div>"
    ),
    "under a header that stays": (
        f"<header style='{BAR}; top: 0; height: 45vh'>Head</header>{GAP}{GO}{GAP}"
    ),
    "between a header and a footer": (
        f"<header style='{BAR}; top: 0; height: 55vh'>Head</header>{GAP}{GO}{GAP}"
        f"<footer style='{BAR}; bottom: 0; height: 30vh'>Foot</footer>"
    ),
    "over a footer that covers the middle": (
        f"{GAP}{GO}{GAP}<footer style='{BAR}; bottom: 0; height: 60vh'>Foot</footer>"
    ),
    "beside a column that stays": (
        "<div style='width: 4000px; padding-left: 2000px; position: relative'>"
        f"<div style='{BAR}; left: 0; right: auto; top: 0; bottom: 0; width: 55vw'>Side</div>"
        f"{GO}</div>"
    ),
    "a box taller and wider than the viewport": (
        f"{GAP}<button id=go {HIT} style='width: 3000px; height: 3000px'>Go</button>{GAP}"
    ),
    "half beyond the edge": (
        f"<button id=go {HIT} style='position: absolute; left: -60px; top: -12px; "
        "width: 100px; height: 40px'>Go</button>"
    ),
}


@pytest.mark.parametrize("html", SCROLLED.values(), ids=SCROLLED)
async def test_the_element_is_scrolled_to_and_clicked(agent: Agent, html: str) -> None:
    await agent.open(f"<!DOCTYPE html>{html}")
    await agent.click(await agent.page.find_element("#go"))
    assert await agent.run("document.title") == "click1"


async def test_a_header_that_appears_during_scrolling_is_detected(agent: Agent) -> None:
    await agent.open(
        f"<!DOCTYPE html>{GAP}{GO}{GAP}<header id=head hidden "
        f"style='{BAR}; top: 0; height: 70vh'>Head</header>"
        "<script>onscroll = () => { head.hidden = scrollY < 100 }</script>"
    )
    await agent.click(await agent.page.find_element("#go"))
    assert await agent.run("document.title") == "click1"


async def test_the_intended_row_of_a_virtual_list_is_clicked(
    agent: Agent,
) -> None:
    await agent.open(
        "<div id=box style='height: 200px; overflow: auto; position: relative'>"
        "<div style='height: 4000px'></div></div><script>"
        "const rows = new Map(); const draw = () => { for (let n = 0; n < 100; n++) {"
        "  const near = Math.abs(n * 40 - box.scrollTop) < 600;"
        "  if (near && !rows.has(n)) { const row = document.createElement('button');"
        "    row.textContent = `Row ${n}`; row.style = `position: absolute; top: ${n * 40}px`;"
        "    row.onclick = () => { document.title += row.textContent };"
        "    rows.set(n, row); box.append(row) }"
        "  if (!near && rows.has(n)) { rows.get(n).remove(); rows.delete(n) } } };"
        "box.onscroll = draw; draw()</script>"
    )
    await agent.click('"Row 14"')
    assert await agent.run("document.title") == "Row 14"
