"""A task on an application that others wrote: how many calls and characters each server needs.

The application is gentelella, a template for administration pages, served from this machine. The
player works like an agent: it takes a ref from the replies so far, and calls the snapshot tool only
if no reply shows the element that it needs next.
"""

from __future__ import annotations

import functools
import logging
import re
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

from scripts.benchmark.contestants import McpServer
from scripts.benchmark.processes import ContestantFailed
from scripts.benchmark.results import Results
from scripts.fetch_corpus import PACKAGES
from scripts.npm import FetchFailed
from scripts.reading.ref_ranges import find_ranges, is_in_ranges

APPLICATION = next(package for package in PACKAGES if package.name == "gentelella")

log = logging.getLogger("bench")


class TaskPlayer:
    """Performs the steps of the task with one server, and counts its costs.

    Attributes:
        calls: The number of tool calls.
        characters: The characters of all replies.
    """

    def __init__(self, server: McpServer) -> None:
        self._server = server
        self._replies: list[str] = []
        self._former_replies: list[str] = []
        self.calls = 0
        self.characters = 0

    async def open(self, url: str) -> None:
        """Navigate to a page. Of the page before, only refs that the new reply names are used."""
        self._leave()
        self._note(await self._server.navigate(url))

    async def click(self, role: str, name: str, *, leaves: bool = False) -> None:
        """Click an element.

        Args:
            leaves: Whether the click opens another page.
        """
        ref = await self._find(role, name)
        if leaves:
            self._leave()
        self._note(await self._server.click(ref))

    async def type(self, name: str, text: str) -> None:
        """Type a text into a text box."""
        self._note(await self._server.type(await self._find("textbox", name), text))

    async def fill(self, values: Mapping[str, str]) -> None:
        """Fill in several text boxes in one call; `values` are by name."""
        refs = {await self._find("textbox", name): value for name, value in values.items()}
        self._note(await self._server.fill(refs))

    async def check(self, text: str) -> None:
        """Make sure that the page shows a text.

        Raises:
            ContestantFailed: It does not.
        """
        if text in self._replies[-1]:
            return
        self._note(await self._server.snapshot())
        if text not in self._replies[-1]:
            raise ContestantFailed(f'the page does not show "{text}"')

    async def _find(self, role: str, name: str) -> str:
        pattern = self._server.ref_pattern(role, name)
        for reply in reversed(self._replies):
            if found := re.search(pattern, reply):
                return found[1]
        ranges = find_ranges(self._replies[-1]) if self._replies else []
        for reply in reversed(self._former_replies):
            found = re.search(pattern, reply)
            if found and is_in_ranges(found[1], ranges):
                return found[1]
        self._note(await self._server.snapshot())
        found = re.search(pattern, self._replies[-1])
        if found is None:
            raise ContestantFailed(f'the snapshot shows no {role} "{name}" with a ref')
        return found[1]

    def _leave(self) -> None:
        self._former_replies += self._replies
        self._replies.clear()

    def _note(self, reply: str) -> None:
        self._replies.append(reply)
        self.calls += 1
        self.characters += len(reply)


async def play(player: TaskPlayer, origin: str) -> None:
    """Find a user, invite another one, switch to the dark theme and open the files."""
    await player.open(f"{origin}/production/user_management.html")
    await player.type("Search users", "sarah")
    await player.click("button", "+ Invite user")
    await player.fill(
        {"Email address": "ada@example.com", "Personal message (optional)": "Welcome"}
    )
    await player.click("button", "Send invite")
    await player.check("Invite sent to ada@example.com")
    await player.click("link", "Settings", leaves=True)
    await player.click("radio", "Dark")
    await player.click("link", "Files", leaves=True)
    await player.check("Upgrade plan")


async def measure_task(servers: Sequence[McpServer], results: Results) -> None:
    """Perform the task once with each server; its cost does not vary."""
    try:
        if not APPLICATION.directory.is_dir():
            APPLICATION.fetch()
    except FetchFailed as error:
        for server in servers:
            results.fail("task-calls", server.name, error)
        return
    with _serve_application() as origin:
        for server in servers:
            log.info("task: %s", server.name)
            player = TaskPlayer(server)
            try:
                await server.start()
                await play(player, origin)
            except (ContestantFailed, TimeoutError, OSError) as reason:
                results.fail("task-calls", server.name, reason)
            else:
                results.add("task-calls", server.name, player.calls)
                results.add("task-characters", server.name, player.characters)
            finally:
                await server.stop()


class _QuietHandler(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        """Log nothing."""


@contextmanager
def _serve_application() -> Iterator[str]:
    """Serve the application on loopback, and yield its origin."""
    handler = functools.partial(_QuietHandler, directory=str(APPLICATION.directory / "dist"))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}"
        finally:
            server.shutdown()
            thread.join()
