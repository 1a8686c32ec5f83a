"""The live view through its real doors: a person in another browser watches and takes control."""

from __future__ import annotations

import os
import re
import signal
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.e2e.conftest import OpenHere, StartServer
from tests.e2e.handoff.viewer import Viewer
from tests.e2e.support.client import ServerClient, StdioClient
from tests.e2e.support.processes import find_renderers, kill_browser, wait_until
from tests.site import Site

pytestmark = pytest.mark.time_limit(60)

FORM = """<title>Log in</title><style>body { margin: 0 } button, input { position: fixed; left: 0;
width: 100vw; height: 50vh; font-size: 40px } input { top: 50vh }</style>
<button onclick="document.body.append('clicked ' + event.clientX + ' ' + event.clientY)">Go</button>
<input aria-label=Name>"""
COLOURS = """<title>Colours</title><body style="background: #d03020">
<button onclick="document.body.style.background = '#20a040'">Green</button>"""

ASKS = """<title>&#x202e;<img src=x onerror="window.hacked = 1"></title>
<body style="background: #d03020">
<button onclick="setTimeout(() => document.title = prompt('\\u202e<b>Name</b>?', 'x'))">Ask
</button><input type=file aria-label=File><a href=/second target=_blank>More</a>"""
HANGS = """<title>Hangs</title><body style="background: #d03020; height: 100vh; margin: 0"
onclick="const end = Date.now() + 8000; while (Date.now() < end);">"""
COUNT = "() => document.querySelector('input').value.length"


@pytest.fixture
async def agent(open_server: StartServer, tmp_path: Path) -> AsyncIterator[StdioClient]:
    """Return a server with its own browser, whose tabs persons can watch."""
    flags = ("--caps=handoff", "--save-session", "--trace-cdp=cdp.jsonl")
    async with open_server(*flags, cwd=tmp_path) as client:
        await client.initialize()
        yield client


@pytest.fixture
async def viewer(open_here: OpenHere, tmp_path: Path) -> AsyncIterator[Viewer]:
    async with open_here("--caps=vision", cwd=tmp_path) as client:
        await client.initialize()
        yield Viewer(client)


async def get_url(agent: ServerClient) -> str:
    reply = await agent.call("browser_live_view")
    assert not reply.is_error, reply.text
    return reply.sections["Result"]


async def evaluate(agent: ServerClient, function: str) -> str:
    return (await agent.call("browser_evaluate", function=function)).sections["Result"]


async def wait_for_text(agent: ServerClient, length: int) -> None:
    """Wait until the field has a text of this length."""
    condition = f"document.querySelector('input').value.length >= {length}"
    function = f"async () => {{ while (!({condition})) await new Promise(requestAnimationFrame) }}"
    await evaluate(agent, function)


async def test_a_person_sees_the_page_change_and_the_calls(
    agent: ServerClient, viewer: Viewer, site: Site
) -> None:
    await agent.call("browser_navigate", url=site.page(COLOURS))
    await viewer.open(await get_url(agent))
    await viewer.wait_for_picture(0xD0, 0x30, 0x20)
    await agent.call("browser_click", ref='button "Green"')
    await viewer.wait_for_picture(0x20, 0xA0, 0x40)
    await agent.call("browser_click", ref='button "Blue"')
    await viewer.wait("document.querySelector('#calls').innerText.includes('Blue')")
    await viewer.wait("document.querySelector('#tabs').innerText.includes('Colours')")
    seen = await viewer.read()
    assert seen["status"] == "Watching. The agent is idle."
    assert seen["tabs"] == ["● Colours"]
    assert 'No element on this page is button "Blue"' in seen["calls"]
    assert re.findall(r"^[…✗✓]?\s*(\w+)$", seen["calls"], re.MULTILINE)[:4] == [
        "click",
        "click",
        "live_view",
        "navigate",
    ]
    assert seen["hash"] == ""  # the key is not left in the address bar


