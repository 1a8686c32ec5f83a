"""Sessions on 19 applications of TodoMVC, each with another framework, pass as exported tests."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping
from dataclasses import replace
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from scripts import npm
from scripts.reading import todomvc
from scripts.reading.player import Player
from tests.e2e.conftest import OpenHere
from tests.e2e.support.client import ServerClient
from tests.prove.playwright.runners import run_typescript

# On the other applications of the package the task fails, or they repeat a framework. In
# troopjs_require the test types before the application listens, and the first item is lost.
APPLICATIONS = (
    *("agilityjs", "ampersand", "angularjs", "backbone", "backbone_marionette", "canjs"),
    *("emberjs", "epitome", "exoskeleton", "knockback", "knockoutjs", "maria", "mithril"),
    *("react", "sammyjs", "spine", "thorax", "vanillajs", "vue"),
)

pytestmark = [pytest.mark.prove, pytest.mark.time_limit(180)]


class QuietHandler(SimpleHTTPRequestHandler):
    """Serves files without a line on stderr for each request."""

    def log_message(self, format: str, *args: object) -> None:
        """Log nothing."""


@pytest.fixture(scope="module")
def examples_url() -> Iterator[str]:
    """Serve the applications of the package `todomvc`."""
    examples = npm.modules(todomvc.HERE) / "todomvc" / "examples"
    if not examples.is_dir():
        raise FileNotFoundError(f"{examples} is missing; `make suite` fetches it.")
    handler = functools.partial(QuietHandler, directory=str(examples))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


class PlayedServer:
    """The server under test, as the player of recorded sessions calls it."""

    name = "viewpoint-mcp"

    def __init__(self, client: ServerClient) -> None:
        self._client = client

    async def start(self) -> None:
        """Do nothing: the test has started it."""

    async def stop(self) -> None:
        """Do nothing: the test stops it."""

    async def call_tool(self, tool: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Call a tool."""
        return (await self._client.call(tool, **arguments)).raw


@pytest.mark.parametrize("name", APPLICATIONS)
async def test_a_session_on_an_application_passes_as_a_test(
    name: str, open_here: OpenHere, tmp_path: Path, examples_url: str, chromium: str
) -> None:
    [session] = [each for each in todomvc.build_sessions() if each.name == name]
    # Some applications save their items late, so a test without pauses loads the page too early.
    session = replace(session, steps=session.steps[:-3])
    async with open_here("--caps=testing", cwd=tmp_path) as server:
        await server.initialize()
        player = Player(PlayedServer(server), examples_url, tmp_path, lambda _text: None)
        await player.play(session)
        verified = await server.call("browser_verify_text_visible", text="Call Bob")
        assert not verified.is_error, verified.text
        saved = await server.call("browser_export_script", filename="todo.spec.ts")
    assert "As a comment" not in saved.text
    output = await run_typescript(tmp_path / "todo.spec.ts", chromium)
    assert "1 passed" in output, f"{(tmp_path / 'todo.spec.ts').read_text()}\n{output}"
