"""A covering element that is likely to go away by itself is waited for, any other is not."""

from __future__ import annotations

import asyncio
import threading
import time
from html import escape

import pytest
from werkzeug import Request, Response

from tests.browser.conftest import OpenPage
from tests.browser.inside import services_of
from tests.browser.page.agent import Agent
from tests.site import Site
from viewpoint_mcp.config.settings import Timeouts
from viewpoint_mcp.errors import ElementCoveredError

GO = "<button id=go onclick='top.document.title = 1'>Go</button>"
FULL = "position: fixed; inset: 0; background: tan"
STARTED = "<script>function start() { setTimeout(() => cover.remove(), 400) }</script>"


async def start(agent: Agent) -> None:
    """Remove the covering element some time from now, not from the load."""
    await agent.run("() => (typeof start === 'function' ? start() : frames[0].start())")


@pytest.mark.parametrize(
    "inside",
    [
        "Saving",
        "<p>Saving</p><button disabled>Stop</button>",
        "<p>Saving</p><a href=# style='display: none'>Stop</a>",
        "<h2 tabindex=-1>Saving</h2>",
    ],
)
async def test_a_covering_element_without_controls_is_waited_for(
    patient_agent: Agent, inside: str
) -> None:
    await patient_agent.open(f"{GO}<div id=cover style='{FULL}'>{inside}</div>{STARTED}")
    button = await patient_agent.page.find_element("#go")
    await start(patient_agent)
    await patient_agent.click(button)
    assert await patient_agent.run("document.title") == "1"


@pytest.mark.parametrize("is_inside", [True, False], ids=["in the frame", "over the frame"])
async def test_a_covering_element_of_a_target_in_a_frame_is_waited_for(
    patient_agent: Agent, is_inside: bool
) -> None:
    cover = f"<div id=cover style='{FULL}'>Saving</div>{STARTED}"
    inner, outer = (cover, "") if is_inside else ("", cover)
    await patient_agent.open(f'<iframe srcdoc="{escape(GO + inner)}"></iframe>{outer}')
    button = await patient_agent.find('button "Go"')
    await start(patient_agent)
    await patient_agent.click(button)
    assert await patient_agent.run("document.title") == "1"


@pytest.mark.timing
@pytest.mark.parametrize(
    "cover",
    [
        f"<div style='{FULL}'>We bake. <button>Accept</button></div>",
        f"<div style='{FULL}' onclick=this.remove()>We bake</div>",
        (
            f"<div style='{FULL}'><div id=host></div></div><script>"
            "host.attachShadow({mode: 'open'}).innerHTML = '<button>Accept</button>'</script>"
        ),
        f"<div style='{FULL}'><iframe srcdoc='We bake'></iframe></div>",
        (
            f"<div style='{FULL}'></div><div role=dialog style='position: fixed; bottom: 0'>"
            "<button>Accept</button></div>"
        ),
    ],
    ids=["button", "click handler", "shadow root", "frame", "backdrop of a dialog"],
)
async def test_a_covering_element_with_controls_fails_at_once(agent: Agent, cover: str) -> None:
    await agent.open(GO + cover)
    button = await agent.page.find_element("#go")
    began = time.monotonic()
    with pytest.raises(ElementCoveredError, match="Close or move the covering element") as raised:
        await agent.click(button)
    assert time.monotonic() - began < 1
    assert "was still there" not in str(raised.value)


@pytest.mark.parametrize("is_framed", [False, True])
async def test_a_covering_element_that_stays_is_reported_with_usable_advice(
    agent: Agent, is_framed: bool
) -> None:
    target = f'<iframe srcdoc="{escape(GO)}"></iframe>' if is_framed else GO
    await agent.open(f"{target}<div style='{FULL}'>Saving your work</div>")
    with pytest.raises(ElementCoveredError) as raised:
        await agent.click('button "Go"')
    message = str(raised.value)
    assert 'is covered by generic "Saving your work" [ref=' in message
    assert "has no controls" in message
    assert 'browser_wait_for (textGone: "Saving your work")' in message


