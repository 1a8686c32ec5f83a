"""Calls made at once: on one page they take turns, on two they do not wait for each other."""

from __future__ import annotations

import asyncio

from tests.e2e.conftest import Hold, Show
from tests.e2e.support.client import Reply, ServerClient
from tests.site import Site

_LOG = """<button onclick="log.append('A1 ');fetch('/slow').then(() => log.append('A2 '))">
A</button>
<button onclick="log.append('B ')">B</button><p id=log></p>"""


async def click(server: ServerClient, page: Reply, name: str) -> Reply:
    return await server.call("browser_click", ref=page.ref("button", name))


async def test_two_actions_on_one_page_run_one_after_the_other(
    shared_server: ServerClient, show: Show, hold: Hold
) -> None:
    hold("/slow", seconds=0.7)
    page = await show(_LOG)
    first, second = await asyncio.gather(
        click(shared_server, page, "A"), click(shared_server, page, "B")
    )
    assert "A1 A2" in first.sections["Snapshot"]
    assert "B" not in first.sections["Snapshot"].replace('button "B"', "")
    assert "A1 A2 B" in second.sections["Snapshot"]


async def test_actions_on_two_pages_run_in_parallel(
    server: ServerClient, site: Site, hold: Hold
) -> None:
    hold("/slow", "answered", seconds=3)
    slow = (
        "<button onclick=\"fetch('/slow').then(r => r.text()).then(t => document.body.append(t))\">"
    )
    one = await server.call("browser_navigate", url=site.page(f"{slow}A</button>"))
    waiting = asyncio.create_task(click(server, one, "A"))
    await server.request("ping")
    url = site.page("<button onclick=\"this.textContent = 'done'\">B</button>")
    await server.call("browser_tabs", action="new", url=url)
    other = await server.call("browser_snapshot")
    reply = await click(server, other, "B")
    assert 'button "done"' in reply.sections["Snapshot"]
    assert not waiting.done()
    assert "answered" in (await waiting).sections["Snapshot"]


async def test_a_cancelled_call_lets_the_next_one_run(
    server: ServerClient, site: Site, hold: Hold
) -> None:
    hold("/slow", seconds=30)
    await server.call("browser_navigate", url=site.page(_LOG))
    params = {"name": "browser_wait_for", "arguments": {"text": "never"}}
    await server.send({"jsonrpc": "2.0", "id": "first", "method": "tools/call", "params": params})
    await server.notify("notifications/cancelled", {"requestId": "first"})
    page = await server.call("browser_snapshot", within=5)
    assert "B" in (await click(server, page, "B")).sections["Snapshot"]
