"""Looking at a page: waiting for a text, pictures, the size, and the page's end."""

from __future__ import annotations

import io

import pytest
from PIL import Image

from cdp_protocol import Connection
from tests.browser.inside import services_of
from tests.browser.page.agent import Agent
from tests.site import Site
from viewpoint_mcp.errors import PageError


def size(data: bytes) -> tuple[int, int]:
    return Image.open(io.BytesIO(data)).size


async def test_a_text_that_appears_is_waited_for(agent: Agent) -> None:
    await agent.open("<script>setTimeout(() => document.body.append('DONE'), 300)</script>")
    await agent.page.wait_for_text("DONE", 5.0)


async def test_a_text_in_a_frame_is_waited_for(agent: Agent) -> None:
    await agent.open(
        "<iframe srcdoc=\"<script>setTimeout(() => document.body.append('DONE'), 300)</script>\">"
    )
    await agent.page.wait_for_text("DONE", 5.0)


async def test_a_text_that_a_style_shows_is_waited_for(agent: Agent) -> None:
    await agent.open(
        "<style>p { visibility: hidden; animation: show 0s 0.3s forwards }"
        "@keyframes show { to { visibility: visible } }</style><p>DONE</p>"
    )
    await agent.page.wait_for_text("DONE", 5.0)


async def test_a_text_that_disappears_is_waited_for(agent: Agent) -> None:
    await agent.open("<p id=p>Loading<script>setTimeout(() => p.remove(), 300)</script></p>")
    await agent.page.wait_for_text("Loading", 5.0, until_gone=True)


@pytest.mark.parametrize(
    ("gone", "words"), [(False, "not on the page after"), (True, "still on the page after")]
)
async def test_a_wait_without_success_is_an_error(agent: Agent, gone: bool, words: str) -> None:
    await agent.open("<p>Here</p>")
    with pytest.raises(PageError, match=words):
        await agent.page.wait_for_text("Here" if gone else "There", 0.2, until_gone=gone)


async def test_a_text_on_the_next_page_is_waited_for(agent: Agent, site: Site) -> None:
    there = site.page("<p>There</p>")
    await agent.go(site.page("<p>Here</p>"))
    await agent.run(f"() => {{ setTimeout(() => location = '{there}', 200) }}")
    await agent.page.wait_for_text("There", 5.0)


@pytest.mark.parametrize(("kind", "name"), [("png", "PNG"), ("jpeg", "JPEG"), ("webp", "WEBP")])
async def test_a_picture_is_of_its_kind_and_of_the_viewport(
    agent: Agent, kind: str, name: str
) -> None:
    await agent.open("<h1>Hello</h1>")
    data = (await agent.page.capture.screenshot(image_type=kind)).data  # type: ignore[arg-type]
    assert Image.open(io.BytesIO(data)).format == name
    assert size(data) == (800, 600)


async def test_a_screenshot_of_the_whole_page_has_its_height(agent: Agent) -> None:
    await agent.open("<body style='margin: 0'><div style='height: 2000px'></div>")
    assert (await agent.page.capture.screenshot(full_page=True)).size[1] == 2000


async def test_a_picture_of_an_element_shows_it_alone(agent: Agent) -> None:
    await agent.open(
        "<body style='margin: 0; height: 5000px'><button style='position: absolute; top: 3000px; "
        "left: 50px; width: 120px; height: 40px; border: 0; background: rgb(0, 128, 0)'></button>"
    )
    data = (
        await agent.page.capture.screenshot(element=await agent.page.find_element("button"))
    ).data
    picture = Image.open(io.BytesIO(data)).convert("RGB")
    assert picture.size == (120, 40)
    assert picture.getpixel((60, 20)) == (0, 128, 0)


async def test_the_viewport_gets_the_given_size(agent: Agent) -> None:
    await agent.open("<h1>Hello</h1>")
    await agent.page.emulation.resize_viewport(500, 400)
    assert await agent.run("[innerWidth, innerHeight].join('x')") == "500x400"


async def test_a_closed_page_says_so(agent: Agent, connection: Connection) -> None:
    await connection.root.Target.closeTarget(targetId=agent.page.target_id)
    with pytest.raises(PageError, match="closed"):
        await agent.page.pause(5)
    with pytest.raises(PageError, match="closed"):
        await agent.page.snapshot()


async def test_a_crashed_page_says_so_and_is_loaded_again(agent: Agent) -> None:
    await agent.open("<h1>Hello</h1>")
    with pytest.raises(PageError, match="crashed"):
        await services_of(agent.page).run_unless_blocked(
            services_of(agent.page).session.send("Page.crash")
        )
    with pytest.raises(PageError, match="crashed"):
        await agent.page.snapshot()
    assert 'heading "Again"' in await agent.open("<h1>Again</h1>")
