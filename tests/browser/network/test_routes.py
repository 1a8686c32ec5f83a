"""Routes of a context act on all requests of its tabs, frames and workers."""

from __future__ import annotations

import asyncio

import pytest
from werkzeug import Request, Response

from tests.browser.inside import services_of
from tests.browser.network.workers import ASK, asking, serve_workers
from tests.site import Site
from viewpoint_mcp.browser.context import Context
from viewpoint_mcp.page.page import Page
from viewpoint_mcp.tools.reply.details.requests import render_request


async def open_page(context: Context, url: str) -> Page:
    page = await context.get_active_page()
    await page.navigate(url)
    return page


async def fetch_text(page: Page, url: str) -> str | None:
    return await page.evaluate(
        f"async () => await fetch('{url}').then(r => r.text(), e => 'failed')"
    )


@pytest.mark.parametrize("place", ASK)
async def test_a_route_answers_the_requests_of_every_place(
    context: Context, site: Site, place: str
) -> None:
    api = site.respond("/api/users", "of the server")
    await context.network.add_route("**/api/*", status=200, body=b"of the route")
    page = await open_page(context, serve_workers(site))
    assert await page.evaluate(asking(place, api)) == "of the route"
    (route,) = context.network.routes
    assert route.request_count == 1
    assert await context.network.remove_routes(None) == 1
    assert await page.evaluate(asking(place, api)) == "of the server"


# Chromium does not apply routes to a shared worker that runs already.
@pytest.mark.parametrize("place", [each for each in ASK if each != "shared worker"])
async def test_a_route_answers_places_that_were_there_before_it(
    context: Context, site: Site, place: str
) -> None:
    api = site.respond("/api/users", "of the server")
    page = await open_page(context, serve_workers(site))
    assert await page.evaluate(asking(place, api)) == "of the server"
    await context.network.add_route("**/api/*", status=200, body=b"of the route")
    assert await page.evaluate(asking(place, api)) == "of the route"


@pytest.mark.parametrize("how", ["window.open(URL)", "window.open(URL, '', 'noopener')", "link"])
async def test_a_route_answers_the_first_request_of_a_popup(
    context: Context, site: Site, how: str
) -> None:
    await context.network.add_route(
        "**/popup", status=200, body=b"<p>Routed", content_type="text/html"
    )
    target = site.page("<p>Server", path="/popup")
    page = await open_page(context, site.page(f"<a href='{target}' target=_blank>Open</a>"))
    script = how.replace("URL", repr(target)) if how != "link" else "document.links[0].click()"
    await page.evaluate(f"() => {{ {script} }}")
    while len(context.tabs) < 2:  # noqa: ASYNC110 - no event
        await asyncio.sleep(0.01)
    popup = await context.tabs[1].get_page()
    await popup.wait_for_text("Routed", 5)
    assert site.requests("/popup") == []


async def test_a_route_acts_in_frames_of_other_sites(context: Context, site: Site) -> None:
    framed = site.page("<p>Server</p>", path="/framed").replace("127.0.0.1", "localhost")
    await context.network.add_route("http://localhost:*/framed", status=200, body=b"Routed")
    page = await open_page(context, site.page(f"<iframe src='{framed}'></iframe>"))
    await page.wait_for_text("Routed", 5)
    assert site.requests("/framed") == []


async def test_a_route_of_another_context_has_no_effect(
    context: Context, default: Context, site: Site
) -> None:
    api = site.respond("/api", "of the server")
    await default.network.add_route("**", abort_reason="failed")
    try:
        page = await open_page(context, site.page("<p>Here</p>"))
        assert await fetch_text(page, api) == "of the server"
    finally:
        await default.network.remove_routes(None)


async def test_the_newest_route_decides(context: Context, site: Site) -> None:
    page = await open_page(context, site.page("<p>Here</p>"))
    api = site.respond("/api", "of the server")
    await context.network.add_route("**/api", status=200, body=b"first")
    await context.network.add_route("**/api", status=200, body=b"second")
    assert await fetch_text(page, api) == "second"
    await context.network.add_route("**/api")
    assert await fetch_text(page, api) == "of the server"


async def test_a_fulfilled_response_has_the_status_headers_and_body_of_the_route(
    context: Context, site: Site
) -> None:
    page = await open_page(context, site.page("<p>Here</p>"))
    await context.network.add_route(
        "**/api",
        status=418,
        body=b'{"a": 1}',
        content_type="application/json",
        headers=["X-One: 1", "Set-Cookie: seen=yes"],
    )
    read = """async () => {
      const found = await fetch('/api')
      const names = ['content-type', 'content-length', 'x-one']
      return [found.status, found.statusText, ...names.map(name => found.headers.get(name)),
              (await found.json()).a, document.cookie].join('|')
    }"""
    expected = "418|I'm a Teapot|application/json|8|1|1|seen=yes"
    assert await page.evaluate(read) == expected
    request = next(each for each in page.request_log if each.url.endswith("/api"))
    assert "[418] I'm a Teapot (fetch, from route" in render_request(request)
    assert await page.fetch_response_body(request) == b'{"a": 1}'


