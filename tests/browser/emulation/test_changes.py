"""The emulation of a context changes while it is open, in all its tabs, frames and workers."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from werkzeug import Request, Response

from tests.browser.inside import services_of
from tests.browser.network.workers import ASK, SCRIPTS, asking
from tests.e2e.support.processes import wait_until
from tests.site import Site
from viewpoint_mcp.browser.context import Context
from viewpoint_mcp.config.emulation.changes import EmulationChanges
from viewpoint_mcp.config.emulation.network_conditions import NetworkConditions
from viewpoint_mcp.errors import PageError
from viewpoint_mcp.page.page import Page

SEEN = """({
  agent: navigator.userAgent, language: navigator.language, touch: navigator.maxTouchPoints,
  zone: Intl.DateTimeFormat().resolvedOptions().timeZone, number: (1234.5).toLocaleString(),
})"""
PAGE = """<p>Main</p><iframe src=FRAME></iframe><script>
self.dedicated = new Worker('/dedicated.js')
self.shared = new SharedWorker('/shared.js')
navigator.serviceWorker.register('/service.js')
self.frameIsReady = new Promise(done => { onmessage = e => e.data == 'ready' && done() })
function ask(port, url, listener) {
  return new Promise(done => { listener.onmessage = e => done(e.data); port.postMessage(url) })
}
async function askFrame(script) {
  await frameIsReady
  return new Promise(done => {
    onmessage = e => done(e.data); frames[0].postMessage(script, '*')
  })
}
</script>"""
FRAME = """<p>Framed</p><script>
onmessage = async e => parent.postMessage(await eval(e.data), '*')
parent.postMessage('ready', '*')
</script>"""
PLACES = {**ASK, "frame": "askFrame(`fetch(${JSON.stringify(URL)}).then(r => r.text())`)"}
GERMAN_PHONE = EmulationChanges(device="iPhone 15", locale="de-DE", time_zone="Asia/Tokyo")
TOKYO = {"zone": "Asia/Tokyo", "number": "1.234,5", "language": "de-DE", "touch": 5}
PARIS = {"number": "1\u202f234,5", "language": "fr-FR", "touch": 0}
PLACE = (
    "new Promise(r => navigator.geolocation.getCurrentPosition("
    "p => r([p.coords.latitude, p.coords.longitude]), e => r(e.code)))"
)


NO_CHANGES = EmulationChanges()


async def change(page: Page, changes: EmulationChanges = NO_CHANGES, **how: Any) -> None:
    await page.emulation.change_context(changes, NetworkConditions(), **how)


async def value(page: Page, script: str) -> Any:
    return json.loads(await page.evaluate(script) or "null")


def serve_places(site: Site) -> str:
    """Serve a page with a frame of another site and all kinds of workers; return its URL."""
    for path, script in SCRIPTS.items():
        site.respond(path, script, content_type="text/javascript")
    frame = site.page(FRAME, path="/frame").replace("127.0.0.1", "localhost")
    return site.page(PAGE.replace("FRAME", frame), path="/places")


def serve_echo(site: Site) -> str:
    """Serve the user agent and the languages of each request; return the URL."""

    def echo(request: Request) -> Response:
        headers = request.headers
        text = f"{headers['User-Agent']} {headers['Accept-Language']}"
        return Response(text, headers={"Access-Control-Allow-Origin": "*"})

    return site.handle("/echo", echo)


@pytest.mark.parametrize("place", PLACES)
async def test_the_requests_of_every_place_change(context: Context, site: Site, place: str) -> None:
    url = serve_echo(site)
    page = await context.get_active_page()
    await page.navigate(serve_places(site))
    ask = asking(place, url).replace(ASK[place].replace("URL", repr(url)), PLACES[place])
    ask = ask.replace("URL", repr(url))
    before = await page.evaluate(ask)
    await change(page, GERMAN_PHONE)
    during = await page.evaluate(ask)
    await change(page)
    after = await page.evaluate(ask)
    assert during is not None
    assert "iPhone" in during
    assert "de-DE,de" in during
    assert before == after
    assert "fr-FR" in str(after)


async def test_a_page_its_frames_and_later_tabs_change(context: Context, site: Site) -> None:
    page = await context.get_active_page()
    await page.navigate(serve_places(site))
    await change(page, GERMAN_PHONE)
    later = await context.new_page()
    await later.navigate(site.page("<p>Later</p>"))
    in_frame = f"askFrame({json.dumps(SEEN)})"
    for seen in [await value(page, SEEN), await value(page, in_frame), await value(later, SEEN)]:
        assert seen.items() >= TOKYO.items()
        assert "iPhone" in seen["agent"]
    await change(page)
    for seen in [await value(page, SEEN), await value(page, in_frame), await value(later, SEEN)]:
        assert seen.items() >= PARIS.items()
        assert "Chrome" in seen["agent"]
        assert seen["zone"] != "Asia/Tokyo"


async def test_a_document_of_another_process_and_a_popup_have_the_change(
    context: Context, site: Site
) -> None:
    page = await context.get_active_page()
    await page.navigate(site.page("<p>First</p>"))
    await change(page, GERMAN_PHONE)
    await page.navigate(site.page("<p>Second</p>").replace("127.0.0.1", "localhost"))
    assert (await value(page, SEEN)).items() >= TOKYO.items()
    popup = site.page(f"<script>opener.postMessage({SEEN}, '*')</script>", path="/popup")
    popup = popup.replace("127.0.0.1", "localhost")
    seen = await value(page, f"new Promise(r => {{ onmessage = e => r(e.data); open('{popup}') }})")
    assert seen.items() >= TOKYO.items()


async def test_a_resized_tab_keeps_its_size_until_the_viewport_changes(
    context: Context, site: Site
) -> None:
    size = "[innerWidth, innerHeight, devicePixelRatio]"
    page = await context.get_active_page()
    await page.navigate(site.page("<meta name=viewport content='width=device-width'>"))
    real = await value(page, size)
    await page.emulation.resize_viewport(500, 400)
    await change(page, EmulationChanges(time_zone="Asia/Tokyo"))
    assert await value(page, size) == [500, 400, 1]
    await change(page, EmulationChanges(device="iPhone 15"), replaces_sizes=True)
    assert await value(page, size) == [393, 852, 3]
    await page.emulation.resize_viewport(500, 400)
    assert await value(page, size) == [500, 400, 3]
    await change(page, EmulationChanges(device="iPhone 15"), replaces_sizes=True)
    assert await value(page, size) == [393, 852, 3]
    await change(page, replaces_sizes=True)
    assert await value(page, size) == real


async def test_a_position_can_be_read_until_it_is_reset(context: Context, site: Site) -> None:
    page = await context.get_active_page()
    await page.navigate(site.page("<p>Here</p>"))
    await change(page, EmulationChanges(geolocation=(52.5, 13.4, 10.0)))
    assert await value(page, PLACE) == [52.5, 13.4]
    await change(page, EmulationChanges(geolocation=(48.8, 2.3, 10.0)))
    assert await value(page, PLACE) == [48.8, 2.3]
    await change(page)
    state = "navigator.permissions.query({ name: 'geolocation' }).then(found => found.state)"
    assert await page.evaluate(state) == "prompt"


async def test_a_refused_value_changes_nothing(context: Context, site: Site) -> None:
    page = await context.get_active_page()
    await page.navigate(site.page("<p>Here</p>"))
    await page.emulation.resize_viewport(500, 400)
    await change(page, EmulationChanges(time_zone="Asia/Tokyo"))
    wrong = EmulationChanges(device="iPhone 15", user_agent="Of two\nlines")
    with pytest.raises(PageError, match="Invalid characters found in userAgent"):
        await change(page, wrong, replaces_sizes=True)
    seen = await value(page, SEEN)
    assert seen["zone"] == "Asia/Tokyo"
    assert seen["touch"] == 0
    assert await value(page, "innerWidth") == 500
    assert page.emulation.changes == EmulationChanges(time_zone="Asia/Tokyo")


@pytest.mark.parametrize("trouble", ["alert(1)", "crash"])
async def test_a_blocked_tab_does_not_block_the_change_of_another(
    context: Context, site: Site, trouble: str
) -> None:
    page = await context.get_active_page()
    await page.navigate(site.page("<p>Here</p>"))
    other = await context.new_page()
    if trouble == "crash":
        crashing = asyncio.ensure_future(services_of(other).session.send("Page.crash"))
        await wait_until(lambda: other.blockers.is_crashed)
        crashing.cancel()
    else:
        await other.navigate(site.page("<p>There</p>").replace("127.0.0.1", "localhost"))
        assert await other.evaluate(trouble) is None
    await change(page, GERMAN_PHONE)
    assert (await value(page, SEEN)).items() >= TOKYO.items()
    if trouble == "crash":
        await other.navigate(site.page("<p>Back</p>"))
    else:
        await other.answer_current_or_next_dialog(accept=True)
    assert (await value(other, SEEN)).items() >= TOKYO.items()
