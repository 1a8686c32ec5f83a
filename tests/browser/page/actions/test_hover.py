"""Hovering: a menu opens under the mouse and stays open for the next action."""

from __future__ import annotations

import pytest

from tests.browser.conftest import OpenPage
from tests.browser.inside import services_of
from tests.browser.page.agent import Agent
from tests.site import Site
from viewpoint_mcp.errors import ElementCoveredError

TITLE = "document.title"
STYLE = "<style>body { margin: 0 } ul { margin: 0; padding: 0; list-style: none } </style>"

CSS_MENU = f"""{STYLE}<style>
li {{ position: relative; width: 120px; height: 30px }}
li > ul {{ display: none; position: absolute; left: 120px; top: 0 }}
li:hover > ul {{ display: block }}
</style><ul>
<li><button>File</button><ul>
  <li><button>New</button></li>
  <li><button>Recent</button><ul>
    <li><button>first.txt</button></li>
    <li><button onclick="document.title = 'opened'">second.txt</button></li>
  </ul></li></ul></li>
<li><button>Edit</button><ul><li><button>Undo</button></li></ul></li></ul>"""

# Opens by mouseenter; leaving both the button and its panel closes it, after a while.
JS_MENU = """<style>#panel { position: absolute; left: 200px; top: 150px }</style>
<button id=open style="width: 100px; height: 30px">Products</button>
<div id=panel role=menu hidden><div role=menuitem tabindex=0
  onclick="document.title = 'chosen'">Books</div><div role=menuitem tabindex=0>Toys</div></div>
<script>let closing;
const show = () => { clearTimeout(closing); panel.hidden = false };
const hide = () => { closing = setTimeout(() => { panel.hidden = true }, DELAY) };
for (const part of [open, panel]) { part.onmouseenter = show; part.onmouseleave = hide }
</script>""".replace("[open,", "[document.getElementById('open'),")


async def test_an_element_is_entered_as_by_a_hand(agent: Agent) -> None:
    await agent.open("<p>x</p><button>Go</button>")
    await agent.run(
        "() => { window.seen = []; const b = document.querySelector('button');"
        "for (const type of ['pointerover', 'pointerenter', 'mouseover', 'mouseenter',"
        "'pointermove', 'mousemove', 'mousedown', 'click'])"
        "  b.addEventListener(type, () => seen.push(type)) }"
    )
    await agent.hover("button")
    assert await agent.run("seen.join()") == (
        "pointerover,pointerenter,mouseover,mouseenter,pointermove,mousemove,pointermove,mousemove"
    )


async def test_a_menu_of_style_sheets_opens_level_by_level_and_is_clicked(agent: Agent) -> None:
    await agent.open(CSS_MENU)
    snapshot = await agent.hover('button "File"')
    assert "Recent" in snapshot
    assert "second.txt" not in snapshot
    assert "second.txt" in await agent.hover('button "Recent"')
    await agent.click("second.txt")
    assert await agent.run(TITLE) == "opened"


async def test_an_open_menu_stays_open_during_tools_that_only_read(agent: Agent) -> None:
    await agent.open(CSS_MENU)
    await agent.hover('button "File"')
    await agent.page.capture.screenshot()
    assert "Recent" in await agent.snapshot()


@pytest.mark.parametrize("delay", [100, 300])
async def test_a_menu_of_scripts_stays_open_on_the_way_to_its_items(
    agent: Agent, delay: int
) -> None:
    await agent.open(JS_MENU.replace("DELAY", str(delay)))
    assert "Books" in await agent.hover('button "Products"')
    await agent.click("Books")
    assert await agent.run(TITLE) == "chosen"


async def test_a_menu_that_closes_at_once_is_clicked(agent: Agent) -> None:
    await agent.open(
        f"{STYLE}<div id=m style='width: 100px'><button>Products</button><div id=panel hidden "
        "style='position: absolute; left: 300px; top: 200px'><button "
        "onclick=\"document.title = 'chosen'\">Books</button></div></div><script>"
        "m.onmouseenter = () => { panel.hidden = false };"
        "m.onmouseleave = () => { panel.hidden = true }</script>"
    )
    await agent.hover("Products")
    await agent.click("Books")
    assert await agent.run(TITLE) == "chosen"


async def test_a_submenu_is_reached_past_siblings_that_would_close_it(agent: Agent) -> None:
    """On a straight line to the last entry the mouse would cross the next item of the bar."""
    items = "".join(f"<li><button>Item {n}</button></li>" for n in range(8))
    await agent.open(
        CSS_MENU.replace(
            "<li><button>New</button></li>",
            f"{items}<li><button onclick=\"document.title = 'last'\">Last</button></li>",
        )
    )
    await agent.hover('button "File"')
    await agent.click('button "Last"')
    assert await agent.run(TITLE) == "last"


async def test_a_slow_tooltip_is_in_the_snapshot(agent: Agent) -> None:
    await agent.open(
        '<button onmouseenter="setTimeout(() => tip.hidden = false, 300)">?</button>'
        "<div role=tooltip id=tip hidden>Explains</div>"
    )
    assert "Explains" in await agent.hover("button")


async def test_a_menu_that_fades_in_is_in_the_snapshot(agent: Agent) -> None:
    await agent.open(
        "<style>p { visibility: hidden; opacity: 0; transition: all 0.2s 0.3s }"
        "button:hover + p { visibility: visible; opacity: 1 }</style>"
        "<button>Go</button><p>Faded</p>"
    )
    assert "Faded" in await agent.hover("button")
    assert await agent.run("getComputedStyle(document.querySelector('p')).opacity") == "1"


async def test_a_disabled_button_shows_its_tooltip(agent: Agent) -> None:
    await agent.open(
        "<style>span { visibility: hidden } div:hover span { visibility: visible }</style>"
        "<div><button disabled>Pay</button><span>Cart is empty</span></div>"
    )
    assert "Cart is empty" in await agent.hover(await agent.page.find_element("button"))


@pytest.mark.prove
async def test_a_covered_element_is_not_hovered(agent: Agent) -> None:
    await agent.open("<button>Go</button><div style='position: fixed; inset: 0'>x</div>")
    with pytest.raises(ElementCoveredError):
        await agent.hover("button")


async def test_a_button_in_a_frame_of_another_site_is_hovered(agent: Agent, site: Site) -> None:
    inner = site.page("<button onmouseenter=\"document.body.append('ENTERED')\">Go</button>")
    inner = inner.replace("localhost", "127.0.0.1")
    await agent.go(site.page(f"<p>Around</p><iframe src={inner} title=F></iframe>"))
    assert "ENTERED" in await agent.hover('button "Go"')


async def test_a_tab_behind_another_is_hovered(open_page: OpenPage) -> None:
    agent, front = Agent(await open_page()), await open_page()
    await services_of(front).session.Page.bringToFront()
    await agent.open(CSS_MENU)
    assert "Recent" in await agent.hover('button "File"')
