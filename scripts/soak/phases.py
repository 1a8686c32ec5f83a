"""The phases of the run: each repeats one operation that leaves nothing behind."""

from __future__ import annotations

import os
import signal
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from scripts.benchmark.client import McpClient
from scripts.benchmark.processes import ContestantFailed
from scripts.benchmark.site import Site
from scripts.soak.observer import find_browser

Operation = Callable[[McpClient, Site, int], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Phase:
    """One operation and how often it is repeated.

    Args:
        name: What is repeated.
        count: Repetitions in a full run.
        operation: Performs it once; gets the number of the repetition.
    """

    name: str
    count: int
    operation: Operation


async def _navigate(client: McpClient, site: Site, number: int) -> None:
    await client.call("browser_navigate", {"url": site.url(f"rows?count={20 + number % 3}")})


async def _take_snapshot(client: McpClient, _site: Site, number: int) -> None:
    change = f"() => {{ document.querySelector('h2').textContent = 'Change {number}' }}"
    await client.call("browser_evaluate", {"function": change})
    await client.call("browser_snapshot", {})


async def _use_context(client: McpClient, site: Site, number: int) -> None:
    name = f"visitor-{number}"
    await client.call("browser_context_create", {"name": name})
    await client.call("browser_navigate", {"url": site.url("rows?count=5"), "context": name})
    await client.call("browser_context_close", {"name": name})


async def _use_tab(client: McpClient, site: Site, _number: int) -> None:
    await client.call("browser_tabs", {"action": "new", "url": site.url("rows?count=5")})
    await client.call("browser_tabs", {"action": "close"})


async def _lose_browser(client: McpClient, site: Site, _number: int) -> None:
    """Kill the browser. The next call starts another one."""
    os.kill(find_browser(client.pid), signal.SIGKILL)
    try:
        await client.call("browser_navigate", {"url": site.url("rows?count=5")})
    except ContestantFailed:  # The call noticed the end.
        await client.call("browser_navigate", {"url": site.url("rows?count=5")})


PHASES = (
    Phase("navigations", 2000, _navigate),
    Phase("snapshots", 2000, _take_snapshot),
    Phase("contexts", 500, _use_context),
    Phase("tabs", 500, _use_tab),
    Phase("reconnects", 100, _lose_browser),
)
