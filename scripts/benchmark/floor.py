"""The floor: the same actions as bare protocol calls, without checks, waits and replies.

No server can be faster. The distance to the floor is the cost of a server.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

import orjson

from scripts.benchmark.cdp import BareConnection, Call
from scripts.benchmark.contestants import OFFLINE, VIEWPORT, Workshop
from scripts.benchmark.processes import ContestantFailed, end_process, resident_mib
from scripts.benchmark.site import PAGES

NAME = "floor (bare CDP)"
# The least a Python server can be: asyncio imported, one line answered.
BARE_PYTHON = "import asyncio, sys\nfor line in sys.stdin:\n    print(line, end='', flush=True)"
FLAGS = (
    "--headless",
    "--remote-debugging-port=0",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    OFFLINE,
)
LISTENING = b"DevTools listening on "
Process = asyncio.subprocess.Process


class Floor:
    """A contestant that is no server: a bare Python process to begin with, then a browser."""

    def __init__(self, workshop: Workshop) -> None:
        self.name = NAME
        self.tools_characters: int | None = None
        self._workshop = workshop
        self._python: Process | None = None
        self._chromium: Process | None = None
        self._connection: BareConnection | None = None
        self._points: dict[str, tuple[float, float]] = {}

    async def start(self) -> None:
        """Spawn a bare Python and wait for it to answer a line."""
        self._python = await asyncio.create_subprocess_exec(
            *(sys.executable, "-c", BARE_PYTHON),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            start_new_session=True,
        )
        assert self._python.stdin is not None and self._python.stdout is not None
        self._python.stdin.write(b"hello\n")
        await self._python.stdout.readline()

    async def stop(self) -> None:
        """End both processes, if they run."""
        connection, self._connection = self._connection, None
        if connection is not None:
            with suppress(ContestantFailed):  # a browser that has ended needs no closing
                await connection.call("Browser.close", {})
            await connection.close()
        for process in (self._python, self._chromium):
            if process is not None:
                await end_process(process)
        self._python = self._chromium = None

    def resident_mib(self) -> float:
        """Resident memory of the bare Python."""
        if self._python is None:
            raise ContestantFailed("the bare Python does not run")
        return resident_mib(self._python.pid)

    async def navigate(self, url: str) -> None:
        await (await self._page()).exchange(
            ("Page.navigate", {"url": url}), until="Page.loadEventFired"
        )

    async def snapshot(self) -> str:
        script = (PAGES / "bare_script.js").read_text()
        return str(await self._run(script))

    async def ax_tree(self) -> None:
        await self._call("Accessibility.getFullAXTree", {})

    async def find(self, role: str, name: str) -> str:
        """Remember where the control with this name is; its name serves as the ref."""
        script = (PAGES / "find_point.js").read_text()
        _comment, function = script.split("\n", 1)
        point = await self._run(f"({function})({orjson.dumps(name).decode()})")
        if point is None:
            raise ContestantFailed(f'there is no {role} "{name}" on the page')
        self._points[name] = (point[0], point[1])
        return name

    async def click(self, ref: str) -> None:
        await (await self._page()).exchange(*self._mouse(ref))

    async def follow(self, ref: str) -> None:
        page = await self._page()
        await page.exchange(*self._mouse(ref), until="Page.loadEventFired")

    async def type(self, ref: str, text: str) -> None:
        """Insert text into the focused element: the field, if it was clicked before."""
        await self._call("Input.insertText", {"text": text})

    async def fill(self, values: Mapping[str, str]) -> None:
        """Click each field and insert its text."""
        calls: list[Call] = []
        for ref, value in values.items():
            calls += [*self._mouse(ref), ("Input.insertText", {"text": value})]
        await (await self._page()).exchange(*calls)

    async def evaluate(self, function: str) -> str:
        return str(await self._run(f"({function})()"))

    async def screenshot(self) -> None:
        await self._call("Page.captureScreenshot", {"format": "png", "optimizeForSpeed": True})

    def _mouse(self, ref: str) -> list[Call]:
        x, y = self._points[ref]
        press = {"x": x, "y": y, "button": "left", "clickCount": 1}
        return [
            ("Input.dispatchMouseEvent", {"type": "mouseMoved", "x": x, "y": y}),
            ("Input.dispatchMouseEvent", {"type": "mousePressed", **press}),
            ("Input.dispatchMouseEvent", {"type": "mouseReleased", **press}),
        ]

    async def _run(self, expression: str) -> Any:
        answer = await self._call(
            "Runtime.evaluate", {"expression": expression, "returnByValue": True}
        )
        if "exceptionDetails" in answer:
            raise ContestantFailed(f"the script threw: {answer['exceptionDetails']}")
        return answer["result"].get("value")

    async def _call(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        return await (await self._page()).call(method, params)

    async def _page(self) -> BareConnection:
        """Return the page; the first call launches the browser, as in servers."""
        if self._connection is None:
            self._connection = await BareConnection.open(await self._launch())
            await self._connection.attach(*map(int, VIEWPORT.split("x")))
        return self._connection

    async def _launch(self) -> str:
        self._chromium, address = await launch(self._workshop)
        return address


async def launch(workshop: Workshop) -> tuple[Process, str]:
    """Start a Chromium with a new profile; return it and its WebSocket address."""
    profile = tempfile.mkdtemp(prefix="floor-", dir=workshop.scratch)
    sandbox = ["--no-sandbox"] if workshop.needs_no_sandbox else []
    process = await asyncio.create_subprocess_exec(
        *(workshop.executable, *FLAGS, *sandbox, f"--user-data-dir={profile}", "about:blank"),
        env=workshop.environment(),
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
        start_new_session=True,
    )
    assert process.stderr is not None
    async for line in process.stderr:
        if line.startswith(LISTENING):
            return process, line.removeprefix(LISTENING).decode().strip()
    raise ContestantFailed("Chromium ended before it listened")