async def test_an_unknown_status_is_possible(context: Context, site: Site) -> None:
    page = await open_page(context, site.page("<p>Here</p>"))
    await context.network.add_route("**/api", status=299)
    assert await page.evaluate("async () => (await fetch('/api')).status") == "299"


async def test_an_aborted_request_fails_with_the_reason(context: Context, site: Site) -> None:
    page = await open_page(context, site.page("<p>Here</p>"))
    await context.network.add_route("**/api", abort_reason="connectionrefused")
    assert await fetch_text(page, "/api") == "failed"
    request = next(each for each in page.request_log if each.url.endswith("/api"))
    assert "[FAILED] net::ERR_CONNECTION_REFUSED (aborted by a route" in render_request(request)
    assert site.requests("/api") == []


async def test_headers_of_a_request_are_set_replaced_and_removed(
    context: Context, site: Site
) -> None:
    api = site.respond("/api", "of the server")
    page = await open_page(context, site.page("<p>Here</p>", headers={"Set-Cookie": "a=b"}))
    await context.network.add_route(
        "**/api",
        headers=["x-added: 1", "ACCEPT: text/x-mine"],
        removed_headers=["Referer", "user-agent", "Accept-Language"],
    )
    assert await fetch_text(page, api) == "of the server"
    (request,) = site.requests("/api")
    assert request.headers["X-Added"] == "1"
    assert request.headers.getlist("Accept") == ["text/x-mine"]
    names = ("Referer", "User-Agent", "Accept-Language")
    assert [request.headers.get(name, "") for name in names] == ["", "", ""]


async def test_cookies_stay_when_other_headers_change(context: Context, site: Site) -> None:
    api = site.respond("/api", "of the server")
    page = await open_page(context, site.page("<p>Here</p>", headers={"Set-Cookie": "a=b"}))
    await context.network.add_route("**/api", headers=["X-Added: 1"])
    await fetch_text(page, api)
    await context.network.add_route("**/api", removed_headers=["cookie"])
    await fetch_text(page, api)
    await context.network.add_route("**/api", headers=["Cookie: mine=1"])
    await fetch_text(page, api)
    cookies = [each.headers.get("Cookie", "") for each in site.requests("/api")]
    assert cookies == ["a=b", "", "mine=1"]


async def test_each_hop_of_a_redirect_is_matched(context: Context, site: Site) -> None:
    site.respond("/old", status=302, headers={"Location": "/new"})
    site.respond("/new", "of the server")
    page = await open_page(context, site.page("<p>Here</p>"))
    await context.network.add_route("**/old", headers=["X-Secret: 1"])
    assert await fetch_text(page, "/old") == "of the server"
    assert [each.headers.get("X-Secret") for each in site.requests("/old")] == ["1"]
    assert [each.headers.get("X-Secret") for each in site.requests("/new")] == [None]
    await context.network.add_route("**/new", status=200, body=b"of the route")
    assert await fetch_text(page, "/old") == "of the route"
    first, second = list(page.request_log)[-2:]
    assert first.response_source == ""
    assert second.response_source == "route"


async def test_a_route_can_redirect(context: Context, site: Site) -> None:
    site.respond("/new", "of the server")
    page = await open_page(context, site.page("<p>Here</p>"))
    await context.network.add_route("**/old", status=302, headers=["Location: /new"])
    assert await fetch_text(page, "/old") == "of the server"


@pytest.mark.parametrize("credentials", ["omit", "include"])
async def test_a_request_to_another_origin_needs_no_cors_headers(
    context: Context, site: Site, credentials: str
) -> None:
    other = site.url("/api").replace("127.0.0.1", "localhost")
    page = await open_page(context, site.page("<p>Here</p>"))
    await context.network.add_route("**/api", status=200, body=b"of the route")
    how = f"{{method: 'PUT', headers: {{'X-Q': '1'}}, credentials: '{credentials}'}}"
    script = f"async () => await fetch('{other}', {how}).then(r => r.text(), e => e.message)"
    assert await page.evaluate(script) == "of the route"
    assert site.requests("/api") == []


async def test_a_preflight_of_a_changed_request_reaches_the_server(
    context: Context, site: Site
) -> None:
    allowed = {"Access-Control-Allow-Origin": "*", "Access-Control-Allow-Headers": "x-q"}
    site.respond("/api", "of the server", headers=allowed)
    page = await open_page(context, site.page("<p>Here</p>"))
    await context.network.add_route("**/api", headers=["X-Added: 1"])
    other = site.url("/api").replace("127.0.0.1", "localhost")
    script = f"async () => await (await fetch('{other}', {{headers: {{'X-Q': '1'}}}})).text()"
    assert await page.evaluate(script) == "of the server"
    preflight, request = site.requests("/api")
    assert (preflight.method, preflight.headers.get("X-Added")) == ("OPTIONS", None)
    assert (request.method, request.headers.get("X-Added")) == ("GET", "1")


