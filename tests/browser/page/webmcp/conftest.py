"""A Chromium with WebMCP, and a fresh tab in it."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from cdp_protocol import Connection
from tests.browser.conftest import NO_NETWORK, VIEWPORT
from tests.browser.page.agent import Agent
from viewpoint_mcp.browser.connect.arguments import make_launch_options
from viewpoint_mcp.browser.connect.launch import launch_browser
from viewpoint_mcp.config.settings import Emulation, Timeouts
from viewpoint_mcp.files.file_access import FileAccess
from viewpoint_mcp.page.emulation.context_emulation import ContextEmulation
from viewpoint_mcp.page.page import Page
from viewpoint_mcp.page.page_options import PageOptions

SCRIPT_LIMIT = 1.0  # seconds


@pytest.fixture(scope="session")
async def webmcp_browser(chromium: str) -> AsyncIterator[Connection]:
    """Return a connection to a Chromium whose pages can offer tools.

    It restores documents from the back/forward cache, as the browser of a user does.
    """
    is_root = hasattr(os, "geteuid") and os.geteuid() == 0
    options = make_launch_options(
        Path(chromium),
        sandbox=not is_root,
        has_webmcp=True,
        extra_args=(NO_NETWORK, "--enable-features=Unrelated"),
        ignored_switches=("--disable-back-forward-cache",),
    )
    async with (
        await launch_browser(options) as process,
        Connection.open(process.websocket_url, timeout=10.0) as connection,
    ):
        yield connection


@pytest.fixture
async def agent(webmcp_browser: Connection, tmp_path: Path) -> AsyncIterator[Agent]:
    """Return an agent at a fresh tab of that Chromium."""
    root = webmcp_browser.root
    target = (await root.Target.createTarget(url="about:blank"))["targetId"]
    options = PageOptions(
        target_id=target,
        context_number=0,
        page_number=0,
        context_name="default",
        timeouts=Timeouts(action=2.0, navigation=10.0, script=SCRIPT_LIMIT),
        files=FileAccess(tmp_path, tmp_path / "shots", tmp_path / "out"),
        emulation=ContextEmulation(Emulation(viewport=VIEWPORT)),
        has_webmcp=True,
    )
    page = Page(await root.attach(target), options)
    await page.start()
    yield Agent(page)
    await page.mark_closed_and_cancel_work()
    await page.disconnect()
    await root.Target.closeTarget(targetId=target)
