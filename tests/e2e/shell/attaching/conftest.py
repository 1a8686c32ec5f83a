"""An MCP server that offers its sessions to a shell, and a shell that is attached to it."""

from __future__ import annotations

import re
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager

import pytest
from werkzeug import Request, Response

from tests.e2e.conftest import OpenHttp
from tests.e2e.shell.conftest import Printed, Shell
from tests.e2e.support.http_client import (
    HttpClient,
    HttpServer,
)
from tests.site import Site

KEY = "key-for-the-tests"

ITEMS = "".join(f"<li>Tea number {number}</li>" for number in range(30))
SHOP = f"""<title>Shop</title><h1>Teas</h1><ul>{ITEMS}</ul>
<p id=sold>None sold</p>
<label>Name <input></label>
<button onclick="sold.textContent = 'Sold to ' + document.querySelector('input').value"
>Order</button>
<button onclick="document.title = 'Clicked'; console.error('Stock is low')">Check</button>"""


class Attached:
    """A shell that is attached to one server."""

    def __init__(self, shell: Shell, server: HttpServer) -> None:
        self.shell = shell
        self.env = {"VIEWPOINT_ATTACH_SERVER": server.url, "VIEWPOINT_MCP_API_KEY": KEY}

    async def run(self, *argv: str, stdin: str = "", **env: str) -> Printed:
        return await self.shell.run(*argv, env=self.env | env, stdin=stdin)

    async def text(self, *argv: str, stdin: str = "") -> str:
        """Return the output of a command that succeeds."""
        return (await self.run(*argv, stdin=stdin)).text


@pytest.fixture(scope="module")
async def server(
    open_http: OpenHttp, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[HttpServer]:
    directory = tmp_path_factory.mktemp("server")
    directory.joinpath("secrets").write_text("PASSWORD=tea-leaves\n")
    flags = ("--shell", "--secrets=secrets")
    env = {"VIEWPOINT_MCP_API_KEY": KEY}
    async with open_http(*flags, cwd=directory, key=KEY, env=env) as server:
        yield server


class SlowPage:
    """A page that is not answered within the test.

    Attributes:
        has_begun: Set when a browser has requested it.
    """

    def __init__(self, site: Site) -> None:
        self.has_begun, self.ended = threading.Event(), threading.Event()
        self.url = site.handle("/slow", self._answer)

    def _answer(self, _: Request) -> Response:
        self.has_begun.set()
        self.ended.wait(60)
        return Response("late")


@pytest.fixture
def slow(site: Site) -> Iterator[SlowPage]:
    page = SlowPage(site)
    yield page
    page.ended.set()


@pytest.fixture
def attached(shell: Shell, server: HttpServer) -> Attached:
    return Attached(shell, server)


@asynccontextmanager
async def open_session(server: HttpServer) -> AsyncIterator[HttpClient]:
    """Return a client with a session, which ends with the block."""
    async with server.client() as client:
        try:
            yield client
        finally:
            if server.process.returncode is None:
                await client.http.delete("/mcp", headers=client.headers)


def ref(text: str, what: str) -> str:
    """Return the ref in the first line of a reply that has a text."""
    found = re.search(rf"{re.escape(what)}.*?\[ref=(\w+)\]", text)
    assert found, text
    return found[1]
