"""The server at a recorded browser: the same calls, the same replies, and nothing to run."""

from __future__ import annotations

import asyncio
import os
import re
import shlex
import signal
import stat
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from cdp_protocol.recording.format import Closed, Said, read
from tests.e2e.client import StdioClient
from tests.e2e.command import run
from tests.e2e.conftest import StartServer
from tests.e2e.processes import browser_of
from tests.e2e.somebody import Somebody
from tests.e2e.told import Told
from tests.site import Site

SHOP = """<!doctype html><title>Shop</title><h1>Shop</h1>
<form action="/thanks" method="post">
  <label>Name <input name="name"></label>
  <label>Password <input name="password" type="password"></label>
  <label>Size <select name="size"><option>small</option><option>large</option></select></label>
  <label><input type="checkbox" name="gift"> A gift</label>
  <button>Order</button>
</form>
<button id="more">More</button> <button id="ask">Ask</button> <ul></ul>
<script>
  more.onclick = async () => {
    const answer = await fetch('/stock');
    document.querySelector('ul').innerHTML = `<li>${await answer.text()}</li>`;
    console.log('loaded', {items: 1});
  };
  ask.onclick = () => { document.title = confirm('Sure?') ? 'Yes' : 'No'; };
  setTimeout(() => document.body.append('Late'), 300);
  console.error('A trap');
</script>"""


