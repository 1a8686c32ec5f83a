"""Many contexts, and a user's browser with many tabs: viewpoint-mcp beside bare calls."""

from __future__ import annotations

import logging
from time import perf_counter

from scripts.benchmark.cdp import BareConnection
from scripts.benchmark.contestants import OURS, McpServer, Workshop, viewpoint
from scripts.benchmark.floor import NAME as FLOOR
from scripts.benchmark.floor import launch
from scripts.benchmark.processes import end_process
from scripts.benchmark.results import Results
from scripts.benchmark.site import Site

TABS = 50
CONTEXTS = 30

log = logging.getLogger("bench")


async def measure_contexts(workshop: Workshop, site: Site, results: Results, runs: int) -> None:
    """Attach to a browser that has tabs, make contexts in it, and weigh them."""
    chromium, address = await launch(workshop)
    try:
        user = await BareConnection.open(address)
        for number in range(1, TABS):
            await user.call("Target.createTarget", {"url": site.url(f"small?tab={number}")})
        for turn in range(runs):
            log.info("attach to %d tabs, %d of %d", TABS, turn + 1, runs)
            server = viewpoint(workshop, f"attached-{turn}", "--cdp-endpoint", address)
            await server.start()
            try:
                await _measure(server, user, site, results, weigh=turn == runs - 1)
            finally:
                await server.stop()
        await user.close()
    finally:
        await end_process(chromium)


async def _measure(
    server: McpServer, user: BareConnection, site: Site, results: Results, *, weigh: bool
) -> None:
    began = perf_counter()
    await server.snapshot()
    results.add("attach-50", OURS, (perf_counter() - began) * 1000)
    for number in range(3):
        began = perf_counter()
        await server.create_context(f"timed {number}")
        results.add("context-create", OURS, (perf_counter() - began) * 1000)
        began = perf_counter()
        await _create_bare(user)
        results.add("context-create", FLOOR, (perf_counter() - began) * 1000)
    if weigh:
        before = server.resident_mib()
        for number in range(CONTEXTS):
            await server.create_context(f"weighed {number}")
            await server.navigate_in(f"weighed {number}", site.url("small"))
        results.add("memory-contexts", OURS, server.resident_mib() - before)


async def _create_bare(user: BareConnection) -> None:
    """Send the calls that create a context with reported downloads."""
    made = await user.call("Target.createBrowserContext", {"disposeOnDetach": True})
    behaviour = {"behavior": "default", "eventsEnabled": True, **made}
    await user.call("Browser.setDownloadBehavior", behaviour)
