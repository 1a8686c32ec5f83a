"""What a person does in the browser is in no video, trace, console or script."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from cdp_protocol import Connection
from tests.browser.page.handover.person import Person
from tests.browser.video.video_player import play
from tests.e2e.handoff.client import PersonsClient
from tests.e2e.handoff.conftest import OpenClient
from tests.e2e.handoff.test_ask_user import ASK, LOGIN, ask, at_tab
from tests.site import Site

pytestmark = pytest.mark.time_limit(60)

FORM = (
    LOGIN + "<script>addEventListener('input', (event) => console.log(event.target.value))</script>"
)


@pytest.fixture
async def client(open_client: OpenClient) -> AsyncIterator[PersonsClient]:
    async with open_client() as client:
        await client.start({})
        yield client


async def fill_in(person: Person) -> None:
    await person.wait_for_notice()
    await person.run("document.querySelector('[name=password]').focus()")
    await person.type("hunter2")
    value = "document.querySelector('[name=password]').value"
    while await person.run(value) != "hunter2":  # noqa: ASYNC110 - no event
        await asyncio.sleep(0.02)


async def test_a_trace_has_no_picture_and_no_message_of_that_time(
    client: PersonsClient, desk: Connection, site: Site, tmp_path: Path
) -> None:
    url = site.page(FORM)
    await client.call("browser_navigate", url=url)
    await client.call("browser_start_tracing")
    asked = ask(client)
    person = await at_tab(desk, url)
    await fill_in(person)
    await client.call("browser_tabs", action="select", index=0)
    await person.press("Done")
    await asked
    stopped = await client.call("browser_stop_tracing")

    saved = re.search(r"Trace saved to (\S+)", stopped.text)
    assert saved is not None, stopped.text
    report = (tmp_path / saved[1]).read_text()
    assert report.count("A person acted in the browser.") == 2  # before and after browser_tabs
    assert ASK["message"] in report
    assert "hunter2" not in report
    messages = await client.call("browser_console_messages", level="debug")
    assert "hunter" not in messages.text


async def test_a_video_stops_while_the_person_acts(
    client: PersonsClient, desk: Connection, site: Site, tmp_path: Path
) -> None:
    url = site.page("<title>Red</title><body style='margin: 0; background: red'>")
    await client.call("browser_navigate", url=url)
    started = time.monotonic()
    await client.call(
        "browser_start_video", filename="film.webm", size={"width": 400, "height": 300}
    )
    await client.call("browser_wait_for", time=0.4)
    asked = ask(client)
    person = await at_tab(desk, url)
    await person.wait_for_notice()
    began = time.monotonic()
    await person.run("document.body.style.background = 'lime'")
    await client.call("browser_tabs", action="list")
    await asyncio.sleep(1)  # the time that the video must not have
    await person.run("document.body.style.background = 'blue'")
    away = time.monotonic() - began
    await person.press("Done")
    await asked
    await client.call("browser_wait_for", time=0.3)
    wall = time.monotonic() - started
    stopped = await client.call("browser_stop_video")

    length = re.search(r"\(([\d.]+) s, 400x300\)", stopped.text)
    assert length is not None, stopped.text
    samples = [(part / 10, 200, 150) for part in range(1, int(float(length[1]) * 10))]
    played = await play(desk, tmp_path / "film.webm", *samples)
    assert "lime" not in played.names
    assert played.names[0] == "red"
    assert played.names[-1] == "blue"
    card = 1.5
    assert float(length[1]) < wall - away + card + 0.5


async def test_a_script_names_the_step_of_the_person(
    client: PersonsClient, desk: Connection, site: Site, tmp_path: Path
) -> None:
    url = site.page(FORM)
    await client.call("browser_navigate", url=url)
    asked = ask(client)
    person = await at_tab(desk, url)
    await fill_in(person)
    await person.press("Done")
    await asked
    script = await client.call("browser_export_script")

    assert "As a comment: A person acts here: Please log in" in script.text
    saved = re.search(r"Test saved to (\S+)", script.text)
    assert saved is not None
    code = (tmp_path / saved[1]).read_text()
    assert "// A person acts here: Please log in" in code
    assert "hunter2" not in code
