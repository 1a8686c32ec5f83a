"""One Chromium for the run, and for each test a browser context of its own."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest

from cdp_protocol import Connection
from viewpoint_mcp.browser.browser import Browser
from viewpoint_mcp.browser.contexts import ContextOptions, Numbers
from viewpoint_mcp.browser.process import BrowserProcess, LaunchOptions
from viewpoint_mcp.files.places import Files
from viewpoint_mcp.page.emulation import ContextEmulation
from viewpoint_mcp.page.page import Page
from viewpoint_mcp.settings import Emulation, Settings, Timeouts

OpenPage = Callable[..., Awaitable[Page]]

NO_NETWORK = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1"
VIEWPORT = (800, 600)
TIMEOUTS = Timeouts(action=2.0, navigation=10.0)


@pytest.fixture(scope="session")
async def chromium_process(chromium: str) -> AsyncIterator[BrowserProcess]:
    """Return a running Chromium without a network."""
    is_root = hasattr(os, "geteuid") and os.geteuid() == 0
    options = LaunchOptions(
        executable=Path(chromium), sandbox=not is_root, extra_args=(NO_NETWORK,)
    )
    async with await BrowserProcess.launch(options) as process:
        yield process


@pytest.fixture(scope="session")
async def connection(chromium_process: BrowserProcess) -> AsyncIterator[Connection]:
    """Return a connection to that Chromium."""
    async with Connection.open(chromium_process.websocket_url, timeout=10.0) as connection:
        yield connection


@pytest.fixture
async def open_page(connection: Connection, tmp_path: Path) -> AsyncIterator[OpenPage]:
    """Return `open_page(timeouts=..., is_users=...)`: another tab in this test's own context."""
    target = connection.root.Target
    context_id = (await target.createBrowserContext())["browserContextId"]
    pages: list[Page] = []

    async def open_page(timeouts: Timeouts = TIMEOUTS, *, is_users: bool = False) -> Page:
        made = await target.createTarget(url="about:blank", browserContextId=context_id)
        attached = await target.attachToTarget(targetId=made["targetId"], flatten=True)
        page = Page(
            connection.session(attached["sessionId"]),
            target_id=made["targetId"],
            context=0,
            number=len(pages),
            context_name="default",
            timeouts=timeouts,
            files=Files(tmp_path, tmp_path / "shots", tmp_path / "out"),
            emulation=ContextEmulation(Emulation(viewport=VIEWPORT)),
            is_users=is_users,
        )
        pages.append(page)
        await page.start()
        return page

    yield open_page
    for page in pages:
        await page.detach()
    await target.disposeBrowserContext(browserContextId=context_id)


@pytest.fixture
async def page(open_page: OpenPage) -> Page:
    """Return a fresh tab."""
    return await open_page()


@pytest.fixture(scope="module")
def working_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the working directory of `launched`."""
    return tmp_path_factory.mktemp("launched")


@pytest.fixture(scope="module")
async def launched(chromium: str, working_dir: Path) -> AsyncIterator[Browser]:
    """Return a browser as a server has it, for all tests of the module: popups are attached to."""
    options = LaunchOptions(
        executable=Path(chromium), sandbox=False, viewport=VIEWPORT, extra_args=(NO_NETWORK,)
    )
    settings = Settings(
        working_dir=working_dir, output_dir=working_dir / "files", timeouts=TIMEOUTS
    )
    browser = await Browser.launch(options, settings, Numbers(), ContextOptions())
    yield browser
    await browser.close()
