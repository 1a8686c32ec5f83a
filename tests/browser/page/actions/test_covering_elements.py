"""A cover with nothing to act on may go away by itself: it is waited for, any other is not."""

from __future__ import annotations

import time
from html import escape

import pytest

from tests.browser.page.agent import Agent
from viewpoint_mcp.errors import Covered

GO = "<button id=go onclick='top.document.title = 1'>Go</button>"
FULL = "position: fixed; inset: 0; background: tan"
STARTED = "<script>function start() { setTimeout(() => cover.remove(), 1200) }</script>"


async def start(agent: Agent) -> None:
    """Let the cover go a while from now, not from the load."""
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
async def test_a_cover_with_nothing_to_act_on_is_waited_for(agent: Agent, inside: str) -> None:
    await agent.open(f"{GO}<div id=cover style='{FULL}'>{inside}</div>{STARTED}")
    button = await agent.page.element("#go")
    await start(agent)
    await agent.click(button)
    assert await agent.run("document.title") == "1"


@pytest.mark.parametrize("is_inside", [True, False], ids=["in the frame", "over the frame"])
async def test_a_cover_of_what_is_in_a_frame_is_waited_for(agent: Agent, is_inside: bool) -> None:
    cover = f"<div id=cover style='{FULL}'>Saving</div>{STARTED}"
    inner, outer = (cover, "") if is_inside else ("", cover)
    await agent.open(f'<iframe srcdoc="{escape(GO + inner)}"></iframe>{outer}')
    button = await agent.find('button "Go"')
    await start(agent)
    await agent.click(button)
    assert await agent.run("document.title") == "1"


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
async def test_a_cover_with_something_to_act_on_fails_at_once(agent: Agent, cover: str) -> None:
    await agent.open(GO + cover)
    button = await agent.page.element("#go")
    began = time.monotonic()
    with pytest.raises(Covered, match="Close or move what covers it") as raised:
        await agent.click(button)
    assert time.monotonic() - began < 1
    assert "was still there" not in str(raised.value)


@pytest.mark.parametrize("is_framed", [False, True])
async def test_a_cover_that_stays_is_told_with_advice_that_can_be_followed(
    agent: Agent, is_framed: bool
) -> None:
    target = f'<iframe srcdoc="{escape(GO)}"></iframe>' if is_framed else GO
    await agent.open(f"{target}<div style='{FULL}'>Saving your work</div>")
    with pytest.raises(Covered) as raised:
        await agent.click('button "Go"')
    message = str(raised.value)
    assert 'is covered by generic "Saving your work" [ref=' in message
    assert "nothing in it to act on" in message
    assert 'browser_wait_for (textGone: "Saving your work")' in message


async def test_a_target_that_no_point_hits_is_told_in_a_whole_sentence(agent: Agent) -> None:
    inner = escape(f"<body style='margin: -5px'>{GO}")
    await agent.open(f'<iframe id=frame srcdoc="{inner}"></iframe>')
    button = await agent.find('button "Go"')
    await agent.run("() => { frame.style = 'width: 0; height: 0; border: 0' }")
    with pytest.raises(Covered, match=r'^button "Go" cannot be hit: no element takes a click'):
        await agent.click(button)
