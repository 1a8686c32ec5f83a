"""Pages that open tabs and dialogs again and again, or set very long texts: replies stay short.

`tests/prove/hostile` has many more of these pages.
"""

from __future__ import annotations

import re
from pathlib import Path

from tests.e2e.conftest import Hold, OpenHere, Show
from tests.e2e.support.client import ServerClient
from tests.site import Site
from viewpoint_mcp.browser.tabs.popup_limit import MAX_POPUPS

_MANY = MAX_POPUPS + 10


async def test_tabs_that_a_page_opens_beyond_the_limit_are_closed(
    server: ServerClient, site: Site
) -> None:
    site.page("<title>Popup</title>", path="/popup")
    script = (
        f"for (let n = 0; n < {_MANY}; n++) window.open('/popup?' + 'x'.repeat(1000), 'popup' + n)"
    )
    url = site.page(f'<button onclick="{script}">Open</button>')
    await server.call("browser_navigate", url=url)
    clicked = await server.call("browser_click", ref="button")
    assert len(clicked.text) < 20_000
    assert clicked.sections["Events"].count("Popup opened as tab") == 5
    listed = await server.call("browser_tabs", action="list")
    while listed.sections["Result"].count("\n- ") > MAX_POPUPS:  # some are still closing
        listed = await server.call("browser_tabs", action="list")
    assert len(listed.raw["structuredContent"]["tabs"]) == MAX_POPUPS + 1
    events = clicked.sections["Events"] + listed.sections.get("Events", "")
    assert events.count(f"opened more than {MAX_POPUPS} tabs") == 1


async def test_a_page_that_opens_dialogs_without_end_can_be_closed(
    shared_server: ServerClient, show: Show
) -> None:
    await show("<script>for (;;) alert('again')</script>")
    for _ in range(10):
        answered = await shared_server.call("browser_handle_dialog", accept=True)
        assert "Modal state" in answered.sections, answered.text
    refused = await shared_server.call("browser_snapshot")
    assert re.search(
        r"has opened 1\d dialogs so far. Use browser_handle_dialog, or browser_close",
        refused.sections["Error"],
    )
    assert not (await shared_server.call("browser_close")).is_error


async def test_a_very_long_title_is_cut(shared_server: ServerClient, show: Show) -> None:
    reply = await show("<script>document.title = 'x'.repeat(5e6)</script><p>Text")
    titles = re.findall("x{500,}…", reply.text)
    assert titles
    assert {len(each) for each in titles} == {1000}
    assert len(reply.text) < 3000


async def test_a_document_that_never_ends_is_shown_as_far_as_it_is_there(
    open_here: OpenHere, site: Site, hold: Hold, tmp_path: Path
) -> None:
    script = hold("/never.js")
    html = f"<h1>Begun</h1><script src='{script}'></script><p>Rest"
    async with open_here("--timeout-navigation=1000", cwd=tmp_path) as client:
        await client.initialize()
        reply = await client.call("browser_navigate", url=site.page(html))
    assert not reply.is_error, reply.text
    assert "The page is still loading; its content can be used." in reply.sections["Events"]
    assert 'heading "Begun"' in reply.sections["Snapshot"]