async def test_a_target_that_no_point_hits_is_reported_in_a_whole_sentence(agent: Agent) -> None:
    inner = escape(f"<body style='margin: -5px'>{GO}")
    await agent.open(f'<iframe id=frame srcdoc="{inner}"></iframe>')
    button = await agent.find('button "Go"')
    await agent.run("() => { frame.style = 'width: 0; height: 0; border: 0' }")
    with pytest.raises(
        ElementCoveredError, match=r'^button "Go" cannot be clicked: no element receives clicks'
    ):
        await agent.click(button)


TURN = "<style>@keyframes turn { to { rotate: 360deg } }</style>"
SPINNER = f"{TURN}<i style='display: block; animation: turn 1s infinite'>*</i>"
# Without a loading sign, the covering element would not be waited for.
STOP = "<button>Stop</button>"
SIGNS = {
    "an animation on it": (
        f"<style>@keyframes fade {{ to {{ opacity: 0.9 }} }}</style>{STOP}",
        "animation: fade 9s",
    ),
    "a transition on it": (
        (
            f"{STOP}<script>cover.style.opacity = 1; cover.getBoundingClientRect();"
            "cover.style.opacity = 0</script>"
        ),
        "transition: opacity 9s",
    ),
    "aria-busy": (f"<p aria-busy=true>Hold on</p>{STOP}", ""),
    "a status": (f"<p role=status>Order 7</p>{STOP}", ""),
    "an alert": (f"<p role=alert>Order 7</p>{STOP}", ""),
    "a progress bar": (f"<progress value=1 max=9></progress>{STOP}", ""),
    "a turning spinner": (f"<div>{SPINNER}</div>{STOP}", ""),
    "a spinner by its class": (f"<i class=spinner style='display: block'>o</i>{STOP}", ""),
}
BESIDE = {
    "a status": "<p role=status style='position: fixed; bottom: 0'>Order 7</p>",
    "a spinner": f"<div style='position: fixed; bottom: 0'>{SPINNER}</div>",
}


def covered(inside: str, style: str = "", beside: str = "") -> str:
    return f"<div id=cover role=dialog style='{FULL}; {style}'>{inside}</div>{beside}{STARTED}"


@pytest.mark.parametrize(("inside", "style"), SIGNS.values(), ids=SIGNS)
async def test_a_covering_element_with_a_loading_sign_is_waited_for_although_it_could_be_closed(
    patient_agent: Agent, inside: str, style: str
) -> None:
    await patient_agent.open(GO + covered(inside, style))
    button = await patient_agent.page.find_element("#go")
    await start(patient_agent)
    await patient_agent.click(button)
    assert await patient_agent.run("document.title") == "1"


@pytest.mark.parametrize("beside", BESIDE.values(), ids=BESIDE)
async def test_a_covering_element_beside_a_loading_sign_is_waited_for(
    patient_agent: Agent, beside: str
) -> None:
    await patient_agent.open(GO + covered(STOP, beside=beside))
    button = await patient_agent.page.find_element("#go")
    await start(patient_agent)
    await patient_agent.click(button)
    assert await patient_agent.run("document.title") == "1"


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1"], ids=["same origin", "other origin"])
@pytest.mark.parametrize("is_inside", [True, False], ids=["in the frame", "over the frame"])
async def test_a_covering_element_with_a_loading_sign_is_waited_for_in_frames_too(
    patient_agent: Agent, site: Site, is_inside: bool, host: str
) -> None:
    cover = covered(f"<p role=status>Order 7</p>{STOP}")
    go = "<button id=go onclick='top.postMessage(1, \"*\")'>Go</button>"
    started = "<script>onmessage = () => start()</script>" if is_inside else ""
    inner = site.page(f"{go}{cover if is_inside else ''}{started}").replace("localhost", host)
    begin = "frames[0].postMessage(1, '*')" if is_inside else "start()"
    heard = "<script>onmessage = event => { document.title = event.data }</script>"
    outer = f"<iframe src={inner}></iframe>{'' if is_inside else cover}{heard}"
    await patient_agent.go(site.page(outer))
    button = await patient_agent.find('button "Go"')
    await patient_agent.run(f"() => {begin}")
    await patient_agent.click(button)
    assert await patient_agent.run("document.title") == "1"


