"""A context goes offline and online at run time, in all its tabs, frames and workers."""

from __future__ import annotations

import pytest

from tests.browser.network.workers import ASK, asking, serve_workers
from tests.site import Site
from viewpoint_mcp.browser.context import Context
from viewpoint_mcp.errors import PageError


@pytest.mark.parametrize("place", ASK)
async def test_every_place_is_disconnected_and_connected_again(
    context: Context, site: Site, place: str
) -> None:
    api = site.respond("/api", "of the server")
    page = await context.get_active_page()
    await page.navigate(serve_workers(site))
    texts = [await page.evaluate(asking(place, api))]
    for is_offline in (True, False):
        await context.network.set_offline(is_offline=is_offline)
        texts.append(await page.evaluate(asking(place, api)))
    assert texts == ["of the server", "failed", "of the server"]


async def test_a_later_tab_is_offline_too(context: Context, site: Site) -> None:
    url = site.page("<p>Here</p>")
    await context.network.set_offline(is_offline=True)
    page = await context.new_page()
    with pytest.raises(PageError, match=r"DISCONNECTED \(the context is offline\)\."):
        await page.navigate(url)
    await context.network.set_offline(is_offline=False)
    await page.navigate(url)
    assert await page.evaluate("() => navigator.onLine") == "true"


async def test_the_page_gets_the_events_of_its_network(context: Context, site: Site) -> None:
    page = await context.get_active_page()
    await page.navigate(site.page("<p>Here</p>"))
    await page.evaluate(
        "() => { self.seen = [];"
        "for (const name of ['offline', 'online']) addEventListener(name, e => seen.push(e.type)) }"
    )
    await context.network.set_offline(is_offline=True)
    await context.network.set_offline(is_offline=False)
    assert await page.evaluate("() => seen.join()") == "offline,online"


async def test_a_route_answers_offline(context: Context, site: Site) -> None:
    await context.network.set_offline(is_offline=True)
    await context.network.add_route("**", status=200, body=b"<p>Routed</p>")
    page = await context.get_active_page()
    await page.navigate(site.url("/anywhere"))
    await page.wait_for_text("Routed", 5)