async def test_a_person_clicks_and_types(
    agent: ServerClient, viewer: Viewer, site: Site, tmp_path: Path
) -> None:
    await agent.call("browser_navigate", url=site.page(FORM))
    await viewer.open(await get_url(agent))
    await viewer.wait_for_picture()
    await viewer.click_picture(0.5, 0.25)  # without control nothing happens
    await viewer.take_control()
    await viewer.click_picture(0.25, 0.25)
    await viewer.click_picture(0.5, 0.75)
    await viewer.client.call("browser_type", text="Gräfin x1!", slowly=True)
    await viewer.client.call("browser_press_key", key="ArrowLeft")
    await viewer.client.call("browser_press_key", key="Shift+Q")
    await viewer.client.call("browser_press_key", key="Control+Shift+Enter")
    await viewer.wait("document.querySelector('#control').textContent === 'Take control'")
    assert await evaluate(agent, "() => document.querySelector('input').value") == "Gräfin x1Q!"
    clicked = await evaluate(agent, "() => document.body.innerText.match(/clicked.*/)[0]")
    _, x, y = clicked.split()
    assert abs(int(x) - 320) <= 2
    assert abs(int(y) - 180) <= 2


async def test_what_a_person_types_is_nowhere(
    agent: ServerClient, viewer: Viewer, site: Site, tmp_path: Path
) -> None:
    await agent.call("browser_navigate", url=site.page(FORM))
    url = await get_url(agent)
    await viewer.open(url)
    await viewer.wait_for_picture()
    await viewer.take_control()
    await viewer.click_picture(0.5, 0.75)
    await viewer.client.call("browser_type", text="kumquat", slowly=True)
    typed = await agent.call("browser_evaluate", function=COUNT)
    assert typed.sections["Result"] == "7"
    assert typed.sections["Events"] == "- A person used the page in the live view"
    assert "Events" not in (await agent.call("browser_evaluate", function=COUNT)).sections
    trace = tmp_path / "cdp.jsonl"
    await wait_until(lambda: trace.read_text(encoding="utf-8").count("Input.dispatchKeyEvent") > 13)
    [log] = (tmp_path / ".viewpoint-mcp").glob("session-*.md")
    for file in (log, trace):
        text = file.read_text(encoding="utf-8")
        assert "kumquat" not in text
        assert url.partition("#")[2] not in text
        assert not re.search(r'"(?:text|key)": ?"[kumqat]"', text)


async def test_text_of_input_methods_and_the_clipboard_is_inserted(
    agent: ServerClient, viewer: Viewer, site: Site
) -> None:
    await agent.call("browser_navigate", url=site.page(FORM))
    await viewer.open(await get_url(agent))
    await viewer.wait_for_picture()
    await viewer.take_control()
    await viewer.click_picture(0.5, 0.75)
    await evaluate(
        viewer.client,
        """() => {
          const keyboard = document.querySelector("#keyboard")
          keyboard.value = "日本"
          keyboard.dispatchEvent(new CompositionEvent("compositionend", { data: "日本" }))
          const clipboardData = new DataTransfer()
          clipboardData.setData("text/plain", " and pasted")
          keyboard.dispatchEvent(new ClipboardEvent("paste", { clipboardData, cancelable: true }))
        }""",
    )
    await wait_for_text(agent, 13)
    assert await evaluate(agent, "() => document.querySelector('input').value") == "日本 and pasted"


async def test_the_view_follows_tabs_and_shows_dialogs_and_choosers(
    agent: ServerClient, viewer: Viewer, site: Site
) -> None:
    site.page("<title>Second</title><body style='background: #2040d0'>", path="/second")
    await agent.call("browser_navigate", url=site.page(ASKS))
    await viewer.open(await get_url(agent))
    await viewer.wait_for_picture(0xD0, 0x30, 0x20)
    await viewer.wait(
        "document.querySelector('#tabs').innerText.startsWith('● <img src=x onerror')"
    )
    await viewer.take_control()

    await agent.call("browser_click", ref='button "Ask"')
    await viewer.wait("!document.querySelector('#dialog').hidden")
    assert "\n<b>Name</b>?" in (await viewer.read())["dialog"]
    await viewer.client.call("browser_type", ref="#dialog-text", text="Grace")
    await viewer.click("#dialog-accept")
    await viewer.wait("document.querySelector('#dialog').hidden")
    await viewer.wait("document.querySelector('#tabs').innerText === '● Grace'")

    await agent.call("browser_click", ref="input")
    await viewer.wait("!document.querySelector('#files').hidden")
    await viewer.click("#files-cancel")
    await viewer.wait("document.querySelector('#files').hidden")

    await agent.call("browser_click", ref='link "More"')
    await viewer.wait_for_picture(0x20, 0x40, 0xD0)  # because the person has control
    await viewer.click("#tabs .follow")
    await viewer.wait_for_picture(0xD0, 0x30, 0x20)
    await agent.call("browser_tabs", action="select", index=1)
    await viewer.wait_for_picture(0x20, 0x40, 0xD0)
    await viewer.click("#tabs button:first-child")
    await viewer.wait_for_picture(0xD0, 0x30, 0x20)
    await agent.call("browser_tabs", action="close", index=0)
    await viewer.wait_for_picture(0x20, 0x40, 0xD0)
    assert (await viewer.read())["hacked"] is None


