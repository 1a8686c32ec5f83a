"""Scrolling inside an element, from the tool for scrolling into view."""

from __future__ import annotations

import pytest

from tests.browser.page.agent import Agent
from tests.site import Site
from viewpoint_mcp.errors import ElementError
from viewpoint_mcp.page.actions.mouse import ScrollDirection

ROWS = "".join(f"<div role=row style='height:20px;width:500px'>Row {n}</div>" for n in range(100))
GRID = f"""<body style="margin:0"><div id=g role=grid aria-label=Orders tabindex=0>
<div id=s style="width:300px;height:200px;overflow:auto">{ROWS}</div></div>"""
# It draws only the visible rows, and fetches more near its end.
ENDLESS = """<div id=g role=feed aria-label=News style="height:200px;overflow:auto"></div><script>
const add = () => { for (let n = 0; n < 20; n += 1) g.insertAdjacentHTML('beforeend',
  `<p style="margin:0;height:20px">Item ${g.children.length}</p>`) }
add()
g.onscroll = () => { if (g.scrollTop + g.clientHeight > g.scrollHeight - 50) add() }
</script>"""


async def scroll(agent: Agent, what: str, to: ScrollDirection) -> str:
    element = await agent.page.find_element(what)
    async with agent.page.settle_afterwards():
        return await element.scroll_content(to)


async def test_a_scroller_is_scrolled_by_pages_and_to_its_ends(
    agent: Agent,
) -> None:
    await agent.open(GRID)
    result = await scroll(agent, "#g", "down")
    top = int(await agent.run("s.scrollTop") or 0)
    assert 160 <= top <= 185
    assert result.startswith(f'Scrolled a part of grid "Orders" by {top} px; ')
    assert result.endswith(" px are left")
    assert "it is at the bottom" in await scroll(agent, "#g", "bottom")
    assert "by 0 px; it is at the bottom" in await scroll(agent, "#g", "down")
    assert "it is at the top" in await scroll(agent, "#g", "top")
    assert "it is at the right end" in await scroll(agent, "#g", "right")
    assert int(await agent.run("s.scrollLeft") or 0) > 150


async def test_an_element_in_a_list_scrolls_the_list(agent: Agent) -> None:
    await agent.open(GRID)
    await scroll(agent, "[role=row]:nth-child(2)", "down")
    assert await agent.run("s.scrollTop > 0") == "true"


async def test_an_endless_list_shows_more(agent: Agent) -> None:
    await agent.open(ENDLESS)
    assert "Item 25" not in await agent.snapshot()
    await scroll(agent, "#g", "bottom")
    assert "Item 25" in await agent.snapshot()


async def test_an_element_in_a_page_that_scrolls_scrolls_the_page(agent: Agent) -> None:
    await agent.open("<h1>Title</h1><div style='height:3000px'></div>")
    assert (await scroll(agent, "h1", "down")).startswith("Scrolled the page by ")


async def test_a_frame_is_scrolled_inside(agent: Agent, site: Site) -> None:
    inner = site.page("<div style='height:3000px'>Long</div>").replace("127.0.0.1", "localhost")
    text = await agent.go(site.page(f"<iframe src='{inner}'></iframe>"))
    ref = text.split("iframe [ref=")[1].split("]")[0]
    assert (await scroll(agent, ref, "bottom")).startswith("Scrolled the frame by ")


async def test_an_element_that_does_not_scroll_names_the_keys_to_use(agent: Agent) -> None:
    await agent.open("<div id=d role=code aria-label=Program>short</div>")
    with pytest.raises(ElementError, match=r"Nothing scrolls up or down .*PageDown"):
        await scroll(agent, "#d", "down")
