"""Videos: a video element plays them, and they show what the page showed."""

from __future__ import annotations

import asyncio
import os
import re
import signal
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from cdp_protocol import Connection
from tests.browser.clients import Client, Server
from tests.browser.video.video_player import Played, play
from tests.e2e.support.processes import POLL, wait_until
from tests.site import Site

pytestmark = pytest.mark.time_limit(60)

SIZE = {"width": 400, "height": 300}  # half of the viewport
RED = "<title>Red</title><body style='margin: 0; background: red'>"
BUTTON = (
    f"{RED}<button style='position: fixed; left: 600px; top: 400px; width: 80px; height: 40px;"
    " border: 0; background: black' onclick=\"document.body.style.background = 'lime'\">Go</button>"
)


@pytest.fixture
async def client(server: Server) -> AsyncIterator[Client]:
    client = server.session()
    yield client
    await client.runner.close()


async def stop(client: Client, working_dir: Path) -> tuple[Path, float]:
    """Stop the video; return its file and its length as the reply states it."""
    reply = await client.call("browser_stop_video")
    found = re.search(r"Video saved to (\S+) \(([\d.]+) s, 400x300\)", reply.text)
    assert found, reply.text
    return working_dir / found[1], float(found[2])


async def show(connection: Connection, path: Path, *samples: tuple[float, int, int]) -> Played:
    return await play(connection, path, *samples)


async def test_a_video_shows_the_page_over_time(
    client: Client, connection: Connection, site: Site, working_dir: Path
) -> None:
    await client.go(site.page(BUTTON))
    await client.call("browser_start_video", size=SIZE)
    await client.call("browser_wait_for", time=0.6)
    await client.call("browser_click", ref="button")
    await client.call("browser_wait_for", time=0.6)
    path, seconds = await stop(client, working_dir)
    played = await show(
        connection, path, (0.1, 10, 10), (0.4, 10, 10), (-0.01, 10, 10), (0.1, 320, 210)
    )
    assert played.names == ["red", "red", "lime", "black"]
    assert (played.width, played.height) == (400, 300)
    assert played.duration == pytest.approx(seconds, abs=0.06)
    assert 1.2 <= seconds < 10


async def test_a_page_that_does_not_change_has_its_full_time(
    client: Client, connection: Connection, site: Site, working_dir: Path
) -> None:
    await client.go(site.page(RED))
    await client.call("browser_start_video", size=SIZE)
    await client.call("browser_wait_for", time=1.5)
    path, seconds = await stop(client, working_dir)
    assert seconds >= 1.5
    assert (await show(connection, path, (1.4, 200, 150))).names == ["red"]


async def test_a_card_and_actions_are_shown_without_slowing_the_calls(
    client: Client, connection: Connection, site: Site, working_dir: Path
) -> None:
    await client.go(site.page(BUTTON))
    await client.call("browser_start_video", size=SIZE)
    await client.call("browser_video_chapter", title="Part 1", duration=20_000)
    marks = {"point": "width: 60px; height: 60px; background: yellow", "title": "display: none"}
    await client.call("browser_video_show_actions", duration=20_000, style=marks, cursor="none")
    await client.call("browser_click", ref="button")
    await client.call("browser_video_hide_actions")
    path, seconds = await stop(client, working_dir)
    assert 40 < seconds < 60
    # The card darkens the page. Then the mark is on the page before the click.
    samples = ((15, 200, 130), (30, 320, 210), (30, 10, 10), (-0.01, 10, 10))
    played = await show(connection, path, *samples)
    assert played.names == ["black", "yellow", "red", "lime"]
    assert await client.call("browser_evaluate", function="document.body.children.length")


async def test_a_box_marks_the_element_of_an_action(
    client: Client, connection: Connection, site: Site, working_dir: Path
) -> None:
    await client.go(site.page(BUTTON))
    await client.call(
        "browser_video_show_actions", duration=9000, style={"highlight": "background: blue"}
    )
    await client.call("browser_start_video", size=SIZE)
    await client.call("browser_hover", ref="button")
    path, _ = await stop(client, working_dir)
    await client.call("browser_video_hide_actions")
    samples = ((8, 306, 205), (8, 334, 205), (8, 297, 210), (8, 345, 218))
    assert (await show(connection, path, *samples)).names == ["blue", "blue", "red", "red"]


