"""Servers for the tests: one per test, one per module, or with the flags of a test."""

from __future__ import annotations

import os
import shlex
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from secrets import token_hex
from typing import Any

import pytest
from werkzeug import Request, Response

from tests.e2e.support.client import Reply, StdioClient
from tests.e2e.support.http_client import HttpServer
from tests.e2e.support.in_process import InProcessClient
from tests.e2e.support.processes import wait_until
from tests.e2e.support.users_browser import UserBrowser, run_browser
from tests.site import Site
from viewpoint_mcp.browser.connect.arguments import make_launch_options
from viewpoint_mcp.browser.connect.launch import launch_browser

StartServer = Callable[..., AbstractAsyncContextManager[StdioClient]]
OpenHere = Callable[..., AbstractAsyncContextManager[InProcessClient]]
OpenHttp = Callable[..., AbstractAsyncContextManager[HttpServer]]
Show = Callable[[str], Awaitable[Reply]]
Hold = Callable[..., str]

BROWSER_FLAGS = (
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1",
)


# Chromium moves the focus with the first frame, which a busy machine may draw after the reply.
HAS_FOCUS = """new Promise(done => {
  const look = () => document.activeElement.autofocus ? done() : requestAnimationFrame(look)
  look()
})"""


@pytest.fixture(scope="session")
def executable(chromium: str, tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return a wrapper script for Chromium that resolves no host except this machine."""
    wrapper = tmp_path_factory.mktemp("chromium") / "chromium"
    wrapper.write_text(f'#!/bin/sh\nexec {shlex.join([chromium, *BROWSER_FLAGS])} "$@"\n')
    wrapper.chmod(0o755)
    return str(wrapper)


@pytest.fixture(scope="session")
def open_server(executable: str) -> StartServer:
    """Return `open_server(*flags, cwd=..., env=...)`: a headless server, not yet initialized."""

    def open_server(
        *flags: str, cwd: Path, env: dict[str, str] | None = None
    ) -> AbstractAsyncContextManager[StdioClient]:
        given = ("--headless", "--executable-path", executable, *flags)
        return StdioClient.open(*given, cwd=cwd, env=env)

    return open_server


@pytest.fixture
async def spawned(open_server: StartServer, tmp_path: Path) -> AsyncIterator[StdioClient]:
    """Return a fresh, initialized server in a separate process and in `tmp_path`; it launches its
    own browser."""
    async with open_server(cwd=tmp_path) as client:
        await client.initialize()
        yield client


@pytest.fixture(scope="module")
async def shared_spawned(
    open_server: StartServer, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[StdioClient]:
    """Return an initialized server in a separate process that all tests of the module share."""
    async with open_server(cwd=tmp_path_factory.mktemp("server")) as client:
        await client.initialize()
        yield client


@pytest.fixture(scope="session")
async def shared_chromium(executable: str) -> AsyncIterator[str]:
    """Return the address of a Chromium in which many servers have contexts."""
    is_root = hasattr(os, "geteuid") and os.geteuid() == 0
    options = make_launch_options(Path(executable), sandbox=not is_root)
    async with await launch_browser(options) as process:
        yield process.websocket_url


@pytest.fixture(scope="session")
def open_here(shared_chromium: str) -> OpenHere:
    """Return `open_here(*flags, cwd=...)`: a server in this process, not yet initialized."""

    def open_here(*flags: str, cwd: Path) -> AbstractAsyncContextManager[InProcessClient]:
        return InProcessClient.open(*flags, endpoint=shared_chromium, cwd=cwd)

    return open_here


@pytest.fixture
async def server(open_here: OpenHere, tmp_path: Path) -> AsyncIterator[InProcessClient]:
    """Return a fresh, initialized server in this process and in `tmp_path`."""
    async with open_here(cwd=tmp_path) as client:
        await client.initialize()
        yield client


@pytest.fixture(scope="module")
async def shared_server(
    open_here: OpenHere, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[InProcessClient]:
    """Return an initialized server in this process that all tests of the module share."""
    async with open_here(cwd=tmp_path_factory.mktemp("server")) as client:
        await client.initialize()
        yield client


@pytest.fixture(scope="session")
def open_http(executable: str) -> OpenHttp:
    """Return `open_http(*flags, cwd=..., key=..., env=...)`: a headless server that listens."""

    def open_http(*flags: str, **how: Any) -> AbstractAsyncContextManager[HttpServer]:
        return HttpServer.open("--headless", "--executable-path", executable, *flags, **how)

    return open_http


@pytest.fixture(scope="module")
async def listening(
    open_http: OpenHttp, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[HttpServer]:
    """Return an HTTP server that all tests of the module share."""
    async with open_http(cwd=tmp_path_factory.mktemp("server")) as server:
        yield server


@pytest.fixture
async def show(shared_server: InProcessClient, site: Site) -> AsyncIterator[Show]:
    """Return `await show(html)`: the shared server navigates to a page of that HTML.

    A dialog or further tabs that the test leaves open are closed after it.
    """

    async def show(html: str) -> Reply:
        # A new path: navigating to the same URL would be a reload, which adds no history entry.
        url = site.page(html, path=f"/shown-{token_hex(4)}")
        reply = await shared_server.call("browser_navigate", url=url)
        if "autofocus" in html:
            await shared_server.call("browser_evaluate", function=HAS_FOCUS)
        if "same as before" in reply.text:  # a test before showed the same parts
            return await shared_server.call("browser_snapshot")
        return reply

    yield show
    tabs = (await shared_server.call("browser_tabs", action="list")).sections["Result"].splitlines()
    if len(tabs) > 1 or (await shared_server.call("browser_snapshot")).is_error:
        for _ in tabs:
            await shared_server.call("browser_close")


@pytest.fixture
def hold(site: Site) -> Iterator[Hold]:
    """Return `hold(path, seconds=...)`: a URL that answers after that time; by default not within
    the test."""
    ended = threading.Event()

    def hold(path: str, body: str = "late", *, seconds: float = 60) -> str:
        def respond(request: Request) -> Response:
            ended.wait(seconds)
            return Response(body, mimetype="text/html")

        return site.handle(path, respond)

    yield hold
    ended.set()


@pytest.fixture
async def user_browser(executable: str, tmp_path: Path, site: Site) -> AsyncIterator[UserBrowser]:
    """Return a Chromium that the user started, with a page of the user."""
    url = site.page("<title>Mine</title><h1>My own page</h1>", path="/mine")
    async with run_browser(executable, tmp_path / "user", url) as someone:
        await wait_until(lambda: bool(site.requests("/favicon.ico")))
        yield someone