@pytest.mark.timing
async def test_a_covering_element_with_a_loading_sign_that_stays_is_waited_for_two_seconds(
    open_page: OpenPage,
) -> None:
    agent = Agent(await open_page(Timeouts(action=9.0, navigation=10.0)))
    await agent.open(GO + covered(f"<p aria-busy=true>Hold on</p>{STOP}"))
    button = await agent.page.find_element("#go")
    began = time.monotonic()
    with pytest.raises(ElementCoveredError, match="Close or move the covering element"):
        await agent.click(button)
    assert 2 <= time.monotonic() - began < 4


@pytest.mark.timing
@pytest.mark.parametrize(
    "beside",
    [
        "<p role=status style='position: fixed; bottom: 0'></p>",
        (
            "<p role=status style='position: absolute; clip-path: inset(50%); width: 1px; "
            "height: 1px; overflow: hidden'>For screen readers</p>"
        ),
        f"<main style='height: 90px'>{SPINNER}</main>",
    ],
    ids=["an empty status", "a status that cannot be seen", "a spinner elsewhere"],
)
async def test_an_element_that_is_no_loading_sign_of_the_covering_element_causes_no_wait(
    agent: Agent, beside: str
) -> None:
    await agent.open(GO + covered(STOP, beside=beside))
    button = await agent.page.find_element("#go")
    began = time.monotonic()
    with pytest.raises(ElementCoveredError):
        await agent.click(button)
    assert time.monotonic() - began < 1


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1"], ids=["page", "frame of a site"])
async def test_a_covering_element_is_waited_for_while_a_request_is_open(
    patient_agent: Agent, site: Site, host: str
) -> None:
    is_allowed = threading.Event()

    def answer(_: Request) -> Response:
        is_allowed.wait(20)
        return Response("done", content_type="text/plain")

    site.handle("/save", answer)
    saves = "<script>function save() { fetch('/save').then(() => cover.remove()) }</script>"
    page = site.page(
        f"{GO}{covered(STOP)}{saves}"
        "<script>onmessage = event => event.data === 'save' ? save() : 0</script>"
    )
    if host != "localhost":
        heard = "<script>onmessage = event => { document.title = event.data }</script>"
        page = site.page(f"<iframe src={page.replace('localhost', host)}></iframe>{heard}")
    await patient_agent.go(page)
    button = await patient_agent.find('button "Go"')
    await patient_agent.run("() => (frames[0] ?? window).postMessage('save', '*')")
    # A frame's process may take its time. The request of its document may be open before.
    state = services_of(patient_agent.page).work_dispatcher._network_state
    while not any(key.url.endswith("/save") for key in state.open_requests):  # noqa: ASYNC110
        await asyncio.sleep(0.01)
    click = asyncio.ensure_future(patient_agent.click(button))
    await asyncio.wait({click}, timeout=0.5)
    is_waiting = not click.done()
    is_allowed.set()
    await click
    assert is_waiting


@pytest.mark.timing
async def test_a_covering_element_is_not_waited_for_while_a_poll_is_open(
    agent: Agent, site: Site
) -> None:
    release = threading.Event()

    def answer(request: Request) -> Response:
        if request.args["n"] == "3":
            release.wait(10)
        return Response("nothing new", content_type="text/plain")

    site.handle("/poll", answer)
    await agent.go(site.page(GO + covered(STOP)))
    button = await agent.find('button "Go"')
    try:
        await agent.run(
            "async () => { for (const n of [1, 2]) await (await fetch(`/poll?n=${n}`)).text();"
            "fetch('/poll?n=3') }"
        )
        began = time.monotonic()
        with pytest.raises(ElementCoveredError):
            await agent.click(button)
        assert time.monotonic() - began < 1
    finally:
        release.set()
