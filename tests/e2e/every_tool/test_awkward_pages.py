"""Every tool answers on pages that lack what it needs, and the server goes on."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from secrets import token_hex
from typing import Any

import pytest

from tests.e2e.conftest import StartServer
from tests.e2e.every_tool.test_unwritable_directory import CALLS, PAGE
from tests.e2e.server.test_browser_loss import crash
from tests.e2e.support.client import Reply, StdioClient
from tests.site import Site
from viewpoint_mcp.tools.catalog import OPTIONAL_CAPABILITIES

pytestmark = [pytest.mark.prove, pytest.mark.time_limit(180)]

WITHIN = 15.0  # seconds for one call, also on a busy machine
# The arguments of `CALLS` that need a call before them, or files.
ARGUMENTS: dict[str, dict[str, Any]] = {
    **dict(reversed(CALLS)),
    "browser_navigate": {"url": "about:blank"},
    "browser_wait_for": {"text": "Shop", "time": 0.1},
    "get_screenshot": {"name": "missing.png"},
    "crop_screenshot": {"name": "missing.png", "x": 0, "y": 0, "width": 5, "height": 5},
    "browser_context_create": {"name": "other"},
    "browser_route": {"pattern": "**/sold", "body": "yes"},
}
UNDO: dict[str, tuple[str, dict[str, Any]]] = {
    "browser_context_create": ("browser_context_close", {"name": "other"}),
    "browser_network_state_set": ("browser_network_state_set", {"state": "online"}),
    "browser_start_video": ("browser_stop_video", {}),
}
SVG = """<svg xmlns="http://www.w3.org/2000/svg"><title>Shop</title>
<text y="20">Shop</text></svg>"""
Prepare = Callable[[StdioClient, Site], Awaitable[object]]


async def show_page_without_origin(server: StdioClient, _site: Site) -> Reply:
    """Show a document that has neither cookies nor storage, and a URL of 1,000 characters."""
    return await server.call("browser_navigate", url=f"data:text/html,{PAGE.replace('#', '%23')}")


async def show_picture(server: StdioClient, site: Site) -> Reply:
    """Show a document that is no HTML."""
    path = f"/shop-{token_hex(4)}.svg"
    url = site.respond(path, SVG, content_type="image/svg+xml")
    return await server.call("browser_navigate", url=url)


async def show_page_offline(server: StdioClient, site: Site) -> Reply:
    """Show a page, and disconnect it from the network."""
    await server.call("browser_network_state_set", state="online")
    await server.call("browser_navigate", url=site.page(PAGE))
    return await server.call("browser_network_state_set", state="offline")


async def close_all_pages(server: StdioClient, _site: Site) -> None:
    """Close the open pages. The next call on a page gets an empty one."""
    while "No open tabs" not in (await server.call("browser_tabs", action="list")).text:
        await server.call("browser_close")


STATES: dict[Prepare, set[str]] = {
    show_page_without_origin: {"page_failed", "navigation_failed"},
    show_picture: {"not_found", "page_failed", "navigation_failed"},
    show_page_offline: {"navigation_failed"},
    close_all_pages: {"not_found", "page_failed", "navigation_failed", "timeout"},
    crash: {"page_crashed", "navigation_failed"},
}
ALWAYS = {"invalid_argument", "verification_failed"}


@pytest.mark.parametrize("prepare", STATES, ids=lambda prepare: prepare.__name__)
async def test_every_tool_answers_with_a_code_that_fits_the_page(
    prepare: Prepare, open_server: StartServer, tmp_path: Path, site: Site
) -> None:
    flags = (f"--caps={','.join(OPTIONAL_CAPABILITIES)}", "--timeout-action=500")
    async with open_server(*flags, cwd=tmp_path) as server:
        await server.initialize()
        for tool in await server.tools():
            if tool == "browser_install":
                continue
            await prepare(server, site)
            reply = await server.call(tool, **ARGUMENTS.get(tool, {}), within=WITHIN)
            if reply.is_error:
                code = reply.raw["structuredContent"]["error"]["code"]
                assert code in STATES[prepare] | ALWAYS, f"{tool}: {reply.text}"
            assert len(reply.text) < 2000, f"{tool}: {reply.text}"
            if tool in UNDO:
                await server.call(UNDO[tool][0], **UNDO[tool][1])
        await server.call("browser_network_state_set", state="online")
        await server.call("browser_navigate", url=site.page(PAGE))
        clicked = await server.call("browser_click", ref='button "Buy"')
        assert not clicked.is_error, clicked.text
        assert "Traceback" not in server.stderr