async def test_a_cached_response_does_not_hide_a_request_from_a_new_route(
    context: Context, site: Site
) -> None:
    lasting = {"Cache-Control": "max-age=3600"}
    site.respond("/style.css", "p { color: red }", content_type="text/css", headers=lasting)
    url = site.page("<link rel=stylesheet href=/style.css><p>Here</p>")
    color = "() => getComputedStyle(document.querySelector('p')).color"
    page = await open_page(context, url)
    assert await page.evaluate(color) == "rgb(255, 0, 0)"
    await context.network.add_route(
        "**/*.css", status=200, body=b"p { color: lime }", content_type="text/css"
    )
    await page.reload()
    assert await page.evaluate(color) == "rgb(0, 255, 0)"
    await context.network.remove_routes("**/*.css")
    await page.reload()
    assert await page.evaluate(color) == "rgb(255, 0, 0)"


async def test_a_request_that_runs_already_ends_as_it_would_without_the_route(
    context: Context, site: Site
) -> None:
    release = asyncio.Event()
    loop = asyncio.get_running_loop()

    def respond(_request: Request) -> Response:
        asyncio.run_coroutine_threadsafe(release.wait(), loop).result()
        return Response("late")

    url = site.handle("/late", respond)
    page = await open_page(context, site.page("<p>Here</p>"))
    await page.evaluate(f"() => {{ self.late = fetch('{url}').then(r => r.text()) }}")
    while not any("/late" in r.url for r in page.request_log):  # noqa: ASYNC110 - no event
        await asyncio.sleep(0.01)
    await context.network.add_route("**/late", status=200, body=b"routed")
    release.set()
    assert await page.evaluate("() => late") == "late"
    assert await fetch_text(page, url) == "routed"


async def test_a_tab_closed_during_a_paused_request_leaves_no_trace(
    context: Context, site: Site
) -> None:
    slow = r"/(a+)+$/"
    await context.network.add_route(slow, is_regex=True, status=200)
    page = await open_page(context, site.page("<p>Here</p>"))
    url = site.url("/" + "a" * 60 + "!")
    await page.evaluate(f"() => {{ fetch('{url}') }}")
    await context.close_tab_or_fail(context.active_tab)
    await context.network.remove_routes(None)
    page = await open_page(context, site.page("<title>Next</title>"))
    assert await page.title() == "Next"
    assert context.pop_events() == []


async def test_a_regular_expression_that_takes_too_long_stops_only_its_route(
    context: Context, site: Site
) -> None:
    page = await open_page(context, site.page("<p>Here</p>"))
    url = site.respond("/" + "a" * 60 + "!", "of the server")
    await context.network.add_route(r"(a+)+$", is_regex=True, status=200, body=b"routed")
    assert await fetch_text(page, url) == "of the server"
    (event,) = context.pop_events()
    assert event == "A route no longer acts: regex (a+)+$ was stopped after 1 s."
    assert await fetch_text(page, url) == "of the server"
    assert context.pop_events() == []


async def test_a_regular_expression_matches_a_part_of_the_url(context: Context, site: Site) -> None:
    page = await open_page(context, site.page("<p>Here</p>"))
    await context.network.add_route(r"/API\/v\d+/i", is_regex=True, status=200, body=b"routed")
    site.respond("/api/vx", "of the server")
    assert await fetch_text(page, "/api/v2/x") == "routed"
    assert await fetch_text(page, "/api/vx") == "of the server"


async def test_a_fragment_does_not_belong_to_the_url(context: Context, site: Site) -> None:
    url = site.page("<title>Server</title>", path="/here")
    await context.network.add_route(url, status=200, body=b"<title>Routed</title>")
    page = await open_page(context, f"{url}#part")
    assert await page.title() == "Routed"
    assert next(iter(page.request_log)).response_source == "route"


async def test_without_routes_nothing_is_intercepted(context: Context, site: Site) -> None:
    page = await open_page(context, site.page("<p>Here</p>"))
    paused: list[object] = []
    session = services_of(page).session
    session.on(session.Fetch.requestPaused, paused.append)
    await context.network.add_route("**/other", status=200)
    site.respond("/api", "of the server")
    assert await fetch_text(page, "/api") == "of the server"
    assert paused == []  # Chromium selects by the pattern
    await context.network.remove_routes(None)
    site.respond("/other", "of the server")
    assert await fetch_text(page, "/other") == "of the server"
    assert paused == []
