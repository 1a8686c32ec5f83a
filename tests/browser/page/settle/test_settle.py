"""The consequences of an action are in the next snapshot."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest
from werkzeug import Request, Response

from tests.browser.page.agent import Agent
from tests.site import Site

Answer = Callable[[Request], Response]

ADD = "document.body.append('DONE')"


@pytest.mark.parametrize("milliseconds", [0, 20, 100, 300, 450])
async def test_a_change_by_a_timer_is_in_the_snapshot(agent: Agent, milliseconds: int) -> None:
    await agent.open(f'<button onclick="setTimeout(() => {ADD}, {milliseconds})">Go</button>')
    assert "DONE" in await agent.click("button")


async def test_an_immediate_change_by_a_handler_is_in_the_snapshot(agent: Agent) -> None:
    await agent.open(f'<button onclick="{ADD}">Go</button>')
    assert "DONE" in await agent.click("button")


async def test_a_change_one_frame_later_is_in_the_snapshot(agent: Agent) -> None:
    await agent.open(
        '<button onclick="requestAnimationFrame(() => requestAnimationFrame(() => '
        f'requestAnimationFrame(() => {ADD})))">Go</button>'
    )
    assert "DONE" in await agent.click("button")


async def test_a_late_change_of_an_attribute_is_in_the_snapshot(agent: Agent) -> None:
    await agent.open(
        '<button aria-expanded=false onclick="setTimeout(() => this.ariaExpanded = true, 200)">Go'
    )
    assert "[expanded]" in await agent.click("button")


async def test_a_late_change_in_a_shadow_root_is_in_the_snapshot(agent: Agent) -> None:
    await agent.open(
        "<div id=host></div><button onclick=\"setTimeout(() => host.shadowRoot.append('DONE'), "
        '200)">Go</button>'
    )
    await agent.run("() => { host.attachShadow({mode: 'open'}) }")
    assert "DONE" in await agent.click("button")


@pytest.mark.prove
async def test_waiting_for_a_slow_fetch_ends_without_an_error(agent: Agent, site: Site) -> None:
    site.handle("/data", after(6000))
    await agent.go(site.page("<button onclick=\"fetch('/data')\">Go</button>"))
    assert "Go" in await agent.click("button")


@pytest.mark.parametrize("milliseconds", [50, 300, 900])
async def test_a_change_after_a_fetch_is_in_the_snapshot(
    agent: Agent, site: Site, milliseconds: int
) -> None:
    site.handle("/data", after(milliseconds))
    await agent.go(
        site.page(
            "<button onclick=\"fetch('/data').then(r => r.text())"
            '.then(t => document.body.append(t))">Go</button>'
        )
    )
    assert "DONE" in await agent.click("button")


async def test_a_change_after_a_fetch_with_a_spinner_is_in_the_snapshot(
    agent: Agent, site: Site
) -> None:
    site.handle("/data", after(900))
    await agent.go(
        site.page(
            '<button onclick="go()">Go</button><p id=p></p><script>async function go() {'
            "p.textContent = 'Loading';"
            "const timer = setInterval(() => p.textContent += '.', 30);"
            "const text = await (await fetch('/data')).text();"
            "clearInterval(timer); p.textContent = text }</script>"
        )
    )
    assert "DONE" in await agent.click("button")


async def test_a_change_after_an_xhr_is_in_the_snapshot(agent: Agent, site: Site) -> None:
    site.handle("/data", after(300))
    await agent.go(
        site.page(
            '<button onclick="const x = new XMLHttpRequest(); x.onload = () => '
            "document.body.append(x.responseText); x.open('GET', '/data'); x.send()\">Go</button>"
        )
    )
    assert "DONE" in await agent.click("button")


async def test_a_change_after_two_fetches_in_a_row_is_in_the_snapshot(
    agent: Agent, site: Site
) -> None:
    site.handle("/data", after(250))
    await agent.go(
        site.page(
            "<button onclick=\"fetch('/data').then(() => fetch('/data?2')).then(r => r.text())"
            '.then(t => document.body.append(t))">Go</button>'
        )
    )
    assert "DONE" in await agent.click("button")


async def test_a_change_by_an_added_script_is_in_the_snapshot(agent: Agent, site: Site) -> None:
    site.respond("/late.js", ADD, content_type="text/javascript")
    await agent.go(
        site.page(
            "<button onclick=\"document.head.append(Object.assign(document.createElement('script'),"
            "{src: '/late.js'}))\">Go</button>"
        )
    )
    assert "DONE" in await agent.click("button")


async def test_a_debounced_search_shows_its_results(agent: Agent, site: Site) -> None:
    site.handle("/data", after(200))
    await agent.go(
        site.page(
            "<input aria-label=Search><script>let timer;"
            "document.querySelector('input').oninput = () => { clearTimeout(timer);"
            "timer = setTimeout(() => fetch('/data').then(r => r.text())"
            ".then(t => document.body.append(t)), 300) }</script>"
        )
    )
    assert "DONE" in await agent.type("textbox", "word")


@pytest.mark.parametrize(
    "leave",
    [
        "location = '/there'",
        "setTimeout(() => location = '/there', 0)",
        "setTimeout(() => location = '/there', 300)",
        "fetch('/data').then(() => location = '/there')",
        "history.replaceState(null, '', '/x'); location.assign('/there')",
        "document.forms[0].submit()",
        "document.forms[0].requestSubmit()",
    ],
)
async def test_a_handler_that_leaves_the_page_is_followed(
    agent: Agent, site: Site, leave: str
) -> None:
    site.handle("/data", after(200))
    site.page("<h1>There</h1>", path="/there")
    await agent.go(site.page(f'<form action=/there></form><button onclick="{leave}">Go</button>'))
    assert 'heading "There"' in await agent.click("button")


async def test_a_change_after_a_fetch_of_the_next_page_is_in_the_snapshot(
    agent: Agent, site: Site
) -> None:
    site.handle("/data", after(300))
    site.page(
        "<script>fetch('/data').then(r => r.text()).then(t => document.body.append(t))</script>",
        path="/there",
    )
    await agent.go(site.page("<a href=/there>Go</a>"))
    assert "DONE" in await agent.click("link")


async def test_a_slow_page_is_waited_for(agent: Agent, site: Site) -> None:
    site.handle("/slow", after(800))
    await agent.go(site.page("<a href=/slow>Go</a>"))
    assert "DONE" in await agent.click("link")


async def test_a_new_route_of_the_page_is_reported(agent: Agent, site: Site) -> None:
    url = site.page(
        "<button onclick=\"history.pushState(null, '', '/route'); "
        "document.body.append('DONE')\">Go</button>"
    )
    await agent.go(url)
    assert "DONE" in await agent.click("button")
    assert agent.page.url == site.url("/route")


async def test_a_transition_is_over(agent: Agent) -> None:
    await agent.open(
        "<style>p { visibility: hidden; transition: visibility 0.3s, opacity 0.3s; opacity: 0 }"
        ".open p { visibility: visible; opacity: 1 }</style>"
        "<button onclick=\"document.body.classList.add('open')\">Go</button><p id=p>DONE</p>"
    )
    assert "DONE" in await agent.click("button")
    assert await agent.run("getComputedStyle(p).opacity") == "1"


async def test_a_link_to_another_program_is_not_waited_for_for_ever(agent: Agent) -> None:
    await agent.open("<a href=mailto:a@example.com>Write</a>")
    assert "Write" in await agent.click("link")


@pytest.mark.time_limit(6)
async def test_waiting_for_a_page_that_always_changes_ends(agent: Agent) -> None:
    await agent.open(
        "<p id=p></p><script>setInterval(() => p.textContent = performance.now(), 5)</script>"
        "<button>Go</button>"
    )
    for _ in range(3):
        assert "Go" in await agent.click("button")


@pytest.mark.time_limit(6)
async def test_a_page_that_polls_is_not_waited_for(agent: Agent, site: Site) -> None:
    site.handle("/poll", after(100))
    await agent.go(
        site.page(
            "<button>Go</button><script>let n = 0;"
            "setInterval(() => fetch('/poll?' + n++), 30)</script>"
        )
    )
    await agent.page.pause(0.3)
    for _ in range(3):
        assert "Go" in await agent.click("button")


@pytest.mark.time_limit(6)
async def test_an_endless_animation_is_not_waited_for(agent: Agent) -> None:
    await agent.open(
        "<style>@keyframes turn { to { rotate: 360deg } } .on { animation: turn 1s infinite }"
        "</style><p id=p>x</p><button onclick=\"p.className = 'on'\">Go</button>"
    )
    for _ in range(3):
        assert "Go" in await agent.click("button")


@pytest.mark.time_limit(6)
async def test_an_event_stream_is_not_waited_for(agent: Agent, site: Site) -> None:
    site.handle("/stream", after(3000))
    await agent.go(
        site.page("<button onclick=\"new EventSource('/stream')\">Go</button>"),
    )
    assert "Go" in await agent.click("button")
    await agent.page.navigate("about:blank")


async def test_a_response_whose_body_never_ends_counts_as_answered(
    agent: Agent, site: Site
) -> None:
    """The page does not read the body, so Chromium never reports that loading has finished."""
    site.respond("/data", "x" * 500_000)
    await agent.go(
        site.page(f"<button onclick=\"fetch('/data').then(() => {ADD})\">Go</button>"),
    )
    assert "DONE" in await agent.click("button")


def after(milliseconds: int) -> Answer:
    """Answer "DONE" after a while, as a slow server does."""

    def answer(request: Request) -> Response:
        time.sleep(milliseconds / 1000)
        return Response("<p>DONE</p>", content_type="text/html")

    return answer