async def test_a_crash_and_the_end_of_the_browser_are_shown(
    agent: StdioClient, viewer: Viewer, site: Site
) -> None:
    url = site.page(COLOURS)
    await agent.call("browser_navigate", url=url)
    await viewer.open(await get_url(agent))
    await viewer.wait_for_picture(0xD0, 0x30, 0x20)
    for pid in find_renderers(agent.process.pid):
        os.kill(pid, signal.SIGKILL)
    await viewer.wait("document.querySelector('#notice').innerText.startsWith('The page crashed')")
    await agent.call("browser_navigate", url=url)
    await viewer.wait("document.querySelector('#notice').hidden")
    await agent.call("browser_click", ref='button "Green"')
    await viewer.wait_for_picture(0x20, 0xA0, 0x40)
    await kill_browser(agent)
    await viewer.wait("document.querySelector('#notice').innerText.startsWith('No browser')")
    await agent.call("browser_navigate", url=url)
    await viewer.wait_for_picture(0xD0, 0x30, 0x20)


async def test_a_view_and_a_video_show_the_page_at_the_same_time(
    open_here: OpenHere, viewer: Viewer, site: Site, tmp_path: Path
) -> None:
    async with open_here("--caps=handoff,devtools", cwd=tmp_path) as agent:
        await agent.initialize()
        await agent.call("browser_navigate", url=site.page(COLOURS))
        assert not (await agent.call("browser_start_video")).is_error
        await viewer.open(await get_url(agent))
        await viewer.wait_for_picture(0xD0, 0x30, 0x20)
        await agent.call("browser_click", ref='button "Green"')
        await viewer.wait_for_picture(0x20, 0xA0, 0x40)
        stopped = await agent.call("browser_stop_video")
        assert "Video saved" in stopped.text


async def test_without_a_viewer_there_is_no_screencast(
    agent: ServerClient, viewer: Viewer, site: Site, tmp_path: Path
) -> None:
    trace = tmp_path / "cdp.jsonl"
    await agent.call("browser_navigate", url=site.page(COLOURS))
    url = await get_url(agent)
    await agent.call("browser_click", ref='button "Green"')
    await wait_until(lambda: "Input.dispatchMouseEvent" in trace.read_text(encoding="utf-8"))
    assert "startScreencast" not in trace.read_text(encoding="utf-8")
    await viewer.open(url)
    await viewer.wait_for_picture(0x20, 0xA0, 0x40)
    await wait_until(lambda: "startScreencast" in trace.read_text(encoding="utf-8"))
    attached = trace.read_text(encoding="utf-8").count("Target.detachFromTarget")
    await viewer.client.call("browser_navigate", url="about:blank")
    await wait_until(
        lambda: trace.read_text(encoding="utf-8").count("Target.detachFromTarget") > attached
    )


async def test_a_closed_view_lets_no_one_in(
    agent: ServerClient, viewer: Viewer, site: Site
) -> None:
    await agent.call("browser_navigate", url=site.page(COLOURS))
    url = await get_url(agent)
    assert await get_url(agent) == url
    await viewer.open(url)
    await viewer.wait_for_picture()
    await agent.call("browser_live_view", close=True)
    await viewer.wait("document.querySelector('#status').innerText.includes('is closed')")
    assert (await viewer.read())["control"] is None
    assert await get_url(agent) != url


async def test_a_page_that_hangs_does_not_keep_the_control(
    agent: ServerClient, viewer: Viewer, site: Site
) -> None:
    await agent.call("browser_navigate", url=site.page(HANGS))
    await viewer.open(await get_url(agent))
    await viewer.wait_for_picture(0xD0, 0x30, 0x20)
    await viewer.take_control()
    await viewer.click_picture(0.5, 0.5)
    await viewer.client.call("browser_type", text="many keys that nothing takes", slowly=True)
    await viewer.click("#control")
    await viewer.wait("document.querySelector('#control').textContent === 'Take control'")
