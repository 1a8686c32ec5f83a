"""The pictures of a page for a person: a slow viewer delays neither the page nor the agent."""

from __future__ import annotations

from typing import Self

from tests.browser.page.agent import Agent
from tests.e2e.support.processes import wait_until
from viewpoint_mcp.page.devtools.viewer_session import ViewerPicture, ViewerSession, Viewport

COUNTER = """<!DOCTYPE html><body style="margin: 0"><p>0</p><script>
const draw = () => { document.querySelector("p").textContent++; requestAnimationFrame(draw) }
draw()</script>"""
STILL = "<!DOCTYPE html><body style='margin: 0; background: teal'>"


class Pictures:
    """Opens a session, and keeps the pictures.

    Args:
        is_fast: Whether the viewer takes each picture at once.
    """

    def __init__(self, agent: Agent, *, is_fast: bool = False) -> None:
        self._agent = agent
        self._is_fast = is_fast
        self.received: list[ViewerPicture] = []
        self.session: ViewerSession | None = None

    async def __aenter__(self) -> Self:
        self.session = await self._agent.page.devtools.open_viewer_session()
        await self.session.start_pictures(self._receive, 400, 400)
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self.session is not None
        await self.session.close()

    def acknowledge(self) -> None:
        assert self.session is not None
        self.session.acknowledge()

    def _receive(self, picture: ViewerPicture) -> None:
        self.received.append(picture)
        if self._is_fast:
            self.acknowledge()


async def test_a_viewer_that_takes_no_picture_gets_no_more(agent: Agent) -> None:
    await agent.open(COUNTER)
    async with Pictures(agent) as slow, Pictures(agent, is_fast=True) as fast:
        await wait_until(lambda: len(fast.received) >= 15)
        assert 1 <= len(slow.received) <= 3
        slow.acknowledge()
        await wait_until(lambda: len(slow.received) > 3)


async def test_a_page_that_does_not_change_has_one_picture(agent: Agent) -> None:
    await agent.open(STILL)
    async with Pictures(agent) as pictures:
        await wait_until(lambda: bool(pictures.received))
        picture = pictures.received[0]
        assert picture.viewport == Viewport(800, 600)
        assert picture.jpeg.startswith(b"\xff\xd8")


async def test_a_session_ends_without_the_page(agent: Agent) -> None:
    await agent.open(COUNTER)
    async with Pictures(agent) as pictures:
        await wait_until(lambda: bool(pictures.received))
    count = len(pictures.received)
    assert await agent.run("1 + 1") == "2"
    assert len(pictures.received) == count
    assert pictures.session is not None
    assert pictures.session.is_closed
    await pictures.session.close()
