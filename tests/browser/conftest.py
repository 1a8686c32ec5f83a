"""One Chromium for the run, and for each test a separate browser context."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest

from cdp_protocol import Connection
from cdp_protocol.launching.process import BrowserProcess
from tests.browser.clients import Server
from tests.browser.tab_pool import BlankTab, TabPool
from viewpoint_mcp.browser.client_workspace import Workspace
from viewpoint_mcp.browser.connect.arguments import make_launch_options
from viewpoint_mcp.browser.connect.launch import launch_browser
from viewpoint_mcp.browser.context import Context
from viewpoint_mcp.browser.supervisor import BrowserSupervisor
from viewpoint_mcp.config.settings import Emulation, Settings, Timeouts
from viewpoint_mcp.files.file_access import FileAccess
from viewpoint_mcp.page.emulation.context_emulation import ContextEmulation
from viewpoint_mcp.page.page import Page
from viewpoint_mcp.page.page_options import PageOptions

OpenPage = Callable[..., Awaitable[Page]]

NO_NETWORK = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1"
VIEWPORT = (800, 600)
TIMEOUTS = Timeouts(action=2.0, navigation=10.0)


@pytest.fixture(scope="session")
async def chromium_process(chromium: str) -> AsyncIterator[BrowserProcess]:
    """Return a running Chromium without network access."""
    is_root = hasattr(os, "geteuid") and os.geteuid() == 0
    options = make_launch_options(Path(chromium), sandbox=not is_root, extra_args=(NO_NETWORK,))
    async with await launch_browser(options) as process:
        yield process


@pytest.fixture(scope="session")
async def connection(chromium_process: BrowserProcess) -> AsyncIterator[Connection]:
    """Return a connection to that Chromium."""
    async with Connection.open(chromium_process.websocket_url, timeout=10.0) as connection:
        yield connection


@pytest.fixture(scope="session")
async def tabs(connection: Connection) -> AsyncIterator[TabPool]:
    """Return the tabs that tests use one after another."""
    pool = TabPool(connection)
    yield pool
    await pool.close()


@pytest.fixture
async def blank(tabs: TabPool, request: pytest.FixtureRequest) -> AsyncIterator[BlankTab]:
    """Return this test's tab, which is alone in its context."""
    async with tabs.tab(may_store="site" in request.fixturenames) as tab:
        yield tab


@pytest.fixture
async def open_page(
    connection: Connection, blank: BlankTab, tmp_path: Path
) -> AsyncIterator[OpenPage]:
    """Return `open_page(timeouts=..., is_users=...)`: this test's tab, and then further ones in its
    context.
    """
    pages: list[Page] = []

    async def target_id() -> str:
        if not pages:
            return blank.target_id
        made = await connection.root.Target.createTarget(
            url="about:blank", browserContextId=blank.context_id
        )
        return made["targetId"]

    async def open_page(timeouts: Timeouts = TIMEOUTS, *, is_users: bool = False) -> Page:
        target = await target_id()
        page = Page(
            await connection.root.attach(target),
            PageOptions(
                target_id=target,
                context_number=0,
                page_number=len(pages),
                context_name="default",
                timeouts=timeouts,
                files=FileAccess(tmp_path, tmp_path / "shots", tmp_path / "out"),
                emulation=ContextEmulation(Emulation(viewport=VIEWPORT)),
                is_users_tab=is_users,
                has_test_support=True,
            ),
        )
        pages.append(page)
        await page.start()
        return page

    yield open_page
    for page in pages:
        await page.mark_closed_and_cancel_work()
        await page.disconnect()


@pytest.fixture
async def page(open_page: OpenPage) -> Page:
    """Return a fresh tab."""
    return await open_page()


@pytest.fixture(scope="module")
def working_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the working directory of `launched`."""
    return tmp_path_factory.mktemp("launched")


def settings_in(directory: Path, chromium: str) -> Settings:
    """Return the settings of a server whose browser has no network and whose files are in the
    directory."""
    return Settings(
        headless=True,
        executable=Path(chromium),
        sandbox=False,
        browser_args=(NO_NETWORK,),
        emulation=Emulation(viewport=VIEWPORT),
        working_dir=directory,
        screenshot_dir=directory / "shots",
        output_dir=directory / "files",
        timeouts=TIMEOUTS,
    )


@pytest.fixture(scope="module")
async def launched(chromium: str, working_dir: Path) -> AsyncIterator[Workspace]:
    """Return the workspace of the only client of a server, for all tests of the module. It is
    attached to popups."""
    host = BrowserSupervisor(settings_in(working_dir, chromium))
    workspace = host.make_workspace()
    await workspace.get_context()  # Start the browser now, because its tasks outlive each test.
    yield workspace
    await host.close()


@pytest.fixture(scope="module")
async def default(launched: Workspace) -> Context:
    """Return the default context of that client."""
    return await launched.get_context()


@pytest.fixture(scope="module")
def settings(working_dir: Path, chromium: str) -> Settings:
    """Return settings of a server whose files are in `working_dir`."""
    return settings_in(working_dir, chromium)


@pytest.fixture(scope="module")
async def server(settings: Settings) -> AsyncIterator[Server]:
    """Return a server for many clients. Its browser runs already, because the browser's tasks
    outlive each test."""
    server = Server(settings)
    first = server.session()
    await first.call("browser_tabs", action="new")
    await first.runner.close()
    yield server
    await server.close()
