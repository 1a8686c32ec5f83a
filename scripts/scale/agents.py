"""One agent of many: it repeats a round of mixed work in a browser context of its own."""

from __future__ import annotations

import asyncio
import re
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable
from functools import partial
from time import perf_counter
from typing import Any

import orjson

from scripts.benchmark.cdp import BareConnection
from scripts.benchmark.contestants import VIEWPORT
from scripts.benchmark.http import HttpClient
from scripts.benchmark.processes import ContestantFailed
from scripts.benchmark.site import PAGES, Site

FIELD, BUTTON = "Name", "Count"
Record = Callable[[str, float], None]


class Agent(ABC):
    """One agent. Each kind of step is named after what it does."""

    @abstractmethod
    async def open(self) -> None:
        """Make the context and load the first page."""

    @abstractmethod
    async def close(self) -> None:
        """Close the connection."""

    @abstractmethod
    async def navigate(self, url: str) -> None:
        """Load a page."""

    @abstractmethod
    async def snapshot(self) -> None:
        """Read the page."""

    @abstractmethod
    async def type(self, text: str) -> None:
        """Type into the field."""

    @abstractmethod
    async def click(self) -> None:
        """Click the button, which changes the page."""

    async def play_round(self, site: Site, number: int, record: Record) -> None:
        """Do six steps, and record the name and the seconds of each."""
        steps: tuple[tuple[str, Callable[[], Awaitable[None]]], ...] = (
            ("navigate", partial(self.navigate, site.url("acts"))),
            ("snapshot", self.snapshot),
            ("type", partial(self.type, f"Visitor {number}")),
            ("click", self.click),
            ("navigate", partial(self.navigate, site.url(f"rows?count={40 + number % 20}"))),
            ("snapshot", self.snapshot),
        )
        for name, step in steps:
            began = perf_counter()
            await step()
            record(name, perf_counter() - began)


class ServedAgent(Agent):
    """An agent with a session of the server over HTTP.

    Args:
        port: The port of the server.
        first_url: The page to begin with.
    """

    def __init__(self, port: int, first_url: str) -> None:
        self._client = HttpClient(port)
        self._first_url = first_url
        self._refs: dict[str, str] = {}

    async def open(self) -> None:
        await self._client.initialize()
        await self._client.call("browser_navigate", {"url": self._first_url})
        await self.snapshot()

    async def close(self) -> None:
        self._client.close()

    async def navigate(self, url: str) -> None:
        await self._client.call("browser_navigate", {"url": url})

    async def snapshot(self) -> None:
        page = await self._client.call("browser_snapshot", {})
        if FIELD in page:
            self._refs = {name: _find_ref(page, name) for name in (FIELD, BUTTON)}

    async def type(self, text: str) -> None:
        await self._client.call("browser_type", {"ref": self._refs[FIELD], "text": text})

    async def click(self) -> None:
        await self._client.call("browser_click", {"ref": self._refs[BUTTON]})


class BareAgent(Agent):
    """An agent by bare protocol calls, without checks, waits and replies.

    Args:
        address: The WebSocket address of the browser.
        first_url: The page to begin with, which has the field and the button.
    """

    def __init__(self, address: str, first_url: str) -> None:
        self._address = address
        self._first_url = first_url

    async def open(self) -> None:
        self._connection = await BareConnection.open(self._address)
        await self._connection.attach_to_new_context(*map(int, VIEWPORT.split("x")))
        await self.navigate(self._first_url)
        self._points = {name: await self._find(name) for name in (FIELD, BUTTON)}

    async def close(self) -> None:
        await self._connection.close()

    async def navigate(self, url: str) -> None:
        await self._connection.exchange(
            ("Page.navigate", {"url": url}), until="Page.loadEventFired"
        )

    async def snapshot(self) -> None:
        await self._run((PAGES / "bare_script.js").read_text())

    async def type(self, text: str) -> None:
        await self._press(FIELD)
        await self._connection.call("Input.insertText", {"text": text})

    async def click(self) -> None:
        await self._press(BUTTON)

    async def _press(self, name: str) -> None:
        x, y = self._points[name]
        press = {"x": x, "y": y, "button": "left", "clickCount": 1}
        await self._connection.exchange(
            ("Input.dispatchMouseEvent", {"type": "mouseMoved", "x": x, "y": y}),
            ("Input.dispatchMouseEvent", {"type": "mousePressed", **press}),
            ("Input.dispatchMouseEvent", {"type": "mouseReleased", **press}),
        )

    async def _find(self, name: str) -> tuple[float, float]:
        function = (PAGES / "find_point.js").read_text().split("\n", 1)[1]
        x, y = await self._run(f"({function})({orjson.dumps(name).decode()})")
        return x, y

    async def _run(self, expression: str) -> Any:
        params = {"expression": expression, "returnByValue": True}
        return (await self._connection.call("Runtime.evaluate", params))["result"].get("value")


async def play_together(agents: list[Agent], site: Site, rounds: int, record: Record) -> None:
    """Let all agents do their rounds at the same time."""
    await asyncio.gather(
        *(_play(each, site, rounds, number, record) for number, each in enumerate(agents))
    )


async def _play(agent: Agent, site: Site, rounds: int, number: int, record: Record) -> None:
    for turn in range(rounds):
        await agent.play_round(site, number * rounds + turn, record)


def _find_ref(page: str, name: str) -> str:
    found = re.search(rf'"{name}".*?\[ref=(\w+)\]', page)
    if found is None:
        raise ContestantFailed(f"no {name} in:\n{page}")
    return found[1]
