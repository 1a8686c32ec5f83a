"""Scrolling an element to the centre of the viewport."""

from __future__ import annotations

import pytest

from tests.browser.conftest import OpenPage
from tests.browser.inside import services_of
from tests.browser.page.agent import Agent
from tests.site import Site
from viewpoint_mcp.errors import ElementNotVisibleError, StaleRefError

FAR = "<div style='height: 5000px'></div>"
MIDDLE = "Math.round(b.getBoundingClientRect().top + b.getBoundingClientRect().height / 2)"


async def test_an_element_far_below_is_brought_to_the_centre(agent: Agent) -> None:
    await agent.open(f"{FAR}<button id=b>Go</button>{FAR}")
    await agent.scroll_to("button")
    assert await agent.run(MIDDLE) in {"299", "300", "301"}


async def test_the_scroll_is_over_on_a_page_that_scrolls_smoothly(agent: Agent) -> None:
    await agent.open(
        f"<style>html {{ scroll-behavior: smooth }}</style>{FAR}<button id=b>Go</button>{FAR}"
    )
    await agent.scroll_to("button")
    assert await agent.run(MIDDLE) in {"299", "300", "301"}


async def test_all_scrollers_around_the_element_are_scrolled(agent: Agent) -> None:
    await agent.open(
        f"{FAR}<div id=box style='height: 200px; overflow: auto'>{FAR}<button id=b>Go</button>"
        f"{FAR}</div>{FAR}"
    )
    await agent.scroll_to("button")
    assert await agent.run(MIDDLE) in {"299", "300", "301"}
    assert await agent.run("box.scrollTop > 4000") == "true"


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1"])
async def test_the_pages_around_a_frame_are_scrolled(agent: Agent, site: Site, host: str) -> None:
    inner = site.page(f"{FAR}<button>Go</button>{FAR}").replace("localhost", host)
    await agent.go(site.page(f"{FAR}<iframe id=b src={inner} title=F height=200></iframe>{FAR}"))
    button = await agent.find('button "Go"')
    await agent.scroll_to(button)
    _, y = await button.wait_for_hit_point()
    assert 200 < y < 400
    assert abs(int(await agent.run(MIDDLE) or 0) - 300) < 100


async def test_content_that_loads_during_the_scroll_is_in_the_snapshot(
    agent: Agent, site: Site
) -> None:
    site.respond("/more", "LOADED")
    await agent.go(
        site.page(
            f"{FAR}<button id=b>Go</button><script>new IntersectionObserver(([e]) => {{"
            "if (e.isIntersecting) fetch('/more').then(r => r.text())"
            ".then(t => document.body.append(t)) }).observe(b)</script>"
        )
    )
    assert "LOADED" in await agent.scroll_to("button")


async def test_an_element_without_a_box_is_scrolled_to_by_its_content(agent: Agent) -> None:
    await agent.open(
        f"{FAR}<div role=button tabindex=0 style='display: contents'><b id=b>Go</b></div>{FAR}"
    )
    await agent.scroll_to("button")
    assert await agent.run(MIDDLE) in {"299", "300", "301"}


async def test_a_hidden_element_is_not_scrolled_to(agent: Agent) -> None:
    await agent.open("<button id=b>Go</button>")
    button = await agent.find("button")
    await agent.run("() => { b.style.display = 'none' }")
    with pytest.raises(ElementNotVisibleError, match='button "Go" is not visible'):
        await agent.scroll_to(button)


async def test_a_fixed_element_outside_the_viewport_cannot_be_scrolled_to(agent: Agent) -> None:
    await agent.open("<button style='position: fixed; left: 900px; top: 20px'>Go</button>")
    with pytest.raises(ElementNotVisibleError, match="cannot be scrolled into view"):
        await agent.scroll_to(await agent.page.find_element("button"))


async def test_a_removed_element_is_stale(agent: Agent) -> None:
    await agent.open("<button id=b>Go</button>")
    button = await agent.find("button")
    await agent.run("() => b.remove()")
    with pytest.raises(StaleRefError):
        await agent.scroll_to(button)


async def test_a_tab_behind_another_is_scrolled(open_page: OpenPage) -> None:
    agent, front = Agent(await open_page()), await open_page()
    await services_of(front).session.Page.bringToFront()
    await agent.open(f"{FAR}<button id=b>Go</button>{FAR}")
    await agent.scroll_to("button")
    assert await agent.run(MIDDLE) in {"299", "300", "301"}


async def test_an_element_that_is_displayed_a_little_later_is_scrolled_to(
    patient_agent: Agent,
) -> None:
    await patient_agent.open("<div style='height: 3000px'></div><p id=late hidden>Late</p>")
    late = await patient_agent.page.find_element("#late")
    await patient_agent.run("() => { setTimeout(() => { late.hidden = false }, 200) }")
    await patient_agent.scroll_to(late)
    assert await patient_agent.run("scrollY > 1000") == "true"