async def test_a_cursor_is_drawn_at_the_point_of_an_action(
    client: Client, connection: Connection, site: Site, working_dir: Path
) -> None:
    style = "position: fixed; left: 400px; top: 200px; width: 40px; height: 40px; border: 0"
    await client.go(site.page(f"{RED}<button aria-label=A style='{style}; background: red'>"))
    await client.call("browser_start_video", size=SIZE, cursor=True)
    await client.call("browser_hover", ref="button")
    path, _ = await stop(client, working_dir)
    x, y = 210 + 3, 110 + 6  # below the tip
    samples = [(-0.01, x + dx, y + dy) for dx in range(-4, 5) for dy in range(-4, 5)]
    assert "black" in (await show(connection, path, *samples)).names


async def test_the_video_follows_the_active_tab_and_navigations(
    client: Client, connection: Connection, site: Site, working_dir: Path
) -> None:
    await client.go(site.page(RED))
    await client.call("browser_start_video", size=SIZE)
    await client.call("browser_tabs", action="new")
    await client.go("data:text/html,<body style='background:blue'>")
    await client.call("browser_wait_for", time=1.2)
    await client.go(site.page("<body style='background: lime'>"))
    await client.call("browser_wait_for", time=0.5)
    path, seconds = await stop(client, working_dir)
    times = (0.02, -0.01)
    played = await show(connection, path, *((each, 200, 150) for each in times))
    assert played.names == ["red", "lime"]
    middle = await show(
        connection, path, *((each / 10, 200, 150) for each in range(int(seconds * 10)))
    )
    assert "blue" in middle.names


async def test_the_last_picture_stays_when_the_page_is_closed(
    client: Client, connection: Connection, site: Site, working_dir: Path
) -> None:
    await client.go(site.page(RED))
    await client.call("browser_start_video", size=SIZE)
    await client.call("browser_close")
    path, _ = await stop(client, working_dir)
    assert (await show(connection, path, (-0.01, 200, 150))).names == ["red"]


async def test_the_encoder_is_no_tab_and_ends_with_the_video(
    client: Client, server: Server, site: Site, working_dir: Path
) -> None:
    await client.go(site.page(RED))
    pages = await server.page_ids()
    await client.call("browser_start_video", size=SIZE)
    assert await server.page_ids() == pages
    assert "video.invalid" not in (await client.call("browser_tabs", action="list")).text
    await stop(client, working_dir)
    root = server.browser._connection.root
    while any(  # noqa: ASYNC110 - the time limit of the test ends the wait
        "video.invalid" in each["url"]
        for each in (await root.Target.getTargets(filter=[{}]))["targetInfos"]
    ):
        await asyncio.sleep(POLL)


async def test_screenshots_are_the_same_during_a_recording(
    client: Client, site: Site, working_dir: Path
) -> None:
    await client.go(site.page(BUTTON))
    await client.call("browser_take_screenshot", filename="before.png", type="png")
    await client.call("browser_start_video", size=SIZE)
    await client.call("browser_take_screenshot", filename="during.png", type="png")
    await stop(client, working_dir)
    before, during = ((working_dir / f"{each}.png").read_bytes() for each in ("before", "during"))
    assert before == during


async def test_closing_the_context_ends_the_video_which_is_saved(
    client: Client, connection: Connection, site: Site, working_dir: Path
) -> None:
    await client.go(site.page(RED))
    await client.call("browser_context_create", name="film")
    await client.go(site.page(RED), context="film")
    await client.call("browser_start_video", size=SIZE, context="film")
    await client.call("browser_context_close", name="film")
    reply = await client.call("browser_stop_video", context="film")
    assert "The recording ended early, because its context was closed." in reply.text
    found = re.search(r"Video saved to (\S+)", reply.text)
    assert found
    assert (await show(connection, working_dir / found[1], (0.02, 200, 150))).names == ["red"]


async def test_the_end_of_the_session_saves_the_video(
    server: Server, connection: Connection, site: Site, working_dir: Path
) -> None:
    client = server.session()
    await client.go(site.page(RED))
    await client.call("browser_start_video", size=SIZE, filename="kept.webm")
    await client.runner.close()
    assert (await show(connection, working_dir / "kept.webm", (0.02, 200, 150))).names == ["red"]


async def test_a_lost_browser_ends_the_video_which_is_saved(
    server: Server, connection: Connection, site: Site, working_dir: Path
) -> None:
    client = server.session()
    await client.go(site.page(RED))
    await client.call("browser_start_video", size=SIZE)
    await client.call("browser_wait_for", time=0.5)
    process = server.browser._process
    assert process is not None
    browser = server.browser
    os.kill(process.pid, signal.SIGKILL)
    await wait_until(lambda: browser.is_lost)
    reply = await client.call("browser_stop_video", context="default")
    assert "The recording ended early, because the browser ended." in reply.text
    found = re.search(r"Video saved to (\S+)", reply.text)
    assert found
    assert (await show(connection, working_dir / found[1], (0.02, 200, 150))).names == ["red"]
    await client.runner.close()
