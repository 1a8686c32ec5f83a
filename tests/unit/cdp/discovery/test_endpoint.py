"""From an endpoint of the user to a WebSocket address, with a server that answers byte for byte."""

from __future__ import annotations

import asyncio
import traceback
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from pathlib import Path

import pytest

from cdp_protocol import (
    EndpointError,
    endpoint_from_profile,
    mask_url_secrets,
    target_ids_by_last_use,
    websocket_url,
)
from cdp_protocol.discovery.endpoint import find_candidate_urls
from cdp_protocol.discovery.http_client import MAX_RESPONSE_BYTES

WS = "ws://127.0.0.1:9222/devtools/browser/abc"


class ScriptedServer:
    """A server that sends the given bytes and records the requests."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.port = 0
        self.answer: Callable[[str], bytes] = lambda _: b""

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        request = (await reader.readuntil(b"\r\n\r\n")).decode()
        self.asked.append(request)
        writer.write(self.answer(request))
        with suppress(ConnectionError):  # the client may have closed the connection
            await writer.drain()
            writer.close()
            await writer.wait_closed()

    def respond(self, *lines: str, body: str = "", length: bool = True) -> None:
        head = [*lines, f"Content-Length: {len(body)}"] if length else [*lines]
        answer = "\r\n".join([*head, "", body]).encode()
        self.answer = lambda _: answer


@pytest.fixture
async def browser() -> AsyncIterator[ScriptedServer]:
    answering = ScriptedServer()
    async with await asyncio.start_server(answering.serve, "127.0.0.1", 0) as server:
        answering.port = server.sockets[0].getsockname()[1]
        yield answering


def version_response(url: str) -> str:
    return f'{{"Browser": "Chrome/156", "webSocketDebuggerUrl": "{url}"}}'


@pytest.mark.parametrize("url", ["ws://host:1/devtools/browser/x", "wss://host/x?token=1"])
async def test_a_websocket_address_is_returned_as_it_is(url: str) -> None:
    assert await websocket_url(url) == url


@pytest.mark.parametrize(
    "form", ["http://127.0.0.1:{}", "http://127.0.0.1:{}/", "127.0.0.1:{}", "{}"]
)
async def test_a_browser_is_asked_for_its_address(browser: ScriptedServer, form: str) -> None:
    browser.respond(
        "HTTP/1.1 200 OK", body=version_response(f"ws://127.0.0.1:{browser.port}/devtools/x")
    )

    url = await websocket_url(form.format(browser.port))

    assert url == f"ws://127.0.0.1:{browser.port}/devtools/x"
    assert browser.asked[0].startswith(
        f"GET /json/version HTTP/1.1\r\nHost: 127.0.0.1:{browser.port}"
    )


async def test_path_query_and_headers_are_kept(browser: ScriptedServer) -> None:
    browser.respond("HTTP/1.1 200 OK", body=version_response(WS))

    await websocket_url(
        f"http://127.0.0.1:{browser.port}/farm/7?token=t", headers={"Authorization": "Bearer b"}
    )

    assert browser.asked[0].startswith("GET /farm/7/json/version?token=t HTTP/1.1\r\n")
    assert "\r\nAuthorization: Bearer b\r\n" in browser.asked[0]


async def test_a_chunked_answer_is_understood(browser: ScriptedServer) -> None:
    body = version_response(f"ws://127.0.0.1:{browser.port}/x")
    chunks = "".join(f"{len(part):x};e=1\r\n{part}\r\n" for part in (body[:10], body[10:]))
    browser.respond(
        "HTTP/1.1 200 OK", "Transfer-Encoding: chunked", body=f"{chunks}0\r\n\r\n", length=False
    )

    assert await websocket_url(str(browser.port)) == f"ws://127.0.0.1:{browser.port}/x"


async def test_an_answer_that_ends_with_the_connection_is_understood(
    browser: ScriptedServer,
) -> None:
    browser.respond(
        "HTTP/1.0 200 OK", body=version_response("ws://elsewhere.example:1/x"), length=False
    )

    assert await websocket_url(str(browser.port)) == "ws://elsewhere.example:1/x"


async def test_a_long_answer_that_ends_with_the_connection_arrives_whole(
    browser: ScriptedServer,
) -> None:
    body = " " * 1_000_000 + version_response("ws://elsewhere.example:1/x")
    browser.respond("HTTP/1.0 200 OK", body=body, length=False)

    assert await websocket_url(str(browser.port)) == "ws://elsewhere.example:1/x"


@pytest.mark.parametrize("length", [True, False])
async def test_a_response_larger_than_any_browsers_is_not_read(
    browser: ScriptedServer, length: bool
) -> None:
    browser.respond("HTTP/1.1 200 OK", body=" " * (MAX_RESPONSE_BYTES + 1), length=length)

    with pytest.raises(EndpointError, match="bytes, which is more than a browser sends"):
        await websocket_url(str(browser.port))


async def test_a_browser_with_another_name_for_itself_is_reached_at_the_given_address(
    browser: ScriptedServer,
) -> None:
    browser.respond("HTTP/1.1 200 OK", body=version_response("ws://0.0.0.0:9222/devtools/x"))

    url = await websocket_url(str(browser.port))

    assert url == f"ws://127.0.0.1:{browser.port}/devtools/x"


async def test_a_browser_that_refuses_host_names_is_asked_by_ip_address(
    browser: ScriptedServer,
) -> None:
    refusal = "Host header is specified and is not an IP address or localhost."
    browser.answer = lambda request: (
        f"HTTP/1.1 500 No\r\nContent-Length: {len(refusal)}\r\n\r\n{refusal}".encode()
        if "Host: localhost" in request
        else f"HTTP/1.1 200 OK\r\n\r\n{version_response(WS)}".encode()
    )

    url = await websocket_url(f"http://localhost:{browser.port}")

    assert url == f"ws://127.0.0.1:{browser.port}/devtools/browser/abc"


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n", "answered with status 404"),
        (b"HTTP/1.1 200 OK\r\n\r\n<html>", "has no webSocketDebuggerUrl"),
        (b"HTTP/1.1 200 OK\r\n\r\n{}", "has no webSocketDebuggerUrl"),
        (b"SSH-2.0-OpenSSH_9\r\n", "does not use HTTP"),
        (b"", "does not use HTTP"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{", "bytes read on a total of 99"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 99999999\r\n\r\n{", "is more than a browser sends"),
    ],
)
async def test_a_server_that_is_no_browser_is_reported_as_such(
    browser: ScriptedServer, answer: bytes, reason: str
) -> None:
    browser.answer = lambda _: answer

    with pytest.raises(EndpointError, match=reason) as caught:
        await websocket_url(f"http://127.0.0.1:{browser.port}")
    assert caught.value.endpoint == f"http://127.0.0.1:{browser.port}"


async def test_a_refused_connection_is_reported_as_such(unused_tcp_port: int) -> None:
    with pytest.raises(EndpointError, match="Cannot connect to a browser at"):
        await websocket_url(f"127.0.0.1:{unused_tcp_port}")


async def test_a_server_that_stays_silent_times_out() -> None:
    async def stay_silent(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await release.wait()
        writer.close()

    release = asyncio.Event()
    async with await asyncio.start_server(stay_silent, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        with pytest.raises(EndpointError, match=r"no response within 0\.05 s"):
            await websocket_url(str(port), timeout=0.05)
        release.set()


@pytest.mark.parametrize(
    "endpoint", ["ftp://127.0.0.1:1", "http://", "http://127.0.0.1:notaport", "http://["]
)
async def test_an_invalid_endpoint_is_reported_as_such(endpoint: str) -> None:
    with pytest.raises(EndpointError):
        await websocket_url(endpoint)


def test_a_profile_names_the_browser_that_runs_on_it(tmp_path: Path) -> None:
    (tmp_path / "DevToolsActivePort").write_text("9222\n/devtools/browser/abc")

    assert endpoint_from_profile(tmp_path) == WS


def test_a_profile_without_a_browser_is_reported_as_such(tmp_path: Path) -> None:
    with pytest.raises(EndpointError, match="no DevToolsActivePort file"):
        endpoint_from_profile(tmp_path)


@pytest.mark.parametrize("text", ["", "9222", "port\n/devtools", "70000\n/devtools"])
def test_a_half_written_port_file_is_reported_as_such(tmp_path: Path, text: str) -> None:
    (tmp_path / "DevToolsActivePort").write_text(text)

    with pytest.raises(EndpointError, match="DevToolsActivePort cannot be read"):
        endpoint_from_profile(tmp_path)


@pytest.mark.parametrize(
    ("endpoint", "named", "expected"),
    [
        # The name that a browser in a container, or behind a forwarded port, has for itself.
        ("{here}", "ws://172.17.0.2:9222/b/1", ["ws://{here}/b/1", "ws://172.17.0.2:9222/b/1"]),
        ("{here}", "ws://chrome:9222/b/1", ["ws://{here}/b/1", "ws://chrome:9222/b/1"]),
        ("{here}", "ws://[::1]:9222/b/1", ["ws://{here}/b/1", "ws://[::1]:9222/b/1"]),
        ("{here}", "ws://{here}/b/1", ["ws://{here}/b/1"]),
        # A gateway that sends its users elsewhere.
        ("{here}", "wss://far.example/b/1", ["wss://far.example/b/1", "ws://{here}/b/1"]),
        # Tokens, and the path under which a proxy has the browser.
        ("http://{here}?t=1", "ws://{here}/b/1", ["ws://{here}/b/1?t=1", "ws://{here}/b/1"]),
        ("http://{here}?t=1", "ws://{here}/b/1?u=2", ["ws://{here}/b/1?u=2"]),
        ("http://{here}/farm", "ws://{here}/b/1", ["ws://{here}/farm/b/1", "ws://{here}/b/1"]),
        ("http://{here}/farm", "ws://{here}/farm/b/1", ["ws://{here}/farm/b/1"]),
        ("http://u:p@{here}", "ws://{here}/b/1", ["ws://u:p@{here}/b/1", "ws://{here}/b/1"]),
    ],
)
async def test_the_given_address_and_the_browsers_own_are_tried(
    browser: ScriptedServer, endpoint: str, named: str, expected: list[str]
) -> None:
    here = f"127.0.0.1:{browser.port}"
    browser.respond("HTTP/1.1 200 OK", body=version_response(named.format(here=here)))

    found = await find_candidate_urls(endpoint.format(here=here), {})

    assert list(found.urls) == [url.format(here=here) for url in expected]
    assert not found.guess_reason


@pytest.mark.parametrize(
    ("endpoint", "expected"),
    [
        ("{here}", "ws://{here}/devtools/browser"),
        ("http://{here}/", "ws://{here}/devtools/browser"),
        ("http://{here}/?token=t", "ws://{here}/?token=t"),
        ("http://{here}/session/1/", "ws://{here}/session/1"),
    ],
)
async def test_a_server_without_discovery_may_have_a_websocket(
    browser: ScriptedServer, endpoint: str, expected: str
) -> None:
    here = f"127.0.0.1:{browser.port}"
    browser.respond("HTTP/1.1 404 Not Found")

    found = await find_candidate_urls(endpoint.format(here=here), {})

    assert found.urls == (expected.format(here=here),)
    assert found.guess_reason == "/json/version answered with status 404"


async def test_a_user_and_password_are_sent_as_basic_authorization(browser: ScriptedServer) -> None:
    browser.respond("HTTP/1.1 200 OK", body=version_response(WS))

    await websocket_url(f"http://me:p%40ss@127.0.0.1:{browser.port}")

    assert "\r\nAuthorization: Basic bWU6cEBzcw==\r\n" in browser.asked[0]
    assert f"\r\nHost: 127.0.0.1:{browser.port}\r\n" in browser.asked[0]


async def test_redirects_are_followed_with_the_headers_for_the_host(
    browser: ScriptedServer,
) -> None:
    body = version_response("ws://127.0.0.1:1/x")
    browser.answer = lambda request: (
        f"HTTP/1.1 200 OK\r\n\r\n{body}".encode()
        if request.startswith("GET /Moved")
        else b"HTTP/1.1 302 Found\r\nLocation: /Moved/json/version?t=1\r\n\r\n"
    )

    url = await websocket_url(f"http://u:p@127.0.0.1:{browser.port}", headers={"X-Key": "k"})

    assert url == f"ws://u:p@127.0.0.1:{browser.port}/Moved/x?t=1"
    assert "X-Key: k" in browser.asked[1]


async def test_a_redirect_to_another_host_gets_no_secrets(browser: ScriptedServer) -> None:
    body = version_response("ws://127.0.0.1:1/x")
    there = f"http://localhost:{browser.port}/json/version"
    browser.answer = lambda request: (
        f"HTTP/1.1 200 OK\r\n\r\n{body}".encode()
        if "Host: localhost" in request
        else f"HTTP/1.1 307 Moved\r\nLocation: {there}\r\n\r\n".encode()
    )

    await websocket_url(f"http://u:p@127.0.0.1:{browser.port}", headers={"X-Key": "k"})

    assert "X-Key" not in browser.asked[1]
    assert "Authorization" not in browser.asked[1]


@pytest.mark.parametrize(
    ("location", "reason"),
    [("/json/version", "too often"), ("ftp://127.0.0.1/", "unsafe address")],
)
async def test_a_redirect_without_a_usable_target_is_reported_as_such(
    browser: ScriptedServer, location: str, reason: str
) -> None:
    browser.respond("HTTP/1.1 302 Found", f"Location: {location}")

    with pytest.raises(EndpointError, match=reason):
        await websocket_url(str(browser.port))


async def test_targets_are_listed_in_the_order_of_their_last_use(browser: ScriptedServer) -> None:
    browser.respond("HTTP/1.1 200 OK", body='[{"id": "B"}, {"id": "A"}]')
    here = f"127.0.0.1:{browser.port}"

    assert await target_ids_by_last_use(f"ws://{here}/farm/devtools/browser/1?t=1") == ["B", "A"]
    assert browser.asked[0].startswith("GET /farm/json/list?t=1 HTTP/1.1")
    assert await target_ids_by_last_use(f"ws://{here}/session/7") == []


@pytest.mark.parametrize("body", ["", "null", "[1]", '{"id": 1}', "<html>"])
async def test_an_unknown_address_order_is_no_error(browser: ScriptedServer, body: str) -> None:
    browser.respond("HTTP/1.1 200 OK", body=body)

    assert await target_ids_by_last_use(f"ws://127.0.0.1:{browser.port}/devtools/browser/1") == []


@pytest.mark.parametrize(
    ("text", "expected_text"),
    [
        ("wss://host/path?token=t", "wss://host/path?***"),
        ("https://me:p/a@ss@host:1/x", "https://host:1/x"),
        ("me:pass@host:1?k=v", "host:1?***"),
        ("/home/me@work/chrome", "/home/me@work/chrome"),
        ("it redirects to wss://h/?t=1 again", "it redirects to wss://h/?*** again"),
    ],
)
def test_a_text_is_shown_without_the_secrets_of_its_addresses(
    text: str, expected_text: str
) -> None:
    assert mask_url_secrets(text) == expected_text


@pytest.mark.parametrize(
    "endpoint",
    [
        "http://u:hu/sh@host:1/",
        "http://u:hush@host:port/",
        "http://u:hush@host:99999/",
        "http://u:hush@ex\u2100mple.com/",
        "ws://u:hush@[/",
    ],
)
async def test_an_invalid_address_is_reported_without_its_secrets(endpoint: str) -> None:
    with pytest.raises(EndpointError, match="it is not a valid address") as caught:
        await websocket_url(endpoint)

    expected_text = "".join(traceback.format_exception(caught.value))
    assert "hush" not in expected_text
    assert "'hu'" not in expected_text


@pytest.mark.parametrize("named", ["ws://host:hush/", "ws://[hush/"])
async def test_an_invalid_named_address_is_not_quoted(browser: ScriptedServer, named: str) -> None:
    browser.respond("HTTP/1.1 200 OK", body=version_response(named))

    with pytest.raises(EndpointError, match="it is not a valid address") as caught:
        await websocket_url(str(browser.port))
    assert "hush" not in "".join(traceback.format_exception(caught.value))


def test_an_error_keeps_no_secret() -> None:
    error = EndpointError("wss://me:pass@host/?token=t0ken", "refused at wss://host/?token=t0ken")

    assert "t0ken" not in f"{error} {error!r} {error.args}"
    assert "me:pass" not in f"{error} {error!r} {error.args}"
