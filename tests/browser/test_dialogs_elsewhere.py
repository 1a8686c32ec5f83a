"""Dialogs of other tabs: a page that shares their process says so, and others go on."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from tests.browser.page.agent import Agent
from tests.e2e.processes import until
from tests.site import Site
from viewpoint_mcp.browser.browser import Browser
from viewpoint_mcp.errors import ModalOpen
from viewpoint_mcp.page.dialogs import Answer

POPUP = "<h1>Popup</h1><script>alert('In the popup')</script>"


@pytest.fixture
async def agent(launched: Browser, site: Site) -> AsyncIterator[Agent]:
    """Return an agent at a fresh tab, from which /popup can be opened."""
    site.page(POPUP, path="/popup")
    context = launched.contexts.active
    yield Agent(await context.new_page())
    for tab in list(context.tabs):
        await context.close_tab(tab)


async def open_popup(launched: Browser, agent: Agent, site: Site, features: str) -> None:
    """Have the page open /popup, whose dialog then is there."""
    script = f"window.open('/popup', '_blank', '{features}')"
    await agent.go(site.page(f'<button onclick="{script}">Go</button>'))
    button = await agent.page.element("button")
    async with agent.page.settled():
        await agent.page.acts.begin()
        await agent.page.acts.do(agent.page.mouse.click(*await button.point()))
    await until(lambda: launched.contexts.active.dialog_beside(agent.page.target_id) is not None)


async def test_a_page_that_shares_the_process_names_the_tab_to_answer(
    launched: Browser, agent: Agent, site: Site
) -> None:
    await open_popup(launched, agent, site, "")
    start = asyncio.get_running_loop().time()
    with pytest.raises(ModalOpen, match=r'"alert" dialog with message "In the popup" of tab \d'):
        await agent.page.snapshot()
    assert asyncio.get_running_loop().time() - start < 2
    popup = await launched.contexts.active.tabs[-1].page()
    dialog = popup.interruptions.dialog
    assert dialog is not None
    await popup.answer(dialog, Answer(accept=True))
    assert "Go" in await agent.look()


async def test_a_page_of_another_process_goes_on(
    launched: Browser, agent: Agent, site: Site
) -> None:
    await open_popup(launched, agent, site, "noopener")
    assert "Go" in await agent.look()
    await agent.page.pause(1.2)


async def test_a_tab_with_a_dialog_closes(launched: Browser, agent: Agent, site: Site) -> None:
    await open_popup(launched, agent, site, "")
    await launched.contexts.active.close_tab(launched.contexts.active.tabs[-1])
    assert "Go" in await agent.look()
