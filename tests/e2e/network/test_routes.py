"""The tools of --caps network that control the network."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from tests.browser.network.workers import asking, serve_workers
from tests.e2e.conftest import OpenHere, StartServer
from tests.e2e.network.conftest import SECRET, close_tabs
from tests.e2e.support.client import ServerClient, StdioClient
from tests.e2e.support.processes import kill_browser
from tests.site import Site


@pytest.fixture(autouse=True)
async def clean_up(networked: StdioClient) -> AsyncIterator[None]:
    """Remove the routes and the tabs of a test after it."""
    yield
    await networked.call("browser_unroute")
    await networked.call("browser_network_state_set", state="online")
    await close_tabs(networked)


async def ok(server: ServerClient, tool: str, **arguments: Any) -> str:
    reply = await server.call(tool, **arguments)
    assert not reply.is_error, reply.text
    return reply.sections["Result"]


async def failure(server: ServerClient, tool: str, **arguments: Any) -> str:
    reply = await server.call(tool, **arguments)
    assert reply.is_error, reply.text
    return reply.text


def fetching(url: str) -> str:
    return f"async () => await fetch('{url}').then(r => r.text(), e => 'failed')"


async def test_routes_are_added_listed_and_removed(networked: StdioClient, site: Site) -> None:
    assert await ok(networked, "browser_route_list") == "No active routes"
    (networked.cwd / "mock.json").write_text('{"from": "file"}')
    added = (
        {"pattern": "**/api/users", "status": 201, "body": "x" * 60, "contentType": "text/plain"},
        {"pattern": "**/file", "path": "mock.json"},
        {"pattern": "/gone$/i", "regex": True, "abort": "timedout"},
        {
            "pattern": "**/sent",
            "headers": ["X-One: 1", "Authorization: Bearer abc"],
            "removeHeaders": "Referer, cookie",
        },
    )
    for arguments in added:
        text = await ok(networked, "browser_route", **arguments)
        assert text == f"Route added for pattern: {arguments['pattern']}"
    site.respond("/sent", "sent")
    await ok(networked, "browser_navigate", url=site.page("<p>Here</p>"))
    texts = [
        await ok(networked, "browser_evaluate", function=fetching(path))
        for path in ("/api/users", "/file", "/GONE", "/sent")
    ]
    assert texts == ["x" * 60, '{"from": "file"}', "failed", "sent"]
    assert (await ok(networked, "browser_route_list")).splitlines() == [
        f"1. **/api/users (status=201, body={'x' * 50}..., contentType=text/plain, 1 request)",
        "2. **/file (status=200, path=mock.json, contentType=application/json, 1 request)",
        "3. /gone$/i (regex, abort=timedout, 1 request)",
        (
            '4. **/sent (addHeaders={"X-One":"1","Authorization":"Bearer <masked>"}, '
            "removeHeaders=Referer,cookie, 1 request)"
        ),
    ]
    listed = await ok(networked, "browser_network_requests")
    assert "/api/users => [201] Created (fetch, from route, " in listed
    assert "/GONE => [FAILED] net::ERR_TIMED_OUT (aborted by a route, fetch, " in listed


async def test_routes_are_removed_by_their_pattern(networked: StdioClient) -> None:
    for pattern in ("**/a", "**/b", "**/b", "**/c"):
        await ok(networked, "browser_route", pattern=pattern, body="routed")
    removed = await ok(networked, "browser_unroute", pattern="**/b")
    assert removed == "Removed 2 route(s) for pattern: **/b"
    removed = await ok(networked, "browser_unroute", pattern="**/other")
    assert removed.splitlines() == [
        "Removed 0 route(s) for pattern: **/other",
        "Note: the routes are: **/a, **/c",
    ]
    assert await ok(networked, "browser_unroute") == "Removed all 2 route(s)"
    assert await ok(networked, "browser_route_list") == "No active routes"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"pattern": "**/a", "body": "x", "path": "y"}, "'body' and 'path' exclude each other."),
        ({"pattern": "**/a", "abort": "failed", "status": 200}, "'abort' and 'status' exclude"),
        ({"pattern": "**/a", "abort": "tired"}, "'abort' of browser_route must be one of"),
        ({"pattern": "**/a", "status": 99}, "must be an integer from 200 to 599, not 99."),
        ({"pattern": "**/a", "path": "missing.json"}, "does not exist."),
        ({"pattern": "**/a", "path": "."}, "is not a file."),
        ({"pattern": "**/a", "path": "/etc/hosts"}, "outside the directories that the server may"),
        ({"pattern": "**/a", "headers": ["x"]}, 'Invalid header "x": expected "Name: Value".'),
        ({"pattern": "**/a", "removeHeaders": "Host"}, "request header Host cannot be changed"),
        ({"pattern": "**/{a"}, "The pattern **/{a is malformed"),
        ({"pattern": "a(", "regex": True}, "regex a( is malformed"),
        ({"pattern": "**/a", "context": "none"}, 'Context "none" does not exist.'),
    ],
)
async def test_a_mistake_adds_no_route(
    networked: StdioClient, arguments: dict[str, Any], message: str
) -> None:
    assert message in await failure(networked, "browser_route", **arguments)
    assert await ok(networked, "browser_route_list") == "No active routes"


@pytest.mark.parametrize(
    ("arguments", "note"),
    [
        ({"pattern": "/api", "status": 200}, "Note: no URL can match this pattern, because"),
        ({"pattern": "**/a"}, "Note: the requests continue unchanged, whatever older routes do."),
        ({"pattern": "**/a", "contentType": "a/b"}, "Note: 'contentType' has no effect here."),
        (
            {"pattern": "**/a", "status": 200, "removeHeaders": "a"},
            "Note: 'removeHeaders' has no effect here.",
        ),
    ],
)
async def test_a_route_without_an_effect_has_a_note(
    networked: StdioClient, arguments: dict[str, Any], note: str
) -> None:
    assert note in await ok(networked, "browser_route", **arguments)


async def test_a_route_acts_while_a_dialog_is_open(networked: StdioClient, site: Site) -> None:
    await ok(networked, "browser_navigate", url=site.page("<p>Here</p>"))
    await ok(networked, "browser_evaluate", function="() => alert('Wait')")
    await ok(networked, "browser_route", pattern="**/api", body="routed")
    await ok(networked, "browser_network_state_set", state="offline")
    await ok(networked, "browser_handle_dialog", accept=True)
    assert await ok(networked, "browser_evaluate", function=fetching("/api")) == "routed"
    assert await ok(networked, "browser_evaluate", function=fetching("/b")) == "failed"


async def test_a_popup_of_a_click_is_routed_from_its_first_request(
    networked: StdioClient, site: Site
) -> None:
    url = site.page("<p>Of the server</p>", path="/popup")
    await ok(networked, "browser_navigate", url=site.page(f"<a href={url} target=_blank>Open</a>"))
    await ok(networked, "browser_route", pattern="**/popup", body="<p>Of the route</p>")
    await ok(networked, "browser_click", ref='link "Open"')
    await ok(networked, "browser_tabs", action="select", index=1)
    assert "Of the route" in (await networked.call("browser_snapshot")).text
    assert site.requests("/popup") == []


async def test_offline_holds_for_all_tabs_until_online(networked: StdioClient, site: Site) -> None:
    url = site.page("<p>Here</p>")
    site.respond("/api", "of the server")
    await ok(networked, "browser_navigate", url=url)
    text = await ok(networked, "browser_network_state_set", state="offline")
    assert text == "Network is now offline"
    assert await ok(networked, "browser_evaluate", function=fetching("/api")) == "failed"
    assert await ok(networked, "browser_evaluate", function="() => navigator.onLine") == "false"
    await ok(networked, "browser_tabs", action="new")
    text = await failure(networked, "browser_navigate", url=url)
    assert "net::ERR_INTERNET_DISCONNECTED (the context is offline)." in text
    text = await ok(networked, "browser_network_state_set", state="online")
    assert text == "Network is now online"
    await ok(networked, "browser_navigate", url=url)
    await ok(networked, "browser_tabs", action="select", index=0)
    assert await ok(networked, "browser_evaluate", function=fetching("/api")) == "of the server"


async def test_a_context_is_controlled_by_its_name(networked: StdioClient, site: Site) -> None:
    api = site.respond("/api", "of the server")
    url = site.page("<p>Here</p>")
    await ok(networked, "browser_context_create", name="other")
    await ok(networked, "browser_context_switch", name="default")
    try:
        await ok(networked, "browser_route", pattern="**/api", body="routed", context="other")
        await ok(networked, "browser_navigate", url=url)
        await ok(networked, "browser_navigate", url=url, context="other")
        script = {"function": fetching(api)}
        assert await ok(networked, "browser_evaluate", **script) == "of the server"
        assert await ok(networked, "browser_evaluate", context="other", **script) == "routed"
        assert await ok(networked, "browser_route_list") == "No active routes"
    finally:
        await ok(networked, "browser_context_close", name="other")


async def test_secrets_in_a_route_are_masked(networked: StdioClient) -> None:
    await ok(networked, "browser_route", pattern="**/api", body=f"it is {SECRET}")
    listed = await ok(networked, "browser_route_list")
    assert "body=it is <secret>PASSWORD</secret>" in listed


async def test_a_context_closes_while_a_request_is_paused(
    networked: StdioClient, site: Site
) -> None:
    url = site.page("<p>Here</p>")
    await ok(networked, "browser_context_create", name="ending")
    await ok(networked, "browser_route", pattern="(a+)+$", regex=True, status=204)
    await ok(networked, "browser_navigate", url=url)
    await ok(networked, "browser_evaluate", function=f"() => {{ fetch('/{'a' * 50}!') }}")
    await ok(networked, "browser_context_close", name="ending")
    assert await ok(networked, "browser_route_list") == "No active routes"


@pytest.mark.parametrize("place", ["page", "frame", "dedicated worker", "service worker"])
async def test_a_route_acts_in_a_browser_that_runs_already(
    open_here: OpenHere, tmp_path: Path, site: Site, place: str
) -> None:
    api = site.respond("/api", "of the server")
    url = serve_workers(site)
    async with open_here("--caps=network", cwd=tmp_path) as server:
        await server.initialize()
        await ok(server, "browser_navigate", url=url)
        await ok(server, "browser_route", pattern="**/api", body="routed")
        script = asking(place, api)
        assert await ok(server, "browser_evaluate", function=script) == "routed"
        await ok(server, "browser_tabs", action="new", url=url)
        assert await ok(server, "browser_evaluate", function=script) == "routed"
    assert site.requests("/api") == []


async def test_routes_that_are_lost_with_the_browser_are_reported(
    open_server: StartServer, tmp_path: Path, site: Site
) -> None:
    async with open_server("--caps=network", cwd=tmp_path) as server:
        await server.initialize()
        await ok(server, "browser_navigate", url=site.page("<p>Here</p>"))
        await ok(server, "browser_route", pattern="(a+)+$", regex=True, status=204)
        await ok(server, "browser_evaluate", function=f"() => {{ fetch('/{'a' * 50}!') }}")
        await kill_browser(server)
        reply = await server.call("browser_route_list")
    assert reply.sections["Result"] == "No active routes"
    assert "Routes and changes of the emulation must be set again." in reply.sections["Events"]
