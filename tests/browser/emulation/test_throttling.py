"""The network and the CPU of a context become slow, in all its tabs, frames and workers."""

from __future__ import annotations

from statistics import median

import pytest

from tests.browser.network.workers import ASK, asking, serve_workers
from tests.site import Site
from viewpoint_mcp.browser.context import Context
from viewpoint_mcp.config.emulation.changes import EmulationChanges
from viewpoint_mcp.config.emulation.network_conditions import NetworkConditions, Throttling
from viewpoint_mcp.page.page import Page

LATENCY = 700  # milliseconds; more than a busy machine needs for a request
SLOW = NetworkConditions(throttling=Throttling(latency=LATENCY))
# Returns the speed of the main thread relative to that of a worker, which is never throttled: the
# median of five measurements.
SPEED = """(async () => {
  const count = () => {
    const end = performance.now() + 30
    let found = 0
    while (performance.now() < end) for (let i = 0; i < 100; i++) found++
    return found
  }
  const source = `const count = ${count}; postMessage(0); onmessage = () => postMessage(count())`
  const worker = new Worker(URL.createObjectURL(new Blob([source])))
  const next = () => new Promise(done => { worker.onmessage = e => done(e.data) })
  await next()
  const speeds = []
  for (let i = 0; i < 5; i++) {
    worker.postMessage(0)
    const mine = count()
    speeds.push(mine / await next())
  }
  return speeds.sort((a, b) => a - b)[2]
})()"""
THROTTLED = 0.4  # a throttled page has a twelfth, or more on a busy machine


async def measure(page: Page, place: str, url: str) -> float:
    """Return how many milliseconds a place waits for a response."""
    asked = asking(place, url).removeprefix("async () => ")
    start, end = "const start = performance.now()", "return performance.now() - start"
    return float(await page.evaluate(f"async () => {{ {start}; await {asked}; {end} }}") or 0)


async def get_speed(page: Page, script: str = SPEED) -> float:
    """Return the speed of a page beside that of its worker: the median of three looks."""
    return median([float(await page.evaluate(script) or 0) for _ in range(3)])


async def change_cpu(page: Page, rate: float | None) -> None:
    conditions = page.emulation.network_conditions
    await page.emulation.change_context(EmulationChanges(cpu_throttling=rate), conditions)


@pytest.mark.parametrize("place", ASK)
async def test_every_place_waits_for_the_latency_until_the_reset(
    context: Context, site: Site, place: str
) -> None:
    api = site.respond("/api", "of the server")
    page = await context.get_active_page()
    await page.navigate(serve_workers(site))
    await page.evaluate(asking(place, api))
    await page.emulation.change_context(EmulationChanges(), SLOW)
    assert await measure(page, place, api) >= LATENCY - 1
    await page.emulation.change_context(EmulationChanges(), NetworkConditions())
    assert await measure(page, place, api) < LATENCY


async def test_a_later_tab_is_slow_and_sees_the_speed(context: Context, site: Site) -> None:
    page = await context.get_active_page()
    conditions = NetworkConditions(throttling=Throttling(latency=200, download=400, upload=400))
    await page.emulation.change_context(EmulationChanges(), conditions)
    later = await context.new_page()
    await later.navigate(site.page("<p>Here</p>"))
    # Chromium adds noise to the speed.
    downlink = float(await later.evaluate("navigator.connection.downlink") or 0)
    assert downlink == pytest.approx(0.4, abs=0.1)
    assert await measure(later, "page", site.respond("/api")) >= 199


async def test_the_speed_stays_while_the_context_is_offline(context: Context) -> None:
    page = await context.get_active_page()
    await page.emulation.change_context(EmulationChanges(), SLOW)
    await context.network.set_offline(is_offline=True)
    assert page.emulation.network_conditions.is_offline
    await context.network.set_offline(is_offline=False)
    assert page.emulation.network_conditions == SLOW


async def test_a_route_answers_without_the_latency(context: Context, site: Site) -> None:
    api = site.url("/routed")
    page = await context.get_active_page()
    await page.navigate(site.page("<p>Here</p>"))
    await page.emulation.change_context(EmulationChanges(), SLOW)
    await context.network.add_route("**/routed", status=200, body=b"routed")
    assert await measure(page, "page", api) < LATENCY


@pytest.mark.timing
async def test_the_cpu_of_pages_frames_and_popups_is_slow(context: Context, site: Site) -> None:
    page = await context.get_active_page()
    answer = f"<script>onmessage = async () => parent.postMessage(await {SPEED}, '*')</script>"
    frame = site.page(answer).replace("127.0.0.1", "localhost")
    await page.navigate(site.page(f"<iframe src={frame}></iframe>"))
    in_frame = "new Promise(r => { onmessage = e => r(e.data); frames[0].postMessage(0, '*') })"
    assert min(await get_speed(page), await get_speed(page, in_frame)) > THROTTLED
    await change_cpu(page, 12)
    assert max(await get_speed(page), await get_speed(page, in_frame)) < THROTTLED
    popup_url = site.page("<p>Popup</p>")
    await page.evaluate(f"new Promise(r => {{ open('{popup_url}').onload = () => r(1) }})")
    popup = context.tabs[-1]
    assert await get_speed(await popup.get_page()) < THROTTLED
    # The end of the popup resets the process that both share.
    await context.close_tab_or_fail(popup)
    while await get_speed(page) > THROTTLED:
        pass  # the time limit of the test ends it if the server does not throttle the page again
    await page.navigate(site.page("<p>Next</p>").replace("127.0.0.1", "localhost"))
    assert await get_speed(page) < THROTTLED
    await change_cpu(page, None)
    assert await get_speed(page) > THROTTLED
