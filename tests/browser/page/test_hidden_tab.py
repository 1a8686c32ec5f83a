"""A tab behind another is as good as the one in front."""

from __future__ import annotations

import pytest

from tests.browser.conftest import OpenPage
from tests.browser.inside import services_of
from tests.browser.page.actions.points import click, drag, wheel
from tests.browser.page.agent import Agent

ADD = "document.body.append('DONE')"


@pytest.fixture
async def behind(open_page: OpenPage) -> Agent:
    """An agent at a tab that another one covers."""
    agent = Agent(await open_page())
    other = await open_page()
    await services_of(other).session.Page.bringToFront()
    return agent


@pytest.mark.parametrize("milliseconds", [0, 100, 300])
async def test_a_change_by_a_timer_is_in_the_snapshot(behind: Agent, milliseconds: int) -> None:
    await behind.open(f'<button onclick="setTimeout(() => {ADD}, {milliseconds})">Go</button>')
    assert "DONE" in await behind.click("button")


async def test_a_field_is_typed_into(behind: Agent) -> None:
    await behind.open("<input aria-label=Name>")
    assert "Ann" in await behind.type("textbox", "Ann")


async def test_its_document_believes_in_its_focus(behind: Agent) -> None:
    await behind.open("<input aria-label=Name>")
    await behind.type("textbox", "Ann")
    assert await behind.run("document.hasFocus() && document.activeElement.localName") == "input"


async def test_a_page_with_an_animation_is_acted_on(behind: Agent) -> None:
    await behind.open(
        "<style>@keyframes turn { to { rotate: 360deg } } p { animation: turn 1s infinite }</style>"
        f'<p>x</p><button onclick="{ADD}">Go</button>'
    )
    assert "DONE" in await behind.click("button")


async def test_the_tab_in_front_stays_there(open_page: OpenPage) -> None:
    first, second = Agent(await open_page()), Agent(await open_page())
    await services_of(second.page).session.Page.bringToFront()
    await first.open("<button>Go</button>")
    await first.click("button")
    assert await second.run("document.visibilityState") == "visible"


@pytest.mark.prove
async def test_a_hidden_tab_is_clicked_scrolled_and_dragged_at_points(behind: Agent) -> None:
    await behind.open(
        f'<body style="margin: 0; height: 3000px"><button onclick="{ADD}">Go</button><script>'
        "onmouseup = e => { document.title = [e.clientX, e.clientY].join() }</script>"
    )
    assert (await click(behind, 15, 10)).startswith('button "Go"')
    assert "DONE" in await behind.snapshot()
    result = await wheel(behind, 0, 200)
    # Chromium may draw such a tab, and scroll in it, a second or two later.
    assert result in ("the page scrolled by (0, 200)", "nothing has scrolled so far")
    await behind.run(
        "() => new Promise(done => { "
        "const look = () => scrollY === 200 ? done() : setTimeout(look, 20); look() })"
    )
    await drag(behind, (100, 100), (300, 200))
    assert await behind.run("document.title") == "300,200"


async def test_a_hidden_tab_is_printed(behind: Agent) -> None:
    await behind.open("<p>Text")
    assert (await behind.page.capture.print_pdf()).page_count == 1


@pytest.mark.parametrize("is_full_page", [False, True])
async def test_an_unchanged_hidden_tab_is_captured_again(
    behind: Agent, *, is_full_page: bool
) -> None:
    await behind.open("<p>Text</p><div style='height: 3000px'></div>")
    images = [(await behind.page.capture.screenshot(full_page=is_full_page)).data for _ in range(4)]
    assert len(set(images)) == 1
