"""Navigations that do not end as they should: each gets a clear answer, and the next call works."""

from __future__ import annotations

import socket
import time
from pathlib import Path

import pytest

from tests.e2e.conftest import Hold, OpenHere, Show
from tests.e2e.support.client import Reply, ServerClient
from tests.site import Site


def a_free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


async def assert_works(server: ServerClient, site: Site) -> None:
    reply = await server.call("browser_navigate", url=site.page("<h1>Next</h1>"), within=10)
    assert not reply.is_error, reply.text
    assert "Next" in reply.sections["Snapshot"]


async def test_a_refused_connection_is_an_error(shared_server: ServerClient, site: Site) -> None:
    url = f"http://127.0.0.1:{a_free_port()}/"
    reply = await shared_server.call("browser_navigate", url=url, within=10)
    assert reply.is_error
    assert f"{url} could not be loaded: net::ERR_CONNECTION_REFUSED" in reply.sections["Error"]
    assert "no server listens there" in reply.sections["Error"]
    await assert_works(shared_server, site)


async def test_an_unknown_host_is_an_error(shared_server: ServerClient, site: Site) -> None:
    reply = await shared_server.call("browser_navigate", url="http://no-such-host/", within=10)
    assert reply.is_error
    assert "net::ERR_NAME_NOT_RESOLVED (the host name is unknown)." in reply.sections["Error"]
    await assert_works(shared_server, site)


async def test_a_failed_navigation_can_be_gone_back_from(
    shared_server: ServerClient, show: Show
) -> None:
    await show("<h1>Before</h1>")
    await shared_server.call("browser_navigate", url=f"http://127.0.0.1:{a_free_port()}/")
    reply = await shared_server.call("browser_navigate_back", within=10)
    assert "Before" in reply.sections["Snapshot"]


async def test_a_response_without_content_reports_that_the_page_stays(
    shared_server: ServerClient, show: Show, site: Site
) -> None:
    await show("<title>Old</title><h1>Before</h1>")
    url = site.respond("/nothing", status=204)
    reply = await shared_server.call("browser_navigate", url=url, within=10)
    assert reply.is_error
    assert f"{url} could not be loaded" in reply.sections["Error"]
    assert "- Page Title: Old" in reply.sections["Page"]
    await assert_works(shared_server, site)


async def test_a_redirect_circle_is_an_error(shared_server: ServerClient, site: Site) -> None:
    url = site.respond("/circle", status=302, headers={"Location": "/circle"})
    reply = await shared_server.call("browser_navigate", url=url, within=10)
    assert reply.is_error
    assert "redirect loop" in reply.sections["Error"]
    await assert_works(shared_server, site)


@pytest.mark.timing
async def test_a_navigation_to_a_silent_server_times_out(
    open_here: OpenHere, tmp_path: Path, site: Site, hold: Hold
) -> None:
    async with open_here("--timeout-navigation=2000", cwd=tmp_path) as server:
        await server.call("browser_navigate", url=site.page("<h1>Before</h1>"))
        start = time.monotonic()
        reply = await server.call("browser_navigate", url=hold("/never"), within=10)
        assert 1.9 < time.monotonic() - start < 5
        assert reply.is_error
        assert "did not answer within 2 s" in reply.sections["Error"]
        assert "--timeout-navigation" in reply.sections["Error"]
        await assert_works(server, site)


@pytest.mark.prove
@pytest.mark.timing
async def test_a_page_that_never_finishes_loading_can_be_used(
    shared_server: ServerClient, show: Show, site: Site, hold: Hold
) -> None:
    hold("/never.png")
    start = time.monotonic()
    reply = await show("<button>Go</button><img src=/never.png>")
    assert time.monotonic() - start < 10
    assert not reply.is_error
    assert "- The page is still loading; its content can be used." in reply.sections["Events"]
    clicked = await shared_server.call("browser_click", ref=reply.ref("button", "Go"), within=10)
    assert clicked.sections["Result"] == 'Clicked button "Go"'
    await assert_works(shared_server, site)


@pytest.mark.prove
@pytest.mark.timing
async def test_waiting_for_a_script_of_the_page_ends_in_time(
    open_here: OpenHere, tmp_path: Path, site: Site, hold: Hold
) -> None:
    hold("/never.js")
    url = site.page("<h1>Top</h1><script src=/never.js></script><p>below</p>")
    async with open_here("--timeout-navigation=2000", cwd=tmp_path) as server:
        start = time.monotonic()
        reply = await server.call("browser_navigate", url=url, within=15)
        assert time.monotonic() - start < 8
        assert "2 s" in reply.text or "still loading" in reply.text
        await assert_works(server, site)


@pytest.mark.timing
async def test_an_alert_on_load_is_reported(
    shared_server: ServerClient, show: Show, site: Site
) -> None:
    start = time.monotonic()
    reply = await show("<script>alert('Hello there')</script><h1>After</h1>")
    assert time.monotonic() - start < 5
    assert_reports_dialog(reply, "alert", "Hello there")
    accepted = await shared_server.call("browser_handle_dialog", accept=True, within=10)
    assert "After" in accepted.sections["Snapshot"]
    await assert_works(shared_server, site)


def assert_reports_dialog(reply: Reply, kind: str, message: str) -> None:
    assert reply.sections["Modal state"] == (
        f'- ["{kind}" dialog with message "{message}"]: can be handled by browser_handle_dialog'
    )


async def test_an_alert_in_onload_is_reported(shared_server: ServerClient, show: Show) -> None:
    reply = await show("<body onload=\"alert('Loaded')\"><h1>Here</h1>")
    assert_reports_dialog(reply, "alert", "Loaded")
    accepted = await shared_server.call("browser_handle_dialog", accept=True, within=10)
    assert "Here" in accepted.sections["Snapshot"]


async def test_a_beforeunload_dialog_is_reported_and_can_be_declined(
    shared_server: ServerClient, show: Show, site: Site
) -> None:
    script = "onbeforeunload = event => { event.preventDefault(); event.returnValue = 'x' }"
    page = await show(f"<title>Form</title><script>{script}</script><button>Go</button>")
    # Chromium asks only on a page that has been used.
    await shared_server.call("browser_click", ref=page.ref("button", "Go"))
    leaving = await shared_server.call("browser_navigate", url=site.page("<h1>Next</h1>"))
    assert leaving.sections["Result"] == "Not done yet: the page asks whether to leave it"
    assert '["beforeunload" dialog' in leaving.sections["Modal state"]
    stayed = await shared_server.call("browser_handle_dialog", accept=False, within=10)
    assert "Page" not in stayed.sections
    asked = await shared_server.call("browser_snapshot")
    assert "- Page Title: Form" in asked.sections["Page"]
    await shared_server.call("browser_close")


async def test_a_navigation_that_the_next_page_replaces_is_followed_to_its_end(
    show: Show, site: Site, hold: Hold
) -> None:
    end = hold("/end", "<h1>The end</h1>", seconds=0.5)
    reply = await show("<meta http-equiv=refresh content='0;url=/end'><h1>Start</h1>")
    assert f"- Page URL: {end}" in reply.sections["Page"]
    assert "The end" in reply.sections["Snapshot"]
