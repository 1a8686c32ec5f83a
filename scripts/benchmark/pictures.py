"""Pictures of a tall page, which are also sent to the model, and the memory that they leave
behind.
"""

from __future__ import annotations

import logging
from time import perf_counter

from scripts.benchmark.contestants import OURS, Workshop, viewpoint
from scripts.benchmark.processes import ContestantFailed
from scripts.benchmark.results import Results
from scripts.benchmark.site import Site

TALL = 20_000  # CSS pixels
PICTURES = 10

log = logging.getLogger("bench")


async def measure_pictures(workshop: Workshop, site: Site, results: Results) -> None:
    """Take pictures of a whole page, one after the other, and weigh the server before and after."""
    log.info("%d pictures of %d pixels", PICTURES, TALL)
    server = viewpoint(workshop, "pictures", "--image-responses=inline")
    await server.start()
    try:
        await server.navigate(site.url("rows?count=300"))
        height = await server.evaluate(
            "() => { document.body.style = 'margin: 0'; document.querySelector('main').style = "
            f"'height: {TALL}px; overflow: hidden'; "
            "return 'tall=' + document.documentElement.scrollHeight; }"
        )
        if f"tall={TALL}" not in height:
            raise ContestantFailed(f"the page is not {TALL} pixels tall: {height}")
        await server.screenshot()  # imports of the first call are not left-over memory
        before = server.resident_mib()
        for _ in range(PICTURES):
            began = perf_counter()
            await server.screenshot(full_page=True)
            results.add("inline-tall", OURS, (perf_counter() - began) * 1000)
        results.add("memory-pictures", OURS, server.resident_mib() - before)
    finally:
        await server.stop()
