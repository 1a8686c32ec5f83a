"""A dialog, a crash or a navigation during a screenshot ends the call and leaves the page
unchanged.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress

import pytest

from cdp_protocol import CdpError
from tests.browser.conftest import OpenPage
from tests.browser.inside import services_of
from tests.browser.page.agent import Agent
from tests.site import Site
from viewpoint_mcp.config.settings import Timeouts
from viewpoint_mcp.errors import ElementNotVisibleError, ModalOpenError, PageError

TALL = "<!DOCTYPE html><body style='margin: 0'><div style='height: 20000px'>x</div>"
LIST = (
    "<!DOCTYPE html><section style='height: 200px; overflow: auto'><div role=img aria-label=It "
    "tabindex=0 style='height: 5000px'></div></section>"
)


async def take_until_it_fails(agent: Agent) -> None:
    for _ in range(100):
        await agent.page.capture.screenshot(full_page=True)


async def test_an_open_dialog_is_reported(agent: Agent) -> None:
    await agent.open("<h1>x</h1>")
    await agent.run("alert('Wait')")
    with pytest.raises(ModalOpenError):
        await agent.page.capture.screenshot()


async def test_a_dialog_that_opens_meanwhile_ends_it(agent: Agent) -> None:
    await agent.open(LIST)
    element = await agent.find("img")
    await agent.run("void (document.querySelector('section').onscroll = () => alert('Scrolled'))")
    with pytest.raises(ModalOpenError, match="Scrolled"):
        await agent.page.capture.screenshot(element=element)


async def test_scroll_positions_are_put_back_when_it_fails(agent: Agent) -> None:
    await agent.open(LIST)
    await agent.run("document.querySelector('section').scrollTop = 77")
    element = await agent.find("img")
    await agent.run(
        "void (document.querySelector('section').onscroll = ({target}) => {"
        "  if (target.scrollTop > 500) target.firstChild.style.visibility = 'hidden' })"
    )
    with pytest.raises(ElementNotVisibleError):
        await agent.page.capture.screenshot(element=element)
    assert await agent.run("document.querySelector('section').scrollTop") == "77"


@pytest.mark.prove
async def test_a_screenshot_of_a_hanging_page_times_out(open_page: OpenPage) -> None:
    agent = Agent(await open_page(Timeouts(action=0.5, navigation=10.0)))
    await agent.open(TALL)
    await services_of(agent.page).session.Runtime.evaluate(
        expression="setTimeout(() => { for (;;); }, 300)"
    )
    with pytest.raises(PageError, match="did not answer within"):
        await take_until_it_fails(agent)
    await agent.page.navigate("about:blank")


async def test_a_page_that_crashes_during_the_screenshot_says_so(agent: Agent) -> None:
    await agent.open(TALL)
    crashing = asyncio.ensure_future(services_of(agent.page).session.send("Page.crash"))
    with pytest.raises(PageError, match="crashed"):
        await take_until_it_fails(agent)
    crashing.cancel()
    await agent.open("<h1>Back</h1>")
    assert (await agent.page.capture.screenshot()).size == (800, 600)


async def test_a_page_that_is_closed_during_the_screenshot_says_so(open_page: OpenPage) -> None:
    agent = Agent(await open_page())
    await agent.open(TALL)
    closing = asyncio.ensure_future(services_of(agent.page).session.send("Page.close"))
    with pytest.raises(PageError, match="closed"):
        await take_until_it_fails(agent)
    await asyncio.wait({closing})
    with suppress(CdpError):
        closing.result()


async def test_a_page_that_navigates_during_the_screenshot_says_so(
    agent: Agent, site: Site
) -> None:
    url = site.page(TALL + "<script>setTimeout(() => location.reload(), 30)</script>")
    await agent.page.navigate(url)
    with pytest.raises(PageError, match="another document"):
        await take_until_it_fails(agent)
    while True:
        with suppress(PageError):  # its last reload may come after the screenshot
            await agent.page.navigate("about:blank")
            assert (await agent.page.capture.screenshot()).size == (800, 600)
            break


async def test_a_cancelled_screenshot_leaves_the_page_unchanged(agent: Agent) -> None:
    await agent.open(TALL)
    await agent.run("scrollTo(0, 2000)")
    for pause in (0.0, 0.05, 0.2, 0.5):
        taking = asyncio.ensure_future(agent.page.capture.screenshot(full_page=True))
        await asyncio.sleep(pause)
        taking.cancel()
        with suppress(asyncio.CancelledError):
            await taking
    assert (await agent.page.capture.screenshot()).size == (800, 600)
    assert await agent.run("[innerWidth, innerHeight, scrollY].join()") == "800,600,2000"
