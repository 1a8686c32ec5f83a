"""A loading sign that appears after an action keeps the reply waiting for the result."""

from __future__ import annotations

import time

import pytest
from werkzeug import Request, Response

from tests.browser.conftest import OpenPage
from tests.browser.page.agent import Agent
from tests.site import Site
from viewpoint_mcp.config.settings import Timeouts

TURN = "<style>@keyframes turn { to { rotate: 360deg } }</style>"
SIGNS = {
    "an option of select2": (
        '<ul role=listbox><li role=option aria-disabled=true class="select2-results__option '
        'loading-results">Searching…</li></ul>'
    ),
    "a text": "<p>Loading results...</p>",
    "a busy part": "<div aria-busy=true>Old results</div>",
    "a status in another language": "<p role=status>Wird geladen …</p>",
    "an alert": "<p role=alert>Please wait</p>",
    "a progress bar without a value": "<div role=progressbar>&nbsp;</div>",
    "a progress element": "<progress></progress>",
    "a placeholder": "<input placeholder='Searching…'>",
    "a spinner": f"{TURN}<i style='display: block; animation: turn 1s infinite'>*</i>",
    "a spinner by its class": "<div class='lds-spinner' style='height: 9px'></div>",
    "a skeleton": "<div class='MuiSkeleton-root' style='height: 9px'></div>",
}


@pytest.fixture
async def agent(open_page: OpenPage) -> Agent:
    """An agent with so much patience that a busy machine makes no difference."""
    return Agent(await open_page(Timeouts(action=2.0, navigation=10.0, settle=4.0)))


def results(request: Request) -> Response:
    time.sleep(0.3)
    return Response("three results", content_type="text/plain")


def search(sign: str, *, debounce: int = 250) -> str:
    """A search field that shows a sign at once, and asks for results after a while."""
    return (
        "<input id=q aria-label=Search><div id=out></div><template id=sign>"
        f"{sign}</template><script>let timer; q.oninput = () => {{"
        "out.replaceChildren(sign.content.cloneNode(true)); clearTimeout(timer);"
        "timer = setTimeout(async () => { const answer = await fetch('/results');"
        f"out.textContent = await answer.text() }}, {debounce}) }}</script>"
    )


@pytest.mark.parametrize("sign", SIGNS.values(), ids=SIGNS)
async def test_the_reply_has_the_result_and_not_the_sign(
    agent: Agent, site: Site, sign: str
) -> None:
    site.handle("/results", results)
    await agent.go(site.page(search(sign)))
    assert "three results" in await agent.type("textbox", "lamp")
    # The second sign starts as fresh as the first.
    await agent.run("() => { out.textContent = '' }")
    assert "three results" in await agent.type("textbox", "lamps")


async def test_a_sign_that_a_class_shows_is_seen(agent: Agent, site: Site) -> None:
    site.handle("/results", results)
    html = (
        "<style>.wait { display: none } .is-busy .wait { display: block }</style>"
        "<button>Go</button><div id=out><p class=wait>Loading…</p><p id=text></p></div><script>"
        "document.querySelector('button').onclick = () => { out.className = 'is-busy';"
        "setTimeout(async () => { const answer = await fetch('/results');"
        "text.textContent = await answer.text(); out.className = '' }, 250) }</script>"
    )
    await agent.go(site.page(html))
    assert "three results" in await agent.click("button")


async def test_content_that_appears_in_steps_is_waited_for_while_the_sign_is_shown(
    agent: Agent, site: Site
) -> None:
    site.handle("/results", results)
    html = (
        "<button>Go</button><p id=out></p><p id=text></p><script>"
        "document.querySelector('button').onclick = async () => { out.textContent = 'Loading…';"
        "for (const part of ['one', 'two']) { await fetch('/results'); text.append(part, ' ');"
        "await new Promise(done => setTimeout(done, 300)) } out.textContent = 'done' }</script>"
    )
    await agent.go(site.page(html))
    text = await agent.click("button")
    assert "one two" in text
    assert "done" in text


PERMANENT = {
    "a busy part": "<div aria-busy=true>Feed</div>",
    "a text": "<p>Loading…</p>",
    "a spinner": f"{TURN}<i style='display: block; animation: turn 1s infinite'>*</i>",
    "a skeleton": "<div class=skeleton style='height: 9px'></div>",
}
COUNT = (
    "<button onclick=\"out.textContent = 'Clicked'; setTimeout(() => out.append('LATE'), 2000)\">"
    "Go</button><p id=out></p>"
)


@pytest.mark.parametrize("sign", PERMANENT.values(), ids=PERMANENT)
async def test_a_sign_that_was_there_before_is_not_waited_for(agent: Agent, sign: str) -> None:
    await agent.open(COUNT + sign)
    text = await agent.click("button")
    assert "Clicked" in text
    assert "LATE" not in text


@pytest.mark.prove
async def test_a_sign_that_stays_is_waited_for_once(agent: Agent) -> None:
    show = "side.innerHTML = '<p>Loading…</p>'"
    await agent.open(f'<div onclick="{show}">{COUNT}</div><div id=side></div>')
    assert "LATE" in await agent.click("button")
    # Each click writes it again with the same text.
    text = await agent.click("button")
    assert "Clicked" in text
    assert "LATE" not in text


@pytest.mark.parametrize(
    "text",
    ["Loading docks are closed", "Searching for a job", "<a href=#>Saving banks</a>", "More…"],
)
async def test_a_text_that_only_begins_like_a_loading_sign_is_not_one(
    agent: Agent, text: str
) -> None:
    await agent.open(f"<div onclick=\"side.innerHTML = '{text}'\">{COUNT}</div><p id=side></p>")
    assert "LATE" not in await agent.click("button")
