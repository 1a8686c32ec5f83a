"""The mutation watch of a document: which changes count, and when it is still."""

from __future__ import annotations

import pytest

from tests.browser.inside import services_of
from tests.browser.page.agent import Agent
from viewpoint_mcp.page.settle.document_watch import DocumentWatch


@pytest.fixture
async def watch(agent: Agent) -> DocumentWatch:
    await agent.open("<p id=p class=a>text</p><div id=host></div>")
    await agent.run("() => { host.attachShadow({mode: 'open'}).innerHTML = '<b>x</b>' }")
    watch = DocumentWatch([services_of(agent.page).frames.main])
    await watch.start_counting()
    return watch


async def test_a_document_without_mutations_has_no_change(watch: DocumentWatch) -> None:
    assert not await watch.has_changed_after_drawn_frame()
    assert not await watch.wait_for_change(0.05)


@pytest.mark.parametrize(
    "script",
    [
        "p.append('x')",
        "p.firstChild.data = 'x'",
        "p.className = 'b'",
        "p.remove()",
        "host.shadowRoot.append('x')",
        "host.shadowRoot.firstChild.className = 'b'",
    ],
)
async def test_every_kind_of_change_is_noticed_once(
    agent: Agent, watch: DocumentWatch, script: str
) -> None:
    await agent.run(f"() => {{ {script} }}")
    assert await watch.has_changed_after_drawn_frame()
    assert not await watch.has_changed_after_drawn_frame()


async def test_a_shadow_root_that_is_added_is_watched(agent: Agent, watch: DocumentWatch) -> None:
    await agent.run(
        "() => { const e = document.createElement('div'); e.id = 'more';"
        "e.attachShadow({mode: 'open'}).innerHTML = '<b>x</b>'; document.body.append(e) }"
    )
    await watch.has_changed_after_drawn_frame()
    await agent.run("() => { document.getElementById('more').shadowRoot.append('x') }")
    assert await watch.has_changed_after_drawn_frame()


async def test_the_first_change_ends_the_wait(agent: Agent, watch: DocumentWatch) -> None:
    await agent.run("() => { setTimeout(() => p.append('x'), 50) }")
    assert await watch.wait_for_change(10.0)


async def test_a_change_before_the_wait_ends_it_at_once(agent: Agent, watch: DocumentWatch) -> None:
    await agent.run("() => { p.append('x') }")
    assert await watch.wait_for_change(10.0)


async def test_still_waits_until_the_changes_pause(agent: Agent, watch: DocumentWatch) -> None:
    await agent.run(
        "() => { let n = 0; const t = setInterval(() => { p.textContent = ++n;"
        "if (n === 20) { clearInterval(t); p.textContent = 'rests' } }, 8) }"
    )
    await watch.wait_for_change(1.0)
    await watch.has_loading_sign_when_still(5.0)
    assert await agent.run("p.textContent") == "rests"


async def test_still_waits_for_an_animation_that_began_since(
    agent: Agent, watch: DocumentWatch
) -> None:
    await agent.run("() => { p.animate([{opacity: 0}, {opacity: 1}], 300) }")
    await watch.has_loading_sign_when_still(5.0)
    assert await agent.run("document.getAnimations().length") == "0"


async def test_still_does_not_wait_for_an_animation_that_ran_before(
    agent: Agent, watch: DocumentWatch
) -> None:
    await agent.run("() => { p.animate([{opacity: 0}, {opacity: 1}], 60000) }")
    await watch.start_counting()
    await watch.has_loading_sign_when_still(20.0)
    assert await agent.run("document.getAnimations().length") == "1"


async def test_waiting_for_stillness_ends_at_its_limit(agent: Agent, watch: DocumentWatch) -> None:
    await agent.run("() => { setInterval(() => p.textContent = performance.now(), 1) }")
    await watch.has_loading_sign_when_still(0.1)


async def test_a_navigation_ends_the_wait(agent: Agent, watch: DocumentWatch) -> None:
    await agent.run("() => { setTimeout(() => location = 'about:blank', 50) }")
    assert not await watch.wait_for_change(10.0)
