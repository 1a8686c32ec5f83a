"""The server at a recorded browser: the same calls, the same replies, and nothing to run."""

from __future__ import annotations

import asyncio
import re
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from tests.e2e.client import StdioClient
from tests.e2e.conftest import StartServer
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
