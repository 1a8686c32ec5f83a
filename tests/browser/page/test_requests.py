"""Each kind of request is recorded as Chromium reports it."""

from __future__ import annotations

import asyncio
import gzip

import pytest
from websockets.asyncio.server import ServerConnection, serve
from werkzeug import Request as Asked
from werkzeug import Response

from tests.browser.inside import services_of
from tests.site import Site
from viewpoint_mcp.errors import CallError, PageError
from viewpoint_mcp.page.network.request import Request
from viewpoint_mcp.page.page import Page
from viewpoint_mcp.tools.reply.details.requests import explain_failure, render_request


async def run(page: Page, script: str) -> None:
    """Run a script and wait for its promise."""
    result = await page.evaluate(f"async () => {{ {script}; return 'ran' }}")
    assert result == "ran"


async def ended(page: Page, path: str) -> Request:
    """Return the last request for a path, once it is over."""
    while True:
        found = [each for each in page.request_log if path in each.url and each.kind != "preflight"]
        if found and found[-1].ended_at is not None:
            return found[-1]
        await asyncio.sleep(0.01)


async def open_site(page: Page, site: Site, html: str = "<p>Hello</p>", **more: str) -> None:
    await page.navigate(site.page(html, headers=more))


@pytest.mark.parametrize(
    ("fetched", "failure", "why"),
    [
        ("http://127.0.0.1:1/x", "net::ERR_UNSAFE_PORT", ""),
        ("http://nowhere.test/x", "net::ERR_NAME_NOT_RESOLVED", "the host does not exist"),
        ("/other/x", "net::ERR_FAILED", "CORS: no Access-Control-Allow-Origin in the response"),
        ("/put/x", "net::ERR_FAILED", "CORS: the preflight failed"),
        ("/corp/x", "net::ERR_BLOCKED_BY_RESPONSE", "Cross-Origin-Resource-Policy"),
        ("/empty/x", "net::ERR_EMPTY_RESPONSE", "closed the connection"),
    ],
)
async def test_a_failure_has_its_reason(
    page: Page, site: Site, fetched: str, failure: str, why: str
) -> None:
    site.respond("/other/x", "no")
    site.respond("/put/x", "no", status=500, headers={"Access-Control-Allow-Origin": "*"})
    site.respond("/corp/x", "no", headers={"Cross-Origin-Resource-Policy": "same-origin"})
    await open_site(page, site)
    url = site.url(fetched).replace("127.0.0.1", "localhost") if fetched[0] == "/" else fetched
    how = {"/put/x": "{method: 'PUT'}", "/corp/x": "{mode: 'no-cors'}"}.get(fetched, "{}")

    async def hang_up(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.close()
        await writer.wait_closed()

    async with await asyncio.start_server(hang_up, "127.0.0.1", 0) as empty:
        if fetched == "/empty/x":
            url = f"http://127.0.0.1:{empty.sockets[0].getsockname()[1]}/x"
        await run(page, f"fetch('{url}', {how}).catch(() => 0)")
        request = await ended(page, "/x")
    assert request.failure.startswith(failure)
    assert why in explain_failure(request)
    assert "[FAILED] net::" in render_request(request)
    with pytest.raises(CallError, match="failed"):
        await page.fetch_response_body(request)


async def test_a_request_that_the_pages_policy_blocks_is_recorded(page: Page, site: Site) -> None:
    policy = {"Content-Security-Policy": "img-src 'none'"}
    await page.navigate(site.page("<img src=/blocked.png>", headers=policy))
    request = await ended(page, "/blocked.png")
    assert explain_failure(request) == "the page's Content-Security-Policy forbids it"


async def test_caches_and_service_workers_are_named(page: Page, site: Site) -> None:
    site.respond("/kept", "kept", headers={"Cache-Control": "max-age=1000"})
    worker = "onfetch = event => { if (event.request.url.endsWith('/made')) "
    worker += "event.respondWith(new Response('made')); }"
    site.respond("/worker.js", worker, content_type="text/javascript")
    await open_site(page, site)
    await run(page, "for (const _ of '12') await (await fetch('/kept')).text()")
    assert (await ended(page, "/kept")).response_source == "disk cache"
    await run(
        page,
        "navigator.serviceWorker.register('/worker.js'); await navigator.serviceWorker.ready",
    )
    await open_site(page, site)
    await run(page, "await (await fetch('/made')).text()")
    request = await ended(page, "/made")
    assert request.response_source == "service worker"
    assert "from service worker" in render_request(request)
    assert await page.fetch_response_body(request) == b"made"


@pytest.mark.parametrize(
    ("body", "sent"),
    [
        ("'text ä'", "text ä".encode()),
        ("new URLSearchParams({a: '1 2'})", b"a=1+2"),
        ("new Uint8Array([0, 255, 1])", b"\x00\xff\x01"),
        ("'x'.repeat(200000)", b"x" * 200_000),
    ],
)
async def test_the_posted_body_is_recorded_exactly(
    page: Page, site: Site, body: str, sent: bytes
) -> None:
    site.respond("/post", "ok")
    await open_site(page, site)
    await run(page, f"await (await fetch('/post', {{method: 'POST', body: {body}}})).text()")
    request = await ended(page, "/post")
    assert await page.fetch_request_body(request) == sent
    assert await page.fetch_response_body(request) == b"ok"


async def test_a_form_with_a_file_is_recorded_as_far_as_chromium_reports_it(
    page: Page, site: Site
) -> None:
    site.respond("/post", "ok")
    await open_site(page, site)
    await run(
        page,
        "const form = new FormData(); form.append('name', 'value'); "
        "form.append('file', new Blob(['content']), 'x.txt'); "
        "await (await fetch('/post', {method: 'POST', body: form})).text()",
    )
    request = await ended(page, "/post")
    body = await page.fetch_request_body(request)
    assert b'name="name"\r\n\r\nvalue\r\n' in body
    assert b'filename="x.txt"' in body


async def test_bodies_are_decoded_and_sizes_recorded(page: Page, site: Site) -> None:
    text = "word " * 10_000
    packed = gzip.compress(text.encode())
    site.respond("/packed", packed, headers={"Content-Encoding": "gzip"})
    await open_site(page, site)
    await run(page, "await (await fetch('/packed')).text()")
    request = await ended(page, "/packed")
    assert (await page.fetch_response_body(request)).decode() == text
    assert request.body_length == len(text)
    assert request.received_bytes is not None
    assert request.received_bytes < 2_000


@pytest.mark.parametrize(("method", "status"), [("HEAD", 200), ("GET", 204)])
async def test_answers_without_a_body_have_an_empty_one(
    page: Page, site: Site, method: str, status: int
) -> None:
    site.respond("/none", "", status=status)
    await open_site(page, site)
    await run(page, f"await fetch('/none', {{method: '{method}'}})")
    request = await ended(page, "/none")
    assert f"[{status}]" in render_request(request)
    assert "FAILED" not in render_request(request)
    assert await page.fetch_response_body(request) == b""


async def test_a_beacon_an_event_stream_and_a_preflight_have_their_own_types(
    page: Page, site: Site
) -> None:
    allowed = {
        "Access-Control-Allow-Origin": "*",
        "Access-Control-Allow-Methods": "PUT",
    }
    site.respond("/put", "ok", headers=allowed)
    site.respond("/beacon", "")
    site.respond("/events", "data: x\n\n", content_type="text/event-stream")
    await open_site(page, site)
    url = site.url("/put").replace("127.0.0.1", "localhost")
    await run(
        page,
        "navigator.sendBeacon('/beacon', 'hi'); "
        "const events = new EventSource('/events'); "
        "await new Promise(done => events.onmessage = done); events.close(); "
        f"await (await fetch('{url}', {{method: 'PUT'}})).text()",
    )
    for path, kinds in (
        ("/beacon", ["ping"]),
        ("/events", ["eventsource"]),
        ("/put", ["fetch", "preflight"]),
    ):
        await ended(page, path)
        assert sorted(each.kind for each in page.request_log if path in each.url) == kinds


async def test_a_websocket_shows_its_state_and_messages(page: Page, site: Site) -> None:
    async def echo(socket: ServerConnection) -> None:
        async for message in socket:
            await socket.send(message)

    await open_site(page, site)
    async with serve(echo, "127.0.0.1", 0) as server:
        port = next(iter(server.sockets)).getsockname()[1]
        await run(
            page,
            f"window.socket = new WebSocket('ws://127.0.0.1:{port}/chat'); "
            "await new Promise(done => socket.onopen = done); socket.send('hello'); "
            "await new Promise(done => socket.onmessage = done)",
        )
        request = next(each for each in page.request_log if each.messages is not None)
        assert (
            "=> [101] Switching Protocols (websocket, 1 sent, 1 received, open"
            in render_request(request)
        )
        assert list(request.messages or ()) == ["sent: hello", "received: hello"]
        with pytest.raises(CallError, match="is a WebSocket"):
            await page.fetch_response_body(request)
        await run(page, "socket.close(); await new Promise(done => socket.onclose = done)")
        assert "closed after" in render_request(await ended(page, "/chat"))


async def test_frames_of_another_site_are_recorded_with_their_bodies(
    page: Page, site: Site
) -> None:
    site.respond("/inner-api", "inner")
    inner = site.page("<script>fetch('/inner-api').then(each => each.text())</script>")
    await open_site(
        page, site, f"<iframe src='{inner.replace('127.0.0.1', 'localhost')}'></iframe>"
    )
    request = await ended(page, "/inner-api")
    assert await page.fetch_response_body(request) == b"inner"
    assert len([each for each in page.request_log if each.kind == "document"]) == 2


async def test_all_requests_of_frames_and_workers_of_another_process_are_recorded(
    page: Page, site: Site
) -> None:
    for path in ("/f.js", "/f.css", "/w.js"):
        kind = "text/css" if path.endswith("css") else "text/javascript"
        site.respond(path, "/**/", content_type=kind)
    inner = site.page("<script src=/f.js></script><link rel=stylesheet href=/f.css>")
    inner = inner.replace("127.0.0.1", "localhost")
    await open_site(
        page, site, f"<iframe src='{inner}'></iframe><script>new Worker('/w.js')</script>"
    )
    for path in ("/f.js", "/f.css", "/w.js"):
        assert (await ended(page, path)).status == 200


async def test_a_missing_script_is_recorded_with_its_status(page: Page, site: Site) -> None:
    await open_site(page, site, "<script src=/gone.js></script>")
    request = await ended(page, "/gone.js")
    assert (request.status, request.failure) == (404, "")
    assert "=> [404]" in render_request(request)


async def test_worklets_run_and_their_requests_are_recorded(page: Page, site: Site) -> None:
    site.respond("/worklet.js", "/**/", content_type="text/javascript")
    await open_site(page, site)
    await run(page, "await new AudioContext().audioWorklet.addModule('/worklet.js')")
    assert (await ended(page, "/worklet.js")).status == 200


async def test_an_empty_response_is_no_failure_and_an_aborted_request_is(
    page: Page, site: Site
) -> None:
    site.respond("/empty", "")
    site.respond("/full", "x" * 100)
    await open_site(page, site)
    await run(page, "await fetch('/empty', {method: 'POST', body: '1'})")
    request = await ended(page, "/empty")
    assert (request.failure, await page.fetch_response_body(request)) == ("", b"")
    await run(
        page,
        "const stop = new AbortController(); const got = fetch('/full', {signal: stop.signal});"
        "stop.abort(); await got.catch(() => 0)",
    )
    assert (await ended(page, "/full")).failure == "net::ERR_ABORTED"


async def test_a_body_that_chromium_dropped_is_an_error(page: Page, site: Site) -> None:
    site.respond("/gone", "x" * 100)
    await open_site(page, site)
    await services_of(page).session.Network.enable(maxTotalBufferSize=10, maxResourceBufferSize=10)
    await run(page, "await (await fetch('/gone')).text()")
    request = await ended(page, "/gone")
    with pytest.raises(PageError, match="did not keep its response body"):
        await page.fetch_response_body(request)


async def test_a_stream_that_still_runs_has_no_body_yet(page: Page, site: Site) -> None:
    async def drip(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = b"HTTP/1.1 200 OK\r\nAccess-Control-Allow-Origin: *\r\n\r\npart"
        writer.write(head)
        await reader.read()  # until the page navigates
        writer.close()

    await open_site(page, site)
    async with await asyncio.start_server(drip, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        await run(page, f"await fetch('http://127.0.0.1:{port}/drip')")
        request = next(each for each in page.request_log if "/drip" in each.url)
        with pytest.raises(CallError, match="still receiving its body"):
            await page.fetch_response_body(request)
        await page.navigate("about:blank")


async def test_data_urls_are_cut(page: Page, site: Site) -> None:
    await open_site(page, site)
    await run(page, "await (await fetch('data:text/plain,' + 'x'.repeat(5000))).text()")
    request = await ended(page, "data:")
    assert len(request.url) < 250
    assert request.url.endswith("…(5,016 characters)")


async def test_pages_without_a_request_begin_with_an_empty_list(page: Page, site: Site) -> None:
    await open_site(page, site)
    assert len(page.request_log) == 1
    await page.navigate("about:blank")
    assert len(page.request_log) == 0


async def test_the_recorded_request_equals_the_one_the_server_received(
    page: Page, site: Site
) -> None:
    seen: list[dict[str, str]] = []

    def answer(asked: Asked) -> Response:
        seen.append(dict(asked.headers))
        return Response("ok", headers={"X-Many": "a"})

    site.handle("/seen", answer)
    await open_site(page, site)
    await run(page, "await (await fetch('/seen', {headers: {'X-Mine': 'value'}})).text()")
    request = await ended(page, "/seen")
    headers = dict(each.split(": ", 1) for each in request.request_headers.split("\n"))
    assert {name.lower(): value for name, value in headers.items()} == {
        name.lower(): value for name, value in seen[0].items()
    }
