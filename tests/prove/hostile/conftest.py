"""Opens hostile pages in a tab of a server whose other tab shows a calm page."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from werkzeug import Request, Response

from tests.e2e.conftest import StartServer, executable, open_server
from tests.e2e.support.client import Reply, StdioClient
from tests.site import Site

__all__ = ["executable", "open_server"]

MAX_SECONDS = 40.0  # of a call: the limit of a navigation, and of what the page blocks after it
MAX_CHARACTERS = 60_000  # of a reply: the budget of its snapshot, and the other sections
MAX_GROWTH = 300.0  # MB of the server's memory
_CALM_SECONDS = 15.0  # for a call in the other tab
_CALM = "<title>Calm</title><h1>Calm</h1><button onclick='this.textContent = \"Done\"'>Go</button>"

Attack = Callable[..., Awaitable[list[Reply]]]
Hang = Callable[..., str]


@pytest.fixture(scope="module")
async def attacked(
    open_server: StartServer, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[StdioClient]:
    """Return a server that all tests of the module attack, one after the other."""
    cwd = tmp_path_factory.mktemp("attacked")
    async with open_server("--timeout-navigation=5000", cwd=cwd) as client:
        await client.initialize()
        yield client


@pytest.fixture
def hang(site: Site) -> Iterator[Hang]:
    """Return `hang(path, first, piece)`: the address of a response that never ends.

    It begins with `first`, and a piece follows every 50 ms; without pieces, nothing follows.
    """
    ended = threading.Event()

    def hang(path: str, first: str = "", piece: str = "", **headers: str) -> str:
        def body() -> Iterator[bytes]:
            yield first.encode()
            while not ended.wait(0.05 if piece else 1):
                if piece:
                    yield piece.encode()

        def respond(request: Request) -> Response:
            if not first and not piece:
                ended.wait(60)
            return Response(body(), headers={"Content-Type": "text/html", **headers})

        return site.handle(path, respond)

    yield hang
    ended.set()


@pytest.fixture
async def attack(attacked: StdioClient, site: Site) -> Attack:
    """Return `await attack(url, *calls)`: open a page in a new tab, call tools there, and recover.

    Each call ends in time with a reply within the budget, and the other tab works meanwhile. At the
    end, the tab shows another page and works, and the server has not grown.
    """
    calm = site.page(_CALM, path="/calm")

    async def attack(url: str, *calls: tuple[str, dict[str, Any]]) -> list[Reply]:
        while "No page is open" not in (await attacked.call("browser_close", within=90)).text:
            pass
        await _checked_call(attacked, "browser_navigate", {"url": calm})
        before = _memory_of(attacked)
        replies = [
            await _checked_call(attacked, "browser_tabs", {"action": "new"}),
            await _checked_call(attacked, "browser_navigate", {"url": url}),
        ]
        await _check_calm_tab(attacked)
        for tool, arguments in calls:
            replies.append(await _checked_call(attacked, tool, arguments))
        await _check_calm_tab(attacked)
        await _recover(attacked, calm)
        assert _memory_of(attacked) - before < MAX_GROWTH
        return replies[1:]

    return attack


async def _checked_call(server: StdioClient, tool: str, arguments: dict[str, Any]) -> Reply:
    start = time.monotonic()
    reply = await server.call(tool, within=3 * MAX_SECONDS, **arguments)
    seconds = time.monotonic() - start
    assert seconds < MAX_SECONDS, f"{tool} took {seconds:.0f} s:\n{reply.text[:2000]}"
    assert len(reply.text) < MAX_CHARACTERS
    assert "server error" not in reply.text
    return reply


async def _check_calm_tab(server: StdioClient) -> None:
    """Check that the first tab answers, and return to the second."""
    start = time.monotonic()
    selected = await server.call("browser_tabs", action="select", index=0)
    look = await server.call("browser_snapshot", within=2 * _CALM_SECONDS)
    seconds = time.monotonic() - start
    assert "Calm" in look.sections.get("Snapshot", ""), f"{selected.text}\n{look.text}"
    assert seconds < _CALM_SECONDS, f"The calm tab took {seconds:.0f} s"
    await server.call("browser_tabs", action="select", index=1)


async def _recover(server: StdioClient, calm: str) -> None:
    """Check that the attacked tab opens another page, or closes, and that a click works then."""
    for attempt in range(4):
        reply = await _checked_call(server, "browser_navigate", {"url": calm})
        if not reply.is_error:
            break
        if "[File chooser]" in reply.text:
            await server.call("browser_file_upload")
        elif "[dialog open]" in reply.text and attempt < 2:
            await server.call("browser_handle_dialog", accept=True)
        elif attempt == 2:  # as the error advises
            await _checked_call(server, "browser_close", {})
            await _checked_call(server, "browser_tabs", {"action": "new"})
    assert not reply.is_error, reply.text
    clicked = await server.call("browser_click", ref="button")
    assert "Done" in clicked.text, clicked.text


def _memory_of(server: StdioClient) -> float:
    """Return the memory of the server's process in MB; 0 on systems without /proc."""
    status = Path(f"/proc/{server.process.pid}/status")
    found = re.search(r"VmRSS:\s+(\d+) kB", status.read_text()) if status.exists() else None
    return int(found[1]) / 1024 if found else 0.0
