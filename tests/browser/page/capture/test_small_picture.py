"""Small pictures for records: they show the viewport, end in time, and leave the page alone."""

from __future__ import annotations

import asyncio
import time

import pytest

from tests.browser.conftest import OpenPage
from tests.browser.inside import services_of
from tests.browser.page.agent import Agent
from tests.e2e.support.processes import POLL, wait_until
from viewpoint_mcp.errors import ModalOpenError, PageClosedError, PageError, PageTimeoutError
from viewpoint_mcp.imaging.decoding import decode_image
from viewpoint_mcp.page.capture.small_picture import SmallPicture

TALL = """<!doctype html><body style="margin: 0; height: 4000px; background: rgb(0, 128, 0)">
<input autofocus><script>
events = []
for (const name of ["resize", "scroll", "focus", "blur", "visibilitychange", "focusin", "focusout"])
  for (const target of [window, document]) target.addEventListener(name, () => events.push(name))
</script>"""


async def resize(agent: Agent, width: int, height: int) -> None:
    await services_of(agent.page).session.Emulation.setDeviceMetricsOverride(
        width=width, height=height, deviceScaleFactor=1, mobile=False
    )


async def make_busy(agent: Agent, milliseconds: int) -> None:
    """Run a script in the page for that time, and return when it runs."""
    loop = f"const end = Date.now() + {milliseconds}; while (Date.now() < end);"
    await agent.run(f"void setTimeout(() => {{ console.log('busy'); {loop} }})")
    await wait_until(lambda: bool(agent.page.console.messages))


async def take_when_free(agent: Agent) -> SmallPicture:
    """Take a picture as soon as the page draws again. The time limit of the test ends the wait."""
    while True:
        try:
            return await agent.page.capture.small_picture(1)
        except PageTimeoutError:
            await asyncio.sleep(POLL)


@pytest.fixture
async def agent(open_page: OpenPage) -> Agent:
    return Agent(await open_page())


async def test_it_shows_the_viewport_in_its_size(agent: Agent) -> None:
    await resize(agent, 400, 300)
    await agent.open(TALL)
    picture = await agent.page.capture.small_picture(5)
    image = decode_image(picture.data)
    assert (image.format, image.size, picture.size) == ("JPEG", (400, 300), (400, 300))
    red, green, blue = image.convert("RGB").crop((200, 200, 201, 201)).tobytes()
    assert max(red, abs(green - 128), blue) < 8


async def test_a_large_viewport_is_scaled_down(agent: Agent) -> None:
    await resize(agent, 2560, 1000)
    await agent.open(TALL)
    picture = await agent.page.capture.small_picture(5)
    assert picture.size == decode_image(picture.data).size == (1280, 500)


async def test_the_page_notices_nothing(agent: Agent) -> None:
    await agent.open(TALL)
    await agent.run("scrollTo(0, 700)")
    await agent.run("new Promise(done => setTimeout(done, 50)).then(() => { events = [] })")
    for _ in range(3):
        await agent.page.capture.small_picture(5)
    state = "JSON.stringify([events, scrollY, document.activeElement.localName])"
    assert await agent.run(state) == '[[],700,"input"]'


async def test_a_busy_page_ends_the_wait_and_counts_as_responsive(agent: Agent) -> None:
    await agent.load("<h1>Busy</h1>")
    page = agent.page
    await agent.run(
        "void setTimeout(() => { const end = Date.now() + 1500; while (Date.now() < end); }, 50)"
    )
    await asyncio.sleep(0.1)
    began = time.monotonic()
    with pytest.raises(PageTimeoutError, match=r"drew nothing within 0\.2 s"):
        await page.capture.small_picture(0.2)
    with pytest.raises(PageTimeoutError, match="still busy"):
        await page.capture.small_picture(0.2)
    assert time.monotonic() - began < 1
    assert not page.blockers.is_unresponsive
    assert (await take_when_free(agent)).data


async def test_a_dialog_is_the_reason_for_no_picture(agent: Agent) -> None:
    await agent.load("<h1>Ask</h1>")
    opened = asyncio.create_task(agent.page.evaluate("alert('Careful')"))
    await opened
    with pytest.raises(ModalOpenError, match="Careful"):
        await agent.page.capture.small_picture(5)


async def test_a_closed_page_ends_the_wait_at_once(agent: Agent) -> None:
    await agent.load("<h1>Busy</h1>")
    await make_busy(agent, 3000)
    capture = asyncio.create_task(agent.page.capture.small_picture(20))
    await services_of(agent.page).session.connection.root.Target.closeTarget(
        targetId=agent.page.target_id
    )
    async with asyncio.timeout(2):
        with pytest.raises(PageClosedError):
            await capture


async def test_a_capture_that_is_closed_meanwhile_is_an_error_of_the_page(agent: Agent) -> None:
    await agent.load("<h1>Busy</h1>")
    await make_busy(agent, 1500)
    capture = asyncio.create_task(agent.page.capture.small_picture(20))
    await asyncio.sleep(0)  # lets it begin
    await agent.page.capture.close()
    with pytest.raises(PageError, match="closed or left its document"):
        await capture


async def test_an_open_file_chooser_does_not_prevent_it(agent: Agent) -> None:
    await agent.load("<input type=file>")
    async with agent.page.settle_afterwards():
        await (await agent.page.find_element("input")).click()
    assert agent.page.blockers.file_chooser is not None
    assert (await agent.page.capture.small_picture(5)).data
