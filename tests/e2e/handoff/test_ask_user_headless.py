"""`browser_ask_user` with a headless browser: the person uses the tab in the live view."""

from __future__ import annotations

import json
import os
import re
import signal
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.conftest import OpenHere, StartServer
from tests.e2e.handoff.client import PersonsClient
from tests.e2e.handoff.test_ask_user import ASK, LOGIN, ask
from tests.e2e.handoff.viewer import Viewer
from tests.e2e.support.client import ServerClient
from tests.e2e.support.processes import find_browser
from tests.site import Site

pytestmark = pytest.mark.time_limit(60)


@pytest.fixture
async def agent(shared_chromium: str, tmp_path: Path) -> AsyncIterator[PersonsClient]:
    """Return a client that is not initialized yet."""
    flags = ("--caps=handoff,testing",)
    async with PersonsClient.open(*flags, endpoint=shared_chromium, cwd=tmp_path) as client:
        yield client


@pytest.fixture
async def viewer(open_here: OpenHere, tmp_path: Path) -> AsyncIterator[Viewer]:
    async with open_here("--caps=vision", cwd=tmp_path) as client:
        await client.initialize()
        yield Viewer(client)


async def press_done(viewer: Viewer) -> None:
    """Press the button in the picture: the notice is at the lower edge of the viewport."""
    await viewer.wait_for_picture()
    await viewer.take_control()
    point = await find_green(viewer)
    await viewer.click_picture(*point)


async def find_green(viewer: Viewer) -> tuple[float, float]:
    """Return the place of the green button in the picture, as shares of its size."""
    function = """async () => {
      const canvas = document.querySelector("#picture")
      const end = performance.now() + 10000
      while (performance.now() < end) {
        const { width, height } = canvas
        const { data } = canvas.getContext("2d").getImageData(0, 0, width, height)
        for (let at = 0; at < data.length; at += 4) {
          const [red, green, blue] = data.subarray(at, at + 3)
          if (Math.abs(red - 0x2b) + Math.abs(green - 0x8a) + Math.abs(blue - 0x3e) > 20) continue
          const x = (at / 4) % width, y = Math.floor(at / 4 / width)
          return JSON.stringify([(x + 6) / width, (y + 6) / height])
        }
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
      throw new Error("no button")
    }"""
    reply = await viewer.client.call("browser_evaluate", function=function)
    x, y = json.loads(reply.sections["Result"])
    return x, y


async def read_url(agent: ServerClient, **arguments: Any) -> str:
    reply = await agent.call("browser_ask_user", **(ASK | arguments))
    assert not reply.is_error, reply.text
    assert "Outcome: waiting" in reply.sections["Result"]
    found = re.search(r"http://127\.0\.0\.1:\d+/\S+", reply.text)
    assert found is not None, reply.text
    assert reply.raw["structuredContent"]["url"] == found[0]
    return found[0]


async def test_the_first_call_returns_the_url_and_the_second_waits(
    agent: PersonsClient, viewer: Viewer, site: Site
) -> None:
    await agent.start({})
    await agent.call("browser_navigate", url=site.page(LOGIN))
    url = await read_url(agent)
    refused = await agent.call("browser_snapshot")
    asked = ask(agent)
    await viewer.open(url)
    await press_done(viewer)
    reply = await asked
    script = await agent.call("browser_export_script")

    assert refused.raw["structuredContent"]["error"]["code"] == "handed_over"
    assert reply.sections["Result"] == "Outcome: done"
    assert "A person used the page in the live view" in reply.sections["Events"]
    assert script.text.count("A person acts here") == 1


async def test_an_answer_before_the_second_call_is_kept_for_it(
    agent: PersonsClient, viewer: Viewer, site: Site
) -> None:
    await agent.start({})
    await agent.call("browser_navigate", url=site.page(LOGIN))
    await viewer.open(await read_url(agent))
    await press_done(viewer)
    while (await agent.call("browser_snapshot")).is_error:
        pass
    answered = await agent.call("browser_ask_user", **ASK)
    again = await agent.call("browser_ask_user", **ASK)
    await agent.call("browser_ask_user", **ASK, timeout=0)

    assert answered.sections["Result"] == "Outcome: done"
    assert "Outcome: waiting" in again.text


async def test_another_message_replaces_one_that_no_call_waits_for(
    agent: PersonsClient, site: Site
) -> None:
    await agent.start({})
    await agent.call("browser_navigate", url=site.page(LOGIN))
    first = await read_url(agent)
    second = await read_url(agent, message="Pay the bill")
    refused = await agent.call("browser_snapshot")
    withdrawn = await agent.call("browser_ask_user", **ASK, timeout=0)

    assert first == second
    assert 'browser_ask_user asked: "Pay the bill"' in refused.text
    assert "Outcome: withdrawn. The tab can be used again" in withdrawn.text
    assert not (await agent.call("browser_snapshot")).is_error


async def test_a_request_ends_with_its_time(agent: PersonsClient, site: Site) -> None:
    await agent.start({})
    await agent.call("browser_navigate", url=site.page(LOGIN))
    await read_url(agent, timeout=0.3)
    while (await agent.call("browser_snapshot")).is_error:
        pass
    await read_url(agent, timeout=30)
    waited = await agent.call("browser_ask_user", **ASK, timeout=0.2)

    assert "Outcome: timeout" in waited.text


async def test_an_elicitation_names_the_url(agent: PersonsClient, site: Site) -> None:
    await agent.start({"elicitation": {"form": {}}})
    await agent.call("browser_navigate", url=site.page(LOGIN))
    asked = ask(agent)
    question = await agent.receive_question()
    await agent.answer(question, "accept")
    reply = await asked

    assert re.search(
        r"Please log in\n\nOpen http://127\.0\.0\.1:\d+/\S+ to see and use the page\. Accept",
        question["params"]["message"],
    )
    assert reply.sections["Result"] == "Outcome: done"


@pytest.mark.parametrize("capability", [{"url": {}}, {}])
async def test_a_client_that_shows_no_form_gets_the_url(
    agent: PersonsClient, site: Site, capability: dict[str, Any]
) -> None:
    await agent.start({"elicitation": capability})
    await agent.call("browser_navigate", url=site.page(LOGIN))
    asked = ask(agent)
    if not capability:
        question = await agent.receive_question()
        error = {"code": -32601, "message": "Method not found"}
        await agent.send({"jsonrpc": "2.0", "id": question["id"], "error": error})
    reply = await asked

    assert "Outcome: waiting" in reply.text
    assert "http://127.0.0.1:" in reply.text


async def test_a_browser_that_ends_ends_the_wait(
    open_server: StartServer, tmp_path: Path, site: Site
) -> None:
    async with open_server("--caps=handoff", cwd=tmp_path) as server:
        await server.initialize()
        await server.call("browser_navigate", url=site.page(LOGIN))
        await read_url(server)
        asked = ask(server)
        await server.call("browser_tabs", action="list")  # after this call, the other one waits
        os.kill(find_browser(server.process.pid), signal.SIGKILL)
        reply = await asked
        after = await server.call("browser_navigate", url=site.page(LOGIN))

    assert reply.raw["structuredContent"]["error"]["code"] in ("browser_gone", "page_closed")
    assert not after.is_error
