"""browser_navigate to applications that show nothing until some time after their load."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.e2e.conftest import OpenHere, Show
from tests.e2e.support.client import ServerClient, StdioClient
from tests.site import Site

SHOW = "document.body.innerHTML = '<button>Up</button>'"


@pytest.fixture
async def patient(open_here: OpenHere, tmp_path: Path) -> AsyncIterator[ServerClient]:
    """Return a server whose settling limits do not depend on the load of this machine."""
    async with open_here("--timeout-settle=20000", cwd=tmp_path) as server:
        await server.initialize()
        yield server


@pytest.mark.parametrize(
    "script",
    [
        f"setTimeout(() => {{ {SHOW} }}, 200)",
        f"setTimeout(() => fetch('/data').then(() => setTimeout(() => {{ {SHOW} }}, 100)), 200)",
        f"setTimeout(() => document.head.append('x'), 50); setTimeout(() => {{ {SHOW} }}, 300)",
    ],
    ids=["timer", "timer, fetch, timer", "an invisible change first"],
)
async def test_content_that_is_rendered_after_the_load_is_shown(
    patient: StdioClient, site: Site, script: str
) -> None:
    site.respond("/data", "{}")
    url = site.page(f"<body><script>onload = () => {{ {script} }}</script>")
    reply = await patient.call("browser_navigate", url=url)
    assert reply.ref("button", "Up")


@pytest.mark.prove
async def test_an_application_behind_a_service_worker_is_shown(
    patient: StdioClient, site: Site
) -> None:
    worker = """onactivate = event => event.waitUntil(clients.claim());
        onfetch = event => {
          if (event.request.url.endsWith('/data')) event.respondWith(new Response('{}'));
        };"""
    site.respond("/worker.js", worker, content_type="text/javascript")
    script = f"""navigator.serviceWorker.register('/worker.js');
        navigator.serviceWorker.oncontrollerchange = async () => {{
          await fetch('/data');
          {SHOW};
        }};"""
    url = site.page(f"<body><script>{script}</script>")
    reply = await patient.call("browser_navigate", url=url)
    assert reply.ref("button", "Up")


async def test_an_application_in_a_shadow_root_is_not_blank(show: Show) -> None:
    script = "host.attachShadow({mode: 'open'}).innerHTML = '<button>In</button>'"
    assert (await show(f"<div id=host></div><script>{script}</script>")).ref("button", "In")


@pytest.mark.prove
@pytest.mark.timing
@pytest.mark.parametrize(
    "html",
    [
        "<title>Static</title>",
        "<p>Text</p><script>1</script>",
        "<canvas></canvas><script>1</script>",
        "<div id=host></div><script>host.attachShadow({mode: 'open'}).textContent = 'x'</script>",
    ],
    ids=["blank without script", "text", "canvas", "shadow root"],
)
async def test_a_page_with_content_or_without_scripts_is_not_waited_for(
    patient: StdioClient, site: Site, html: str
) -> None:
    await patient.call("browser_navigate", url=site.page("<p>Before</p><script>1</script>"))
    url = site.page(html)
    start = time.monotonic()
    await patient.call("browser_navigate", url=url)
    assert time.monotonic() - start < 15


async def test_waiting_for_a_blank_page_with_a_script_ends_in_time(
    shared_server: ServerClient, show: Show
) -> None:
    reply = await show("<script>1</script>")
    assert "no accessible content" in reply.text


async def test_an_application_that_still_starts_is_not_reported_as_a_blank_page(
    shared_server: ServerClient, show: Show
) -> None:
    reply = await show("<p>Loading...</p><script>1</script>")
    assert (
        'The page is still loading: it shows "Loading...". Wait with browser_wait_for' in reply.text
    )
    assert "no accessible content" not in reply.text