@asynccontextmanager
async def cdp(*arguments: str, cwd: Path, ends: int = 0) -> AsyncIterator[str]:
    """Run a command that listens; it is ended in order."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "cdp_protocol", *arguments),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        cwd=cwd,
    )
    assert process.stdout is not None
    try:
        line = (await process.stdout.readline()).decode()
        found = re.search(r"http://127\.0\.0\.1:\d+", line)
        if found is None:
            raise AssertionError((await process.communicate())[1].decode())
        yield found[0]
        process.terminate()
        rest = await process.communicate()
        assert process.returncode == ends, rest
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


async def shop(client: StdioClient, site: Site) -> Told:
    """Do a little of everything."""
    url = site.page(SHOP, path="/shop")
    site.respond("/stock", "Apples")
    site.page("<title>Thanks</title><h1>Thanks</h1><a href=/shop>Back</a>", path="/thanks")
    told = Told(client)
    page = await told.call("browser_navigate", url=url)
    name, password = page.ref("textbox", "Name"), page.ref("textbox", "Password")
    await told.call("browser_snapshot")
    await told.call("browser_wait_for", text="Late")
    await told.call("browser_click", element="More", ref=page.ref("button", "More"))
    await told.call("browser_console_messages")
    await told.call("browser_network_requests")
    await told.call("browser_type", element="Name", ref=name, text="Ada")
    fields = [
        {"name": "Password", "type": "textbox", "ref": password, "value": "open sesame"},
        {
            "name": "A gift",
            "type": "checkbox",
            "ref": page.ref("checkbox", "A gift"),
            "value": "true",
        },
    ]
    await told.call("browser_fill_form", fields=fields)
    size = page.ref("combobox", "Size")
    await told.call("browser_select_option", element="Size", ref=size, values=["large"])
    await told.call("browser_click", element="Ask", ref=page.ref("button", "Ask"))
    await told.call("browser_handle_dialog", accept=True)
    await told.call("browser_evaluate", function="() => ({title: document.title, list: [1, 2]})")
    await told.call("browser_take_screenshot", filename="shop.png")
    await told.call("browser_tabs", action="new")
    await told.call("browser_tabs", action="list")
    await told.call("browser_tabs", action="select", index=0)
    await told.call("browser_press_key", key="Tab")
    await told.call("browser_hover", element="More", ref=page.ref("button", "More"))
    await told.call("browser_click", element="Order", ref=page.ref("button", "Order"))
    await told.call("browser_click", element="Name", ref=name)  # is gone
    await told.call("browser_navigate_back")
    await told.call("browser_evaluate", function="() => nothing.there")
    await told.call("browser_tabs", action="close", index=1)
    return told


@pytest.mark.time_limit(60)
async def test_a_recording_of_the_proxy_has_the_server_reply_the_same_without_a_browser(
    open_server: StartServer, somebody: Somebody, site: Site, tmp_path: Path
) -> None:
    file = tmp_path / "shop.jsonl"
    async with (
        cdp("record", str(file), "--endpoint", str(somebody.port), cwd=tmp_path) as endpoint,
        open_server("--cdp-endpoint", endpoint, cwd=tmp_path) as client,
    ):
        await client.initialize()
        told = await shop(client, site)

    async with (
        cdp("replay", str(file), "--strict", cwd=tmp_path) as endpoint,
        open_server("--cdp-endpoint", endpoint, cwd=tmp_path) as client,
    ):
        await client.initialize()
        await told.again(client)


@pytest.mark.time_limit(60)
@pytest.mark.parametrize("way", ["websocket", "pipe"])
async def test_a_trace_of_a_browser_of_ours_has_the_server_reply_the_same_without_one(
    open_server: StartServer, site: Site, tmp_path: Path, way: str
) -> None:
    trace = tmp_path / "trace.jsonl"
    flags = (f"--browser-connection={way}", "--no-sandbox")
    async with open_server(*flags, f"--trace-cdp={trace}", cwd=tmp_path) as client:
        await client.initialize()
        told = await shop(client, site)

    async with open_server(*flags, "--executable-path", stand_in(trace), cwd=tmp_path) as client:
        await client.initialize()
        await told.again(client)


async def test_a_trace_of_an_attached_browser_can_be_listed(
    open_server: StartServer, somebody: Somebody, tmp_path: Path
) -> None:
    trace = tmp_path / "trace.jsonl"
    flags = ("--cdp-endpoint", str(somebody.port), "--trace-cdp", str(trace))
    async with open_server(*flags, cwd=tmp_path) as client:
        await client.initialize()
        await client.call("browser_snapshot")

    recording = read(trace)
    assert recording.header.product.startswith("Chrome/")
    assert recording.header.endpoint == somebody.websocket_url
    methods = {each.message.get("method") for each in recording.entries if isinstance(each, Said)}
    assert {"Target.attachToTarget", "Page.enable"} <= methods
    if sys.platform != "win32":
        assert stat.S_IMODE(trace.stat().st_mode) == 0o600


async def test_a_trace_goes_on_over_the_end_of_a_browser_and_has_no_secrets(
    open_server: StartServer, site: Site, tmp_path: Path
) -> None:
    (tmp_path / "secrets").write_text("WORD=open sesame\n")
    url = site.page("<label>Name <input></label>", headers={"Set-Cookie": "sid=hush"})
    flags = ("--trace-cdp", "trace.jsonl", "--secrets", "secrets")
    async with open_server(*flags, cwd=tmp_path) as client:
        await client.initialize()
        page = await client.call("browser_navigate", url=url)
        await client.call("browser_type", ref=page.ref("textbox", "Name"), text="WORD")
        await client.call("browser_evaluate", function="() => console.log('open sesame')")
        os.kill(browser_of(client.process.pid), signal.SIGKILL)
        await client.call("browser_navigate", url=url)
        await client.call("browser_navigate", url=url)

    recording = read(tmp_path / "trace.jsonl")
    assert recording.connections == [0, 1]
    ends = [each for each in recording.entries if isinstance(each, Closed)]
    assert [(end.connection, end.side) for end in ends] == [(0, "browser"), (1, "client")]
    written = "".join(str(each) for each in recording.entries)
    assert "<secret>WORD</secret>" in written
    assert "open sesame" not in written
    assert "hush" not in written


async def test_a_trace_that_cannot_be_written_is_told_at_the_start(tmp_path: Path) -> None:
    status, _, said = await run("--trace-cdp", str(tmp_path / "no" / "trace"), cwd=tmp_path)

    assert status == 2
    assert "cannot be written: No such file or directory" in said


def stand_in(trace: Path) -> str:
    """An executable that plays a trace in the place of a browser."""
    script = trace.with_name("replayed-browser")
    command = shlex.join([sys.executable, "-m", "cdp_protocol", "replay", str(trace)])
    script.write_text(f'#!/bin/sh\nexec {command} --as-browser "$@"\n')
    script.chmod(0o755)
    return str(script)
