"""Dialogs of other tabs: a page in the same process reports them, and other pages continue."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from tests.browser.inside import services_of
from tests.browser.page.agent import Agent
from tests.e2e.support.processes import wait_until
from tests.site import Site
from viewpoint_mcp.browser.client_workspace import Workspace
from viewpoint_mcp.browser.context import Context, ContextOptions
from viewpoint_mcp.errors import ModalOpenError

POPUP = "<h1>Popup</h1><script>alert('In the popup')</script>"


@pytest.fixture
async def agent(default: Context, site: Site) -> AsyncIterator[Agent]:
    """Return an agent at a fresh tab, from which /popup can be opened."""
    site.page(POPUP, path="/popup")
    yield Agent(await default.new_page())
    for tab in list(default.tabs):
        await default.close_tab_or_fail(tab)


async def open_popup(default: Context, agent: Agent, site: Site, features: str) -> None:
    """Make the page open /popup, which opens a dialog."""
    script = f"window.open('/popup', '_blank', '{features}')"
    await agent.go(site.page(f'<button onclick="{script}">Go</button>'))
    button = await agent.page.find_element("button")
    async with agent.page.settle_afterwards():
        await services_of(agent.page).current_action.record_state_before_events()
        await services_of(agent.page).current_action.perform_until_dialog(
            services_of(agent.page).mouse.click(*await button.wait_for_hit_point())
        )
    await wait_until(lambda: default.describe_dialog_in_other_tab(agent.page.target_id) is not None)


@pytest.mark.timing
async def test_a_page_in_the_same_process_names_the_tab_with_the_dialog(
    default: Context, agent: Agent, site: Site
) -> None:
    await open_popup(default, agent, site, "")
    start = asyncio.get_running_loop().time()
    with pytest.raises(
        ModalOpenError, match=r'"alert" dialog with message "In the popup" of tab \d'
    ):
        await agent.page.snapshot()
    assert asyncio.get_running_loop().time() - start < 2
    popup = await default.tabs[-1].get_page()
    dialog = popup.blockers.dialog
    assert dialog is not None
    await popup.answer_current_or_next_dialog(accept=True)
    assert "Go" in await agent.snapshot()


async def test_a_page_of_another_process_continues(
    default: Context, agent: Agent, site: Site
) -> None:
    await open_popup(default, agent, site, "noopener")
    assert "Go" in await agent.snapshot()
    await agent.page.pause(1.2)


async def test_a_tab_with_a_dialog_closes(default: Context, agent: Agent, site: Site) -> None:
    await open_popup(default, agent, site, "")
    await default.close_tab_or_fail(default.tabs[-1])
    assert "Go" in await agent.snapshot()


IN_A_FRAME = "<iframe srcdoc='<button onclick=alert()>Go</button>'></iframe>"


@pytest.mark.parametrize("other", [False, True])
async def test_the_browser_survives_a_tab_whose_frame_shows_a_dialog(
    launched: Workspace, default: Context, site: Site, other: bool
) -> None:
    context = await launched.create_context("frames", ContextOptions()) if other else default
    agent = Agent(await context.new_page())
    await agent.go(site.page(IN_A_FRAME))
    async with agent.page.settle_afterwards():
        await (await agent.find("Go")).click()
    assert agent.page.blockers.dialog is not None
    if other:
        await launched.close_context("frames")
    else:
        await default.close_tab_or_fail(default.active_tab)
    assert launched.has_running_browser
    assert "Still here" in await Agent(await default.new_page()).open("<p>Still here</p>")
