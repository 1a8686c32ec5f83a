"""Elements in frames are clicked where the frame is drawn, turned and scrolled as it may be."""

from __future__ import annotations

import re
from urllib.parse import quote

import pytest

from tests.browser.page.agent import Agent
from tests.site import Site
from viewpoint_mcp.errors import ElementCoveredError, ElementNotVisibleError

BUTTON = (
    "<body style='margin: 0'><button style='position: absolute; left: 70px; top: 40px; "
    "width: 30px; height: 20px' onclick='top.postMessage(event.type, \"*\")'>Pay</button>"
)
HEARD = "<script>onmessage = event => { document.title += event.data }</script>"

STYLES = {
    "plain": "",
    "padded and with a border": "padding: 31px; border: 17px solid",
    "scaled": "transform: scale(0.4, 1.7)",
    "mirrored": "transform: scaleX(-1)",
    "rotated": "rotate: 130deg",
    "skewed": "transform: skew(35deg, 10deg)",
    "rotated and scaled": "transform: rotate(30deg) scale(0.5)",
    "seen in perspective": "transform: perspective(400px) rotateY(50deg) rotateX(10deg)",
    "zoomed": "zoom: 2",
    "made small": "zoom: 0.5; rotate: 20deg",
    "far below": "position: absolute; top: 4000px",
    "round": "border-radius: 40px",
}


def page_with_frame(style: str, inner: str = BUTTON, kind: str = "srcdoc") -> str:
    source = inner.replace("&", "&amp;").replace('"', "&quot;") if kind == "srcdoc" else inner
    size = "width: 200px; height: 120px"
    return f'<iframe title=Shop style="{size}; {style}" {kind}="{source}"></iframe>'


def around(frame: str) -> str:
    return f"<!DOCTYPE html>{HEARD}<div style='padding: 140px 240px'>{frame}</div>"


@pytest.mark.parametrize("style", STYLES.values(), ids=STYLES)
@pytest.mark.parametrize("is_elsewhere", [False, True], ids=["same process", "other process"])
async def test_a_button_in_a_frame_is_hit(
    agent: Agent, site: Site, style: str, is_elsewhere: bool
) -> None:
    if is_elsewhere:
        inner = site.page(BUTTON).replace("localhost", "127.0.0.1")
        await agent.go(site.page(around(page_with_frame(style, inner, "src"))))
    else:
        await agent.open(around(page_with_frame(style)))
    await agent.click('button "Pay"')
    assert await agent.run("document.title") == "click"


async def test_a_button_in_a_turned_frame_in_a_turned_frame_is_hit(agent: Agent) -> None:
    inner = page_with_frame("rotate: 90deg; margin: 40px")
    outer = page_with_frame(
        "width: 400px; height: 400px; transform: skewY(20deg) scale(0.8)", inner
    )
    await agent.open(around(outer))
    await agent.click('button "Pay"')
    assert await agent.run("document.title") == "click"


async def test_a_button_far_down_in_a_scrolled_frame_in_a_scrolled_box_is_hit(agent: Agent) -> None:
    inner = BUTTON.replace("top: 40px", "top: 4000px")
    frame = page_with_frame("height: 2500px; rotate: 3deg", inner)
    await agent.open(
        f"<!DOCTYPE html>{HEARD}<div style='height: 1500px'></div>"
        f"<div style='height: 300px; overflow: auto'>{frame}</div><div style='height: 999px'></div>"
    )
    await agent.click('button "Pay"')
    assert await agent.run("document.title") == "click"


async def test_a_button_in_a_frame_under_a_sticky_header_is_hit(agent: Agent) -> None:
    inner = BUTTON.replace("top: 40px", "top: 1200px")
    await agent.open(
        f"<!DOCTYPE html>{HEARD}<header style='position: fixed; inset: 0 0 auto; height: 60vh; "
        f"background: tan'>Head</header>{page_with_frame('height: 2400px', inner)}"
    )
    await agent.click('button "Pay"')
    assert await agent.run("document.title") == "click"


async def test_a_frame_that_slides_in_is_waited_for(agent: Agent) -> None:
    style = (
        "<style>@keyframes in { from { translate: -500px } } iframe { animation: in 0.6s }</style>"
    )
    await agent.open(around("<p>empty</p>"))
    frame = style + page_with_frame("")
    await agent.run(f"() => {{ document.querySelector('p').outerHTML = `{frame}` }}")
    await agent.click('button "Pay"')
    assert await agent.run("document.title") == "click"


async def test_the_element_that_covers_a_frame_is_named_and_can_be_clicked(agent: Agent) -> None:
    cover = (
        "<div role=dialog aria-label=Cookies onclick=this.remove() "
        "style='position: fixed; inset: 0; background: tan'>We bake</div>"
    )
    await agent.open(around(page_with_frame("")) + cover)
    with pytest.raises(
        ElementCoveredError, match=r'button "Pay" is covered by dialog "Cookies"'
    ) as raised:
        await agent.click('button "Pay"')
    ref = re.search(r"\[ref=(\w+)\]", raised.value.message)
    assert ref
    await agent.click(await agent.page.find_element(ref[1]))
    await agent.click('button "Pay"')
    assert await agent.run("document.title") == "click"


@pytest.mark.parametrize(
    ("style", "cause"),
    [
        ("visibility: hidden", "The frame of .* is not visible"),
        ("display: none", "is not visible: its frame is not displayed"),
        ("position: fixed; left: -900px", "The frame of .* cannot be scrolled into view: it lies"),
    ],
)
async def test_the_reason_why_a_frame_cannot_be_reached_is_reported(
    agent: Agent, style: str, cause: str
) -> None:
    await agent.open(around(page_with_frame("")))
    button = await agent.find('button "Pay"')
    await agent.run(f"() => {{ document.querySelector('iframe').style = '{style}' }}")
    with pytest.raises(ElementNotVisibleError, match=cause):
        await agent.click(button)
    assert await agent.run("document.title") == ""


async def test_a_box_that_clips_a_frame_away_is_named(agent: Agent) -> None:
    await agent.open(
        around(
            "<section aria-label=Cut style='overflow: clip; height: 50px; position: relative'>"
            f"{page_with_frame('position: absolute; top: 60px')}</section>"
        )
    )
    with pytest.raises(ElementNotVisibleError, match=r'region "Cut" \[ref=e\d+\] clips it'):
        await agent.click('button "Pay"')


async def test_a_frame_itself_can_be_clicked(agent: Agent) -> None:
    inner = "<body onclick='top.postMessage(event.type, \"*\")' style='height: 90px'>text"
    await agent.open(around(page_with_frame("", inner)))
    await agent.click("iframe")
    assert await agent.run("document.title") == "click"


async def test_a_data_frame_is_clicked(agent: Agent) -> None:
    await agent.open(around(page_with_frame("", f"data:text/html,{quote(BUTTON)}", "src")))
    await agent.click('button "Pay"')
    assert await agent.run("document.title") == "click"
