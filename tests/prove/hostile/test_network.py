"""Servers that never end a response, redirect for ever, or answer by the byte."""

from __future__ import annotations

from itertools import count
from typing import Any

import pytest
from werkzeug import Request, Response

from tests.prove.hostile.conftest import Attack, Hang
from tests.site import Site

# Else the worker would answer, or not, the other tests, which have the same origin.
_UNREGISTER = """async () => {
  for (const each of await navigator.serviceWorker.getRegistrations()) await each.unregister();
}"""
_READ: tuple[tuple[str, dict[str, Any]], ...] = (
    ("browser_snapshot", {}),
    ("browser_network_requests", {}),
    ("browser_network_request", {"index": 1}),
    ("browser_network_request", {"index": 1, "part": "response-body"}),
)


@pytest.mark.time_limit(150)
async def test_a_document_that_never_ends(attack: Attack, hang: Hang) -> None:
    opened, *_ = await attack(hang("/endless", "<h1>Begun</h1>", "<p>more</p>"), *_READ)
    assert "The page is still loading; its content can be used." in opened.sections["Events"]
    assert "Begun" in opened.sections["Snapshot"]


@pytest.mark.time_limit(150)
async def test_a_document_that_stops_in_the_middle(attack: Attack, hang: Hang) -> None:
    opened, *_ = await attack(hang("/stopped", "<h1>Begun</h1><p>" + "x" * 2000), *_READ)
    assert "The page is still loading; its content can be used." in opened.sections["Events"]
    assert "Begun" in opened.sections["Snapshot"]


@pytest.mark.time_limit(150)
async def test_a_response_that_never_begins(attack: Attack, hang: Hang) -> None:
    opened, *_ = await attack(hang("/silent"), *_READ)
    assert opened.is_error


@pytest.mark.time_limit(150)
async def test_a_download_that_never_ends(attack: Attack, hang: Hang) -> None:
    headers = {"Content-Type": "application/zip", "Content-Disposition": "attachment"}
    opened, *_ = await attack(hang("/download", "x" * 2000, "x" * 20_000, **headers), *_READ)
    assert "download" in opened.text


@pytest.mark.time_limit(150)
@pytest.mark.parametrize("kind", ["the same address", "new addresses"])
async def test_redirects_without_end(attack: Attack, site: Site, kind: str) -> None:
    numbers = count()

    def redirect(request: Request) -> Response:
        query = f"?{next(numbers)}" if kind == "new addresses" else ""
        return Response(status=302, headers={"Location": f"/again{query}"})

    opened, *_ = await attack(site.handle("/again", redirect), *_READ)
    assert "redirect" in opened.text.casefold()


@pytest.mark.time_limit(150)
async def test_documents_that_lead_to_the_next_without_end(attack: Attack, site: Site) -> None:
    numbers = count()

    def lead(request: Request) -> Response:
        html = f"<h1>Step</h1><script>location.replace('/step?{next(numbers)}')</script>"
        return Response(html, mimetype="text/html")

    await attack(site.handle("/step", lead), *_READ)


@pytest.mark.time_limit(150)
async def test_a_header_of_many_megabytes(attack: Attack, site: Site) -> None:
    url = site.page("<h1>x</h1>", headers={"X-Large": "x" * 200_000, "Link": "<" + "x" * 50_000})
    await attack(url, *_READ)


@pytest.mark.time_limit(150)
@pytest.mark.parametrize(
    "script",
    [
        "navigator.serviceWorker.register('/worker.js')",
        "new Worker('/loop.js'); new SharedWorker('/loop.js')",
        "for (let n = 0; n < 100; n++) new Worker('/loop.js')",
    ],
)
async def test_workers_that_hang(attack: Attack, site: Site, script: str) -> None:
    kind = "text/javascript"
    site.respond("/loop.js", "for (;;);", content_type=kind)
    site.respond(
        "/worker.js",
        "oninstall = () => skipWaiting(); onactivate = event => event.waitUntil(clients.claim());"
        "onfetch = event => event.respondWith(new Promise(() => 0))",
        content_type=kind,
    )
    url = site.page(f"<title>Workers</title><h1>Workers</h1><script>{script}</script>")
    await attack(
        url,
        ("browser_wait_for", {"time": 1}),
        ("browser_evaluate", {"function": "() => { fetch('/any').catch(() => 0); return 1 }"}),
        *_READ,
        ("browser_navigate", {"url": url}),
        ("browser_evaluate", {"function": _UNREGISTER}),
    )
